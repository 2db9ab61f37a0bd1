"""Rewriting by LibreOffice is an edit if another application saved the decks."""

import io
import zipfile
from dataclasses import replace
from typing import Any

import pytest
from tests.each_case import each_case

from pptarena.decks import Axis, Box, Chart, Deck, Layout, Master, Series, Shape, Slide, Transition
from pptarena.decks.diff import diff_decks
from pptarena.decks.facts.paint import NO_PAINT, GradientStop, Paint
from pptarena.decks.saving import DEFAULT_SAVING, LibreOffice, Saving
from pptarena.decks.saving.libreoffice import is_saved_by_libreoffice

BOX = Box(914_400, 914_400, 1_828_800, 914_400)
SHAPE = Shape(0, "Box", "shape", "", "rect", BOX)
PLACEHOLDER = Shape(0, "Title", "placeholder", "title", "rect", BOX)
LAYOUT = Layout("Title Only", "titleOnly", shapes=(PLACEHOLDER,))


def _deck(*shapes: Shape, layouts: tuple[Layout, ...] = (), **values: Any) -> Deck:
    on_master = values.pop("on_master", ())
    master = Master((), ("", ""), NO_PAINT, shapes=on_master, layouts=layouts)
    slide = Slide(0, 256, shapes or (SHAPE,), **{"layout_index": 0, **values})
    return Deck((slide,), 9_144_000, 6_858_000, masters=(master,))


def _connected(bend: int) -> Deck:
    ends = SHAPE, replace(SHAPE, index=1, box=replace(BOX, left=5_000_000))
    line = Shape(2, "Line", "line", "", "bentConnector3", BOX, connects=(0, 1))
    return _deck(*ends, replace(line, adjustments=(("adj1", bend),)))


def _radar(*, is_reversed: bool) -> Deck:
    axis = Axis("category", reversed=is_reversed)
    series = Series("North", "radar", ("Q1", "Q2"), (1.0, 2.0))
    chart = Chart("radar", "", "", (series,), axes=(axis,))
    return _deck(replace(SHAPE, kind="chart", chart=chart))


def _formatted(code: str) -> Slide:
    series = Series("Orders", "bar", ("North", "South"), (1240.0, 1870.0), number_format=code)
    chart = replace(SHAPE, kind="chart", chart=Chart("bar", "", "", (series,)))
    return Slide(0, 256, (chart,), layout_index=0)


def _plain() -> Slide:
    return Slide(0, 257, (replace(SHAPE, name="Other"),), layout_index=0)


def _in_order(*slides: Slide) -> Deck:
    slides_in_order = tuple(replace(slide, index=index) for index, slide in enumerate(slides))
    return replace(_deck(), slides=slides_in_order)


def _shaded(angle: int, start: str = "#77CAEE", *, mirrored: bool = True) -> Deck:
    stops = GradientStop(0, start), GradientStop(100, "#009BDD")
    box = replace(BOX, flip_v=mirrored)
    return _deck(
        replace(SHAPE, box=box, fill=Paint("gradient", stops=stops, detail=f"angle={angle}"))
    )


CASES = {
    "the route of a connector": (_connected(50_013), _connected(-2_056)),
    "the direction of a transition": (
        _deck(transition=Transition("push", "dir=l")),
        _deck(transition=Transition("push", "dir=r")),
    ),
    "the gradient of a mirrored shape": (_shaded(0), _shaded(180)),
    "the axis of a radar": (_radar(is_reversed=False), _radar(is_reversed=True)),
    "a master's placeholder": (
        _deck(layouts=(LAYOUT,), on_master=(PLACEHOLDER,)),
        _deck(layouts=(LAYOUT,), on_master=(replace(PLACEHOLDER, box=replace(BOX, top=0)),)),
    ),
    "a layout's name": (
        _deck(layouts=(replace(LAYOUT, name="Title Only"),)),
        _deck(layouts=(replace(LAYOUT, name="Default"),)),
    ),
    "a numbered name of a layout": (
        _deck(layouts=(replace(LAYOUT, name="Default"),)),
        _deck(layouts=(replace(LAYOUT, name="Default 1"),)),
    ),
    "a layout of its own": (
        _deck(layouts=(LAYOUT,)),
        _deck(layouts=(LAYOUT, Layout("Default", "blank"))),
    ),
    "a shape of the master on its layout": (
        _deck(layouts=(LAYOUT,), on_master=(replace(SHAPE, name="Band"),)),
        _deck(layouts=(
            replace(LAYOUT, shapes=(PLACEHOLDER, replace(SHAPE, index=1, name="Band"))),
        )),
    ),
}  # fmt: skip


