"""Single edits of a deck, each with the change that a diff should report."""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pptarena.decks.presentation import open_presentation, save_presentation

__all__ = [
    "EDITS",
    "Edit",
    "Edited",
    "Expected",
    "edit_deck",
    "random_shape",
    "register_edit",
    "shape_index",
]


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


def register_edit(name: str) -> Callable[[Edit], Edit]:
    """Register a function as the edit with this name."""

    def register(function: Edit) -> Edit:
        EDITS[name] = function
        return function

    return register


def edit_deck(name: str, deck: bytes, rng: random.Random) -> Edited | None:
    """Return a deck with one edit; None if the deck has no suitable target."""
    presentation = open_presentation(deck)
    if not len(presentation.slides):
        return None
    expected = EDITS[name](presentation, rng)
    if expected is None:
        return None
    return Edited(save_presentation(presentation), expected)


def random_shape(
    deck: Any, rng: random.Random, fits: Callable[[Any], bool]
) -> tuple[int, int, Any] | None:
    """Return slide number (from 1), index and shape of a random top-level shape that fits."""
    shapes = [
        (number, shape)
        for number, slide in enumerate(deck.slides, start=1)
        for shape in slide.shapes
        if fits(shape)
    ]
    if not shapes:
        return None
    number, shape = rng.choice(shapes)
    return number, shape_index(deck.slides[number - 1], shape), shape


def shape_index(slide: Any, shape: Any) -> int:
    """Return the index of a shape on its slide; members of groups count."""
    return [each._element for each in _with_group_members(slide.shapes)].index(shape._element)


def _with_group_members(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        yield shape
        if hasattr(shape, "shapes"):
            yield from _with_group_members(shape.shapes)
