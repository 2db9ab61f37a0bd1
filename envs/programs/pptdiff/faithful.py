"""The correct PowerPointDiff, computed from the package's facts and diff."""

import dataclasses
import hashlib
from collections import defaultdict
from collections.abc import Collection, Hashable, Sequence

from pptarena.decks import Animation, Deck, Transition, read_deck
from pptarena.decks import Slide as SlideFacts
from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.match.sequences import longest_increasing
from pptarena.decks.package.names import P
from pptarena.decks.package.package import Package
from pptarena.envs.programs.pptdiff.model import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideTransition,
)
from pptarena.envs.programs.pptdiff.parts import slide_parts

__all__ = ["faithful_diff"]

_TOLERANCE_SEC = 0.01


def faithful_diff(original: bytes, current: bytes) -> PowerPointDiff:
    """Return the differences between two decks.

    Slides are matched by the package's diff, so they keep their identity when an application
    renumbers them. A slide is modified if anything about it changed, including notes, layout and
    position. Removed items have the ids of the original deck, added items those of the current
    deck.

    Raises:
        DeckError: If a file cannot be read.
    """
    match = match_decks(read_deck(original), read_deck(current))
    before, after = _Side(original, match.original), _Side(current, match.current)
    changes = diff_matched(match)
    diff = PowerPointDiff()
    _compare_slides(match, changes, before, after, diff)
    _compare_transitions(match, changes, before, after, diff)
    _compare_animations(match, before, after, diff)
    return diff


class _Side:
    """One of the two decks, with its slides and effects in PPT-Eval's format."""

    def __init__(self, data: bytes, deck: Deck) -> None:
        self.deck = deck
        self._targets = _targets(data)

    def slide(self, index: int) -> Slide:
        facts = self.deck.slides[index]
        return Slide(
            slide_id=str(facts.id),
            slide_number=index + 1,
            title=facts.title or None,
            layout_type=facts.layout or None,
            element_count=len(facts.shapes),
            notes=facts.notes or None,
            content_hash=_hash(facts),
        )

    def transition(self, index: int) -> SlideTransition:
        facts = self.deck.slides[index]
        return SlideTransition(
            slide_id=str(facts.id),
            transition_type=facts.transition.type,
            duration=facts.transition.duration_sec or 0.0,
            direction=_direction(facts.transition),
        )

    def effect(self, index: int, order: int) -> AnimationEffect:
        facts = self.deck.slides[index]
        effect = facts.animations[order]
        targets = self._targets.get(index, ())
        has_ids = len(targets) == len(facts.animations)
        return AnimationEffect(
            slide_id=str(facts.id),
            element_id=targets[order] if has_ids else "unknown",
            effect_type=_effect_name(effect),
            trigger=effect.trigger,
            delay=effect.delay_sec,
            duration=effect.duration_sec or 0.0,
            order=order,
            element_text=_text(facts, effect),
            element_type="shape" if effect.paragraphs is None else "text",
        )


def _targets(data: bytes) -> dict[int, tuple[str, ...]]:
    """Return the shape id in the file of each effect, by 0-based slide index.

    Facts have no ids, since ids are not stable, but leaves compare them with ids that they read.
    """
    targets = {}
    for part in slide_parts(Package(data)):
        timing = part.root.find(f"{P}timing")
        nodes = () if timing is None else timing.iter(f"{P}cTn")
        effects = [node for node in nodes if node.get("presetClass") is not None]
        target_elements = [next(node.iter(f"{P}spTgt"), None) for node in effects]
        targets[part.number - 1] = tuple(
            "unknown" if element is None else element.get("spid") or "unknown"
            for element in target_elements
        )
    return targets


def _compare_slides(
    match: DeckMatch, changes: Sequence[Change], before: _Side, after: _Side, diff: PowerPointDiff
) -> None:
    changed = {change.slide for change in changes}
    diff.added_slides = [after.slide(index) for index in match.added]
    diff.removed_slides = [before.slide(index) for index in match.removed]
    diff.modified_slides = [
        (before.slide(old), after.slide(new)) for old, new in match.pairs if old + 1 in changed
    ]


def _compare_transitions(
    match: DeckMatch, changes: Sequence[Change], before: _Side, after: _Side, diff: PowerPointDiff
) -> None:
    # Not compared here: the diff accounts for changes to transitions by saving alone.
    changed = {change.slide for change in changes if change.aspect == "transition"}
    for old, new in match.pairs:
        first, second = before.deck.slides[old].transition, after.deck.slides[new].transition
        if old + 1 not in changed or first.type == second.type == "none":
            continue
        if first.type == "none":
            diff.added_transitions.append(after.transition(new))
        elif second.type == "none":
            diff.removed_transitions.append(before.transition(old))
        elif not _same_transition(before.transition(old), after.transition(new)):
            diff.modified_transitions.append((before.transition(old), after.transition(new)))
    diff.added_transitions += _transitions(after, match.added)
    diff.removed_transitions += _transitions(before, match.removed)


