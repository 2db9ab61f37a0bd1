"""`shapes_no_overlap` and the shapes of layouts and masters behind a slide."""

from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches
from tests.conftest import save
from tests.each_case import each_case

from pptarena.decks import Deck, read_deck
from pptarena.rewards import ScoredNode, load_rubric, score

Box = tuple[float, float, float, float]
"""Left, top, width and height in inches, on a slide of 10 by 7.5 inches."""

BAND: Box = (0, 6, 10, 1.5)
SIDE: Box = (9, 2, 1, 5)
LOGO: Box = (8.5, 0.2, 1.2, 0.8)


def _shape(slide: Any, box: Box, text: str = "", fill: bool = True) -> Any:
    shape = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, *map(Inches, box))
    if fill:
        shape.fill.solid()
        rgb: Any = RGBColor
        shape.fill.fore_color.rgb = rgb(31, 78, 121)
    else:
        shape.fill.background()
        shape.line.fill.background()
    shape.text_frame.text = text
    return shape


def _deck(
    boxes: dict[str, Box] | None = None,
    band: Box | None = BAND,
    text: str = "ACME",
    on: str = "layout",
    fill: bool = True,
    **options: Any,
) -> Deck:
    presentation = Presentation()
    if band is not None:
        # A slide has the methods to add shapes; a layout and a master do not.
        work = presentation.slides.add_slide(presentation.slide_layouts[6])
        element = _shape(work, band, text, fill)._element
        element.getparent().remove(element)
        if options.get("hidden"):
            element.nvSpPr.cNvPr.set("hidden", "1")
        layout = presentation.slide_layouts[5]
        parent = layout if on == "layout" else layout.slide_master
        parent.shapes._spTree.append(element)
        entry = presentation.element.sldIdLst[0]
        presentation.part.drop_rel(entry.rId)
        presentation.element.sldIdLst.remove(entry)
    for _ in range(2):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.title.text = "A title"
    slide = presentation.slides[0]
    if options.get("masterless"):
        slide._element.set("showMasterSp", "0")
    for name, box in (boxes or {}).items():
        _shape(slide, box, "Hello").name = name
    for name, box in options.get("second", {}).items():
        _shape(presentation.slides[1], box, "Hello").name = name
    return read_deck(save(presentation))


def _scored(before: Deck, after: Deck, **args: Any) -> ScoredNode:
    leaf = {"name": "c", "check": "shapes_no_overlap", "args": {"slide_now": 1, **args}}
    rubric = load_rubric({"version": 1, "root": {"name": "r", "children": [leaf]}})
    return score(rubric, before, after)


def _score(before: Deck, after: Deck, **args: Any) -> float:
    result = _scored(before, after, **args).score
    assert result is not None
    return result


OVERLAPPING: list[tuple[str, dict[str, Any], Box]] = [
    ("inside a band with text", {}, (1, 6.2, 3, 1)),
    ("half over a band", {}, (1, 5.5, 3, 1)),
    ("over all of a band", {}, (0, 5.9, 10, 1.6)),
    ("of the master", {"on": "master"}, (1, 6.2, 3, 1)),
    ("half over a band without text", {"text": ""}, (1, 5.5, 3, 1)),
    ("over all of a logo", {"band": LOGO, "text": ""}, (8, 0.1, 2, 1)),
    ("over a corner of a logo", {"band": LOGO, "text": ""}, (8, 0.6, 1, 2)),
    ("across a side", {"band": SIDE, "text": ""}, (7.5, 3, 2, 1)),
    ("over text without a fill", {"fill": False}, (1, 6.2, 3, 1)),
    ("over a corner of the master's", {"on": "master", "band": LOGO}, (8, 0.6, 1, 2)),
]


@pytest.mark.slow
@each_case("layout, box", [case[1:] for case in OVERLAPPING], ids=[case[0] for case in OVERLAPPING])
def test_new_box_over_layout_shapes_costs_points(layout: dict[str, Any], box: Box) -> None:
    assert _score(_deck(**layout), _deck({"Box": box}, **layout)) < 0.9


FREE: list[tuple[str, dict[str, Any], Box]] = [
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
@each_case("layout, box", [case[1:] for case in FREE], ids=[case[0] for case in FREE])
def test_box_that_covers_nothing_visible_is_free(layout: dict[str, Any], box: Box) -> None:
    assert _score(_deck(**layout), _deck({"Box": box}, **layout)) == 1


@pytest.mark.parametrize("box", [(1, 5.5, 3, 1), (1, 5.7, 3, 1), (6, 5.5, 3, 1)])
def test_existing_overlap_is_not_charged(box: Box) -> None:
    before = _deck({"Old": box})
    assert _score(before, before) == 1
    assert _score(before, _deck({"Old": box, "New": (1, 2, 3, 1)})) == 1


def test_shape_moved_over_a_layout_shape_costs_points() -> None:
    before, after = _deck({"Old": (1, 2, 3, 1)}), _deck({"Old": (1, 6.2, 3, 1)})
    assert _score(before, after) < 1
    assert _score(before, after, shapes=["Old", "@title"]) < 1
    assert _score(before, before) == 1


def test_title_over_its_own_band_is_free() -> None:
    band: Box = (0, 0, 10, 1)
    before = _deck(band=band)
    assert _score(before, _deck({"New": (1, 3, 3, 1)}, band=band)) == 1


def test_reason_names_the_shape() -> None:
    reason = _scored(_deck(), _deck({"Box": (1, 6.2, 3, 1)})).reason
    assert "Box' overlaps the shape" in reason
    assert "of the layout or master" in reason
