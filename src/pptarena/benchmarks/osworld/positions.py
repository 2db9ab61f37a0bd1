"""OSWorld tasks that move a shape: their gold deck has the shape at its original position.

A separate option specifies the target, with a slide and a text specific to the task.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pptarena.benchmarks.outcome import RefusedError
from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.decks.selectors import is_kind, spec_of

__all__ = ["OPTIONS", "TITLE", "Move", "apply_move", "requested_move"]

TITLE: Final = "Product Comparison"
"""The title moved by one of the tasks."""

OPTIONS: Final = {
    "examine_title_bottom_position": "bottom",
    "examine_table_bottom_position": "bottom",
    "examine_right_position": "right",
    "examine_top_position": "top",
}
"""Options that specify a target side of the slide."""

_TABLE_SLIDE, _PICTURE_SLIDE = 3, 2


@dataclass(frozen=True, slots=True)
class Move:
    """A requested move.

    Attributes:
        slide: Position of the slide, from 1.
        shape: The shape in the deck to compare with.
        spec: Selector of the shape for rubrics.
        region: ``top``, ``right`` or ``bottom``.
    """

    slide: int
    shape: Shape
    spec: str
    region: str


def requested_move(options: Mapping[str, Any], deck: Deck) -> Move | None:
    """Return the move requested by options; None if there is none.

    Raises:
        RefusedError: If several moves are requested, or the shape is missing or ambiguous.
    """
    requested = [name for name in OPTIONS if options.get(name) is True]
    if not requested:
        return None
    candidates = [] if len(requested) > 1 else list(_candidates(requested[0], deck))
    if len(candidates) != 1:
        details = f"expected one shape for {' and '.join(requested)}, found {len(candidates)}"
        raise RefusedError("the shape to move is ambiguous", details)
    ((slide, shape),) = candidates
    spec = spec_of(slide, shape)
    if spec is None:
        raise RefusedError("the shape to move is ambiguous", f"no selector for {shape.name!r}")
    return Move(slide.index + 1, shape, spec, OPTIONS[requested[0]])


def apply_move(deck: bytes, move: Move) -> bytes:
    """Return the deck with the shape moved to the requested side of the slide."""
    presentation = open_presentation(deck)
    shapes = presentation.slides[move.slide - 1].shapes
    # Only top-level shapes can be requested, and both readers return them in the same order.
    shape = next(
        candidate
        for candidate in shapes
        if candidate.name == move.shape.name and _is_at(candidate, move)
    )
    width, height = presentation.slide_width or 0, presentation.slide_height or 0
    box = move.shape.box
    shape.left, shape.top = box.left, box.top
    shape.width, shape.height = box.width, box.height
    if move.region == "right":
        shape.left = max(0, width - box.width)
    else:
        shape.top = 0 if move.region == "top" else max(0, height - box.height)
    return save_presentation(presentation)


def _is_at(shape: Any, move: Move) -> bool:
    box = move.shape.box
    return bool((shape.left, shape.top) == (box.left, box.top))


def _candidates(option: str, deck: Deck) -> Iterable[tuple[Slide, Shape]]:
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.group is None and _matches_option(option, slide.index + 1, shape):
                yield slide, shape


def _matches_option(option: str, slide: int, shape: Shape) -> bool:
    if option == "examine_title_bottom_position":
        return shape.all_text.strip() == TITLE
    if option == "examine_table_bottom_position":
        return slide == _TABLE_SLIDE and is_kind(shape, "table")
    return slide == _PICTURE_SLIDE and is_kind(shape, "picture")
