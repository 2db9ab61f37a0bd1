"""Numbers in files: invalid ones count as missing, others are clipped to their bounds."""

import math
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.decks.read.numbers import INT, TYPE_SIZE, Span, number, real_number
from pptarena.errors import DeckError
from pptarena.rewards import diff_decks, load_rubric, read_deck, score

INVALID = ("", "NaN", "nan", "inf", "-Infinity", "1e308", "0x10", "1_000", "٣", "abc", "--1")
HUGE = ("9" * 20, "9" * 400, "1" + "0" * 5000, "-" + "9" * 400, "-2147483649", "99999999%")
_NUMERIC = re.compile(rb'((?:sz|spc|b|x|y|cx|cy|rot|w|val|marL|indent|lvl|idx|h|dur|delay|'
                      rb'gridSpan|lIns|fontScale|pos|amt|adj)=)"(-?[0-9]+%?)"')  # fmt: skip


@each_case("text", INVALID)
def test_invalid_number_is_none(text: str) -> None:
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("7", 7), (" -7 ", -7), ("+5", 5), ("0.5", 0.5), ("12%", 12_000), (".5", 0.5), ("007", 7)],
)
def test_valid_numbers(text: str, value: float) -> None:
    assert number(text) == value


@each_case("text", HUGE)
def test_numbers_are_clipped_to_their_bounds(text: str) -> None:
    assert number(text, Span(-5, 9)) == (-5 if text.startswith("-") else 9)
    assert number(text, INT) in INT


@pytest.mark.parametrize(
    ("text", "value"),
    [("1e3", 1000.0), ("12.5%", 12.5), ("1e308", None), ("9" * 400, None), ("NaN", None)],
)
def test_real_numbers_are_finite(text: str, value: float | None) -> None:
    assert real_number(text) == value


def _numbers(fact: Any) -> Iterator[float]:
    if isinstance(fact, int | float):
        yield fact
    elif isinstance(fact, tuple | frozenset):
        for each in fact:
            yield from _numbers(each)
    elif is_dataclass(fact):
        for field in fields(fact):
            yield from _numbers(getattr(fact, field.name))


@pytest.mark.slow
@each_case("value", [*INVALID, *HUGE])
def test_facts_are_finite_for_any_attribute_value(lab: Any, forge: Any, value: str) -> None:
    """All numeric attributes of all slides and charts have the value at the same time."""

    def change(name: str, old: bytes) -> bytes:
        if not name.startswith(("ppt/slides/slide", "ppt/charts/chart")):
            return old
        return _NUMERIC.sub(rb'\1"' + value.encode() + rb'"', old)

    try:
        deck = read_deck(forge.rewrite(change))
    except DeckError:
        return
    numbers = list(_numbers(deck.slides))
    assert all(map(math.isfinite, numbers))
    assert max(map(abs, numbers)) < 2**63
    leaves = [
        {"name": "title", "check": "title_is", "args": {"slide": 1, "text": "Annual"}},
        {"name": "text", "check": "slide_text_contains", "args": {"slide": 5, "texts": ["Acme"]}},
        {"name": "rest", "check": "nothing_else_changed", "critical": False},
    ]
    rubric = load_rubric({"version": 1, "root": {"name": "all", "children": leaves}})
    assert 0 <= (score(rubric, lab.original, deck).score or 0) <= 1
    [change.to_json() for change in diff_decks(lab.original, deck)]


def test_invalid_font_size_is_inherited(stage: Any) -> None:
    def size(text: str) -> float:
        shape = stage.box(body=f'<a:p><a:r><a:rPr sz="{text}"/><a:t>x</a:t></a:r></a:p>')
        return float(shape.paragraphs[0].runs[0].style.size_pt)

    assert size("2400") == 24
    assert size("NaN") == size("1e3") == 18
    assert size("9" * 30) == TYPE_SIZE.maximum / 100
    assert size("-5") == TYPE_SIZE.minimum / 100
