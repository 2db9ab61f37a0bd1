"""Shapes that an animation keeps from being seen, without anybody clicking."""

import re
from typing import Final

from pptarena.decks import Animation, Box, Slide

__all__ = ["never_shown"]

_LONG_SEC: Final = 30.0
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
_CLICKS = ("on_click", "on_shape_click")


def never_shown(slide: Slide, screen: Box) -> frozenset[int]:
    """Return the shapes that leave by themselves for good, or come only after half a minute.

    Args:
        slide: The slide.
        screen: The slide's area.
    """
    gone: set[int] = set()
    clicked = False
    waited = 0.0
    for effect in slide.animations:
        if effect.trigger in _CLICKS:
            clicked = True
        waited = max(waited, effect.delay_sec)
        if effect.shape is None or effect.paragraphs is not None or effect.part:
            continue
        if effect.kind == "entrance":
            gone.discard(effect.shape)
            if not clicked and waited >= _LONG_SEC:
                gone.add(effect.shape)
        elif not clicked and _takes_away(effect, slide.shapes[effect.shape].box, screen):
            gone.add(effect.shape)
    return frozenset(gone)


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
