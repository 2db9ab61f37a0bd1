"""Places that many operators share."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from pptarena.decks import Shape
from pptarena.decks.visibility.text_place import text_need
from pptarena.tasks.grow.ground import Ground, Site

__all__ = [
    "PHRASES",
    "STAMPS",
    "as_macro",
    "chosen",
    "has_room",
    "is_loose",
    "keeps_size",
    "of_shapes",
    "of_slides",
    "whole_deck",
    "with_text",
]

PHRASES = (
    "Results at a glance",
    "What we know so far",
    "Next steps",
    "Lessons of the spring",
    "Open questions",
    "Figures for the board",
    "The plan in short",
    "Summary and outlook",
    "Why it matters",
    "Risks we accept",
    "Three things to remember",
    "Status in October",
    "A second look",
    "Where we stand",
    "Facts for the reader",
    "Notes from the workshop",
)
"""Words that a task may ask for, of no subject."""

STAMPS = ("Confidential", "Draft 3", "Internal", "For the board", "Not for print", "Archive")
"""Words that stand on all slides, or many."""


def of_shapes(fits: Callable[[Shape], bool]) -> Callable[[Ground], Iterator[Site]]:
    """Return what finds all shapes that are in no group, not hidden, and fit."""

    def sites(ground: Ground) -> Iterator[Site]:
        for slide in ground.deck.slides:
            for shape in slide.shapes:
                if shape.group is None and not shape.hidden and fits(shape):
                    yield Site(ground, slide.index, shape.index)

    return sites


def of_slides(
    fits: Callable[[Site], bool] = lambda site: True,
) -> Callable[[Ground], Iterator[Site]]:
    """Return what finds all slides that fit."""

    def sites(ground: Ground) -> Iterator[Site]:
        for slide in ground.deck.slides:
            site = Site(ground, slide.index)
            if fits(site):
                yield site

    return sites


def whole_deck(ground: Ground) -> Iterator[Site]:
    """Yield the deck as a whole."""
    if ground.deck.slides:
        yield Site(ground)


def with_text(shape: Shape) -> bool:
    """Return whether a shape is a title, a body or a box with words, not just with three dots."""
    known = shape.kind in ("text_box", "shape", "placeholder")
    return (
        known
        and any(map(str.isalnum, shape.text))
        and shape.placeholder not in ("dt", "ftr", "sldNum")
    )


def keeps_size(site: Site) -> bool:
    """Return whether a shape keeps its size whatever is done to it.

    LibreOffice fits one that grows with its text anew as soon as anything about it is edited, so
    that more changes than was asked for.
    """
    return site.shape.autofit != "shape"


def is_loose(shape: Shape) -> bool:
    """Return whether LibreOffice gives a box another width whenever it is laid out anew."""
    return shape.autofit == "shape" and shape.frame is not None and not shape.frame.wrap


def has_room(shape: Shape) -> bool:
    """Return whether the words of a shape fit into it, so that others may."""
    need = text_need(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
    return need.height_pt <= 1.1 * need.room_height_pt and need.width_pt <= 1.1 * need.room_width_pt


def chosen(key: str, *values: Any) -> Callable[[Site, Random], dict[str, Any]]:
    """Return what draws one of some values."""
    return lambda site, rng: {key: rng.choice(values)}


def as_macro(site: Site, name: str, **more: Any) -> dict[str, Any]:
    """Return the call of a macro at a place."""
    where: dict[str, Any] = {"slide": site.number}
    if site.shape_index is not None:
        where["shape"] = site.spec
    return {"macro": name, **where, **more}