@each_case("name", CASES)
def test_rewriting_is_ignored_for_libreoffice_only(name: str) -> None:
    before, after = CASES[name]
    assert diff_decks(before, after) == ()
    assert diff_decks(before, after, saving=LibreOffice()) == ()
    assert diff_decks(before, after, saving=Saving())


@pytest.mark.parametrize(
    "after",
    [_shaded(90), _shaded(180, "#FF0000"), _shaded(180, mirrored=False)],
    ids=["a quarter turn", "another color", "no longer mirrored"],
)
def test_other_gradients_are_changes(after: Deck) -> None:
    assert diff_decks(_shaded(0), after)
    assert diff_decks(_shaded(0, mirrored=False), _shaded(180, mirrored=False))


@pytest.mark.parametrize("moved", [True, False])
@pytest.mark.parametrize("code", ["", "0.00"])
@pytest.mark.parametrize("saving", [LibreOffice(), Saving()])
def test_number_formats_may_be_lost_when_a_slide_moves(
    *, moved: bool, code: str, saving: Saving
) -> None:
    before = _in_order(_plain(), _formatted("#,##0"))
    slides = [_plain(), _formatted(code)]
    after = _in_order(*(reversed(slides) if moved else slides))
    details = [each.what for each in diff_decks(before, after, saving=saving)]
    is_ignored = moved and not code and isinstance(saving, LibreOffice)
    assert ("series 1 number format" in details) is not is_ignored
    assert ("" in details) is moved


def test_libreoffice_is_the_default_application() -> None:
    assert isinstance(DEFAULT_SAVING, LibreOffice)


def test_numbered_default_layouts_are_ignored() -> None:
    before = _deck(layouts=(LAYOUT,))
    assert diff_decks(before, _deck(layouts=(LAYOUT, Layout("Default 1", "blank")))) == ()
    assert diff_decks(before, _deck(layouts=(LAYOUT, Layout("Default look", "blank"))))


@pytest.mark.parametrize(
    ("names", "saved"),
    [
        (("_rels/.rels", "[Content_Types].xml"), True),
        (("ppt/slides/slide1.xml", "[Content_Types].xml", "ppt/slideLayouts/slideLayout6.xml",
          "ppt/slideMasters/slideMaster1.xml"), True),
        (("[Content_Types].xml", "_rels/.rels"), False),
        (("[Content_Types].xml", "ppt/slideMasters/slideMaster1.xml"), False),
        (("_rels/.rels", "[Content_Types].xml", "ppt/slides/slide1.xml"), False),
        (("_rels/.rels",), False),
    ],
)  # fmt: skip
def test_libreoffice_is_detected_by_the_order_of_parts(names: tuple[str, ...], saved: bool) -> None:
    file = io.BytesIO()
    app = "<Properties><Application>LibreOffice/25.2</Application></Properties>"
    with zipfile.ZipFile(file, "w") as deck:
        for at, name in enumerate(names):
            deck.writestr(name, "x")
            if at == 0:
                deck.writestr("docProps/app.xml", app)
    assert is_saved_by_libreoffice(file.getvalue()) is saved
