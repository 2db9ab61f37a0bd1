"""The diff of random edits reports exactly these, and nothing after they are undone."""

import io
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx import Presentation
from pptx.util import Emu, Pt

from pptarena.rewards import Change, diff_decks, read_deck

pytestmark = pytest.mark.slow

Expected = tuple[str, int | None, str]
Apply = Callable[[Any, Any], None]

SETTINGS = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass(frozen=True)
class Edit:
    """An edit of a python-pptx deck and the changes expected in the diff."""

    name: str
    apply: Apply
    expected: tuple[Expected, ...]


def _box(slide: int, name: str, **moved: int) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        shape = lab.shape_named(deck, slide, name)
        for side, by in moved.items():
            setattr(shape, side, Emu(getattr(shape, side) + by))

    return apply


def _fill(name: str, color: str) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 5, name).fill.fore_color.rgb = lab.rgb(color)

    return apply


def _line(name: str, points: float) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 5, name).line.width = Pt(points)

    return apply


def _font(**values: Any) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
        for name, value in values.items():
            setattr(run.font, name, value)

    return apply


def _text(text: str) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        deck.slides[1].placeholders[1].text_frame.paragraphs[1].runs[0].text = text

    return apply


def _cell(row: int, column: int, text: str) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        cell = lab.shape_named(deck, 3, "Sales").table.cell(row, column)
        cell.text_frame.paragraphs[0].runs[0].text = text

    return apply


def _series(values: Sequence[float]) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        chart = lab.shape_named(deck, 4, "Revenue chart").chart
        chart.replace_data(lab.chart_data(North=(1.0, 2.0), South=tuple(values)))

    return apply


def _alt(text: str) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 4, "Logo")._element.nvPicPr.cNvPr.set("descr", text)

    return apply


def _crop(share: float) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 4, "Logo").crop_left = share

    return apply


def _notes(text: str) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        deck.slides[5].notes_slide.notes_text_frame.text = text

    return apply


def _hide(slide: int) -> Apply:
    return lambda lab, deck: deck.slides[slide - 1]._element.set("show", "0")


def _background(color: str) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        fill = deck.slides[5].background.fill
        fill.solid()
        fill.fore_color.rgb = lab.rgb(color)

    return apply


def _add(text: str) -> Apply:
    def apply(lab: Any, deck: Any) -> None:
        shape = deck.slides[0].shapes.add_textbox(*map(Emu, (9, 9, 2_000_000, 400_000)))
        shape.text_frame.text = text
        shape.name = "Sticker"

    return apply


def _remove(lab: Any, deck: Any) -> None:
    element = lab.shape_named(deck, 5, "C")._element
    element.getparent().remove(element)


def _title(text: str) -> Apply:
    return lambda lab, deck: setattr(deck.core_properties, "title", text)


_ROW_2, _ROW_3 = "row 2 column 2", "row 3 column 3"

WORDS = st.text(
    st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), min_size=3, max_size=12
)
COLORS = st.sampled_from(("FF0000", "00FF00", "FFFF00", "FF00FF"))
OFFSETS = st.integers(30_000, 800_000)
# Each draws one edit; their targets differ, so they can be combined freely.
EDITS: tuple[st.SearchStrategy[Edit], ...] = (
    OFFSETS.map(lambda x: Edit("move", _box(5, "A", left=x), (("geometry_changed", 5, "place"),))),
    OFFSETS.map(lambda x: Edit("grow", _box(5, "A", height=x), (("geometry_changed", 5, "size"),))),
    COLORS.map(lambda c: Edit("fill", _fill("B", c), (("style_changed", 5, "fill"),))),
    st.integers(3, 9).map(lambda w: Edit("line", _line("B", w), (("style_changed", 5, "line"),))),
    st.integers(20, 60).map(
        lambda s: Edit("size", _font(size=Pt(s)), (("formatting_changed", 5, "size"),))
    ),
    st.just(Edit("bold", _font(bold=True), (("formatting_changed", 5, "bold"),))),
    st.just(Edit("remove", _remove, (("shape_removed", 5, ""),))),
    WORDS.map(lambda w: Edit("text", _text(f"{w} x"), (("text_changed", 2, ""),))),
    WORDS.map(lambda w: Edit("cell", _cell(1, 1, f"{w} x"), (("tables_changed", 3, _ROW_2),))),
    WORDS.map(lambda w: Edit("cell", _cell(2, 2, f"{w} x"), (("tables_changed", 3, _ROW_3),))),
    st.tuples(st.integers(5, 99), st.integers(5, 99)).map(
        lambda v: Edit("values", _series(v), (("charts_changed", 4, "series 2 values"),))
    ),
    WORDS.map(lambda w: Edit("alt", _alt(f"{w} x"), (("alt_text_changed", 4, "alt text"),))),
    st.floats(0.05, 0.4).map(lambda c: Edit("crop", _crop(c), (("pictures_changed", 4, "crop"),))),
    WORDS.map(lambda w: Edit("notes", _notes(f"{w} x"), (("notes_changed", 6, ""),))),
    st.sampled_from((1, 3, 6)).map(
        lambda n: Edit("hide", _hide(n), (("visibility_changed", n, ""),))
    ),
    COLORS.map(lambda c: Edit("back", _background(c), (("background_changed", 6, ""),))),
    WORDS.map(lambda w: Edit("add", _add(f"{w} x"), (("shape_added", 1, ""),))),
    WORDS.map(lambda w: Edit("title", _title(f"{w} x"), (("properties_changed", None, "title"),))),
)  # fmt: skip


