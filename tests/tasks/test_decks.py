from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.oxml.ns import qn

from pptarena.tasks import list_tasks

DATA = {task.deck: task.deck_bytes() for task in list_tasks("starter")}


@pytest.fixture(params=sorted(DATA))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def deck(name: str) -> Any:
    return Presentation(BytesIO(DATA[name]))


def test_size(name: str, deck: Any) -> None:
    assert len(deck.slides) >= 15
    assert len(DATA[name]) < 1_500_000


def kinds(deck: Any) -> list[Any]:
    return [shape.shape_type for slide in deck.slides for shape in slide.shapes]


def test_what_a_deck_holds(deck: Any) -> None:
    found = kinds(deck)
    for kind in (MSO_SHAPE_TYPE.PICTURE, MSO_SHAPE_TYPE.CHART, MSO_SHAPE_TYPE.TABLE):
        assert found.count(kind) >= 2, kind
    assert len({slide.slide_layout.name for slide in deck.slides}) == 5
    assert sum(slide.has_notes_slide for slide in deck.slides) >= 10


@pytest.mark.parametrize(("tag", "least"), [("p:transition", 3), ("p:timing", 3)])
def test_motion(deck: Any, tag: str, least: int) -> None:
    count = sum(slide._element.find(qn(tag)) is not None for slide in deck.slides)
    assert count >= least


def test_groups_links_alt_texts_numbers(deck: Any) -> None:
    assert MSO_SHAPE_TYPE.GROUP in kinds(deck)
    xml = [slide._element for slide in deck.slides]
    assert sum(1 for root in xml for _ in root.iter(qn("a:hlinkClick"))) == 2
    pictures = [pic for root in xml for pic in root.iter(qn("p:pic"))]
    assert all(picture.nvPicPr.cNvPr.get("descr") for picture in pictures)
    numbers = [field for root in xml for field in root.iter(qn("a:fld"))]
    assert len(numbers) >= 10
    levels = {p.level for s in deck.slides for h in s.placeholders for p in h.text_frame.paragraphs}
    assert 0 in levels


def test_every_slide_has_a_title_of_its_own(deck: Any) -> None:
    titles = [slide.shapes.title.text for slide in deck.slides]
    assert len(set(titles)) == len(titles)
    assert all(titles)


def test_ids_are_unique_on_every_slide(deck: Any) -> None:
    for slide in deck.slides:
        ids = [shape.get("id") for shape in slide._element.iter(qn("p:cNvPr"))]
        assert len(set(ids)) == len(ids)
