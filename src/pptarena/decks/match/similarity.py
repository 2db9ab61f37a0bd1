"""Similarity of texts, boxes, shapes and slides, from 0 (nothing in common) to 1."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import lru_cache

from pptarena.decks import Box, Shape, Slide

__all__ = [
    "box_similarity",
    "multiset_similarity",
    "plain_name",
    "shape_similarity",
    "slide_similarity",
    "words",
]

# Chinese and Japanese do not separate words by spaces, so each character counts as a word.
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+|[^\w\s]")
# A match starts where a run of whitespace or digits starts, so that the search takes linear time.
_NUMBER = re.compile(r"(?:(?<!\s)\s+|(?<![\s\d]))\d+$")
# Types of shapes that can be converted into each other; other types only match themselves.
_TEXT_KINDS = frozenset(("text_box", "shape", "placeholder", "line"))
_TITLES = frozenset(("title", "ctrTitle"))


@lru_cache(maxsize=8192)
def words(text: str) -> tuple[str, ...]:
    """Return the words, CJK characters and punctuation marks of a text, in lower case."""
    return tuple(_WORD.findall(text.casefold()))


def multiset_similarity(first: Iterable[Hashable], second: Iterable[Hashable]) -> float:
    """Return the Dice coefficient of two multisets; 1 if both are empty."""
    left, right = Counter(first), Counter(second)
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 1.0


def box_similarity(first: Box, second: Box) -> float:
    """Return the intersection over union of two boxes."""
    width = min(first.right, second.right) - max(first.left, second.left)
    height = min(first.bottom, second.bottom) - max(first.top, second.top)
    # A line has no area, so a small thickness makes it comparable.
    thickness_emu = 12_700
    intersection = max(0, width + thickness_emu) * max(0, height + thickness_emu)
    areas = [(box.width + thickness_emu) * (box.height + thickness_emu) for box in (first, second)]
    return min(1.0, intersection / (areas[0] + areas[1] - intersection))


def plain_name(name: str) -> str:
    """Return a shape's name without the number that applications append."""
    return _NUMBER.sub("", name)


def shape_similarity(first: Shape, second: Shape) -> float:
    """Return how likely two shapes of matched slides are the same shape.

    Content has the largest weight, then position, then name and role. A shape that keeps two of
    these is the same; a shape that keeps only its role is a different one.
    """
    if first.kind != second.kind and not (first.kind in _TEXT_KINDS and second.kind in _TEXT_KINDS):
        return 0.0
    overlap = box_similarity(first.box, second.box)
    score = 0.4 * _content_similarity(first, second) + 0.25 * overlap
    return score + _name_similarity(first, second) + _role_similarity(first, second)


def slide_similarity(first: Slide, second: Slide) -> float:
    """Return the similarity of two slides, from text (two thirds) and shapes (one third)."""
    parts = [
        [_part(shape) for shape in slide.shapes if not shape.shows_nothing]
        for slide in (first, second)
    ]
    structure = multiset_similarity(*parts)
    if not first.text.strip() and not second.text.strip():
        return structure
    text = multiset_similarity(words(first.text), words(second.text))
    if first.title.strip() and words(first.title) == words(second.title):
        text = max(text, 0.5 + text / 2)
    return (2 * text + structure) / 3


def _name_similarity(first: Shape, second: Shape) -> float:
    if not first.name or first.name == second.name:
        return 0.2 * bool(first.name)
    # "Rectangle 3" and "Rectangle 7" are probably different rectangles.
    return 0.05 * (plain_name(first.name) == plain_name(second.name))


def _role_similarity(first: Shape, second: Shape) -> float:
    if first.placeholder and second.placeholder:
        are_titles = first.placeholder in _TITLES and second.placeholder in _TITLES
        return 0.25 if are_titles else 0.15 if first.placeholder == second.placeholder else 0.05
    if first.placeholder or second.placeholder:
        return 0.0
    return 0.15 if first.kind == second.kind else 0.05


def _content_similarity(first: Shape, second: Shape) -> float:
    if first.picture is not None and second.picture is not None:
        return float(first.picture.sha256 == second.picture.sha256)
    if first.chart is not None and second.chart is not None:
        return 0.5 * (first.chart.title == second.chart.title) + 0.5 * multiset_similarity(
            (series.name for series in first.chart.series),
            (series.name for series in second.chart.series),
        )
    if first.embedded is not None and second.embedded is not None:
        return float(first.embedded == second.embedded)
    texts = first.all_text, second.all_text
    if any(text.strip() for text in texts):
        return multiset_similarity(*map(words, texts))
    if first.kind == "graphic" and (first.fingerprint or second.fingerprint):
        return float(first.fingerprint == second.fingerprint)
    same_outline = first.geometry == second.geometry
    return (
        0.45 * same_outline + 0.3 * (first.fill == second.fill) + 0.25 * (first.line == second.line)
    )


def _part(shape: Shape) -> Hashable:
    picture = "" if shape.picture is None else shape.picture.sha256
    return shape.kind, shape.placeholder, shape.geometry, picture
