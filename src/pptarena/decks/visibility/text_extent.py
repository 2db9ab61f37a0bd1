"""Estimate the space that text needs.

No fonts are measured, so the result is the same on every computer: characters have the widths of
Helvetica (Adobe's metrics for the core fonts), times a factor for the typeface. Lines break between
words. Real applications differ by a few percent; callers must allow for that.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pptarena.decks import Paragraph, Run, RunStyle

__all__ = ["EMU_PER_PT", "TextBlock", "TextRow", "text_blocks", "text_width_pt"]

EMU_PER_PT: Final = 12_700

_LINE_HEIGHT = 1.2
_EMPTY_SIZE_PT = 18.0
_MIN_WIDTH_PT = 1.0
_MAX_LINES = 2_000
_MAX_PARAGRAPHS = 2_000
_MAX_NUMBER = 1e12
_TAB_PT = 72.0
# Whitespace that wraps to the next line instead of hanging over the end of a line.
_WRAPPING_SPACES = "\t\u00a0\u2007\u202f\u3000"
_WIDE_EM = 1.0
_OTHER_EM = 0.56

# Widths in thousandths of the font size: Helvetica, Adobe Font Metrics of the 14 core fonts.
_CHARS_BY_WIDTH = {
    191: "'", 222: "ijl", 260: "|", 278: " !,./:;I[]\\ft", 333: "()-`r", 334: "{}", 355: '"',
    389: "*", 469: "^", 500: "Jcksvxyz", 556: "#$0123456789?L_abdeghnopqu", 584: "+<=>~",
    611: "FTZ", 667: "&ABEKPSVXY", 722: "CDHNRUw", 778: "GOQ", 833: "Mm", 889: "%", 944: "W",
    1015: "@",
}  # fmt: skip
_WIDTHS = {letter: width / 1000 for width, letters in _CHARS_BY_WIDTH.items() for letter in letters}

# Width of typefaces relative to Helvetica, by the beginning of their names.
_FACTORS = (
    ("calibri", 0.9), ("carlito", 0.9), ("times", 0.9), ("liberation serif", 0.9),
    ("garamond", 0.85), ("cambria", 0.95), ("georgia", 1.02), ("gill sans", 0.93),
    ("arial narrow", 0.82), ("verdana", 1.15), ("dejavu", 1.15), ("tahoma", 1.0),
    ("segoe", 1.0), ("century gothic", 1.08), ("impact", 0.95), ("bahnschrift", 0.95),
)  # fmt: skip
_MONOSPACED = ("courier", "consolas", "liberation mono", "lucida console", "menlo", "monaco")
_MONOSPACED_EM = 0.6
_BOLD_FACTOR = 1.06


@dataclass(frozen=True, slots=True)
class TextRow:
    """One line of a paragraph.

    Attributes:
        start_pt: Distance of the first visible character from the beginning of the line.
        width_pt: End of the last visible character; at most `start_pt` for a blank line.
    """

    start_pt: float
    width_pt: float


@dataclass(frozen=True, slots=True)
class TextBlock:
    """The layout of one paragraph.

    Attributes:
        top_pt: Top of the paragraph, relative to the text.
        height_pt: Height of all lines.
        width_pt: Width of the widest line, including the indent.
        rows: The lines; at least one.
        indent_pt: Distance of the lines from the left edge of the text area.
        glyphs_pt: Height of the characters, which are at the bottom of each line; applications put
            extra line spacing above them.
    """

    top_pt: float
    height_pt: float
    width_pt: float
    rows: tuple[TextRow, ...]
    indent_pt: float = 0.0
    glyphs_pt: float = 1e6

    @property
    def lines(self) -> int:
        """Number of lines."""
        return len(self.rows)


_BLANK_ROW: Final = TextRow(0.0, 0.0)
_BELOW_ALL: Final = TextBlock(1e6, 0.0, 0.0, (_BLANK_ROW,))


def text_blocks(
    paragraphs: Sequence[Paragraph], width_pt: float | None, scale: float = 1.0
) -> tuple[TextBlock, ...]:
    """Return the layout of paragraphs, one below the other.

    Paragraphs after the first 2,000 are placed below all others with one line each.

    Args:
        paragraphs: The text.
        width_pt: Available line width; None if lines do not wrap.
        scale: Factor applied to font sizes.
    """
    blocks = []
    top = 0.0
    for paragraph in paragraphs[:_MAX_PARAGRAPHS]:
        if not _is_sane(paragraph):
            blocks.append(_BELOW_ALL)
            continue
        sizes = [run.style.size_pt for run in paragraph.runs]
        size = max(sizes, default=_EMPTY_SIZE_PT) * scale
        indent = max(0.0, paragraph.margin_emu / EMU_PER_PT)
        line_width = None if width_pt is None else max(size, width_pt - indent, _MIN_WIDTH_PT)
        rows = _rows(paragraph, line_width, scale)
        spacing = paragraph.line_spacing_pt
        line = (
            spacing * scale
            if spacing is not None
            else size * _LINE_HEIGHT * (paragraph.line_spacing_pct or 100.0) / 100
        )
        # Applications treat space before the first paragraph differently; here it counts.
        top += paragraph.space_before_pt * scale
        height = line * len(rows)
        widest = max(row.width_pt for row in rows)
        glyphs = size * _LINE_HEIGHT
        blocks.append(TextBlock(top, height, widest + indent, tuple(rows), indent, glyphs))
        top += height + paragraph.space_after_pt * scale
    remaining = len(paragraphs) - len(blocks)
    return (*blocks, *(_BELOW_ALL for _ in range(remaining)))


def _is_sane(paragraph: Paragraph) -> bool:
    """Return whether all numbers that determine the layout are within a sensible range."""
    numbers = [
        *(run.style.size_pt for run in paragraph.runs),
        *(run.style.spacing_pt for run in paragraph.runs),
        *(paragraph.space_before_pt, paragraph.space_after_pt, paragraph.margin_emu),
        *(paragraph.line_spacing_pct or 0.0, paragraph.line_spacing_pt or 0.0),
    ]
    return all(abs(number) <= _MAX_NUMBER for number in numbers)


def text_width_pt(text: str, style: RunStyle) -> float:
    """Return the width of a text on one line."""
    return _em_width(text, style.font.casefold(), style.caps == "all") * style.size_pt * (
        _BOLD_FACTOR if style.bold else 1.0
    ) + style.spacing_pt * len(text)


def _rows(paragraph: Paragraph, available_pt: float | None, scale: float) -> list[TextRow]:
    """Return the lines of a paragraph; at least one."""
    rows = [_BLANK_ROW]
    row_width = 0.0  # width of the last row, including trailing whitespace
    for word, width in _words(paragraph):
        if word == "\v":
            rows.append(_BLANK_ROW)
            row_width = 0.0
            continue
        width *= scale
        is_blank = not word.strip()
        may_break = not is_blank or word in _WRAPPING_SPACES
        if (
            available_pt is not None
            and may_break
            and row_width
            and row_width + width > available_pt
        ):
            rows.append(_BLANK_ROW)
            row_width = 0.0
        if is_blank and not may_break and not row_width and len(rows) > 1:
            # Whitespace at a line break is dropped.
            continue
        if not is_blank:
            start = row_width if rows[-1] is _BLANK_ROW else rows[-1].start_pt
            rows[-1] = TextRow(start, row_width + width)
        row_width += width
        if available_pt is not None and not is_blank and row_width > available_pt:
            # A word wider than the line is broken.
            full_rows = min(int(row_width // available_pt), _MAX_LINES)
            rows[-1:] = [TextRow(0.0, available_pt)] * full_rows + [
                TextRow(0.0, row_width % available_pt)
            ]
            row_width %= available_pt
        if len(rows) > _MAX_LINES:
            # Limits the time that a hostile deck can take.
            break
    return rows


def _words(paragraph: Paragraph) -> Iterator[tuple[str, float]]:
    """Yield words, whitespace and line breaks with their widths in points."""
    for is_word, parts in itertools.groupby(_pieces(paragraph.runs), key=lambda each: each[2]):
        if not is_word:
            yield from ((text, width) for text, width, _ in parts)
            continue
        pieces = list(parts)
        yield "".join(text for text, _, _ in pieces), sum(width for _, width, _ in pieces)


def _pieces(runs: Iterable[Run]) -> Iterator[tuple[str, float, bool]]:
    """Yield pieces of runs as text, width, and whether the piece is (part of) a word."""
    for run in runs:
        start = 0
        text = run.text
        for position, char in enumerate(text + " "):
            if char.isspace():
                if position > start:
                    word = text[start:position]
                    yield word, text_width_pt(word, run.style), True
                if position < len(text):
                    yield char, _blank_width_pt(char, run.style), False
                start = position + 1


def _blank_width_pt(char: str, style: RunStyle) -> float:
    if char == "\v":
        return 0.0
    return _TAB_PT if char == "\t" else text_width_pt(" ", style)


@lru_cache(maxsize=16_384)
def _em_width(text: str, font: str, capitals: bool) -> float:
    if font.startswith(_MONOSPACED):
        return _MONOSPACED_EM * len(text)
    factor = next((value for name, value in _FACTORS if font.startswith(name)), 1.0)
    characters = text.upper() if capitals else text
    return factor * sum(_char_width(char) for char in characters)


def _char_width(char: str) -> float:
    width = _WIDTHS.get(char)
    if width is not None:
        return width
    # From U+2E80, most scripts have full-width characters.
    return _WIDE_EM if "\u2e80" <= char <= "\uffef" else _OTHER_EM
