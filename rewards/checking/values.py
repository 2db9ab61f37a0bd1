"""Comparison of colors, fonts and text for several checks."""

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from pptarena.decks import Deck, Paint, Paragraph, Run, Shape
from pptarena.decks.diff.content import describe_paint
from pptarena.decks.equivalence.table import FAMILIES
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.selectors import is_kind
from pptarena.decks.text_match import folded, share_found
from pptarena.decks.visibility.layers import paint_colors
from pptarena.rewards.checking.colors import color_test
from pptarena.rewards.checking.result import CheckResult, needed, verdict

__all__ = [
    "COLOR_TOLERANCE",
    "TOLERANCE_EMU",
    "color_matches",
    "fit_of",
    "font_key",
    "has_color",
    "letters",
    "letters_of",
    "matching_paragraphs",
    "matching_runs",
    "nearest_text",
    "paint_has",
    "paint_is",
    "same_font",
]


# LibreOffice has the first font of each pair and writes the metric-compatible second one.
_TWINS = {
    "carlito": "calibri",
    "caladea": "cambria",
    "liberation serif": "times new roman",
    "liberation sans": "arial",
    "liberation sans narrow": "arial narrow",
    "liberation mono": "courier new",
}


def font_key(name: str) -> str:
    """Return a key that is equal for metric-compatible fonts."""
    folded = " ".join(name.casefold().split())
    return _TWINS.get(folded, folded)


def same_font(first: str, second: str) -> bool:
    """Return whether two names denote the same font or metric-compatible fonts."""
    return font_key(first) == font_key(second)


COLOR_TOLERANCE = 30.0
TOLERANCE_EMU = 45_720
_NEARLY = 0.8
_MISSPELT = 0.6


def color_matches(found: str | None, wanted: str, tolerance: float) -> bool:
    """Return whether a color is within the tolerance of the expected one."""
    return found is not None and rgb_distance(found, wanted) <= tolerance


def has_color(found: str | None, color: str, deck: Deck, tolerance: float) -> bool:
    """Return whether a color is the one a rubric specifies; see `checking.colors`."""
    return color_test(color, deck, tolerance)(found)


def paint_is(
    what: str, paint: Paint, color: str | None, deck: Deck, tolerance: float
) -> CheckResult | None:
    """Score whether a paint has a color, or no paint for ``none``; None skips the comparison."""
    if color is None:
        return None
    if color == "none":
        right = paint.kind == "none"
    else:
        right = has_color(paint.color, color, deck, tolerance)
    wrong = f"{what} is {describe_paint(paint)} instead of {color}"
    return verdict(right, f"{what} is {color}", wrong)


def paint_has(
    what: str, paint: Paint, kind: str | None, colors: Iterable[str], deck: Deck, tolerance: float
) -> Iterator[CheckResult]:
    """Yield whether a fill is of a type, unless None, and whether it contains each of the colors.

    Raises:
        NotThereError: If the fill is of another type.
    """
    if kind is not None:
        needed(paint.kind == kind, f"{what} is {paint.kind} instead of {kind}")
        yield CheckResult(1.0, f"{what} is {kind}")
    found = [color for color, _ in paint_colors(paint) or ()]
    for color in colors:
        right = any(map(color_test(color, deck, tolerance), found))
        yield verdict(right, f"{what} has {color}", f"{what} lacks {color}")


def fit_of(shape: Shape, kind: str | None, text: str | None, *conditions: float | None) -> float:
    """Return the fraction of conditions that a shape meets, 1 without any; None is no condition."""
    # A shape of another type does not match, whatever its other properties.
    if kind is not None and not is_kind(shape, kind) and not _is_framed_text(shape, kind):
        return 0.0
    said = "" if _is_struck(shape) else shape.all_text
    of_text = None if text is None else _said_share(shape, said, text)
    # A text box consists of its text only, so its type adds no condition.
    asked = [] if kind is None or (kind == "text_box" and text is not None) else [1.0]
    asked += [score for score in (of_text, *conditions) if score is not None]
    return sum(asked) / len(asked) if asked else 1.0


def _is_framed_text(shape: Shape, kind: str) -> bool:
    """Return whether a shape would be a text box without its outline and fill."""
    framed = shape.kind == "shape" and shape.geometry in FAMILIES["rectangles"]
    return kind == "text_box" and framed and bool(shape.text.strip())


def _said_share(shape: Shape, said: str, text: str) -> float:
    """Return the fraction of a text that is present; misspelled text counts partially."""
    misspelt = _MISSPELT * nearest_text([shape], text)[1] if said else 0.0
    return max(share_found(said, text, match_case=False), misspelt)


def _is_struck(shape: Shape) -> bool:
    """Return whether all text of a shape is struck through, which marks it as obsolete."""
    runs = [run for paragraph in shape.paragraphs for run in paragraph.runs if run.text.strip()]
    return bool(runs) and all(run.style.strike for run in runs)


def letters(text: str) -> int:
    """Return the number of visible characters."""
    return sum(not character.isspace() for character in text)


def letters_of(runs: Iterable[Run]) -> int:
    """Return the number of visible characters in runs."""
    return sum(letters(run.text) for run in runs)


def matching_paragraphs(shape: Shape, text: str | None) -> list[Paragraph]:
    """Return the non-empty paragraphs of a shape, optionally only those that contain a text."""
    wanted = "" if text is None else folded(text)
    return [p for p in _paragraphs(shape) if p.text.strip() and wanted in folded(p.text)]


def matching_runs(shapes: Iterable[Shape], text: str | None) -> list[Run]:
    """Return the runs of shapes, optionally only the parts that match a text."""
    paragraphs = [paragraph for shape in shapes for paragraph in _paragraphs(shape)]
    if text is None:
        return [run for paragraph in paragraphs for run in paragraph.runs if letters(run.text)]
    return [run for paragraph in paragraphs for run in _instances(paragraph, text)]


def nearest_text(shapes: Iterable[Shape], text: str) -> tuple[str | None, float]:
    """Return the words most similar to a text and their similarity, or (None, 0.0)."""
    wanted = folded(text)
    count = len(wanted.split())
    best: tuple[float, str | None] = (0.0, None)
    for paragraph in (p for shape in shapes for p in _paragraphs(shape)):
        words = paragraph.text.split()
        for at in range(max(0, len(words) - count + 1)):
            tried = " ".join(words[at : at + count])
            matcher = SequenceMatcher(None, wanted, folded(tried), autojunk=False)
            if matcher.real_quick_ratio() > best[0] and matcher.quick_ratio() > best[0]:
                best = max(best, (matcher.ratio(), tried), key=lambda each: each[0])
    return (best[1], best[0]) if best[0] >= _NEARLY else (None, 0.0)


def _paragraphs(shape: Shape) -> Iterator[Paragraph]:
    yield from shape.paragraphs
    if shape.table is not None:
        for row in shape.table.rows:
            for cell in row:
                yield from cell.paragraphs


def _instances(paragraph: Paragraph, text: str) -> Iterator[Run]:
    pattern = r"\s+".join(re.escape(word) for word in text.split())
    for match in re.finditer(pattern, paragraph.text, re.IGNORECASE) if pattern else ():
        at = 0
        for run in paragraph.runs:
            end = at + len(run.text)
            part = run.text[max(0, match.start() - at) : max(0, match.end() - at)]
            if part and at < match.end() and end > match.start() and letters(part):
                yield Run(part, run.style, run.link)
            at = end
