"""What of a deck is the work on a task: new and changed shapes and slides."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.consequences import every_change
from pptarena.decks.match.decks import DeckMatch

__all__ = ["WorkedShape", "backdrop_shapes", "worked_shapes"]

# Changes of these aspects leave a shape as it looks.
_UNSEEN_ASPECTS = frozenset(
    (
        *("alt_text", "hyperlinks", "notes", "comments", "animation", "transition", "order"),
        *("sections", "properties", "slides", "other", "layout", "visibility"),
    )
)
_ONLY_NAMED = ("name", "decorative")


@dataclass(frozen=True, slots=True)
class WorkedShape:
    """A shape that is new or looks otherwise than in the original.

    Attributes:
        slide: The slide now.
        shape: The shape now.
        slide_before: The slide in the original; None for a new slide.
        before: The shape in the original; None for a new one.
    """

    slide: Slide
    shape: Shape
    slide_before: Slide | None
    before: Shape | None


def worked_shapes(
    match: DeckMatch, changes: Iterable[Change], outside: Iterable[Change]
) -> Iterator[WorkedShape]:
    """Yield the shapes that allowed changes made or changed, those of new slides too.

    Args:
        match: Which slide and shape is which.
        changes: All changes between the decks.
        outside: Those that the task's scope does not allow; damage has a price of its own.
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
    """Return what a slide shows of its master and layout, from bottom to top."""
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
