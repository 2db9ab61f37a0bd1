"""A deck that is set to play a custom show is drawn like any other."""

import io
from collections.abc import Iterator
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.opc.package import Part
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.decks.excerpt import Pages
from pptarena.decks.visibility.pictures import changed_pixels, decoded
from pptarena.tasks import get_task
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.image
SLIDES = (1, 4, 2)


@pytest.fixture(scope="module")
def maker() -> Iterator[Office]:
    with Office(640, cached_results=0) as made:
        yield made


def plain() -> bytes:
    return get_task("meridian-hide-backup").deck_bytes()


def with_custom_show() -> bytes:
    """Return the deck set to play a custom show of its slides 2 and 5."""
    deck = Presentation(io.BytesIO(plain()))
    root: Any = deck.part._element
    ids = [entry.get(qn("r:id")) for entry in root.find(qn("p:sldIdLst"))]
    listed = "".join(f'<p:sld r:id="{ids[index]}"/>' for index in (1, 4))
    show = f'<p:custShow name="Short" id="0"><p:sldLst>{listed}</p:sldLst></p:custShow>'
    spaces = nsdecls("p", "r")
    root.find(qn("p:notesSz")).addnext(parse_xml(f"<p:custShowLst {spaces}>{show}</p:custShowLst>"))
    settings = next(
        rel.target_part for rel in deck.part.rels.values() if rel.reltype.endswith("/presProps")
    )
    assert isinstance(settings, Part)
    own = etree.fromstring(settings.blob)
    for old in own.findall(qn("p:showPr")):
        own.remove(old)
    own.insert(0, parse_xml(f'<p:showPr {spaces}><p:present/><p:custShow id="0"/></p:showPr>'))
    settings._blob = etree.tostring(own)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


@pytest.mark.parametrize("saved", [False, True], ids=["as written", "saved by the application"])
def test_an_excerpt_of_a_deck_with_a_custom_show_looks_as_without(
    maker: Office, saved: bool
) -> None:
    save = Office().save if saved else bytes
    shots = [(index, None) for index in SLIDES]
    with_show = save(with_custom_show())
    pages = maker.render(Pages(with_show).excerpt(shots))
    usual = maker.render(Pages(save(plain())).excerpt(shots))
    assert len(pages) == len(SLIDES)
    for page, expected in zip(pages, usual, strict=True):
        assert not changed_pixels(decoded(page), decoded(expected)).any()
