"""Differences in transitions and animations."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence

from pptarena.decks import Animation, Shape, Slide, Transition
from pptarena.decks.diff.fields import differs, field_differences
from pptarena.decks.match.assignment import longest_increasing
from pptarena.decks.match.decks import ShapeMatch
from pptarena.decks.match.pairing import pair_equal, rest
from pptarena.decks.match.values import TIME_TOLERANCE_SEC, near

__all__ = [
    "AnimationChange",
    "animation_differences",
    "describe_animation",
    "describe_transition",
    "describe_variant",
    "same_transition",
]

_VARIANTS = {
    "dir=l": "to the left",
    "dir=r": "to the right",
    "dir=u": "upwards",
    "dir=d": "downwards",
    "dir=lu": "to the upper left",
    "dir=ru": "to the upper right",
    "dir=ld": "to the lower left",
    "dir=rd": "to the lower right",
    "dir=in": "inwards",
    "dir=out": "outwards",
    "dir=horz": "horizontally",
    "dir=vert": "vertically",
    "orient=horz": "horizontally",
    "orient=vert": "vertically",
    "thruBlk=1": "through black",
}

AnimationChange = tuple[str, str, Animation | None, Animation | None]
"""Type (``added``, ``removed``, ``moved``, ``changed``), description, old and new effect."""


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
    who = "nothing" if effect.shape is None else slide.shapes[effect.shape].label
    part = f" {effect.part}" if effect.part else ""
    if effect.paragraphs is not None:
        part = " paragraph " + "-".join(str(n + 1) for n in sorted(set(effect.paragraphs)))
    return f"{effect.kind} {effect.effect} ({effect.trigger.replace('_', ' ')}) of {who}{part}"


def animation_differences(
    before: Slide, after: Slide, match: ShapeMatch
) -> Iterator[AnimationChange]:
    """Yield added, removed, moved and changed effects.

    Effects of removed shapes yield no difference.
    """
    old = [e for e in before.animations if e.shape is None or e.shape in match.to_current]
    new = _of_what_is_there(before, after, match)
    pairs = sorted(_pairs(old, new, match))
    for i, j in pairs:
        said = _difference(old[i], new[j], before, after, match)
        if said:
            yield "changed", said, old[i], new[j]
    kept = longest_increasing([j for _, j in pairs])
    for at, (i, j) in enumerate(pairs):
        if at not in kept:
            yield "moved", f"place {i + 1} -> place {j + 1}", old[i], new[j]
    for i in rest(len(old), (i for i, _ in pairs)):
        yield "removed", "", old[i], None
    for j in rest(len(new), (j for _, j in pairs)):
        yield "added", "", None, new[j]


def _of_what_is_there(before: Slide, after: Slide, match: ShapeMatch) -> list[Animation]:
    """Return the current effects, without those left over from removed shapes."""
    left = Counter(
        (e.kind, e.effect)
        for e in before.animations
        if e.shape is not None and e.shape not in match.to_current
    )
    found = []
    for effect in after.animations:
        key = effect.kind, effect.effect
        if effect.shape is None and left[key] > 0:
            left[key] -= 1
        else:
            found.append(effect)
    return found


def _pairs(
    old: Sequence[Animation], new: Sequence[Animation], match: ShapeMatch
) -> list[tuple[int, int]]:
    """Return the pairs of effects, those with the most in common first."""
    pairs: list[tuple[int, int]] = []
    for level in range(4):
        pairs = pair_equal(
            [_key(e, _shape_now(e, match), level) for e in old],
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


def _shape_now(effect: Animation, match: ShapeMatch) -> int | None:
    return None if effect.shape is None else match.to_current[effect.shape]


def _difference(
    old: Animation, new: Animation, before: Slide, after: Slide, match: ShapeMatch
) -> str:
    """Return a description of the differences between two effects; empty for none."""
    said = [
        f"{each.what} {each.before} -> {each.after}"
        for each in field_differences(old, new, "animation")
    ]
    if old.paragraphs != new.paragraphs and old.shape is not None and new.shape is not None:
        texts = before.shapes[old.shape], after.shapes[new.shape]
        if (old.paragraphs is None) is not (new.paragraphs is None) or _same_lines(*texts):
            said.append(f"paragraphs {old.paragraphs} -> {new.paragraphs}")
    return ", ".join(said)


def _same_lines(first: Shape, second: Shape) -> bool:
    return len(first.paragraphs) == len(second.paragraphs)
