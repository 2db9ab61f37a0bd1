"""A change of any field of any fact is reported, or `IGNORED` gives the reason."""

import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena import decks as facts
from pptarena.decks import (
    Animation,
    Axis,
    Box,
    Bullet,
    Cell,
    Chart,
    ChartTitle,
    Comment,
    Deck,
    Effect,
    Embedded,
    GradientStop,
    Layout,
    Line,
    Link,
    Master,
    Paint,
    Paragraph,
    Picture,
    Properties,
    Run,
    RunStyle,
    Section,
    Series,
    Shape,
    Slide,
    SmartArt,
    Table,
    TextFrame,
    Transition,
)
from pptarena.decks.diff.fields import COMPARED_ELSEWHERE, IGNORED
from pptarena.decks.facts.chart import CellMismatch, Workbook
from pptarena.rewards import diff_decks

RED = Paint("solid", "#FF0000")
GRAY = Paint(
    "gradient", stops=(GradientStop(0, "#000000"), GradientStop(100, "#FFFFFF")), detail="angle=90"
)
BLACK = Line(RED, 1.0, "dash", ("arrow", "none"), "double")
LINK = Link("https://example.org")
RUN = Run("Words", RunStyle(underline="sng", strike=True), LINK, "a tip")
BULLET = Bullet("number", "arabicPeriod", 2, "#FF0000", 90.0, None, "Symbol")
PARAGRAPH = Paragraph((RUN,), bullet=BULLET, tabs=((914_400, "l"),))
BOX = Box(1_000_000, 1_000_000, 2_000_000, 1_000_000)
TITLE = ChartTitle(RunStyle(), (PARAGRAPH,), RED, Line(RED, 1.0))
SERIES = Series(
    "North", "column", ("Q1", "Q2"), (1.0, 2.0), "#00FF00", ((0, "#0000FF"),), category_format=""
)
CHART = Chart(
    "column", "clustered", "Sales", (SERIES,), "r", ("Money",),
    (Axis("value", "Money", title_look=TITLE),), True, 150, 0, TITLE,
    workbook=Workbook(b"1", lambda: ()),
)  # fmt: skip
CELL = Cell((PARAGRAPH,), RED, borders=(BLACK, BLACK, BLACK, BLACK))


def _shape(index: int, kind: Any, **values: Any) -> Shape:
    box = Box(1_000_000, 1_000_000 * index, 2_000_000, 900_000)
    return Shape(index, f"{kind} called {'abcdefghijkl'[index]}", kind, "", "", box, **values)


def _shapes() -> tuple[Shape, ...]:
    return (
        replace(
            _shape(0, "shape", paragraphs=(PARAGRAPH,), fill=RED, line=BLACK, frame=TextFrame()),
            geometry="roundRect", adjustments=(("adj", 10_000),), alt_text="A box",
            effects=(Effect("shadow", "#000000", (("blur", 4.0),), "soft"),), link=LINK,
            hover_link=LINK,
        ),
        _shape(1, "picture", picture=Picture("a" * 64)),
        _shape(2, "media", picture=Picture("b" * 64, media_sha256="c" * 64, media_kind="video")),
        _shape(3, "table", table=Table(((CELL, CELL), (CELL, CELL)), (9_000,) * 2, (9_000,) * 2)),
        _shape(4, "chart", chart=CHART),
        _shape(5, "graphic", smart_art=SmartArt("process1", ((0, "One"), (1, "Two")), "d" * 64)),
        _shape(6, "graphic", embedded=Embedded("Excel.Sheet.12", "e" * 64)),
        replace(_shape(7, "line", line=BLACK), connects=(0, 1)),
        _shape(8, "group"),
        replace(_shape(9, "shape", fill=GRAY), group=8),
        replace(_shape(10, "placeholder"), placeholder="body"),
    )  # fmt: skip


def _deck() -> Deck:
    effects = (
        Animation("entrance", "fade", 10, "on_click", 0, (0, 0), 0.5, direction="from_left"),
        Animation("exit", "fly_out", 2, "on_click", 1, None, 0.5),
    )
    comment = Comment("Ada", "Really?", 1, False, ("Yes",))
    slide = Slide(
        0, 256, _shapes(), "Title Only", "Say it", Transition("wipe", "dir=l", 0.5), effects,
        background=RED, comments=(comment,), section="First", fingerprint=(("timing", "1" * 64),),
    )  # fmt: skip
    other = replace(slide, index=1, id=257, shapes=_shapes()[:2], animations=(), section="Second")
    layout = Layout("Title Only", "titleOnly", RED, _shapes()[:2], fingerprint=(("x", "2" * 64),))
    master = Master(
        (("accent1", "#FF0000"),), ("Serif", "Sans"), RED, "Office", "Office", _shapes()[:2],
        (("title 1", PARAGRAPH),), (layout, replace(layout, name="Blank", type="blank")),
        fingerprint=(("y", "3" * 64),),
    )  # fmt: skip
    return Deck(
        (slide, other), 9_144_000, 6_858_000, (master,), frozenset(("Title Only", "Blank")),
        (Section("First", (0,)), Section("Second", (1,))), Properties("Plan", custom=(("a", "b"),)),
        (("loop", "1"),), (("z", "4" * 64),),
    )  # fmt: skip


