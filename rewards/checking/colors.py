"""Color specifications: ``#RRGGBB``, ``accent1``, ``dark blue``, ``red|orange``, ``not red``.

Words are defined by hue, lightness and distance from gray. The ranges overlap: a color that some
call red and others orange is both.
"""

import colorsys
import re
from collections.abc import Callable, Mapping

from pptarena.decks import Deck
from pptarena.decks.read.color import rgb_distance
from pptarena.errors import UnscoredError

__all__ = ["COLOR_WORDS", "color_test", "is_color", "lightness"]

_PLAIN = re.compile(r"#[0-9A-Fa-f]{6}|accent[1-6]|dk[12]|lt[12]|tx[12]|bg[12]|hlink|folHlink")
_COLORED = 0.12  # difference of the strongest and weakest channel above which a hue is visible

_HUES: Mapping[str, tuple[float, float, float, float]] = {
    # first hue, last hue (degrees), minimum lightness, maximum lightness
    "red": (345, 15, 0.1, 0.8),
    "orange": (15, 45, 0.4, 0.85),
    "brown": (10, 45, 0.08, 0.45),
    "yellow": (43, 70, 0.3, 0.97),
    "green": (70, 170, 0.05, 0.95),
    "teal": (155, 200, 0.1, 0.6),
    "cyan": (165, 200, 0.3, 0.97),
    "blue": (195, 260, 0.05, 0.97),
    "purple": (255, 315, 0.08, 0.95),
    "magenta": (285, 345, 0.2, 0.8),
    "pink": (310, 15, 0.6, 0.97),
}
_GREYS: Mapping[str, tuple[float, float]] = {
    "black": (0.0, 0.15),
    "grey": (0.12, 0.93),
    "white": (0.93, 1.0),
}
_SHADES: Mapping[str, Callable[[float, float], bool]] = {
    "dark": lambda light, strong: light < 0.4,
    "light": lambda light, strong: light > 0.65,
    "bright": lambda light, strong: strong > 0.6 and 0.35 <= light <= 0.75,
}
COLOR_WORDS = (*_HUES, *_GREYS)
"""The color words; ``dark``, ``light`` or ``bright`` may precede a hue."""


def is_color(value: str) -> bool:
    """Return whether a text is a valid color specification."""
    return all(map(_is_one, _options(value)[1]))


def color_test(value: str, deck: Deck, tolerance: float) -> Callable[[str | None], bool]:
    """Return a predicate that tests whether ``#RRGGBB`` matches a color specification.

    Args:
        value: A valid color specification, see `is_color`.
        deck: Deck whose first master's theme resolves names such as ``accent1``.
        tolerance: RGB distance that counts as equal; words have ranges of their own.

    Raises:
        UnscoredError: If the theme has no such color.
    """
    wanted, options = _options(value)
    tests = [_test_of(option, deck, tolerance) for option in options]
    return lambda found: found is not None and any(test(found) for test in tests) == wanted


def lightness(color: str) -> float:
    """Return the perceived lightness of ``#RRGGBB``, 0 to 1; green weighs most, blue least."""
    red, green, blue = _channels(color)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _options(value: str) -> tuple[bool, list[str]]:
    """Return whether the options are wanted (or excluded), and the options."""
    refused = value.startswith("not ")
    return not refused, [each.strip() for each in value.removeprefix("not ").split("|")]


def _is_one(option: str) -> bool:
    if _PLAIN.fullmatch(option):
        return True
    *shades, word = option.split(" ")
    return word in COLOR_WORDS if not shades else shades[0] in _SHADES and _is_shaded(word, shades)


def _is_shaded(word: str, shades: list[str]) -> bool:
    return len(shades) == 1 and (word in _HUES or (word == "grey" and shades[0] != "bright"))


def _test_of(option: str, deck: Deck, tolerance: float) -> Callable[[str], bool]:
    if _PLAIN.fullmatch(option):
        wanted = _of_theme(option, deck)
        return lambda found: rgb_distance(found, wanted) <= tolerance
    *shades, word = option.split(" ")
    return lambda found: (
        _is_called(found, word)
        and all(_SHADES[shade](*_light_and_strong(found)) for shade in shades)
    )


def _of_theme(name: str, deck: Deck) -> str:
    if name.startswith("#"):
        return name.upper()
    for master in deck.masters:
        if name in master.colors:
            return master.colors[name]
    raise UnscoredError(f"the theme has no color {name!r}")


def _is_called(color: str, word: str) -> bool:
    channels = _channels(color)
    hue, light, _ = colorsys.rgb_to_hls(*channels)
    colored = max(channels) - min(channels) >= _COLORED
    if word in _GREYS:
        low, high = _GREYS[word]
        return not colored and low <= light <= high
    first, last, low, high = _HUES[word]
    degrees = hue * 360
    inside = first <= degrees < last if first < last else degrees >= first or degrees < last
    return colored and inside and low <= light <= high


def _light_and_strong(color: str) -> tuple[float, float]:
    _, light, strong = colorsys.rgb_to_hls(*_channels(color))
    return light, strong


def _channels(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
