"""Rendering of a deck that is set to play a custom show."""

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
from pptarena.decks.visibility.slide_images import changed_pixels, decode_png
from pptarena.tasks import get_task
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.image
SLIDES = (1, 4, 2)


@pytest.fixture(scope="module")
def office() -> Iterator[Office]:
    with Office(640, cached_results=0) as office:
        yield office


def plain_deck() -> bytes:
    return get_task("meridian-hide-backup").deck_bytes()


def deck_with_custom_show() -> bytes:
    """Return the deck set to play a custom show of its slides 2 and 5."""
    deck = Presentation(io.BytesIO(plain_deck()))
    root: Any = deck.part._element
    ids = [entry.get(qn("r:id")) for entry in root.find(qn("p:sldIdLst"))]
    entries = "".join(f'<p:sld r:id="{ids[index]}"/>' for index in (1, 4))
    show = f'<p:custShow name="Short" id="0"><p:sldLst>{entries}</p:sldLst></p:custShow>'
    namespaces = nsdecls("p", "r")
    root.find(qn("p:notesSz")).addnext(
        parse_xml(f"<p:custShowLst {namespaces}>{show}</p:custShowLst>")
    )
    settings = next(
        rel.target_part for rel in deck.part.rels.values() if rel.reltype.endswith("/presProps")
    )
    assert isinstance(settings, Part)
    properties = etree.fromstring(settings.blob)
    for old in properties.findall(qn("p:showPr")):
        properties.remove(old)
    properties.insert(
        0, parse_xml(f'<p:showPr {namespaces}><p:present/><p:custShow id="0"/></p:showPr>')
    )
    settings._blob = etree.tostring(properties)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


@pytest.mark.parametrize("saved", [False, True], ids=["as written", "saved by the application"])
def test_custom_show_does_not_change_the_excerpt(office: Office, saved: bool) -> None:
    save = Office().save if saved else bytes
    slides = [(index, None) for index in SLIDES]
    deck = save(deck_with_custom_show())
    pages = office.render(Pages(deck).excerpt(slides))
    expected_pages = office.render(Pages(save(plain_deck())).excerpt(slides))
    assert len(pages) == len(SLIDES)
    for page, expected in zip(pages, expected_pages, strict=True):
        assert not changed_pixels(decode_png(page), decode_png(expected)).any()
