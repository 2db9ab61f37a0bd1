"""Calls as lines: written and read back, and nothing of an answer is ever run."""

from typing import Any

import pytest

from pptarena.agents.dialects.call_lines import parse_lines, render_line
from pptarena.errors import DialectError


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"slide": 256, "text": 'He said "no"\nand left'},
        {"color": None, "hidden": False, "cells": ["a", "b"], "left_cm": 2.0, "top": 0.15},
        {"text": "速報値です — \u2028 é"},
    ],
)
def test_line_round_trip(arguments: dict[str, Any]) -> None:
    line = render_line("set_text", arguments)
    assert "\n" not in line
    assert parse_lines(line) == [("set_text", arguments)]


def test_reasoning_and_fences_are_ignored() -> None:
    answer = "I hide it.\n```python\nhide_slide(slide=3, hidden=true)\n```\ndone()"
    assert parse_lines(answer) == [("hide_slide", {"slide": 3, "hidden": True}), ("done", {})]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("nothing to do", "expected a line such as done"),
        ("hide_slide(3)", "hide_slide: expected arguments by name"),
        ("hide_slide(slide=open('x'))", "hide_slide: expected a plain value for slide"),
        ("os.system(text='ls')", "expected the plain name of a tool"),
        ("f(**{'a': 1})", "f: expected every argument once"),
        ("f(a=" + "(" * 500 + ")" * 500 + ")", "expected a line such as"),
    ],
)
def test_invalid_calls_are_refused(answer: str, why: str) -> None:
    with pytest.raises(DialectError, match=why):
        parse_lines(answer)
