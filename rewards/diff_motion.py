"""Differences of transitions and animations."""

from collections.abc import Iterator
from difflib import SequenceMatcher

from pptarena.rewards.deck import Animation, Slide, Transition
from pptarena.rewards.matching import ShapeMatch

__all__ = ["animation_differences", "describe_animation", "same_transition"]

TIME_TOLERANCE_SEC = 0.05

Difference = tuple[str, str, str]


def same_transition(first: Transition, second: Transition) -> bool:
    """Return whether two slides come in the same way; saving may round times."""
    if (first.type, first.on_click) != (second.type, second.on_click):
        return False
    # LibreOffice turns a push round at every save.
    if first.variant != second.variant and first.type != "push":
        return False
    if first.type != "none" and not _near(first.duration_sec, second.duration_sec):
        return False
    return _near(first.advance_after_sec, second.advance_after_sec)


def describe_animation(effect: Animation, slide: Slide) -> str:
    """Return an effect in a few words."""
    who = "nothing" if effect.shape is None else slide.shapes[effect.shape].label
    return f"{effect.kind} {effect.effect} ({effect.trigger.replace('_', ' ')}) of {who}"


def animation_differences(before: Slide, after: Slide, match: ShapeMatch) -> Iterator[Difference]:
    """Yield effects that came, went, moved or changed, as (kind, before, after).

    Effects of shapes that are gone went with them and make no difference of their own.
    """
    old = [e for e in before.animations if e.shape is None or e.shape in match.to_current]
    new = list(after.animations)
    old_keys = [_key(e, match.to_current.get(-1 if e.shape is None else e.shape)) for e in old]
    new_keys = [_key(e, e.shape) for e in new]
    matcher = SequenceMatcher(None, old_keys, new_keys, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            for first, second in zip(old[i1:i2], new[j1:j2], strict=True):
                yield from _timing(first, second, before, after)
            continue
        paired = min(i2 - i1, j2 - j1)
        for k in range(max(i2 - i1, j2 - j1)):
            was = describe_animation(old[i1 + k], before) if k < i2 - i1 else ""
            now = describe_animation(new[j1 + k], after) if k < j2 - j1 else ""
            kind = "changed" if k < paired else "removed" if was else "added"
            yield f"animation_{kind}", was, now


def _timing(
    first: Animation, second: Animation, before: Slide, after: Slide
) -> Iterator[Difference]:
    same = _near(first.duration_sec, second.duration_sec)
    if same and abs(first.delay_sec - second.delay_sec) <= TIME_TOLERANCE_SEC:
        return
    was, now = (
        f"{describe_animation(effect, slide)} {effect.duration_sec} s after {effect.delay_sec} s"
        for effect, slide in ((first, before), (second, after))
    )
    yield "animation_changed", was, now


def _key(effect: Animation, shape: int | None) -> tuple[object, ...]:
    # Paragraph numbers are left out: they follow the text, which is compared by itself.
    by_paragraph = effect.paragraphs is not None
    return effect.kind, effect.effect, effect.trigger, shape, by_paragraph


def _near(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return abs(first - second) <= TIME_TOLERANCE_SEC