# New values of fields for which the rule of `_different_value` gives no sensible one.
NEW_VALUES: dict[tuple[type, str], Any] = {
    (Paint, "kind"): "pattern",
    (Shape, "group"): 8,
    (Shape, "picture"): Picture("f" * 64),
    (Slide, "shapes"): _shapes()[:5],
    (Slide, "master"): 1,
    (Shape, "connects"): (1, 0),
    (Bullet, "size_pt"): 20.0,
    (ChartTitle, "paragraphs"): (Paragraph((Run("Words", RunStyle(size_pt=40.0)),)),),
    (RunStyle, "highlight"): "#FFFF00",
    (Chart, "workbook"): Workbook(b"2", lambda: (CellMismatch("Sheet1!B2", "1", "2"),)),
    (RunStyle, "underline_color"): "#FF0000",
    (Cell, "borders"): (BLACK, BLACK, BLACK, Line()),
    (Slide, "section"): "Second",
    (Transition, "advance_after_sec"): 7.0,
    (Shape, "adjustments"): (("adj", 20_000),),
    (Table, "column_widths"): (9_000, 900_000),
    (Table, "row_heights"): (9_000, 900_000),
    (Deck, "sections"): (),
    (Series, "sizes"): (1.0, 2.0),
    (Series, "outer_categories"): (("2025",), ("2026",)),
}


def _different_value(value: Any, name: str) -> Any:
    """Return a value that differs as if it had been edited."""
    if isinstance(value, tuple) and value and _is_fact(value[-1]):
        return value[:-1]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + (400_000 if name.endswith(("_emu", "left", "top", "width", "height")) else 7)
    if isinstance(value, str):
        if value.startswith("#"):
            return "#123456"
        return value[:-1] + ("y" if value.endswith("x") else "x") if value else "new"
    if isinstance(value, frozenset):
        return value | {"new"}
    if isinstance(value, tuple) and value:
        return (*value[:-1], _different_value(value[-1], name))
    return ("new",) if value == () else "new"


def _is_fact(value: Any) -> bool:
    return is_dataclass(value) or (isinstance(value, tuple) and any(map(_is_fact, value)))


def _variants(fact: Any, kind: type, name: str) -> Iterator[Any]:
    """Yield copies of a fact, each with another value of one field of one fact of a type."""
    for each in fields(fact):
        value = getattr(fact, each.name)
        variants = list(_value_variants(value, kind, name))
        if type(fact) is kind and each.name == name:
            is_listed = (kind, name) in NEW_VALUES
            new = NEW_VALUES[kind, name] if is_listed else _different_value(value, name)
            variants.insert(0, new)
        for variant in variants:
            yield replace(fact, **{each.name: variant})


def _value_variants(value: Any, kind: type, name: str) -> Iterator[Any]:
    if is_dataclass(value):
        yield from _variants(value, kind, name)
    elif isinstance(value, tuple):
        for at, inner in enumerate(value):
            for variant in _value_variants(inner, kind, name):
                yield (*value[:at], variant, *value[at + 1 :])


def _values(fact: Any, kind: type, name: str) -> Iterator[Any]:
    """Yield the values of one field of all facts of a type within a fact."""
    for each in fields(fact) if is_dataclass(fact) else ():
        value = getattr(fact, each.name)
        if type(fact) is kind and each.name == name:
            yield value
        for inner in value if isinstance(value, tuple) else (value,):
            for innermost in inner if isinstance(inner, tuple) else (inner,):
                yield from _values(innermost, kind, name)


FACT_TYPES = [each for _, each in inspect.getmembers(facts, inspect.isclass) if is_dataclass(each)]
# A master is added and removed with its slides, so only their change is reported.
FIELDS = [(kind, each.name) for kind in FACT_TYPES for each in fields(kind)]
FIELDS.remove((Deck, "masters"))


@pytest.mark.slow
@each_case("kind, name", FIELDS, ids=[f"{kind.__name__}.{name}" for kind, name in FIELDS])
def test_change_of_any_field_is_reported(kind: type, name: str) -> None:
    deck = _deck()
    tried_variants = 0
    if (kind, name) not in NEW_VALUES and any(map(is_dataclass, _values(deck, kind, name))):
        return  # a fact: its own fields are tested
    for variant in _variants(deck, kind, name):
        if variant == deck:
            continue
        tried_variants += 1
        changes = diff_decks(deck, variant)
        if (kind, name) in IGNORED:
            assert changes == (), IGNORED[kind, name]
            return
        if changes:
            return
    assert tried_variants, "the deck of this test has no such fact"
    raise AssertionError(f"{kind.__name__}.{name} is not compared")


def test_equal_decks_have_no_changes() -> None:
    assert diff_decks(_deck(), _deck()) == ()


def test_exception_tables_name_existing_fields() -> None:
    for kind, name in (*COMPARED_ELSEWHERE, *IGNORED):
        assert name in {each.name for each in fields(kind)}, (kind, name)
    assert not set(COMPARED_ELSEWHERE) & set(IGNORED)
    assert all(IGNORED.values())
