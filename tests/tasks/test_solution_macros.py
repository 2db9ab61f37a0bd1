"""Solutions become macros."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pptarena.agents.macros import bind_macro
from pptarena.edits import EDITS
from pptarena.errors import MacroError, TaskError
from pptarena.tasks import MacroCall, get_task, list_tasks
from pptarena.tasks.solution_macros import EDIT_MACROS, has_macros, macros_of


def _macros(task: str, *solution: dict[str, Any]) -> list[dict[str, Any]]:
    calls = macros_of(replace(get_task(task), macros=None, solution=solution))
    for call in calls:
        bind_macro(call)
    return [each.to_json() for each in calls]


_TITLE = {"slide": 7, "shape": "@title"}
_COSTS = {"slide": 10, "shape": "Branches"}


_NEW = {"left_cm": 1.0, "top_cm": 1.0, "width_cm": 3.0, "height_cm": 3.0}


def _call(macro: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"macro": macro, **arguments}]


@pytest.mark.parametrize(
    ("task", "edits", "macros"),
    [
        (
            "meridian-hide-backup",
            [{"edit": "set_text", **_TITLE, "text": "Tents", "paragraph": 1}],
            _call("edit_text", **_TITLE, text="Tents"),
        ),
        (
            "meridian-hide-backup",
            [{"edit": "move_slide", "slide": "last", "position": 2}],
            _call("move_slide", slide=17, to=2),
        ),
        (
            "meridian-hide-backup",
            [{"edit": "set_run_format", **_TITLE, "bold": True, "color": "tx2"}],
            _call("format_text", **_TITLE, bold=True, color="2C3E50"),
        ),
        (
            "meridian-hide-backup",
            [{"edit": "set_transition", "slides": "all", "kind": "push"}],
            _call("transition", slide=1, kind="push", all=True),
        ),
        (
            "meridian-hide-backup",
            [
                {"edit": "delete_slide", "slide": 1},
                {"edit": "hide_slide", "slide": "Tents overtook footwear"},
            ],
            [*_call("delete_slide", slide=1), *_call("hide_slide", slide=6)],
        ),
        (
            "meridian-hide-backup",
            [
                {"edit": "add_shape", "slide": 3, "outline": "ellipse", "text": "New", **_NEW},
                {"edit": "set_fill", "slide": 3, "shape": "New", "color": "#FF0000"},
            ],
            [
                *_call("insert_shape", slide=3, kind="ellipse", text="New", **_NEW, exact=True),
                *_call("fill_color", slide=3, shape="New", color="FF0000"),
            ],
        ),
        (
            "ledger-tile",
            [{"edit": "align_shapes", "slide": 4, "shapes": ["Tile 1", "Tile 2"], "to": "top"}],
            _call("position", slide=4, shape="Tile 2", top_cm=3.6),
        ),
        (
            "ledger-tile",
            [{"edit": "add_row", **_COSTS, "cells": ["Total", "", "9", ""], "position": 3}],
            [
                *_call("insert_row", **_COSTS, after=2),
                *_call("edit_cells", **_COSTS, row=3, column=1, texts=["Total", None, "9"]),
            ],
        ),
        (
            "aurora-square-hero",
            [
                {
                    "edit": "crop_picture",
                    "slide": 7,
                    "shape": "Hero",
                    "left": 0.125,
                    "right": 0.125,
                },
                {
                    "edit": "move_shape",
                    "slide": 7,
                    "shape": "Hero",
                    "left_cm": 2.6,
                    "width_cm": 9.0,
                },
            ],
            [
                *_call("crop", slide=7, shape="Hero", left_cm=3.175, right_cm=3.175),
                *_call("resize", slide=7, shape="Hero", width_cm=9.0, height_cm=10.2),
                *_call("position", slide=7, shape="Hero", left_cm=2.6, top_cm=3.6),
            ],
        ),
        (
            "clinic-lying-bars",
            [{"edit": "delete_series", "slide": 9, "shape": "Time of day", "series": 1}],
            _call("remove_series", slide=9, shape="Time of day", series="Incidents"),
        ),
    ],
)
def test_edits_become_macros(
    task: str, edits: list[dict[str, Any]], macros: list[dict[str, Any]]
) -> None:
    assert _macros(task, *edits) == macros


def test_repeated_text_is_addressed_by_occurrence() -> None:
    calls = macros_of(get_task("thesis-subscripts"))
    assert [call.arguments.get("occurrence") for call in calls] == [None, 2]


def test_new_slide_gets_its_placeholders_before_their_text() -> None:
    names = [call.name for call in macros_of(get_task("field-quote-slide"))]
    assert names == ["insert_layout_slide", "slide_boxes", "edit_text", "edit_text"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            {"edit": "set_text_frame", **_TITLE, "columns": 2},
            "solution/0: set_text_frame: no macro makes this edit",
        ),
        (
            {"edit": "set_paragraph_format", **_TITLE, "line_spacing": 2},
            "set_paragraph_format: no macro supports the argument line_spacing",
        ),
        (
            {"edit": "set_fill", **_TITLE, "color": "#FF0000", "opacity_pct": 50},
            "fill_color: argument 'opacity_pct' not found",
        ),
        (
            {"edit": "set_link", **_TITLE, "address": "https://a.example"},
            "slide_link: argument 'address' not found",
        ),
        ({"edit": "set_bullets", **_TITLE, "style": "none"}, "no macro makes bullets of the style"),
    ],
)
def test_edits_without_a_macro_are_rejected(edit: dict[str, Any], message: str) -> None:
    with pytest.raises((MacroError, TaskError), match=message):
        _macros("meridian-hide-backup", edit)


def test_macros_in_the_task_take_precedence() -> None:
    task = get_task("meridian-hide-backup")
    assert macros_of(task) == (MacroCall("hide_slide", {"slide": 17}),)
    own = (MacroCall("delete_slide", {"slide": 17}),)
    assert macros_of(replace(task, macros=own)) == own
    assert (macros_of(replace(task, macros=())), has_macros(replace(task, macros=()))) == (
        (),
        False,
    )
    assert not has_macros(get_task("onboard-morph"))


def test_turns_are_played_in_order() -> None:
    names = [call.name for call in macros_of(get_task("onboard-first-day"))]
    assert names == ["edit_text", "next_turn", "hide_slide", "next_turn", "delete_slide"]


def test_unplayable_turn_is_reported() -> None:
    task = get_task("onboard-first-day")
    turn = replace(task.turns[1], solution=({"edit": "set_master_title_bold", "bold": True},))
    with pytest.raises(TaskError, match="onboard-first-day: turns/1/solution/0: set_master_title"):
        macros_of(replace(task, turns=(task.turns[0], turn)))


def test_every_rule_belongs_to_an_edit() -> None:
    assert set(EDIT_MACROS) <= set(EDITS)


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["bench", "extra"])
def test_solutions_of_packaged_tasks_become_macros(suite: str) -> None:
    # `has_macros` does not open the deck; tasks where the deck decides have the field `macros`.
    for task in list_tasks(suite):
        assert bool(macros_of(task) if has_macros(task) else ()) == has_macros(task), task.id


@pytest.mark.parametrize(
    ("page", "template"),
    [
        ("docs/reference/macros.md", "and {} of the\n120 tasks of `bench`"),
        ("docs/reference/benchmark.md", "| solvable by macros or a demonstration | {} |"),
        ("docs/reference/benchmark.md", "| the {} with macros |"),
        ("docs/evidence/index.md", "Scripted solutions: {} of `bench` have macros"),
        ("README.md", "| {} with macros |"),
    ],
)
def test_documentation_states_how_many_bench_tasks_have_macros(page: str, template: str) -> None:
    playable = sum(map(has_macros, list_tasks("bench")))
    text = (Path(__file__).parents[2] / page).read_text("utf-8")
    assert template.format(playable) in text
