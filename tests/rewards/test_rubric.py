from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import RubricError
from pptarena.rewards import load_rubric, load_scope

LEAF = {"name": "leaf", "check": "title_is", "args": {"slide": 1, "text": "x"}}


def _rubric(root: Any, **fields: Any) -> dict[str, Any]:
    return {"version": 1, "strategy": "weighted", "root": root, **fields}


def _parent(*children: Any) -> dict[str, Any]:
    return {"name": "root", "children": list(children)}


def _leaf(**args: Any) -> dict[str, Any]:
    return {"name": "leaf", "check": "run_format", "args": args}


def test_rubric_round_trips_through_json() -> None:
    obj = _rubric(_parent(LEAF | {"critical": False, "description": "why"}))
    rubric = load_rubric(obj)
    assert load_rubric(rubric.to_json()) == rubric
    assert rubric.to_json()["root"]["children"][0]["description"] == "why"
    assert rubric.root.children[0].critical is False


@each_case(
    "obj, message",
    [
        ([], "rubric: expected an object"),
        (_rubric(LEAF) | {"version": 2}, "version: expected 1, got 2"),
        (_rubric(LEAF, strategy="best"), "strategy: expected one of"),
        (_rubric(LEAF, extra=1), "rubric: unknown key 'extra'"),
        (_rubric(None), "root: expected an object"),
        (_rubric(_parent()), "root/children: expected a non-empty list"),
        (_rubric({"name": "x"}), "root: expected either"),
        (_rubric(LEAF | {"children": [LEAF]}), "root: expected either"),
        (_rubric({"name": " ", "check": "title_is"}), "root/name: expected a non-empty text"),
        (_rubric(LEAF | {"critical": 1}), "root/critical: expected bool, got 1"),
        (_rubric(_parent(LEAF, LEAF)), "root/children: the name 'leaf' is used twice"),
        (_rubric(_parent(LEAF | {"score": 1})), "root/children/0: unknown key 'score'"),
        (_rubric(_parent(LEAF | {"check": "foo"})), "root/children/0/check: check 'foo' not found"),
        (_rubric(LEAF) | {"version": True}, "version: expected 1, got True"),
        (_rubric(LEAF | {"args": 3}), "root/args: expected an object, got 3"),
        (_rubric(LEAF | {"args": {"slide": 1}}), "root/args: 'text' is missing"),
        (_rubric(_leaf(slide="x", bold=True)), "root/args/slide: expected a position of a slide"),
        (_rubric(_leaf(slide=True, bold=True)),
         "root/args/slide: expected a position of a slide"),
        (_rubric(_leaf(slide=1, bold=1)), "root/args/bold: expected bool, got 1"),
        (_rubric(_leaf(slide=1, blod=True)), "root/args: unknown argument 'blod'"),
        (_rubric(_leaf(slide=1)), "root/args: expected at least one property"),
        (_rubric(_leaf(bold=True)), "root/args: expected exactly one of slide"),
        (_rubric(_leaf(slide=1, slides=[2], bold=True)), "root/args: expected exactly one of"),
        (_rubric(_leaf(slides=[], bold=True)), "root/args: slide positions start at 1"),
        (_rubric(_leaf(slides=[1, "2"], bold=True)),
         "root/args/slides: expected a list of positions"),
        (_rubric(_leaf(slides="every", bold=True)),
         "root/args/slides: expected a list of positions of slides, 'all'"),
        (_rubric(_leaf(slide=0, bold=True)), "root/args: slide positions start at 1"),
        (_rubric(_leaf(slide=1, color="reddish")), "root/args/color: expected a color"),
    ],
)  # fmt: skip
def test_rubric_errors_name_the_location(obj: Any, message: str) -> None:
    with pytest.raises(RubricError) as excinfo:
        load_rubric(obj)
    assert excinfo.value.problems[0].startswith(message)


def test_rubric_depth_is_limited() -> None:
    node: Any = LEAF
    for _ in range(50):
        node = _parent(node)
    with pytest.raises(RubricError, match="levels"):
        load_rubric(_rubric(node))


