"""Check that rendered text is readable, by the ink that it leaves on the slide image."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pptarena.decks import Paragraph, Shape
from pptarena.decks.slide_variants import TextRange
from pptarena.decks.visibility.slide_images import Pixels, changed_pixels, contrast
from pptarena.decks.visibility.text_layout import cell_boxes, measure_text

__all__ = ["TextGroup", "all_text_group", "changed_text_groups", "ink_share", "why_illegible"]

_INK: Final = {False: 0.085, True: 0.105}
"""Measured ink of a plain and a bold character, as a share of its font size squared; a minimum."""

_WIDE_INK: Final = 2.0
"""Ink of East Asian characters, relative to others; measured: kana twice, kanji three times."""

_NARROW_INK: Final = 0.5
_NARROW: Final = frozenset("1iIjlt.,:;'|!-\u2019")
"""Characters with at most half the ink of others, although words of them are readable."""

_MIN_INK_SHARE = 0.5
_MIN_REFERENCE_SHARE = 0.65
_MAX_SPACING = 1.0  # character spacing, as a share of the font size
_MIN_CONTRAST = 1.5
_MIN_SIZE_SHARE: Final = 0.0085
"""Minimum readable font size, as a share of the slide's width."""

_MAX_GROUPS = 12
_Cell = tuple[int, int] | None
_NUMBERS = frozenset(("sldNum", "dt"))


@dataclass(frozen=True, slots=True)
class TextGroup:
    """Characters that are checked together.

    Attributes:
        ranges: Their positions.
        ink: Expected ink on the slide, in square points.
        characters: Number of characters.
        min_size_pt: Smallest font size of the text that they replaced; None for none.
        colors: Their colors as ``#RRGGBB``; contains None if some are not a single color.
        is_spaced_out: Whether the character spacing exceeds the font size.
    """

    ranges: tuple[TextRange, ...]
    ink: float
    characters: int
    min_size_pt: float | None = None
    colors: frozenset[str | None] = frozenset()
    is_spaced_out: bool = False


