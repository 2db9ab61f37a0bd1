"""Single edits of a deck file, each with the changes that a diff should report."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pptarena.decks.presentation import open_presentation, save_presentation

__all__ = ["EDITS", "Edit", "Edited", "Expected", "edit_deck", "edits", "one_of", "shape_index"]


@dataclass(frozen=True, slots=True)
class Expected:
    """What a diff should report for one edit.

    Attributes:
        aspects: Accepted aspects of the reported change.
        slide: Position of the slide in the original, from 1; None for the deck or a new slide.
        shape: Index of the shape in the original; None if no original shape changes.
    """

    aspects: tuple[str, ...]
    slide: int | None = None
    shape: int | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """A deck with one edit.

    Attributes:
        deck: The edited .pptx file.
        expected: What a diff should report.
    """

    deck: bytes
    expected: Expected


Edit = Callable[[Any, random.Random], Expected | None]
"""Edits a python-pptx presentation; returns None if the deck has no suitable target."""

EDITS: dict[str, Edit] = {}
"""All edits by name."""


def edits(name: str) -> Callable[[Edit], Edit]:
    """Register a function as the edit with this name."""

    def note(function: Edit) -> Edit:
        EDITS[name] = function
        return function

    return note


def edit_deck(name: str, deck: bytes, draw: random.Random) -> Edited | None:
    """Return a deck with one edit; None if the deck has no suitable target."""
    presentation = open_presentation(deck)
    if not len(presentation.slides):
        return None
    expected = EDITS[name](presentation, draw)
    if expected is None:
        return None
    return Edited(save_presentation(presentation), expected)


def one_of(
    deck: Any, draw: random.Random, fits: Callable[[Any], bool]
) -> tuple[int, int, Any] | None:
    """Return slide number (from 1), index and shape of a random top-level shape that fits."""
    found = [
        (number, shape)
        for number, slide in enumerate(deck.slides, start=1)
        for shape in slide.shapes
        if fits(shape)
    ]
    if not found:
        return None
    number, shape = draw.choice(found)
    return number, shape_index(deck.slides[number - 1], shape), shape


def shape_index(slide: Any, wanted: Any) -> int:
    """Return the index of a shape on its slide, counting members of groups."""
    return [shape._element for shape in _every(slide.shapes)].index(wanted._element)


def _every(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        yield shape
        if hasattr(shape, "shapes"):
            yield from _every(shape.shapes)