def _transitions(side: _Side, indexes: Sequence[int]) -> list[SlideTransition]:
    transitions = [side.transition(index) for index in indexes]
    return [transition for transition in transitions if transition.transition_type != "none"]


def _same_transition(first: SlideTransition, second: SlideTransition) -> bool:
    return (
        first.transition_type == second.transition_type
        and first.direction == second.direction
        and abs(first.duration - second.duration) < _TOLERANCE_SEC
    )


def _compare_animations(
    match: DeckMatch, before: _Side, after: _Side, diff: PowerPointDiff
) -> None:
    for old, new in match.pairs:
        pairs = _same_effects(match, old, new)
        in_order = longest_increasing([j for _, j in pairs])
        for position, (i, j) in enumerate(pairs):
            first, second = before.effect(old, i), after.effect(new, j)
            if position not in in_order or not _same_effect(first, second):
                diff.modified_animations.append((first, second))
        diff.removed_animations += _effects(before, old, {i for i, _ in pairs})
        diff.added_animations += _effects(
            after, new, {j for _, j in pairs} | _untargeted(after, new)
        )
    for index in match.removed:
        diff.removed_animations += _effects(before, index)
    for index in match.added:
        diff.added_animations += _effects(after, index, _untargeted(after, index))


def _effects(side: _Side, index: int, paired: Collection[int] = ()) -> list[AnimationEffect]:
    """Return the effects of a slide that are in no pair."""
    orders = range(len(side.deck.slides[index].animations))
    return [side.effect(index, order) for order in orders if order not in paired]


def _untargeted(side: _Side, index: int) -> set[int]:
    """Return the effects without a target, whose shape was deleted from the slide."""
    effects = side.deck.slides[index].animations
    return {order for order, effect in enumerate(effects) if effect.shape is None}


def _same_effect(first: AnimationEffect, second: AnimationEffect) -> bool:
    return (
        first.effect_type == second.effect_type
        and first.trigger == second.trigger
        and abs(first.delay - second.delay) < _TOLERANCE_SEC
        and abs(first.duration - second.duration) < _TOLERANCE_SEC
    )


def _same_effects(match: DeckMatch, old: int, new: int) -> list[tuple[int, int]]:
    """Return pairs of matching effects of the same shape, identical effects first, in order."""
    shapes = match.shapes(old).to_current
    first = [
        (_key(effect, None if effect.shape is None else shapes.get(effect.shape, -1)))
        for effect in match.original.slides[old].animations
    ]
    second = [_key(effect, effect.shape) for effect in match.current.slides[new].animations]
    pairs: list[tuple[int, int]] = []
    for length in (3, 2):  # first with the name of the effect, then any effect
        pairs += _pair_in_order(
            {i: key[:length] for i, key in enumerate(first) if i not in {i for i, _ in pairs}},
            {j: key[:length] for j, key in enumerate(second) if j not in {j for _, j in pairs}},
        )
    return sorted(pairs)


def _key(effect: Animation, shape: int | None) -> tuple[Hashable, ...]:
    return shape, effect.paragraphs, (effect.kind, effect.effect)


def _pair_in_order(
    first: dict[int, tuple[Hashable, ...]], second: dict[int, tuple[Hashable, ...]]
) -> list[tuple[int, int]]:
    positions: dict[Hashable, list[int]] = defaultdict(list)
    for j in sorted(second, reverse=True):
        positions[second[j]].append(j)
    return [(i, positions[first[i]].pop()) for i in sorted(first) if positions[first[i]]]


def _effect_name(effect: Animation) -> str:
    """Return a name such as ``fly_in_from_left``, ``fade_out``, ``spin``, ``motion_path_lines``."""
    name, direction = effect.effect, effect.direction
    if effect.kind == "exit":
        name = "disappear" if name == "appear" else f"{name.removesuffix('_in')}_out"
        direction = direction.replace("from_", "to_", 1)
    elif effect.kind == "motion":
        name = f"motion_path_{name}"
    elif effect.kind not in ("entrance", "emphasis"):
        name = f"{effect.kind}_{name}"
    return f"{name}_{direction}" if direction else name


def _direction(transition: Transition) -> str | None:
    for option in transition.variant.split():
        name, _, value = option.partition("=")
        if name == "dir":
            return value
    return None


def _text(slide: SlideFacts, effect: Animation) -> str | None:
    """Return the text that an effect animates: its paragraphs or the entire shape."""
    if effect.shape is None:
        return None
    shape = slide.shapes[effect.shape]
    if effect.paragraphs is None:
        return shape.text or None
    start, end = effect.paragraphs
    return "\n".join(_lines(shape.text, start, end)) or None


def _lines(text: str, start: int, end: int) -> Sequence[str]:
    return text.split("\n")[start : end + 1]


def _hash(slide: SlideFacts) -> str:
    """Return a digest of a slide's facts, independent of its position and id."""
    facts = dataclasses.replace(slide, index=0, id=0)
    return hashlib.sha256(repr(facts).encode("utf-8", "replace")).hexdigest()
