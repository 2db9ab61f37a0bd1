"""Faults of a shape toward its neighbors: overlapping or covering their text."""

from collections.abc import Collection, Iterator

from pptarena.decks import Shape, Slide
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.fitness import SMALL_PLACEHOLDERS, Fault
from pptarena.decks.visibility.overlap import words_hidden, words_on_words, words_within
from pptarena.rewards.fitness.work import WorkedShape, backdrop_shapes

__all__ = ["neighbor_faults", "overlap_loss"]

_LEAST_ON_WORDS = 0.2
_LEAST_HIDDEN = 0.25
_MOST = 0.65
_STEEP = 2.0
_OF_SMALL = 0.5
_MOVED_ONTO = 0.55


def neighbor_faults(
    match: DeckMatch, work: WorkedShape, going: Collection[tuple[int, int]] = ()
) -> Iterator[Fault]:
    """Yield a fault if a shape and its neighbors newly cover each other.

    Args:
        match: The matching of slides and shapes.
        work: The shape.
        going: (slide, shape) indexes in the original of shapes that the task removes. If such a
            shape still lies behind the new one, the rubric charges for it.
    """
    shape = work.shape
    if shape.hidden or shape.kind == "group":
        return
    worst, other, covered = 0.0, None, 0
    for each in work.slide.shapes:
        if each.index == shape.index or each.hidden or each.kind == "group":
            continue
        if going and each.index < shape.index and _place_before(match, work, each) in going:
            continue
        loss = overlap_loss(*((shape, each) if shape.index < each.index else (each, shape)))
        if loss < _MOVED_ONTO and each.fill.kind != "none" and each.text.strip():
            loss = max(loss, _MOVED_ONTO * _moved_onto(work, each))
        if loss > worst or loss >= _MOST:
            loss -= _before(match, work, each)
        covered += loss >= _MOST
        if loss > worst:
            worst, other = loss, each
    for each in backdrop_shapes(match.current, work.slide):
        if work.before is None or work.before.box != shape.box:
            loss = words_on_words(shape, each)
            loss = _MOST * min(1.0, _STEEP * loss) if loss >= _LEAST_ON_WORDS else 0.0
            if loss > worst and not _was_behind(match, work, each):
                worst, other = loss, each
    if other is not None:
        worst = max(worst, 1 - (1 - _MOST) ** covered if covered > 1 else 0.0)
        yield Fault("overlap", worst, f"it and {other.label} overlap")


def _place_before(match: DeckMatch, work: WorkedShape, other: Shape) -> tuple[int, int] | None:
    if work.slide_before is None:
        return None
    index = work.slide_before.index
    at = match.shapes(index).to_original.get(other.index)
    return None if at is None else (index, at)


def _moved_onto(work: WorkedShape, other: Shape) -> float:
    """Return the share of a moved shape's text that now lies in another text's box."""
    if work.before is None or same_box(work.before.box, work.shape.box) or work.shape.table:
        return 0.0
    if work.shape.index < other.index:
        return 0.0
    now, before = (words_within(shape, other.box) for shape in (work.shape, work.before))
    return now if before == 0 else 0.0


def overlap_loss(lower: Shape, upper: Shape) -> float:
    """Return the loss by two shapes covering each other, in [0, 1].

    Args:
        lower: The shape below.
        upper: The shape on top.
    """
    on_words = words_on_words(lower, upper)
    hidden = words_hidden(lower, upper)
    if upper.picture is not None and upper.picture.media_kind == "audio":
        # The transparency of an audio icon is unknown, so text beneath it counts as unreadable.
        hidden = max(hidden, words_within(lower, upper.box))
    loss = 0.0
    if on_words >= _LEAST_ON_WORDS:
        loss = _MOST * min(1.0, _STEEP * on_words)
    if hidden >= _LEAST_HIDDEN:
        loss = max(loss, _MOST * min(1.0, _STEEP * hidden))
    small = {lower.placeholder, upper.placeholder} & SMALL_PLACEHOLDERS
    return loss * _OF_SMALL if small else loss


def _before(match: DeckMatch, work: WorkedShape, other: Shape) -> float:
    """Return the loss by the same two shapes in the original."""
    if work.before is None or work.slide_before is None:
        return 0.0
    at = match.shapes(work.slide_before.index).to_original.get(other.index)
    if at is None:
        return 0.0
    pair = sorted((work.before, work.slide_before.shapes[at]), key=lambda each: each.index)
    return overlap_loss(*pair)


def _was_behind(match: DeckMatch, work: WorkedShape, other: Shape) -> bool:
    """Return whether another original slide has text on the same layout shape."""
    for slide in match.original.slides:
        if slide.layout == work.slide.layout and _has_words_on(slide, other):
            return True
    return False


def _has_words_on(slide: Slide, other: Shape) -> bool:
    return any(words_on_words(each, other) >= _LEAST_ON_WORDS for each in slide.shapes)