@each_case(
    "check, args, message",
    [
        ("slide_moved", {"slide": 1}, "exactly one of to, after, before"),
        ("slide_added", {"at": 1, "after": 2}, "at most one of at, after"),
        ("slide_count", {"count": -1}, "count: expected at least 0, got -1"),
        ("slide_deleted", {"slide_now": 1}, "slide or slides"),
        ("shape_exists", {"slide": 1, "kind": "blob"}, "kind to be one of"),
        ("shape_deleted", {"slide": 1}, "exactly one of shape"),
        ("shape_deleted", {"slide": 1, "shape": "@titel"}, "one of @title"),
        ("shape_deleted", {"slide": 1, "shape": " "}, "a name, a text"),
        ("run_format", {"slide": 1, "shape": "@", "bold": True}, "one of @title"),
        ("shape_position", {"slide": 1, "shape": "a"}, "left_emu or top_emu"),
        ("shape_size", {"slide": 1, "shape": "a"}, "width_emu or height_emu"),
        ("shape_scaled", {"slide": 1, "shape": "a"}, "factor_min or factor_max"),
        ("shape_line", {"slide": 1, "shape": "a"}, "width_pt"),
        ("shape_relation", {"slide": 1, "shape": "a", "relation": "above"}, "expected other"),
        ("shape_relation", {"slide": 1, "shape": "a", "relation": "at"}, "one of 'left_of'"),
        ("shapes_aligned", {"slide": 1, "shapes": ["a"], "edge": "left"}, "two or more"),
        ("shapes_spaced_evenly", {"slide": 1, "shapes": ["a", "b"], "axis": "vertical"},
         "at least 3 items"),
        ("animation_order", {"slide": 1, "shapes": ["a"]}, "two or more"),
        ("hyperlink_is", {"slide": 1}, "exactly one of url, to_slide"),
        ("paragraph_level", {"slide": 1, "shape": "a", "level": 9},
         "level: expected at most 8, got 9"),
        ("table_has_row", {"slide": 1, "cells": [None]}, "at least one text"),
        ("table_size", {"slide": 1}, "rows or columns"),
        ("picture_present", {"slide": 1, "from_slide": 2}, "together"),
        ("text_replaced_everywhere", {"old": "a", "new": "a"}, "differ"),
        ("text_replaced_everywhere", {"old": " ", "new": "a"}, "differ"),
        ("slide_text_contains", {"slide": 1, "texts": []}, "non-empty"),
        ("nothing_else_changed", {"per_change": 0}, "per_change"),
    ],
)  # fmt: skip
def test_arguments_are_checked_at_load_time(check: str, args: Any, message: str) -> None:
    with pytest.raises(RubricError, match=message):
        load_rubric(_rubric({"name": "leaf", "check": check, "args": args}))


def test_scope_round_trips_through_json() -> None:
    obj = {"slides": [1, 2], "aspects": ["text"], "shapes": ["@title"], "new_slides": 2}
    scope = load_scope(obj)
    assert scope.to_json() == obj
    assert load_scope({"slides": "all"}).to_json() == {"slides": "all", "new_slides": False}


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        ({"slides": [0]}, "scope: slide positions start at 1"),
        ({"slides": "some"}, "scope/slides: expected"),
        ({"aspects": ["smell"]}, "scope/aspects/0: expected one of"),
        ({"new_slides": -1}, "scope: new_slides"),
        ({"shapes": ["@titel"]}, "scope: expected a name, a text or one of @title"),
        ({"slide": 1}, "scope: unknown argument 'slide'"),
        ({"new_slides": 2.0}, "scope/new_slides: expected bool or int, got 2.0"),
        ({"parts": [{"aspcts": []}]}, "scope/parts/0: unknown argument 'aspcts'; expected aspects"),
        ({"parts": [3]}, "scope/parts/0: expected an object, got 3"),
        ({"parts": [{"cells": [[1]]}]}, "scope/parts/0: expected a row and a column from 1, got"),
    ],
)
def test_scope_errors_name_the_location(obj: Any, message: str) -> None:
    with pytest.raises(RubricError) as excinfo:
        load_scope(obj)
    assert str(excinfo.value).startswith(message)
