"""The work on a task: new and changed shapes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.consequences import every_change
from pptarena.decks.match.decks import DeckMatch

__all__ = ["WorkedShape", "backdrop_shapes", "worked_shapes"]

# Aspects whose changes do not affect a shape's appearance.
_UNSEEN_ASPECTS = frozenset(
    (
        *("alt_text", "hyperlinks", "notes", "comments", "animation", "transition", "order"),
        *("sections", "properties", "slides", "other", "layout", "visibility"),
    )
)
_ONLY_NAMED = ("name", "decorative")


@dataclass(frozen=True, slots=True)
class WorkedShape:
    """A shape that is new or whose appearance changed.

    Attributes:
        slide: The current slide.
        shape: The current shape.
        slide_before: The original slide; None for a new slide.
        before: The original shape; None for a new shape.
    """

    slide: Slide
    shape: Shape
    slide_before: Slide | None
    before: Shape | None


def worked_shapes(
    match: DeckMatch, changes: Iterable[Change], outside: Iterable[Change]
) -> Iterator[WorkedShape]:
    """Yield the shapes that allowed changes added or changed, including those of new slides.

    Args:
        match: The matching of slides and shapes.
        changes: All changes between the decks.
        outside: Changes outside the task's scope, which have a price of their own.
    """
    refused = {_key(change) for change in every_change(tuple(outside))}
    places: dict[tuple[int, int], None] = {}
    for change in changes:
        if _key(change) in refused:
            continue
        if change.kind == "slide_added" and change.slide_now is not None:
            slide = match.current.slides[change.slide_now - 1]
            places |= {(slide.index, shape.index): None for shape in slide.shapes}
            continue
        slide_now, shape_now = change.slide_now, change.shape_index_now
        if slide_now is not None and shape_now is not None and _is_seen(change):
            places[slide_now - 1, shape_now] = None
    for index, shape in places:
        yield _worked(match, index, shape)


def backdrop_shapes(deck: Deck, slide: Slide) -> tuple[Shape, ...]:
    """Return the shapes a slide inherits from its master and layout, from bottom to top."""
    layout, master = deck.layout_of(slide), deck.master_of(slide)
    if not slide.show_master_shapes or layout is None:
        return ()
    inherited = () if master is None or not layout.show_master_shapes else master.shapes
    return tuple(s for s in (*inherited, *layout.shapes) if not s.placeholder and not s.hidden)


def _worked(match: DeckMatch, index: int, shape: int) -> WorkedShape:
    slide = match.current.slides[index]
    was = match.to_original.get(index)
    if was is None:
        return WorkedShape(slide, slide.shapes[shape], None, None)
    before = match.original.slides[was]
    at = match.shapes(was).to_original.get(shape)
    old = None if at is None else before.shapes[at]
    return WorkedShape(slide, slide.shapes[shape], before, old)


def _is_seen(change: Change) -> bool:
    if change.aspect == "shapes" and change.what in _ONLY_NAMED:
        return False
    return change.aspect not in _UNSEEN_ASPECTS


def _key(change: Change) -> tuple[object, ...]:
    places = change.slide, change.slide_now, change.shape_index, change.shape_index_now
    return (change.kind, change.what, *places)
