"""Large decks are read; larger ones are refused with an accurate message."""

import re

import pytest
from pptx import Presentation
from pptx.util import Emu
from tests.decks.packing import pack, unpack

from pptarena.decks import read_deck
from pptarena.decks.package import budget
from pptarena.decks.package_writer import write_package
from pptarena.errors import DeckError

SLIDE = re.compile(r"ppt/slides/slide\d+\.xml")


def _deck(slides: int, shapes: int, kind: str = "box") -> bytes:
    presentation, area = Presentation(), (Emu(0), Emu(0), Emu(90_000), Emu(90_000))
    for _ in range(slides):
        presentation.slides.add_slide(presentation.slide_layouts[6])
    tree = presentation.slides[0].shapes
    shape = tree.add_shape(1, *area) if kind == "styled" else tree.add_textbox(*area)
    shape.text_frame.text = "one"
    parts = unpack(write_package(presentation))
    xml = parts["ppt/slides/slide1.xml"]
    start, end = xml.index(b"<p:sp>"), xml.index(b"</p:sp>") + len(b"</p:sp>")
    boxes = (xml[start:end].replace(b'id="2"', b'id="%d"' % (i + 2)) for i in range(shapes))
    full = xml[:start] + b"".join(boxes) + xml[end:]
    return pack({name: full if SLIDE.fullmatch(name) else data for name, data in parts.items()})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slides", "shapes", "kind"),
    [
        (200, 40, "box"), (200, 40, "styled"), (150, 40, "styled"), (10, 600, "box"),
        (2, 5_000, "box"), (2, 5_000, "styled"), (1_900, 4, "box"), (400, 25, "styled"),
        (250, 40, "styled"),
    ],
)  # fmt: skip
def test_large_decks_are_read(slides: int, shapes: int, kind: str) -> None:
    deck = read_deck(_deck(slides, shapes, kind))
    assert [len(slide.shapes) for slide in deck.slides] == [shapes] * slides


def test_too_many_shapes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_SHAPES", 100)
    with pytest.raises(
        DeckError, match="expected at most 100 shapes, including layouts and masters"
    ):
        read_deck(_deck(3, 40))


def test_too_many_shapes_on_a_slide_are_refused() -> None:
    with pytest.raises(DeckError, match=r"expected at most 5000 shapes on a slide, .* found 5001"):
        read_deck(_deck(1, 5_001))


def test_markup_limit_is_reported_in_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_COST", 5_000)
    with pytest.raises(DeckError, match="expected at most 5000 units of markup, found more"):
        read_deck(_deck(3, 40))
