"""Large honest decks are read; what is larger is refused with a true message."""

import io
import re
import zipfile

import pytest
from pptx import Presentation
from pptx.util import Emu

from pptarena.decks import read_deck
from pptarena.decks.package import budget
from pptarena.errors import DeckError

SLIDE = re.compile(r"ppt/slides/slide\d+\.xml")


def _deck(slides: int, shapes: int, kind: str = "box") -> bytes:
    made, out = Presentation(), io.BytesIO()
    slide = made.slides.add_slide(made.slide_layouts[6])
    if kind == "styled":
        slide.shapes.add_shape(1, Emu(0), Emu(0), Emu(90_000), Emu(90_000)).text_frame.text = "one"
    else:
        slide.shapes.add_textbox(Emu(0), Emu(0), Emu(90_000), Emu(90_000)).text_frame.text = "one"
    for _ in range(slides - 1):
        made.slides.add_slide(made.slide_layouts[6])
    made.save(out)
    with zipfile.ZipFile(out) as file:
        xml = file.read("ppt/slides/slide1.xml")
    start, end = xml.index(b"<p:sp>"), xml.index(b"</p:sp>") + len(b"</p:sp>")
    boxes = (xml[start:end].replace(b'id="2"', b'id="%d"' % (i + 2)) for i in range(shapes))
    full, large = xml[:start] + b"".join(boxes) + xml[end:], io.BytesIO()
    with zipfile.ZipFile(out) as old, zipfile.ZipFile(large, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, full if SLIDE.fullmatch(name) else old.read(name))
    return large.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slides", "shapes", "kind"),
    [
        (200, 40, "box"), (200, 40, "styled"), (150, 40, "styled"), (10, 600, "box"),
        (2, 5_000, "box"), (2, 5_000, "styled"), (1_900, 4, "box"), (400, 25, "styled"),
        (250, 40, "styled"),
    ],
)  # fmt: skip
def test_honest_decks_of_many_shapes_are_read(slides: int, shapes: int, kind: str) -> None:
    deck = read_deck(_deck(slides, shapes, kind))
    assert [len(slide.shapes) for slide in deck.slides] == [shapes] * slides


def test_too_many_shapes_are_counted_before_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_SHAPES", 100)
    with pytest.raises(
        DeckError, match="expected at most 100 shapes, those of layouts and masters"
    ):
        read_deck(_deck(3, 40))


def test_one_slide_has_at_most_five_thousand_shapes() -> None:
    with pytest.raises(DeckError, match=r"expected at most 5000 shapes on a slide, .* found 5001"):
        read_deck(_deck(1, 5_001))


def test_the_limit_of_markup_is_not_called_a_count_of_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MAX_COST", 5_000)
    with pytest.raises(DeckError, match="expected at most 5000 units of markup, found more"):
        read_deck(_deck(3, 40))
