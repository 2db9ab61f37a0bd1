"""Differences of one slide: its properties, shapes and animation."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from pptarena.decks import Comment, Slide, Transition
from pptarena.decks.diff.change import Aspect, Change, Difference
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.fingerprint import fingerprint_differences
from pptarena.decks.diff.groups import ShapesDiff
from pptarena.decks.diff.motion import (
    animation_differences,
    describe_animation,
    describe_transition,
    same_transition,
)
from pptarena.decks.diff.text import LinkMap
from pptarena.decks.match.decks import ShapeMatch
from pptarena.decks.match.pairing import pair_equal, rest
from pptarena.decks.match.values import clip
from pptarena.decks.saving import Saving

__all__ = ["DeckContext", "slide_changes"]

# Locations of timing content, as the reader names them: a type and a shape index.
_OF_SHAPE = re.compile(r"[A-Za-z]+ (\d+)")

_ASPECTS: dict[str, Aspect] = {
    "hidden": "visibility",
    "background": "background",
    "show master shapes": "background",
}


@dataclass(frozen=True, slots=True)
class DeckContext:
    """Facts about two decks needed to compare one slide.

    Attributes:
        moved: Maps a link of the original to the same link in the current deck.
        saving: The application that saved both decks.
        transitions: Current transitions without rewrites by saving, by index of the original slide.
        renamed: Returns whether only the name of the layout differs between an old and a new slide.
        masters: Maps indexes of original masters to current ones.
        regrouped: Whether saving alone moved layouts to other masters.
    """

    moved: LinkMap
    saving: Saving
    transitions: Mapping[int, Transition]
    renamed: Callable[[Slide, Slide], bool]
    masters: Mapping[int, int]
    regrouped: bool


def slide_changes(
    before: Slide,
    after: Slide,
    match: ShapeMatch,
    deck: DeckContext,
    free: Collection[int] = (),
) -> Iterator[Change]:
    """Yield the changes of one slide, except for sections.

    Args:
        before: The slide of the original.
        after: The corresponding current slide.
        match: Pairs of corresponding shapes.
        deck: Facts about both decks.
        free: Indexes of original shapes to prefer as the restacked ones if z-order changed.
    """
    for change in _all_changes(before, after, match, deck, free):
        yield replace(change, slide=before.index + 1, slide_now=after.index + 1)


def _all_changes(
    before: Slide, after: Slide, match: ShapeMatch, deck: DeckContext, free: Collection[int]
) -> Iterator[Change]:
    for each in _differences(before, after, deck):
        yield Change.of(each)
    yield from _fingerprint_changes(before, after, match)
    yield from _comment_changes(before.comments, after.comments)
    yield from ShapesDiff(before.shapes, after.shapes, match, deck.saving, deck.moved).changes(free)
    yield from _animation_changes(before, after, match)


def _differences(before: Slide, after: Slide, deck: DeckContext) -> Iterator[Difference]:
    if _blank_free(before.notes) != _blank_free(after.notes):
        yield Difference.of("notes", "", before.notes, after.notes, clip)
    if before.layout.casefold() != after.layout.casefold() and not deck.renamed(before, after):
        yield Difference.of("layout", "", before.layout, after.layout, clip)
    for each in field_differences(before, after, "other"):
        if each.what == "hidden":
            yield Difference.of("visibility", "", before.hidden, after.hidden, _hidden)
        else:
            what = "" if each.what == "background" else each.what
            yield replace(each, aspect=_ASPECTS.get(each.what, "other"), what=what)
    if not same_transition(before.transition, deck.transitions[before.index]):
        both = before.transition, after.transition
        yield Difference.of("transition", "", *both, describe_transition)


def _fingerprint_changes(before: Slide, after: Slide, match: ShapeMatch) -> Iterator[Change]:
    """Yield changes in content compared by digest; media playback is reported with its shape."""
    old = [(*_followed(place, match.to_current), digest) for place, digest in before.fingerprint]
    new = [(place, digest) for place, digest in after.fingerprint]
    there = [(place, digest) for place, is_there, digest in old if is_there]
    for each in fingerprint_differences(there, new):
        index_now = _shape_of(each.what)
        change = Change.of(each)
        if index_now is None:
            yield change
            continue
        index = match.to_original.get(index_now)
        if index is None:
            continue  # added together with its shape
        what = each.what.rpartition(" ")[0]
        label = before.shapes[index].label
        yield replace(change, what=what, shape=label, shape_index=index, shape_index_now=index_now)


def _followed(place: str, to_current: Mapping[int, int]) -> tuple[str, bool]:
    """Return a location with the shape's current index, and whether the shape still exists."""
    index = _shape_of(place)
    if index is None:
        return place, True
    return f"{place.rpartition(' ')[0]} {to_current.get(index, -1)}", index in to_current


def _shape_of(place: str) -> int | None:
    """Return the index of the shape that a timing location refers to."""
    found = _OF_SHAPE.fullmatch(place)
    return None if found is None else int(found[1])


def _hidden(hidden: bool) -> str:
    return "hidden" if hidden else "shown"


def _blank_free(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def _comment_changes(before: tuple[Comment, ...], after: tuple[Comment, ...]) -> Iterator[Change]:
    if before == after:
        return
    pairs = pair_equal([(c.author, c.text) for c in before], [(c.author, c.text) for c in after])
    pairs = pair_equal([c.text for c in before], [c.text for c in after], pairs)
    pairs = pair_equal([c.author for c in before], [c.author for c in after], pairs)
    for i, j in sorted(pairs):
        for each in field_differences(before[i], after[j], "comments"):
            yield Change.of(each)
    for i in rest(len(before), (i for i, _ in pairs)):
        old = before[i]
        yield Change("comment_removed", "comments", before=_said(old), value_before=old)
    for j in rest(len(after), (j for _, j in pairs)):
        new = after[j]
        yield Change("comment_added", "comments", after=_said(new), value_after=new)


def _said(comment: Comment) -> str:
    return f"{clip(comment.text)} by {comment.author}" if comment.author else clip(comment.text)


def _animation_changes(before: Slide, after: Slide, match: ShapeMatch) -> Iterator[Change]:
    for what, said, old, new in animation_differences(before, after, match):
        yield Change(
            kind=f"animation_{what}",
            aspect="animation",
            before="" if old is None else describe_animation(old, before),
            after="" if new is None else describe_animation(new, after),
            what=said,
            value_before=old,
            value_after=new,
        )
