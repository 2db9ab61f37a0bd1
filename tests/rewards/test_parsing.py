from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import RubricError
from pptarena.rewards import load_rubric, load_scope
from pptarena.rewards.checks import get_check


def _message(check: str, args: Any) -> str:
    with pytest.raises(RubricError) as caught:
        load_rubric({"version": 1, "root": {"name": "leaf", "check": check, "args": args}})
    return str(caught.value)


@each_case(
    "check, args, message",
    [
        ("title_is", {"slide": 1, "text": 3}, "root/args/text: expected str, got 3"),
        ("title_is", {"slide": 1, "text": b"a"}, "root/args: expected JSON, got "),
        ("title_is", {"slide": 1, "text": "\ud800"}, "root/args: expected JSON, got "),
        ("table_cell_is", {"slide": 1, "row": 1.5, "column": 1, "text": "a"},
         "root/args/row: expected int or str, got 1.5"),
        ("shape_rotation", {"slide": 1, "shape": "@title", "degrees": True},
         "root/args/degrees: expected float, got True"),
        ("theme_colors_are", {"colors": [["accent1", "#12"]]},
         "root/args/colors/0: expected a colour like '#1F4E79', 'accent1', 'dark blue', "
         "'red|orange' or 'not red', got '#12'"),
        ("theme_colors_are", {"colors": [["accent1"]]},
         "root/args/colors/0: expected at least 2 items, got ['accent1']"),
        ("chart_has_series", {"slide": 1, "series": "a", "values": [1, None, "x"]},
         "root/args/values/2: expected float, got 'x'"),
        ("hyperlink_is", {"slide": 1, "url": "a", "to_slide": 1},
         "root/args: expected exactly one of url, to_slide, host, one_of, "
         "got url and to_slide"),
        ("slide_count", {"count": 1, "counts": 1}, "root/args: unknown argument 'counts'; expected "
         "count"),
    ],
)  # fmt: skip
def test_errors_say_what_was_expected_and_what_was_given(
    check: str, args: Any, message: str
) -> None:
    assert _message(check, args).startswith(message)


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ({"parts": [{"aspcts": []}]}, "scope/parts/0: unknown argument 'aspcts'; expected aspects"),
        ({"parts": [3]}, "scope/parts/0: expected an object, got 3"),
        ({"parts": [{"cells": [[1]]}]}, "scope/parts/0: expected a row and a column from 1, got"),
        ({"new_slides": 2.0}, "scope/new_slides: expected bool or int, got 2.0"),
    ],
)  # fmt: skip
def test_errors_within_the_parts_of_a_scope_name_the_place(scope: Any, message: str) -> None:
    with pytest.raises(RubricError) as caught:
        load_scope(scope)
    assert str(caught.value).startswith(message)


def test_whole_numbers_pass_for_floats_and_tuples_for_lists() -> None:
    found = get_check("chart_has_series", "check").parse(
        {"slides": (1, 2), "series": "a", "values": [1, None], "tolerance": 1}, "args"
    )
    assert found == {"slides": (1, 2), "series": "a", "values": (1.0, None), "tolerance": 1.0}
    assert isinstance(found["tolerance"], float)


def test_only_arguments_that_are_given_are_returned() -> None:
    assert get_check("slide_added", "check").parse({"title": "a"}, "args") == {"title": "a"}
