"""Apply a scope written for one deck to another deck that an agent produced."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.selectors import KINDS, find_shape, is_kind
from pptarena.rewards.scope.scope import Scope, ScopePart

__all__ = ["carried_over", "parts_carried_over"]


def carried_over(scope: Scope, reference: Deck, deck: Deck) -> Scope:
    """Return a scope with the slide and shape positions of another deck.

    Slides that the other deck lacks are dropped. A slide number is kept if neither deck's slide at
    that position exists in the other one: both may have added that slide with different content.

    Args:
        scope: Names slides and shapes of `reference`; already resolved by `Scope.on`.
        reference: The deck that the scope was written for.
        deck: Another deck with the same origin.
    """
    match = match_decks(reference, deck)
    own = Scope(parts=scope.all_parts[: len(scope.all_parts) - len(scope.free)])
    copy_of = scope.copy_of
    if copy_of is not None:
        at = match.to_current.get(copy_of - 1)
        copy_of = copy_of if at is None else at + 1
    return replace(
        scope,
        slides=(),
        aspects=None,
        shapes=None,
        parts=tuple(parts_carried_over(own.parts, match)),
        free=tuple(parts_carried_over(scope.free, match)),
        copy_of=copy_of,
    )


def parts_carried_over(parts: Iterable[ScopePart], match: DeckMatch) -> Iterator[ScopePart]:
    """Yield parts of a scope with the slide and shape positions of another deck.

    Args:
        parts: They name slides and shapes of the original of `match`.
        match: The deck that the parts were written for, and the other deck.
    """
    for part in parts:
        if part.slides == "all":
            yield part
            continue
        slides = {number: found for number in part.slides if (found := _slide(number, match))}
        if part.like is not None:
            part = replace(part, like=_slide(part.like, match) or part.like)
        if part.shapes is None:
            yield replace(part, slides=tuple(slides.values()))
            continue
        for number, now in slides.items():
            shapes = tuple(_shape(spec, number, now, match) for spec in part.shapes)
            yield replace(part, slides=(now,), shapes=shapes)


def _slide(number: int, match: DeckMatch) -> int | None:
    index = number - 1
    if index in match.to_current:
        return match.to_current[index] + 1
    is_other = index in match.removed and index in match.added
    return number if is_other else None


def _shape(spec: str, number: int, now: int, match: DeckMatch) -> str:
    """Return a selector of the same shape on a slide of the other deck."""
    if match.to_current.get(number - 1) != now - 1:
        return spec
    meant = find_shape(match.original.slides[number - 1], spec)
    index = None if meant is None else match.shapes(number - 1).to_current.get(meant.index)
    if index is None:
        return spec
    slide = match.current.slides[now - 1]
    found = find_shape(slide, spec)
    if found is not None and found.index == index:
        return spec
    return _exact(slide, slide.shapes[index]) or spec


def _exact(slide: Slide, shape: Shape) -> str | None:
    """Return a selector of a shape by its position among shapes of its type."""
    for kind in KINDS:
        if is_kind(shape, kind):
            same = [each.index for each in slide.shapes if is_kind(each, kind)]
            return f"@{kind}:{same.index(shape.index) + 1}"
    return None
