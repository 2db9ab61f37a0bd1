"""`shapes_no_overlap` and the shapes of layouts and masters behind a slide."""

import io
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches
from tests.each_case import each_case

from pptarena.decks import Deck, read_deck
from pptarena.rewards import load_rubric, score

Place = tuple[float, float, float, float]
"""Left, top, width and height in inches, on a slide of 10 by 7.5 inches."""

BAND: Place = (0, 6, 10, 1.5)
SIDE: Place = (9, 2, 1, 5)
LOGO: Place = (8.5, 0.2, 1.2, 0.8)


def _shape(slide: Any, place: Place, text: str = "", fill: bool = True) -> Any:
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *map(Inches, place))
    if fill:
        shape.fill.solid()
        rgb: Any = RGBColor
        shape.fill.fore_color.rgb = rgb(31, 78, 121)
    else:
        shape.fill.background()
        shape.line.fill.background()
    shape.text_frame.text = text
    return shape


def _holder(presentation: Any, where: str) -> Any:
    layout = presentation.slide_layouts[5]
    return layout if where == "layout" else layout.slide_master


def _deck(
    boxes: dict[str, Place] | None = None,
    band: Place | None = BAND,
    text: str = "ACME",
    where: str = "layout",
    fill: bool = True,
    **more: Any,
) -> Deck:
    presentation = Presentation()
    if band is not None:
        # A slide has the methods to add shapes; a layout and a master do not.
        work = presentation.slides.add_slide(presentation.slide_layouts[6])
        element = _shape(work, band, text, fill)._element
        element.getparent().remove(element)
        if more.get("hidden"):
            element.nvSpPr.cNvPr.set("hidden", "1")
        _holder(presentation, where).shapes._spTree.append(element)
        entry = presentation.element.sldIdLst[0]
        presentation.part.drop_rel(entry.rId)
        presentation.element.sldIdLst.remove(entry)
    for _ in range(2):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "A title"
    slide = presentation.slides[0]
    if more.get("masterless"):
        slide._element.set("showMasterSp", "0")
    for name, place in (boxes or {}).items():
        _shape(slide, place, "Hello").name = name
    for name, place in more.get("second", {}).items():
        _shape(presentation.slides[1], place, "Hello").name = name
    stream = io.BytesIO()
    presentation.save(stream)
    return read_deck(stream.getvalue())


def _score(before: Deck, after: Deck, **args: Any) -> float:
    leaf = {"name": "c", "check": "shapes_no_overlap", "args": {"slide_now": 1, **args}}
    rubric = load_rubric({"version": 1, "root": {"name": "r", "children": [leaf]}})
    found = score(rubric, before, after).score
    assert found is not None
    return found


OVER: list[tuple[str, dict[str, Any], Place]] = [
    ("inside a band with text", {}, (1, 6.2, 3, 1)),
    ("half over a band", {}, (1, 5.5, 3, 1)),
    ("over all of a band", {}, (0, 5.9, 10, 1.6)),
    ("of the master", {"where": "master"}, (1, 6.2, 3, 1)),
    ("half over a band without text", {"text": ""}, (1, 5.5, 3, 1)),
    ("over all of a logo", {"band": LOGO, "text": ""}, (8, 0.1, 2, 1)),
    ("over a corner of a logo", {"band": LOGO, "text": ""}, (8, 0.6, 1, 2)),
    ("across a side", {"band": SIDE, "text": ""}, (7.5, 3, 2, 1)),
    ("over text without a fill", {"fill": False}, (1, 6.2, 3, 1)),
    ("over a corner of the master's", {"where": "master", "band": LOGO}, (8, 0.6, 1, 2)),
]


@pytest.mark.slow
@each_case("layout, place", [case[1:] for case in OVER], ids=[case[0] for case in OVER])
def test_a_new_box_over_the_layout_costs(layout: dict[str, Any], place: Place) -> None:
    assert _score(_deck(**layout), _deck({"Box": place}, **layout)) < 0.9


FREE: list[tuple[str, dict[str, Any], Place]] = [
    ("next to a band", {}, (1, 3, 3, 1)),
    ("at its edge", {}, (1, 5, 3, 1)),
    ("inside a panel", {"band": (1, 3, 6, 3), "text": ""}, (2, 4, 3, 1)),
    ("on a background", {"band": (0, 0, 10, 7.5), "text": ""}, (2, 4, 3, 1)),
    ("partly off a background", {"band": (0, 0, 10, 7.5), "text": ""}, (9, 4, 3, 1)),
    ("over a hidden band", {"hidden": True}, (1, 5.5, 3, 1)),
    ("over nothing visible", {"fill": False, "text": ""}, (1, 5.5, 3, 1)),
    ("on a slide without the master's shapes", {"masterless": True}, (1, 5.5, 3, 1)),
    ("no band at all", {"band": None}, (1, 6, 3, 1)),
    ("as another slide of the layout", {"second": {"Old": (1, 5.4, 3, 1)}}, (5, 5.3, 3, 1)),
]


@pytest.mark.slow
@each_case("layout, place", [case[1:] for case in FREE], ids=[case[0] for case in FREE])
def test_a_box_that_covers_nothing_costs_nothing(layout: dict[str, Any], place: Place) -> None:
    assert _score(_deck(**layout), _deck({"Box": place}, **layout)) == 1


@pytest.mark.parametrize("place", [(1, 5.5, 3, 1), (1, 5.7, 3, 1), (6, 5.5, 3, 1)])
def test_an_overlap_of_before_is_not_the_agents(place: Place) -> None:
    before = _deck({"Old": place})
    assert _score(before, before) == 1
    assert _score(before, _deck({"Old": place, "New": (1, 2, 3, 1)})) == 1


def test_a_shape_that_is_moved_over_the_band_costs() -> None:
    before, after = _deck({"Old": (1, 2, 3, 1)}), _deck({"Old": (1, 6.2, 3, 1)})
    assert _score(before, after) < 1
    assert _score(before, after, shapes=["Old", "@title"]) < 1
    assert _score(before, before) == 1


def test_a_title_over_a_band_that_it_is_meant_for_costs_nothing() -> None:
    band: Place = (0, 0, 10, 1)
    before = _deck(band=band)
    assert _score(before, _deck({"New": (1, 3, 3, 1)}, band=band)) == 1


def test_the_reason_names_the_shape() -> None:
    leaf = {"name": "c", "check": "shapes_no_overlap", "args": {"slide_now": 1}}
    rubric = load_rubric({"version": 1, "root": {"name": "r", "children": [leaf]}})
    found = score(rubric, _deck(), _deck({"Box": (1, 6.2, 3, 1)}))
    assert "Box' overlaps the shape" in found.reason
    assert "of the layout or master" in found.reason
