"""Comparison of colors, fonts and text for several checks.

A color specification is ``#RRGGBB``, ``accent1``, ``dark blue``, ``red|orange`` or ``not red``.
Color words are defined by hue, lightness and distance from gray. The ranges overlap: a color that
some call red and others orange is both.
"""

import colorsys
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher

from pptarena.decks import Deck, Paint, Paragraph, Run, Shape
from pptarena.decks.diff.content import describe_paint
from pptarena.decks.equivalence.equivalences import FAMILIES
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.selectors import is_kind
from pptarena.decks.text_match import containment, normalize_caseless
from pptarena.decks.visibility.layers import paint_colors
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.result import CheckResult, pass_or_fail, require

__all__ = [
    "COLOR_TOLERANCE",
    "COLOR_WORDS",
    "TOLERANCE_EMU",
    "character_count",
    "color_test",
    "condition_share",
    "font_key",
    "is_color",
    "lightness",
    "matching_paragraphs",
    "matching_runs",
    "nearest_text",
    "run_character_count",
    "same_font",
    "score_fill",
    "score_paint",
]


# LibreOffice has the first font of each pair and writes the metric-compatible second one.
_COMPATIBLE_FONTS = {
    "carlito": "calibri",
    "caladea": "cambria",
    "liberation serif": "times new roman",
    "liberation sans": "arial",
    "liberation sans narrow": "arial narrow",
    "liberation mono": "courier new",
}


def font_key(name: str) -> str:
    """Return a key that is equal for metric-compatible fonts."""
    normalize_caseless = " ".join(name.casefold().split())
    return _COMPATIBLE_FONTS.get(normalize_caseless, normalize_caseless)


def same_font(first: str, second: str) -> bool:
    """Return whether two names denote the same font or metric-compatible fonts."""
    return font_key(first) == font_key(second)


COLOR_TOLERANCE = 30.0
TOLERANCE_EMU = 45_720
_MIN_SIMILARITY = 0.8
_MISSPELLED_CREDIT = 0.6


def score_paint(
    subject: str, paint: Paint, color: str | None, deck: Deck, tolerance: float
) -> CheckResult | None:
    """Score whether a paint has a color, or no paint for ``none``; None skips the comparison."""
    if color is None:
        return None
    if color == "none":
        right = paint.kind == "none"
    else:
        right = color_test(color, deck, tolerance)(paint.color)
    wrong = f"{subject} is {describe_paint(paint)} instead of {color}"
    return pass_or_fail(right, f"{subject} is {color}", wrong)


def score_fill(
    subject: str,
    paint: Paint,
    kind: str | None,
    colors: Iterable[str],
    deck: Deck,
    tolerance: float,
) -> Iterator[CheckResult]:
    """Yield whether a fill is of a type, unless None, and whether it contains each of the colors.

    Raises:
        NotThereError: If the fill is of another type.
    """
    if kind is not None:
        require(paint.kind == kind, f"{subject} is {paint.kind} instead of {kind}")
        yield CheckResult(1.0, f"{subject} is {kind}")
    fill_colors = [color for color, _ in paint_colors(paint) or ()]
    for color in colors:
        right = any(map(color_test(color, deck, tolerance), fill_colors))
        yield pass_or_fail(right, f"{subject} has {color}", f"{subject} lacks {color}")


def condition_share(
    shape: Shape, kind: str | None, text: str | None, *conditions: float | None
) -> float:
    """Return the fraction of conditions that a shape meets, 1 without any; None is no condition."""
    # A shape of another type does not match, whatever its other properties.
    if kind is not None and not is_kind(shape, kind) and not _is_outlined_text_box(shape, kind):
        return 0.0
    current_text = "" if _is_struck_through(shape) else shape.all_text
    of_text = None if text is None else _text_share(shape, current_text, text)
    # A text box consists of its text only, so its type adds no condition.
    scores = [] if kind is None or (kind == "text_box" and text is not None) else [1.0]
    scores += [score for score in (of_text, *conditions) if score is not None]
    return sum(scores) / len(scores) if scores else 1.0


def _is_outlined_text_box(shape: Shape, kind: str) -> bool:
    """Return whether a shape would be a text box without its outline and fill."""
    framed = shape.kind == "shape" and shape.geometry in FAMILIES["rectangles"]
    return kind == "text_box" and framed and bool(shape.text.strip())


def _text_share(shape: Shape, current_text: str, text: str) -> float:
    """Return the fraction of a text that is present; misspelled text counts partially."""
    misspelt = _MISSPELLED_CREDIT * nearest_text([shape], text)[1] if current_text else 0.0
    return max(containment(current_text, text, match_case=False), misspelt)


def _is_struck_through(shape: Shape) -> bool:
    """Return whether all text of a shape is struck through, which marks it as obsolete."""
    runs = [run for paragraph in shape.paragraphs for run in paragraph.runs if run.text.strip()]
    return bool(runs) and all(run.style.strike for run in runs)


def character_count(text: str) -> int:
    """Return the number of visible characters."""
    return sum(not character.isspace() for character in text)


def run_character_count(runs: Iterable[Run]) -> int:
    """Return the number of visible characters in runs."""
    return sum(character_count(run.text) for run in runs)


def matching_paragraphs(shape: Shape, text: str | None) -> list[Paragraph]:
    """Return the non-empty paragraphs of a shape, optionally only those that contain a text."""
    expected = "" if text is None else normalize_caseless(text)
    return [
        p
        for p in _all_paragraphs(shape)
        if p.text.strip() and expected in normalize_caseless(p.text)
    ]


