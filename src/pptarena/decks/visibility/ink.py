"""Check that rendered text is readable, by the ink that it leaves on the slide image."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pptarena.decks import Paragraph, Shape
from pptarena.decks.edits import Spot
from pptarena.decks.visibility.pictures import Pixels, changed_pixels, contrast
from pptarena.decks.visibility.text_place import cell_boxes, text_need

__all__ = ["Words", "all_words", "changed_words", "shown", "why_unseen"]

_INK: Final = {False: 0.085, True: 0.105}
"""Measured ink of a plain and a bold character, as a share of its font size squared; a minimum."""

_WIDE_INK: Final = 2.0
"""Ink of East Asian characters, relative to others; measured: kana twice, kanji three times."""

_NARROW_INK: Final = 0.5
_NARROW: Final = frozenset("1iIjlt.,:;'|!-\u2019")
"""Characters with at most half the ink of others, although words of them are readable."""

_LEAST_INK = 0.5
_LEAST_OF_USUAL = 0.65
_MOST_SPACING = 1.0  # character spacing, as a share of the font size
_LEAST_CONTRAST = 1.5
_LEAST_SIZE_SHARE: Final = 0.0085
"""Minimum readable font size, as a share of the slide's width."""

_MOST_SPOTS = 12
_Cell = tuple[int, int] | None
_NUMBERS = frozenset(("sldNum", "dt"))


@dataclass(frozen=True, slots=True)
class Words:
    """Characters that are checked together.

    Attributes:
        spots: Their positions.
        ink: Expected ink on the slide, in square points.
        letters: Number of characters.
        least_pt: Smallest font size of the text that they replaced; None for none.
        colors: Their colors as ``#RRGGBB``; contains None if some are not a single color.
        apart: Whether the character spacing exceeds the font size.
    """

    spots: tuple[Spot, ...]
    ink: float
    letters: int
    least_pt: float | None = None
    colors: frozenset[str | None] = frozenset()
    apart: bool = False


