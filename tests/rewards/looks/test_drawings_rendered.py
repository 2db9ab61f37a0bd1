"""Drawings that look otherwise although no fact of theirs is known to have changed."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Emu

from pptarena.decks import read_deck
from pptarena.decks.match.decks import match_decks
from pptarena.rewards.looks import Looks
from pptarena.tasks import get_task
from pptarena.vm_images.office import Office

pytestmark = pytest.mark.image
SLIDE = 6  # of the deck, from 0, with the picture 'Hero'


@pytest.fixture(scope="module")
def maker() -> Iterator[Office]:
    with Office(640, cached_results=0) as made:
        yield made


def deck(edit: Callable[[Any], object] | None = None) -> bytes:
    presentation = Presentation(io.BytesIO(get_task("aurora-square-hero").deck_bytes()))
    if edit is not None:
        edit(next(s for s in presentation.slides[SLIDE].shapes if s.name == "Hero"))
    out = io.BytesIO()
    presentation.save(out)
    return out.getvalue()


def lost(maker: Office, now: bytes) -> float:
    """Return what of the picture is found to be lost if no fact says that it changed."""
    before = deck()
    match = match_decks(read_deck(before), read_deck(now))
    (hero,) = [s.index for s in match.original.slides[SLIDE].shapes if s.name == "Hero"]
    return Looks(maker, before, now).look(match, (), ()).lost.get((SLIDE, hero), 0.0)


def mirrored(shape: Any) -> None:
    shape._element.spPr.xfrm.set("flipH", "1")


def upside_down(shape: Any) -> None:
    shape._element.spPr.xfrm.set("flipV", "1")


def a_pixel_aside(shape: Any) -> None:
    shape.left = Emu(shape.left + 19_050)


def narrower(shape: Any) -> None:
    shape.width = Emu(shape.width - 19_050)


@pytest.mark.parametrize("edit", [mirrored, upside_down])
def test_a_picture_with_as_much_ink_elsewhere_is_lost(
    maker: Office, edit: Callable[[Any], None]
) -> None:
    assert lost(maker, deck(edit)) > 0.3


@pytest.mark.parametrize("edit", [a_pixel_aside, narrower])
def test_a_picture_that_moved_by_a_pixel_is_not(maker: Office, edit: Callable[[Any], None]) -> None:
    assert lost(maker, deck(edit)) == 0.0
