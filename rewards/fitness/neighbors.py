"""Faults of a shape toward its neighbors: it stands on their words, or lies over them."""

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
    """Yield that a shape and its neighbors cover each other, where they did not before.

    Args:
        match: Which slide and shape is which.
        work: The shape.
        going: Slide and shape, by index in the original, of what the task wants gone. That such a
            shape is still there, behind the new one, is for the rubric to charge.
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
    """Return the share of a moved shape's words that stand in the box of another text now."""
    if work.before is None or same_box(work.before.box, work.shape.box) or work.shape.table:
        return 0.0
    if work.shape.index < other.index:
        return 0.0
    now, before = (words_within(shape, other.box) for shape in (work.shape, work.before))
    return now if before == 0 else 0.0


def overlap_loss(lower: Shape, upper: Shape) -> float:
    """Return what it takes that two shapes cover each other, in [0, 1].

    Args:
        lower: The one beneath.
        upper: The one above.
    """
    on_words = words_on_words(lower, upper)
    hidden = words_hidden(lower, upper)
    if upper.picture is not None and upper.picture.media_kind == "audio":
        # No facts say how much of a symbol is clear; words beneath it are not read in any case.
        hidden = max(hidden, words_within(lower, upper.box))
    loss = 0.0
    if on_words >= _LEAST_ON_WORDS:
        loss = _MOST * min(1.0, _STEEP * on_words)
    if hidden >= _LEAST_HIDDEN:
        loss = max(loss, _MOST * min(1.0, _STEEP * hidden))
    small = {lower.placeholder, upper.placeholder} & SMALL_PLACEHOLDERS
    return loss * _OF_SMALL if small else loss


def _before(match: DeckMatch, work: WorkedShape, other: Shape) -> float:
    """Return how far the same two shapes covered each other in the original."""
    if work.before is None or work.slide_before is None:
        return 0.0
    at = match.shapes(work.slide_before.index).to_original.get(other.index)
    if at is None:
        return 0.0
    pair = sorted((work.before, work.slide_before.shapes[at]), key=lambda each: each.index)
    return overlap_loss(*pair)


def _was_behind(match: DeckMatch, work: WorkedShape, other: Shape) -> bool:
    """Return whether other slides of the original have words on the same shape of the layout."""
    for slide in match.original.slides:
        if slide.layout == work.slide.layout and _has_words_on(slide, other):
            return True
    return False


def _has_words_on(slide: Slide, other: Shape) -> bool:
    return any(words_on_words(each, other) >= _LEAST_ON_WORDS for each in slide.shapes)
