from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.errors import RubricError
from pptarena.rewards import load_rubric
from pptarena.rewards.checks import get_check


def _message(check: str, args: Any) -> str:
    with pytest.raises(RubricError) as excinfo:
        load_rubric({"version": 1, "root": {"name": "leaf", "check": check, "args": args}})
    return str(excinfo.value)


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
         "root/args/colors/0: expected a color such as '#1F4E79', 'accent1', 'dark blue', "
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
def test_argument_errors_state_the_expected_and_the_actual_value(
    check: str, args: Any, message: str
) -> None:
    assert _message(check, args).startswith(message)


def test_integers_become_floats_lists_become_tuples_and_no_argument_is_added() -> None:
    arguments = get_check("chart_has_series", "check").parse(
        {"slides": (1, 2), "series": "a", "values": [1, None], "tolerance": 1}, "args"
    )
    assert arguments == {"slides": (1, 2), "series": "a", "values": (1.0, None), "tolerance": 1.0}
    assert isinstance(arguments["tolerance"], float)
    assert get_check("slide_added", "check").parse({"title": "a"}, "args") == {"title": "a"}
