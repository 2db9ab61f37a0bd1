"""Gradients of mirrored shapes that the application turned are drawn as they were."""

import io
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.util import Inches

from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import match_decks
from pptarena.decks.saving import USUAL, Saving
from pptarena.rewards import read_deck
from pptarena.rewards.looks import Looked, Looks
from pptarena.tasks import get_task

pytestmark = pytest.mark.slow

_ANGLE = 2_700_000


def shaded(where: str, angle: int, *, mirrored: bool = True) -> bytes:
    """Return a deck with a shape of two colours on a slide, its layout or its master."""
    deck = Presentation(io.BytesIO(get_task("meridian-hide-backup").deck_bytes()))
    slide = deck.slides[2]
    shape = slide.shapes.add_shape(MSO_SHAPE.HEART, 0, 0, Inches(2), Inches(2))
    shape.name = "Shaded"
    shape.fill.gradient()
    element: Any = shape._element
    element.spPr.find(f"{qn('a:gradFill')}/{qn('a:lin')}").set("ang", str(angle))
    if mirrored:
        element.spPr.find(qn("a:xfrm")).set("flipV", "1")
    layout = slide.slide_layout
    tree = {"slide": slide, "layout": layout, "master": layout.slide_master}[where].shapes._spTree
    tree.append(element)
    out = io.BytesIO()
    deck.save(out)
    return out.getvalue()


class Draws:
    """Counts the slides that it is asked to draw, all of them white."""

    def __init__(self) -> None:
        self.count = 0

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        from PIL import Image

        out = io.BytesIO()
        Image.new("RGB", (64, 36), "white").save(out, "PNG")
        count = len(Presentation(io.BytesIO(deck)).slides)
        self.count += count
        return (out.getvalue(),) * count


def looked(before: bytes, now: bytes, saving: Saving = USUAL) -> tuple[Looked, int]:
    draws = Draws()
    match = match_decks(read_deck(before), read_deck(now), saving)
    changes = diff_matched(match)
    return Looks(draws, before, now).look(match, changes, changes), draws.count


@pytest.mark.parametrize("where", ["slide", "layout", "master"])
def test_a_gradient_turned_by_saving_looks_as_it_was(where: str) -> None:
    turned = _ANGLE + 10_800_000
    assert looked(shaded(where, _ANGLE), shaded(where, turned)) == (Looked(), 0)
    assert looked(shaded(where, turned), shaded(where, _ANGLE)) == (Looked(), 0)


@pytest.mark.parametrize("where", ["slide", "layout"])
def test_another_gradient_is_looked_at(where: str) -> None:
    quarter, half = _ANGLE + 5_400_000, _ANGLE + 10_800_000
    assert looked(shaded(where, _ANGLE), shaded(where, quarter))[1]
    plain = shaded(where, _ANGLE, mirrored=False), shaded(where, half, mirrored=False)
    assert looked(*plain)[1]
    assert looked(shaded(where, _ANGLE), shaded(where, half), Saving())[1]


def test_the_deck_itself_stays_as_it_is() -> None:
    before, now = shaded("slide", _ANGLE), shaded("slide", _ANGLE + 10_800_000)
    looked(before, now)
    (shape,) = (s for s in read_deck(now).slides[2].shapes if s.name == "Shaded")
    assert shape.fill.detail == f"angle={(_ANGLE + 10_800_000) // 60_000}"
