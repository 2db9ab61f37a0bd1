"""Differences of one slide: its properties, shapes and animation."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pptarena.decks import Animation, Comment, Slide, Transition
from pptarena.decks.diff.change import Aspect, Change, Difference
from pptarena.decks.diff.fields import differs, field_differences, fingerprint_differences
from pptarena.decks.diff.groups import ShapesDiff
from pptarena.decks.diff.text import LinkMap
from pptarena.decks.match.decks import ShapeMatch
from pptarena.decks.match.pairing import pair_equal, unpaired
from pptarena.decks.match.sequences import longest_increasing
from pptarena.decks.match.values import TIME_TOLERANCE_SEC, clip, near
from pptarena.decks.saving import Saving

__all__ = [
    "DeckContext",
    "describe_animation",
    "describe_transition",
    "describe_variant",
    "same_transition",
    "slide_changes",
]

_VARIANTS = {
    "dir=l": "to the left", "dir=r": "to the right", "dir=u": "upwards", "dir=d": "downwards",
    "dir=lu": "to the upper left", "dir=ru": "to the upper right", "dir=ld": "to the lower left",
    "dir=rd": "to the lower right", "dir=in": "inwards", "dir=out": "outwards",
    "dir=horz": "horizontally", "dir=vert": "vertically", "orient=horz": "horizontally",
    "orient=vert": "vertically", "thruBlk=1": "through black",
}  # fmt: skip


def same_transition(first: Transition, second: Transition) -> bool:
    """Return whether two transitions are the same; saving may round times."""
    if first == second:
        return True
    if differs(first, second) or first.variant != second.variant:
        return False
    times = first.duration_sec, second.duration_sec
    return first.type == "none" or near(*times, TIME_TOLERANCE_SEC)


def describe_transition(transition: Transition) -> str:
    """Return a short description of a transition."""
    parts = [" ".join(filter(None, (transition.type, describe_variant(transition.variant))))]
    if transition.duration_sec is not None and transition.type != "none":
        parts.append(f"{transition.duration_sec:g} s")
    if transition.advance_after_sec is not None:
        parts.append(f"next slide after {transition.advance_after_sec:g} s")
    parts += [] if transition.on_click else ["not on click"]
    parts += ["with a sound"] if transition.sound else []
    return ", ".join(parts)


def describe_variant(variant: str) -> str:
    """Return a description of a transition variant, such as ``to the right`` for ``dir=r``.

    A direction is the one in which the new slide moves (ECMA-376, Part 1, 19.3.1 and 19.7).
    """
    return " ".join(_VARIANTS.get(each, each.replace("=", " ")) for each in variant.split())


def describe_animation(effect: Animation, slide: Slide) -> str:
    """Return a short description of an animation effect."""
    target = "nothing" if effect.shape is None else slide.shapes[effect.shape].label
    part = f" {effect.part}" if effect.part else ""
    if effect.paragraphs is not None:
        part = " paragraph " + "-".join(str(n + 1) for n in sorted(set(effect.paragraphs)))
    return f"{effect.kind} {effect.effect} ({effect.trigger.replace('_', ' ')}) of {target}{part}"


def _animation_changes(before: Slide, after: Slide, match: ShapeMatch) -> Iterator[Change]:
    """Yield added, removed, moved and changed effects, except for effects of removed shapes."""

    def change(kind: str, old: Animation | None, new: Animation | None, what: str = "") -> Change:
        return Change(
            kind=f"animation_{kind}",
            aspect="animation",
            before="" if old is None else describe_animation(old, before),
            after="" if new is None else describe_animation(new, after),
            what=what,
            value_before=old,
            value_after=new,
        )

    old = [e for e in before.animations if e.shape is None or e.shape in match.to_current]
    new = _without_orphans(before, after, match)
    pairs = sorted(_pair_effects(old, new, match))
    for i, j in pairs:
        description = _difference(old[i], new[j], before, after, match)
        if description:
            yield change("changed", old[i], new[j], description)
    in_order = longest_increasing([j for _, j in pairs])
    for position, (i, j) in enumerate(pairs):
        if position not in in_order:
            yield change("moved", old[i], new[j], f"place {i + 1} -> place {j + 1}")
    removed, added = unpaired(old, new, pairs)
    for i in removed:
        yield change("removed", old[i], None)
    for j in added:
        yield change("added", None, new[j])


def _without_orphans(before: Slide, after: Slide, match: ShapeMatch) -> list[Animation]:
    """Return the current effects, without those left over from removed shapes."""
    orphans = Counter(
        (e.kind, e.effect)
        for e in before.animations
        if e.shape is not None and e.shape not in match.to_current
    )
    effects = []
    for effect in after.animations:
        key = effect.kind, effect.effect
        if effect.shape is None and orphans[key] > 0:
            orphans[key] -= 1
        else:
            effects.append(effect)
    return effects


def _pair_effects(
    old: Sequence[Animation], new: Sequence[Animation], match: ShapeMatch
) -> list[tuple[int, int]]:
    """Return the pairs of effects, those with the most in common first."""
    pairs: list[tuple[int, int]] = []
    for level in range(4):
        pairs = pair_equal(
            [_key(e, None if e.shape is None else match.to_current[e.shape], level) for e in old],
            [_key(e, e.shape, level) for e in new],
            pairs,
        )
    return pairs


def _key(effect: Animation, shape: int | None, level: int) -> Hashable:
    part = effect.paragraphs, effect.part
    keys: tuple[Hashable, ...] = (
        (effect.kind, effect.effect, shape, part, effect.trigger, effect.direction, effect.path),
        (effect.kind, effect.effect, shape, part),
        # Paragraph numbers shift with the text, which is compared separately.
        (effect.kind, effect.effect, shape, effect.paragraphs is None, effect.part),
        (effect.kind, shape, effect.paragraphs is None, effect.part),
    )
    return keys[level]


def _difference(
    old: Animation, new: Animation, before: Slide, after: Slide, match: ShapeMatch
) -> str:
    """Return a description of the differences between two effects; empty for none."""
    parts = [
        f"{each.what} {each.before} -> {each.after}"
        for each in field_differences(old, new, "animation")
    ]
    if old.paragraphs != new.paragraphs and old.shape is not None and new.shape is not None:
        shapes = before.shapes[old.shape], after.shapes[new.shape]
        counts = {len(shape.paragraphs) for shape in shapes}
        if (old.paragraphs is None) is not (new.paragraphs is None) or len(counts) == 1:
            parts.append(f"paragraphs {old.paragraphs} -> {new.paragraphs}")
    return ", ".join(parts)


# Locations of timing content, as the reader names them: a type and a shape index.
_SHAPE_LOCATION = re.compile(r"[A-Za-z]+ (\d+)")

_ASPECTS: dict[str, Aspect] = {
    "hidden": "visibility",
    "background": "background",
    "show master shapes": "background",
}


@dataclass(frozen=True, slots=True)
class DeckContext:
    """Facts about two decks needed to compare one slide.

    Attributes:
        map_link: Maps a link of the original to the same link in the current deck.
        saving: The application that saved both decks.
        transitions: Current transitions without rewrites by saving, by index of the original slide.
        has_renamed_layout: Returns whether the layouts of an old and a new slide differ only in
            name.
        masters: Maps indexes of original masters to current ones.
        is_regrouped: Whether saving alone moved layouts to other masters.
    """

    map_link: LinkMap
    saving: Saving
    transitions: Mapping[int, Transition]
    has_renamed_layout: Callable[[Slide, Slide], bool]
    masters: Mapping[int, int]
    is_regrouped: bool


def slide_changes(
    before: Slide,
    after: Slide,
    match: ShapeMatch,
    deck: DeckContext,
    free: Collection[int] = (),
) -> Iterator[Change]:
    """Yield the changes of one slide, except for sections."""
    for change in _all_changes(before, after, match, deck, free):
        yield replace(change, slide=before.index + 1, slide_now=after.index + 1)


def _all_changes(
    before: Slide, after: Slide, match: ShapeMatch, deck: DeckContext, free: Collection[int]
) -> Iterator[Change]:
    for each in _differences(before, after, deck):
        yield Change.of(each)
    yield from _fingerprint_changes(before, after, match)
    yield from _comment_changes(before.comments, after.comments)
    yield from ShapesDiff(before.shapes, after.shapes, match, deck.saving, deck.map_link).changes(
        free
    )
    yield from _animation_changes(before, after, match)


def _differences(before: Slide, after: Slide, deck: DeckContext) -> Iterator[Difference]:
    if _nonblank_lines(before.notes) != _nonblank_lines(after.notes):
        yield Difference.of("notes", "", before.notes, after.notes, clip)
    if before.layout.casefold() != after.layout.casefold() and not deck.has_renamed_layout(
        before, after
    ):
        yield Difference.of("layout", "", before.layout, after.layout, clip)
    for each in field_differences(before, after, "other"):
        if each.what == "hidden":
            describe = {True: "hidden", False: "shown"}.__getitem__
            yield Difference.of("visibility", "", before.hidden, after.hidden, describe)
        else:
            what = "" if each.what == "background" else each.what
            yield replace(each, aspect=_ASPECTS.get(each.what, "other"), what=what)
    if not same_transition(before.transition, deck.transitions[before.index]):
        both = before.transition, after.transition
        yield Difference.of("transition", "", *both, describe_transition)


def _fingerprint_changes(before: Slide, after: Slide, match: ShapeMatch) -> Iterator[Change]:
    """Yield changes in content compared by digest; media playback is reported with its shape."""
    old = [
        (*_current_location(location, match.to_current), digest)
        for location, digest in before.fingerprint
    ]
    new = [(location, digest) for location, digest in after.fingerprint]
    remaining = [(location, digest) for location, exists, digest in old if exists]
    for each in fingerprint_differences(remaining, new):
        index_now = _shape_index(each.what)
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


def _current_location(location: str, to_current: Mapping[int, int]) -> tuple[str, bool]:
    """Return a location with the shape's current index, and whether the shape still exists."""
    index = _shape_index(location)
    if index is None:
        return location, True
    return f"{location.rpartition(' ')[0]} {to_current.get(index, -1)}", index in to_current


def _shape_index(location: str) -> int | None:
    """Return the index of the shape that a timing location refers to."""
    match = _SHAPE_LOCATION.fullmatch(location)
    return None if match is None else int(match[1])


def _nonblank_lines(text: str) -> list[str]:
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
    removed, added = unpaired(before, after, pairs)
    for old in (before[i] for i in removed):
        yield Change("comment_removed", "comments", before=_describe_comment(old), value_before=old)
    for new in (after[j] for j in added):
        yield Change("comment_added", "comments", after=_describe_comment(new), value_after=new)


def _describe_comment(comment: Comment) -> str:
    return f"{clip(comment.text)} by {comment.author}" if comment.author else clip(comment.text)
