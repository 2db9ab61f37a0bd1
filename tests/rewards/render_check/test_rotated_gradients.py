"""Gradients that the application rotates on mirrored shapes render unchanged."""

import io
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.util import Inches
from tests.conftest import save

from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import match_decks
from pptarena.decks.saving import DEFAULT_SAVING, Saving
from pptarena.rewards import read_deck
from pptarena.rewards.render_check import RenderCheck, RenderCheckResult
from pptarena.tasks import get_task

pytestmark = pytest.mark.slow

_ANGLE = 2_700_000


def shaded(location: str, angle: int, *, mirrored: bool = True) -> bytes:
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
    tree = {"slide": slide, "layout": layout, "master": layout.slide_master}[
        location
    ].shapes._spTree
    tree.append(element)
    return save(deck)


class CountingRenderer:
    """A renderer of white slides that counts them."""

    def __init__(self) -> None:
        self.count = 0

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        from PIL import Image

        out = io.BytesIO()
        Image.new("RGB", (64, 36), "white").save(out, "PNG")
        count = len(Presentation(io.BytesIO(deck)).slides)
        self.count += count
        return (out.getvalue(),) * count


def check_rendering(
    before: bytes, current: bytes, saving: Saving = DEFAULT_SAVING
) -> tuple[RenderCheckResult, int]:
    renderer = CountingRenderer()
    match = match_decks(read_deck(before), read_deck(current), saving)
    changes = diff_matched(match)
    return RenderCheck(renderer, before, current).run(match, changes, changes), renderer.count


@pytest.mark.parametrize("location", ["slide", "layout", "master"])
def test_gradient_rotated_by_saving_needs_no_rendering(location: str) -> None:
    turned = _ANGLE + 10_800_000
    assert check_rendering(shaded(location, _ANGLE), shaded(location, turned)) == (
        RenderCheckResult(),
        0,
    )
    assert check_rendering(shaded(location, turned), shaded(location, _ANGLE)) == (
        RenderCheckResult(),
        0,
    )


@pytest.mark.parametrize("location", ["slide", "layout"])
def test_changed_gradient_is_rendered(location: str) -> None:
    quarter, opposite = _ANGLE + 5_400_000, _ANGLE + 10_800_000
    assert check_rendering(shaded(location, _ANGLE), shaded(location, quarter))[1]
    plain = shaded(location, _ANGLE, mirrored=False), shaded(location, opposite, mirrored=False)
    assert check_rendering(*plain)[1]
    assert check_rendering(shaded(location, _ANGLE), shaded(location, opposite), Saving())[1]


def test_deck_facts_stay_unchanged() -> None:
    before, current = shaded("slide", _ANGLE), shaded("slide", _ANGLE + 10_800_000)
    check_rendering(before, current)
    (shape,) = (s for s in read_deck(current).slides[2].shapes if s.name == "Shaded")
    assert shape.fill.detail == f"angle={(_ANGLE + 10_800_000) // 60_000}"
