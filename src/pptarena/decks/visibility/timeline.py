"""Timeline of a slide's animation: start times, and shapes that are never visible for long."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pptarena.decks import Animation, Box, Slide

__all__ = ["LONGEST_WAIT_SEC", "Played", "leaving_soon", "never_shown", "played"]

LONGEST_WAIT_SEC: Final = 10.0
"""Longest acceptable delay or duration of an effect."""

_LONGEST_SEC: Final = 30.0
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_CLICKS = ("on_click", "on_shape_click")


@dataclass(frozen=True, slots=True)
class Played:
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
        length = self.effect.duration_sec or 0.0
        waits = max(self.effect.delay_sec, length) >= LONGEST_WAIT_SEC
        return waits or self.start_sec >= _LONGEST_SEC


def played(slide: Slide) -> Iterator[Played]:
    """Yield a slide's effects with their start times."""
    click, start, end = 0, 0.0, 0.0
    for effect in slide.animations:
        if effect.trigger in _CLICKS:
            click, start, end = click + 1, 0.0, 0.0
        begin = (end if effect.trigger == "after_previous" else start) + effect.delay_sec
        if effect.trigger == "after_previous":
            start = end
        end = max(end, begin + (effect.duration_sec or 0.0))
        yield Played(effect, click, begin)


def never_shown(slide: Slide, screen: Box) -> frozenset[int]:
    """Return the shapes that leave for good without a click, or appear too late."""
    gone: set[int] = set()
    came: dict[int, int] = {}
    for each in played(slide) if slide.animations else ():
        effect = each.effect
        if effect.shape is None or effect.paragraphs is not None or effect.part:
            continue
        if effect.kind == "entrance":
            gone.discard(effect.shape)
            came[effect.shape] = each.click
            if each.is_late:
                gone.add(effect.shape)
        elif came.get(effect.shape, 0) == each.click and _takes_away(
            effect, slide.shapes[effect.shape].box, screen
        ):
            gone.add(effect.shape)
    return frozenset(gone)


def leaving_soon(steps: Sequence[Played]) -> frozenset[int]:
    """Return the indexes of entrances whose shapes leave again before the next click."""
    found = set()
    leaves: set[tuple[int, int | None]] = set()
    for at in reversed(range(len(steps))):
        key = steps[at].click, steps[at].effect.shape
        if steps[at].effect.kind == "exit":
            leaves.add(key)
        elif steps[at].effect.kind == "entrance" and key in leaves:
            found.add(at)
    return frozenset(found)


def _takes_away(effect: Animation, box: Box, screen: Box) -> bool:
    if effect.kind == "exit":
        return True
    if effect.kind != "motion" or effect.auto_reverse:
        return False
    numbers = _NUMBER.findall(effect.path)
    if len(numbers) < 2:
        return False
    left = box.left + float(numbers[-2]) * screen.width
    top = box.top + float(numbers[-1]) * screen.height
    inside = left < screen.right and left + box.width > screen.left
    return not (inside and top < screen.bottom and top + box.height > screen.top)
