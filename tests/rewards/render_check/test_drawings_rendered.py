"""Drawings that render differently although no fact changed."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Emu
from tests.conftest import save

from pptarena.decks import read_deck
from pptarena.decks.match.decks import match_decks
from pptarena.rewards.render_check import RenderCheck
from pptarena.tasks import get_task
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.image
SLIDE = 6  # of the deck, from 0, with the picture 'Hero'


@pytest.fixture(scope="module")
def renderer() -> Iterator[Office]:
    with Office(640, cached_results=0) as office:
        yield office


def deck(edit: Callable[[Any], object] | None = None) -> bytes:
    presentation = Presentation(io.BytesIO(get_task("aurora-square-hero").deck_bytes()))
    if edit is not None:
        edit(next(s for s in presentation.slides[SLIDE].shapes if s.name == "Hero"))
    return save(presentation)


def lost_share(renderer: Office, current: bytes) -> float:
    """Return the lost_share share of the picture if no fact changed."""
    before = deck()
    match = match_decks(read_deck(before), read_deck(current))
    (hero,) = [s.index for s in match.original.slides[SLIDE].shapes if s.name == "Hero"]
    return (
        RenderCheck(renderer, before, current)
        .run(match, (), ())
        .lost_shares.get((SLIDE, hero), 0.0)
    )


def mirrored(shape: Any) -> None:
    shape._element.spPr.xfrm.set("flipH", "1")


def upside_down(shape: Any) -> None:
    shape._element.spPr.xfrm.set("flipV", "1")


def shift_by_a_pixel(shape: Any) -> None:
    shape.left = Emu(shape.left + 19_050)


def narrow_by_a_pixel(shape: Any) -> None:
    shape.width = Emu(shape.width - 19_050)


@pytest.mark.parametrize("edit", [mirrored, upside_down])
def test_mirrored_picture_is_lost(renderer: Office, edit: Callable[[Any], None]) -> None:
    assert lost_share(renderer, deck(edit)) > 0.3


@pytest.mark.parametrize("edit", [shift_by_a_pixel, narrow_by_a_pixel])
def test_picture_moved_by_a_pixel_is_not_lost(
    renderer: Office, edit: Callable[[Any], None]
) -> None:
    assert lost_share(renderer, deck(edit)) == 0.0
