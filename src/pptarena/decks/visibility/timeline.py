"""Timeline of a slide's animation: start times, and shapes that are never visible for long."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pptarena.decks import Animation, Box, Slide

__all__ = ["MAX_WAIT_SEC", "TimedEffect", "brief_entrances", "never_shown", "timed_effects"]

MAX_WAIT_SEC: Final = 10.0
"""Longest acceptable delay or duration of an effect."""

_MAX_START_SEC: Final = 30.0
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_CLICKS = ("on_click", "on_shape_click")


@dataclass(frozen=True, slots=True)
class TimedEffect:
    """An effect with its start time.

    Attributes:
        effect: The effect.
        click: Number of clicks before the effect; 0 if it starts automatically.
        start_sec: Start time after that click, or after the slide appears.
    """

    effect: Animation
    click: int
    start_sec: float

    @property
    def is_late(self) -> bool:
        """Whether viewers wait too long for the effect."""
        duration_sec = self.effect.duration_sec or 0.0
        is_slow = max(self.effect.delay_sec, duration_sec) >= MAX_WAIT_SEC
        return is_slow or self.start_sec >= _MAX_START_SEC


def timed_effects(slide: Slide) -> Iterator[TimedEffect]:
    """Yield a slide's effects with their start times."""
    click, start, end = 0, 0.0, 0.0
    for effect in slide.animations:
        if effect.trigger in _CLICKS:
            click, start, end = click + 1, 0.0, 0.0
        begin = (end if effect.trigger == "after_previous" else start) + effect.delay_sec
        if effect.trigger == "after_previous":
            start = end
        end = max(end, begin + (effect.duration_sec or 0.0))
        yield TimedEffect(effect, click, begin)


def never_shown(slide: Slide, screen: Box) -> frozenset[int]:
    """Return the shapes that disappear permanently without a click, or appear too late."""
    removed: set[int] = set()
    entered_at: dict[int, int] = {}
    for each in timed_effects(slide) if slide.animations else ():
        effect = each.effect
        if effect.shape is None or effect.paragraphs is not None or effect.part:
            continue
        if effect.kind == "entrance":
            removed.discard(effect.shape)
            entered_at[effect.shape] = each.click
            if each.is_late:
                removed.add(effect.shape)
        elif entered_at.get(effect.shape, 0) == each.click and _removes(
            effect, slide.shapes[effect.shape].box, screen
        ):
            removed.add(effect.shape)
    return frozenset(removed)


def brief_entrances(steps: Sequence[TimedEffect]) -> frozenset[int]:
    """Return the indexes of entrances whose shapes disappear again before the next click."""
    entrances = set()
    exits: set[tuple[int, int | None]] = set()
    for position in reversed(range(len(steps))):
        key = steps[position].click, steps[position].effect.shape
        if steps[position].effect.kind == "exit":
            exits.add(key)
        elif steps[position].effect.kind == "entrance" and key in exits:
            entrances.add(position)
    return frozenset(entrances)


def _removes(effect: Animation, box: Box, screen: Box) -> bool:
    if effect.kind == "exit":
        return True
    if effect.kind != "motion" or effect.auto_reverse:
        return False
    numbers = _NUMBER.findall(effect.path)
    if len(numbers) < 2:
        return False
    left = box.left + float(numbers[-2]) * screen.width
    top = box.top + float(numbers[-1]) * screen.height
    overlaps_x = left < screen.right and left + box.width > screen.left
    return not (overlaps_x and top < screen.bottom and top + box.height > screen.top)
