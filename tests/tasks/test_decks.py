"""Content of the starter decks, and graphics of the generated ones."""

from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.oxml.ns import qn

from pptarena.tasks import list_tasks
from pptarena.tasks.deck_files import read_deck_file

DATA = {task.deck: task.deck_bytes() for task in list_tasks("starter")}


@pytest.fixture(params=sorted(DATA))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def deck(name: str) -> Any:
    return Presentation(BytesIO(DATA[name]))


def test_starter_decks_have_varied_content(name: str, deck: Any) -> None:
    assert len(deck.slides) >= 15
    assert len(DATA[name]) < 1_500_000
    kinds = [shape.shape_type for slide in deck.slides for shape in slide.shapes]
    for kind in (MSO_SHAPE_TYPE.PICTURE, MSO_SHAPE_TYPE.CHART, MSO_SHAPE_TYPE.TABLE):
        assert kinds.count(kind) >= 2, kind
    assert MSO_SHAPE_TYPE.GROUP in kinds
    assert len({slide.slide_layout.name for slide in deck.slides}) == 5
    assert sum(slide.has_notes_slide for slide in deck.slides) >= 10
    roots = [slide._element for slide in deck.slides]
    for tag in ("p:transition", "p:timing"):
        assert sum(root.find(qn(tag)) is not None for root in roots) >= 3, tag
    assert sum(1 for root in roots for _ in root.iter(qn("a:hlinkClick"))) == 2
    pictures = [picture for root in roots for picture in root.iter(qn("p:pic"))]
    assert all(picture.nvPicPr.cNvPr.get("descr") for picture in pictures)
    assert sum(1 for root in roots for _ in root.iter(qn("a:fld"))) >= 10
    levels = {p.level for s in deck.slides for h in s.placeholders for p in h.text_frame.paragraphs}
    assert 0 in levels


def test_titles_and_ids_are_unique(deck: Any) -> None:
    titles = [slide.shapes.title.text for slide in deck.slides]
    assert len(set(titles)) == len(titles)
    assert all(titles)
    for slide in deck.slides:
        ids = [shape.get("id") for shape in slide._element.iter(qn("p:cNvPr"))]
        assert len(set(ids)) == len(ids)


def test_graphics_may_use_theme_colors() -> None:
    deck = Presentation(BytesIO(read_deck_file("aurora")))
    (layout,) = (layout for layout in deck.slide_layouts if layout.name == "Title Slide")
    theme_colors = {each.get("val") for each in layout._element.iter(qn("a:schemeClr"))}
    assert {"accent1", "tx2"} <= theme_colors
    fixed_colors = {str(each.get("val")).lower() for each in layout._element.iter(qn("a:srgbClr"))}
    assert not fixed_colors & {"1abc9c", "2c3e50", "c4552d", "4a2545"}