def matching_runs(shapes: Iterable[Shape], text: str | None) -> list[Run]:
    """Return the runs of shapes, optionally only the parts that match a text."""
    paragraphs = [paragraph for shape in shapes for paragraph in _all_paragraphs(shape)]
    if text is None:
        return [
            run for paragraph in paragraphs for run in paragraph.runs if character_count(run.text)
        ]
    return [run for paragraph in paragraphs for run in _occurrences(paragraph, text)]


def nearest_text(shapes: Iterable[Shape], text: str) -> tuple[str | None, float]:
    """Return the words most similar to a text and their similarity, or (None, 0.0)."""
    expected = normalize_caseless(text)
    count = len(expected.split())
    best: tuple[float, str | None] = (0.0, None)
    for paragraph in (p for shape in shapes for p in _all_paragraphs(shape)):
        words = paragraph.text.split()
        for at in range(max(0, len(words) - count + 1)):
            tried = " ".join(words[at : at + count])
            matcher = SequenceMatcher(None, expected, normalize_caseless(tried), autojunk=False)
            if matcher.real_quick_ratio() > best[0] and matcher.quick_ratio() > best[0]:
                best = max(best, (matcher.ratio(), tried), key=lambda each: each[0])
    return (best[1], best[0]) if best[0] >= _MIN_SIMILARITY else (None, 0.0)


def _all_paragraphs(shape: Shape) -> Iterator[Paragraph]:
    yield from shape.paragraphs
    if shape.table is not None:
        for row in shape.table.rows:
            for cell in row:
                yield from cell.paragraphs


def _occurrences(paragraph: Paragraph, text: str) -> Iterator[Run]:
    pattern = r"\s+".join(re.escape(word) for word in text.split())
    for match in re.finditer(pattern, paragraph.text, re.IGNORECASE) if pattern else ():
        at = 0
        for run in paragraph.runs:
            end = at + len(run.text)
            part = run.text[max(0, match.start() - at) : max(0, match.end() - at)]
            if part and at < match.end() and end > match.start() and character_count(part):
                yield Run(part, run.style, run.link)
            at = end


_EXACT_COLOR = re.compile(r"#[0-9A-Fa-f]{6}|accent[1-6]|dk[12]|lt[12]|tx[12]|bg[12]|hlink|folHlink")
_MIN_CHROMA = 0.12  # difference of the strongest and weakest channel above which a hue is visible

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
_SHADE_TESTS: Mapping[str, Callable[[float, float], bool]] = {
    "dark": lambda light, saturation: light < 0.4,
    "light": lambda light, saturation: light > 0.65,
    "bright": lambda light, saturation: saturation > 0.6 and 0.35 <= light <= 0.75,
}
COLOR_WORDS = (*_HUES, *_GREYS)
"""The color words; ``dark``, ``light`` or ``bright`` may precede a hue."""


def is_color(value: str) -> bool:
    """Return whether a text is a valid color specification."""
    return all(map(_is_option, _options(value)[1]))


def color_test(value: str, deck: Deck, tolerance: float) -> Callable[[str | None], bool]:
    """Return a predicate that tests whether ``#RRGGBB`` matches a color specification.

    Args:
        value: A valid color specification, see `is_color`.
        deck: Deck whose first master's theme resolves names such as ``accent1``.
        tolerance: RGB distance that counts as equal; color words have their own ranges.

    Raises:
        UnscoredError: If the theme has no such color.
    """
    is_positive, options = _options(value)
    tests = [_option_test(option, deck, tolerance) for option in options]
    return lambda color: color is not None and any(test(color) for test in tests) == is_positive


def lightness(color: str) -> float:
    """Return the perceived lightness of ``#RRGGBB``, 0 to 1; green weighs most, blue least."""
    red, green, blue = _channels(color)
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _options(value: str) -> tuple[bool, list[str]]:
    """Return whether the options are required rather than excluded, and the options."""
    is_negated = value.startswith("not ")
    return not is_negated, [each.strip() for each in value.removeprefix("not ").split("|")]


def _is_option(option: str) -> bool:
    if _EXACT_COLOR.fullmatch(option):
        return True
    *shades, word = option.split(" ")
    return (
        word in COLOR_WORDS
        if not shades
        else shades[0] in _SHADE_TESTS and _is_shaded(word, shades)
    )


def _is_shaded(word: str, shades: list[str]) -> bool:
    return len(shades) == 1 and (word in _HUES or (word == "grey" and shades[0] != "bright"))


def _option_test(option: str, deck: Deck, tolerance: float) -> Callable[[str], bool]:
    if _EXACT_COLOR.fullmatch(option):
        expected = _resolve_color(option, deck)
        return lambda color: rgb_distance(color, expected) <= tolerance
    *shades, word = option.split(" ")
    return lambda color: (
        _matches_word(color, word)
        and all(_SHADE_TESTS[shade](*_lightness_and_saturation(color)) for shade in shades)
    )


def _resolve_color(name: str, deck: Deck) -> str:
    if name.startswith("#"):
        return name.upper()
    for master in deck.masters:
        if name in master.colors:
            return master.colors[name]
    raise UnscoredError(f"the theme has no color {name!r}")


def _matches_word(color: str, word: str) -> bool:
    channels = _channels(color)
    hue, light, _ = colorsys.rgb_to_hls(*channels)
    colored = max(channels) - min(channels) >= _MIN_CHROMA
    if word in _GREYS:
        low, high = _GREYS[word]
        return not colored and low <= light <= high
    first, last, low, high = _HUES[word]
    degrees = hue * 360
    in_range = first <= degrees < last if first < last else degrees >= first or degrees < last
    return colored and in_range and low <= light <= high


def _lightness_and_saturation(color: str) -> tuple[float, float]:
    _, light, saturation = colorsys.rgb_to_hls(*_channels(color))
    return light, saturation


def _channels(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