def changed_text_groups(shape: Shape, before: Shape | None) -> tuple[TextGroup, ...]:
    """Return the changed or new text of a shape, in groups to check."""
    if shape.placeholder in _NUMBERS:
        return ()
    changed: list[TextGroup] = []
    old_runs = {(c, p.runs) for c, ps, _ in _texts(before) for p in ps}
    old_min_size_pt = _min_size_pt(before)
    for cell, paragraphs, scale in _texts(shape):
        unchanged: list[TextGroup] = []
        for number, paragraph in enumerate(paragraphs):
            groups = _run_groups(shape.index, cell, number, paragraph, scale, old_min_size_pt)
            (unchanged if (cell, paragraph.runs) in old_runs else changed).extend(groups)
        if unchanged and cell is None:
            changed.append(_merge(unchanged))
    step = -(-len(changed) // _MAX_GROUPS) or 1
    return tuple(_merge(changed[start : start + step]) for start in range(0, len(changed), step))


def all_text_group(shape: Shape, cell: _Cell) -> TextGroup | None:
    """Return all text of a shape, or of a cell of its table; None for none."""
    groups: list[TextGroup] = []
    for position, paragraphs, scale in _texts(shape):
        for number, paragraph in enumerate(paragraphs if position == cell else ()):
            groups += _run_groups(shape.index, position, number, paragraph, scale, None)
    return _merge(groups) if groups else None


def ink_share(group: TextGroup, full: Pixels, without_text: Pixels, px_per_pt: float) -> float:
    """Return the share of the expected ink that text leaves; 1 or more for all of it.

    Args:
        group: The text.
        full: The slide image.
        without_text: The slide image with this text transparent.
        px_per_pt: Pixels per point.
    """
    ink = changed_pixels(full, without_text)
    if not ink.any():
        return 0.0
    min_readable_pt = _MIN_SIZE_SHARE * full.shape[1] / px_per_pt
    if group.min_size_pt is not None:
        min_readable_pt = min(min_readable_pt, group.min_size_pt)
    expected = max(group.ink, group.characters * _INK[False] * min_readable_pt**2) * px_per_pt**2
    return float(ink.sum() / _strength(group, ink, without_text) / expected)


def why_illegible(
    group: TextGroup, full: Pixels, without_text: Pixels, px_per_pt: float, reference: float | None
) -> str:
    """Return why text is unreadable; empty if it is readable.

    The images are those of `ink_share`. `reference` is the `ink_share` of the replaced text.
    """
    share = ink_share(group, full, without_text, px_per_pt)
    if share <= 0:
        return "it is not visible on the slide"
    required = (
        _MIN_INK_SHARE
        if reference is None
        else max(_MIN_INK_SHARE, _MIN_REFERENCE_SHARE * reference)
    )
    if share < required:
        return f"only {share / max(1.0, reference or 1.0):.0%} of its text is visible on the slide"
    if group.is_spaced_out:
        return "its characters are too far apart to read"
    if contrast(full, without_text, changed_pixels(full, without_text) > 0) < _MIN_CONTRAST:
        return "its text has too little contrast with the background"
    return ""


def _strength(group: TextGroup, ink: NDArray[np.int16], without_text: Pixels) -> float:
    """Return the difference of a fully inked pixel, which thin characters may not contain."""
    strength = float(np.quantile(ink[ink > 0], 0.95))
    background = np.median(without_text[ink > 0], axis=0)
    for color in group.colors:
        if color is not None:
            parts = [int(color[start : start + 2], 16) for start in (1, 3, 5)]
            strength = max(strength, float(np.abs(np.array(parts) - background).max()))
    return strength


def _texts(shape: Shape | None) -> Iterator[tuple[_Cell, tuple[Paragraph, ...], float]]:
    """Yield each text of a shape, with its cell and its font scale."""
    if shape is None:
        return
    if shape.paragraphs:
        need = measure_text(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
        yield None, shape.paragraphs, need.scale
    if shape.table is not None:
        for row, column, _ in cell_boxes(shape):
            yield (row, column), shape.table.rows[row][column].paragraphs, 1.0


def _run_groups(
    shape: int,
    cell: _Cell,
    number: int,
    paragraph: Paragraph,
    scale: float,
    min_size_pt: float | None,
) -> Iterator[TextGroup]:
    start = 0
    for run in paragraph.runs:
        end = start + len(run.text)
        inked = [char for char in run.text if _has_ink(char)]
        characters = len(inked)
        if characters:
            size_pt = run.style.size_pt * scale * (2 / 3 if run.style.baseline else 1.0)
            text_range = TextRange(shape, cell, number, start, end)
            # Links are drawn in the theme's link color, regardless of their own color.
            has_own_color = run.style.opacity_pct >= 100 and run.link is None
            yield TextGroup(
                (text_range,),
                sum(map(_density, inked)) * _INK[run.style.bold] * size_pt**2,
                characters,
                min_size_pt,
                frozenset((run.style.color if has_own_color else None,)),
                run.style.spacing_pt > _MAX_SPACING * size_pt,
            )
        start = end


def _has_ink(char: str) -> bool:
    """Return whether a character is visible, unlike whitespace, soft hyphens and joiners."""
    return not char.isspace() and unicodedata.category(char) != "Cf"


def _density(char: str) -> float:
    if char in _NARROW:
        return _NARROW_INK
    # Full-width and half-width forms, from U+FF00, have no more strokes than normal ones.
    return _WIDE_INK if "\u2e80" <= char < "\uff00" else 1.0


def _merge(parts: list[TextGroup]) -> TextGroup:
    ranges = tuple(text_range for part in parts for text_range in part.ranges)
    sizes = [part.min_size_pt for part in parts if part.min_size_pt is not None]
    return TextGroup(
        ranges,
        sum(part.ink for part in parts),
        sum(part.characters for part in parts),
        min(sizes, default=None),
        frozenset().union(*(part.colors for part in parts)),
        all(part.is_spaced_out for part in parts),
    )


def _min_size_pt(shape: Shape | None) -> float | None:
    sizes = [
        run.style.size_pt * scale
        for _, paragraphs, scale in _texts(shape)
        for paragraph in paragraphs
        for run in paragraph.runs
        if run.text.strip()
    ]
    return min(sizes, default=None)