def changed_words(shape: Shape, before: Shape | None) -> tuple[Words, ...]:
    """Return the changed or new text of a shape, in groups to check."""
    if shape.placeholder in _NUMBERS:
        return ()
    found: list[Words] = []
    known = {(c, p.runs) for c, ps, _ in _texts(before) for p in ps}
    least = _least_size(before)
    for cell, paragraphs, scale in _texts(shape):
        same: list[Words] = []
        for number, paragraph in enumerate(paragraphs):
            words = _of_runs(shape.index, cell, number, paragraph, scale, least)
            (same if (cell, paragraph.runs) in known else found).extend(words)
        if same and cell is None:
            found.append(_joined(same))
    step = -(-len(found) // _MOST_SPOTS) or 1
    return tuple(_joined(found[at : at + step]) for at in range(0, len(found), step))


def all_words(shape: Shape, cell: _Cell) -> Words | None:
    """Return all text of a shape, or of a cell of its table; None for none."""
    found: list[Words] = []
    for place, paragraphs, scale in _texts(shape):
        for number, paragraph in enumerate(paragraphs if place == cell else ()):
            found += _of_runs(shape.index, place, number, paragraph, scale, None)
    return _joined(found) if found else None


def shown(words: Words, full: Pixels, without: Pixels, px_per_pt: float) -> float:
    """Return the share of the expected ink that text leaves; 1 or more for all of it.

    Args:
        words: The text.
        full: The slide image.
        without: The slide image with this text transparent.
        px_per_pt: Pixels per point.
    """
    ink = changed_pixels(full, without)
    if not ink.any():
        return 0.0
    floor_pt = _LEAST_SIZE_SHARE * full.shape[1] / px_per_pt
    if words.least_pt is not None:
        floor_pt = min(floor_pt, words.least_pt)
    expected = max(words.ink, words.letters * _INK[False] * floor_pt**2) * px_per_pt**2
    return float(ink.sum() / _strength(words, ink, without) / expected)


def why_unseen(
    words: Words, full: Pixels, without: Pixels, px_per_pt: float, usual: float | None
) -> str:
    """Return why text is unreadable; empty if it is readable.

    The images are those of `shown`; `usual` is the result of `shown` for the replaced text.
    """
    share = shown(words, full, without, px_per_pt)
    if share <= 0:
        return "it is not visible on the slide"
    least = _LEAST_INK if usual is None else max(_LEAST_INK, _LEAST_OF_USUAL * usual)
    if share < least:
        return f"only {share / max(1.0, usual or 1.0):.0%} of its text is visible on the slide"
    if words.apart:
        return "its characters are too far apart to read"
    if contrast(full, without, changed_pixels(full, without) > 0) < _LEAST_CONTRAST:
        return "its text has too little contrast with the background"
    return ""


def _strength(words: Words, ink: NDArray[np.int16], without: Pixels) -> float:
    """Return the difference of a fully inked pixel, which thin characters may not contain."""
    found = float(np.quantile(ink[ink > 0], 0.95))
    behind = np.median(without[ink > 0], axis=0)
    for color in words.colors:
        if color is not None:
            parts = [int(color[at : at + 2], 16) for at in (1, 3, 5)]
            found = max(found, float(np.abs(np.array(parts) - behind).max()))
    return found


def _texts(shape: Shape | None) -> Iterator[tuple[_Cell, tuple[Paragraph, ...], float]]:
    """Yield each text of a shape, with its cell and its font scale."""
    if shape is None:
        return
    if shape.paragraphs:
        need = text_need(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
        yield None, shape.paragraphs, need.scale
    if shape.table is not None:
        for row, column, _ in cell_boxes(shape):
            yield (row, column), shape.table.rows[row][column].paragraphs, 1.0


def _of_runs(
    shape: int, cell: _Cell, number: int, paragraph: Paragraph, scale: float, least_pt: float | None
) -> Iterator[Words]:
    at = 0
    for run in paragraph.runs:
        end = at + len(run.text)
        signs = [letter for letter in run.text if _has_ink(letter)]
        letters = len(signs)
        if letters:
            size_pt = run.style.size_pt * scale * (2 / 3 if run.style.baseline else 1.0)
            spot = Spot(shape, cell, number, at, end)
            # Links are drawn in the theme's link color, regardless of their own color.
            plain = run.style.opacity_pct >= 100 and run.link is None
            yield Words(
                (spot,),
                sum(map(_density, signs)) * _INK[run.style.bold] * size_pt**2,
                letters,
                least_pt,
                frozenset((run.style.color if plain else None,)),
                run.style.spacing_pt > _MOST_SPACING * size_pt,
            )
        at = end


def _has_ink(letter: str) -> bool:
    """Return whether a character is visible, unlike whitespace, soft hyphens and joiners."""
    return not letter.isspace() and unicodedata.category(letter) != "Cf"


def _density(letter: str) -> float:
    if letter in _NARROW:
        return _NARROW_INK
    # Full-width and half-width forms, from U+FF00, have no more strokes than normal ones.
    return _WIDE_INK if "\u2e80" <= letter < "\uff00" else 1.0


def _joined(parts: list[Words]) -> Words:
    spots = tuple(spot for part in parts for spot in part.spots)
    sizes = [part.least_pt for part in parts if part.least_pt is not None]
    return Words(
        spots,
        sum(part.ink for part in parts),
        sum(part.letters for part in parts),
        min(sizes, default=None),
        frozenset().union(*(part.colors for part in parts)),
        all(part.apart for part in parts),
    )


def _least_size(shape: Shape | None) -> float | None:
    sizes = [
        run.style.size_pt * scale
        for _, paragraphs, scale in _texts(shape)
        for paragraph in paragraphs
        for run in paragraph.runs
        if run.text.strip()
    ]
    return min(sizes, default=None)