@st.composite
def edits(draw: Any) -> list[Edit]:
    indices = draw(st.lists(st.sampled_from(range(len(EDITS))), unique=True, max_size=8))
    return [draw(EDITS[index]) for index in indices]


def _summary(changes: Sequence[Change]) -> Counter[Expected]:
    return Counter((change.kind, change.slide, change.what) for change in changes)


def _apply(lab: Any, selected: Sequence[Edit]) -> Any:
    deck = Presentation(io.BytesIO(lab.base))
    for edit in selected:
        edit.apply(lab, deck)
    return read_deck(lab.save(deck))


@given(selected=edits())
@SETTINGS
def test_diff_reports_exactly_the_edits(lab: Any, selected: list[Edit]) -> None:
    expected = Counter(change for edit in selected for change in edit.expected)
    changes = diff_decks(lab.original, _apply(lab, selected))
    assert _summary(changes) == expected, [change.text for change in changes]


@given(selected=edits())
@SETTINGS
def test_reverse_diff_mirrors_the_diff(lab: Any, selected: list[Edit]) -> None:
    edited = _apply(lab, selected)
    forward, backward = diff_decks(lab.original, edited), diff_decks(edited, lab.original)
    inverse_kinds = {"shape_added": "shape_removed", "shape_removed": "shape_added"}
    assert Counter(
        (inverse_kinds.get(c.kind, c.kind), c.slide, c.what, c.after, c.before) for c in forward
    ) == Counter((c.kind, c.slide, c.what, c.before, c.after) for c in backward)


@given(selected=edits(), order=st.randoms(use_true_random=False))
@SETTINGS
def test_order_of_edits_does_not_matter(lab: Any, selected: list[Edit], order: Any) -> None:
    shuffled = list(selected)
    order.shuffle(shuffled)
    # The same edits in another order, with saves in between, give the same deck.
    deck = Presentation(io.BytesIO(lab.base))
    for edit in shuffled:
        edit.apply(lab, deck)
        deck = Presentation(io.BytesIO(lab.save(deck)))
    assert diff_decks(_apply(lab, selected), read_deck(lab.save(deck))) == ()


# Edits, each with the edit that restores the state of the lab's deck.
INVERSES: dict[str, tuple[Apply, Apply]] = {
    "move": (_box(5, "A", left=777_777), _box(5, "A", left=-777_777)),
    "grow": (_box(5, "B", height=300_000, top=9_000), _box(5, "B", height=-300_000, top=-9_000)),
    "fill": (_fill("B", "FF0000"), _fill("B", "204060")),
    "text": (_text("Prospects"), _text("Outlook")),
    "cell": (_cell(1, 1, "11"), _cell(1, 1, "10")),
    "values": (_series((7, 8)), _series((3, 4))),
    "alt": (_alt("A new logo"), _alt("The old logo")),
    "crop": (_crop(0.3), _crop(0.0)),
    "notes": (_notes("Nothing"), _notes("Say thanks to Acme")),
    "type": (_font(bold=True, size=Pt(40)), _font(bold=None, size=None)),
    "title": (_title("Plan"), _title("")),
}


@given(
    names=st.lists(st.sampled_from(sorted(INVERSES)), unique=True, min_size=1), order=st.randoms()
)
@SETTINGS
def test_an_edit_and_its_inverse_change_nothing(lab: Any, names: list[str], order: Any) -> None:
    deck = Presentation(io.BytesIO(lab.base))
    for name in names:
        INVERSES[name][0](lab, deck)
    edited = lab.save(deck)
    assert len(diff_decks(lab.original, read_deck(edited))) >= len(names)
    deck = Presentation(io.BytesIO(edited))
    order.shuffle(names)
    for name in names:
        INVERSES[name][1](lab, deck)
    assert diff_decks(lab.original, read_deck(lab.save(deck))) == ()


@given(steps=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=4))
@SETTINGS
def test_moving_slides_back_changes_nothing(lab: Any, steps: list[tuple[int, int]]) -> None:
    deck = Presentation(io.BytesIO(lab.base))
    for start, to in steps:
        lab.move_slide(deck, start, to)
    moved = read_deck(lab.save(deck))
    assert {change.kind for change in diff_decks(lab.original, moved)} <= {"slide_moved"}
    for start, to in reversed(steps):
        lab.move_slide(deck, to, start)
    assert diff_decks(lab.original, read_deck(lab.save(deck))) == ()
