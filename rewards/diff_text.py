"""Differences of text and of how it looks, blind to how it is split into runs."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from pptarena.rewards.deck import Paragraph, RunStyle
from pptarena.rewards.deck.color import rgb_distance

__all__ = ["LinkMap", "clip", "format_differences", "link_differences", "same_color", "same_text"]

# What saving alone may change.
SIZE_TOLERANCE_PT = 0.3
COLOR_TOLERANCE = 6.0
SPACE_TOLERANCE_PT = 0.3
LINE_TOLERANCE_PCT = 1.5
INDENT_TOLERANCE_EMU = 18_288

_MAX_SHOWN = 60

LinkMap = Callable[[str], str]
Pair = tuple[Paragraph, Paragraph]


def clip(text: str) -> str:
    """Return a text in quotes, short enough for a sentence."""
    line = " / ".join(text.replace("\v", " ").splitlines())
    return f"'{line[: _MAX_SHOWN - 1]}…'" if len(line) > _MAX_SHOWN else f"'{line}'"


def same_text(first: Sequence[Paragraph], second: Sequence[Paragraph]) -> bool:
    """Return whether two texts read the same; blanks at the end of a paragraph do not count."""
    return _lines(first) == _lines(second)


def format_differences(
    before: Sequence[Paragraph], after: Sequence[Paragraph]
) -> list[tuple[str, str, str]]:
    """Return how the look of text that is in both differs, as (property, before, after).

    Each property is named once, with its first difference. Text that is new has no look before,
    so it makes no difference.
    """
    found: dict[str, tuple[str, str]] = {}
    for first, second in _aligned(before, after):
        if first == second:
            continue
        for name, old, new in _paragraph_differences(first, second):
            found.setdefault(name, (old, new))
        for old_style, new_style in _style_pairs(first, second):
            for name, old, new in _style_differences(old_style, new_style):
                found.setdefault(name, (old, new))
    return [(name, old, new) for name, (old, new) in found.items()]


def link_differences(
    before: Sequence[Paragraph], after: Sequence[Paragraph], moved: LinkMap
) -> tuple[str, str] | None:
    """Return the links of two texts as (before, after) if they differ, else None.

    Args:
        before: Text of the original.
        after: Text now.
        moved: Translates a link of the original to what the same link is now.
    """
    old, new = ([f"{text} -> {link}" for text, link in _links(side)] for side in (before, after))
    old_now = [f"{text} -> {moved(link)}" for text, link in _links(before)]
    return None if old_now == new else ("; ".join(old), "; ".join(new))


def _lines(paragraphs: Sequence[Paragraph]) -> list[str]:
    lines = [paragraph.text.rstrip() for paragraph in paragraphs]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _links(paragraphs: Sequence[Paragraph]) -> list[tuple[str, str]]:
    """Return linked text and its link; neighbours with the same link are one."""
    found: list[tuple[str, str]] = []
    for paragraph in paragraphs:
        joined = False
        for run in paragraph.runs:
            if run.link and joined and found[-1][1] == run.link:
                found[-1] = (found[-1][0] + run.text, run.link)
            elif run.link:
                found.append((run.text, run.link))
            joined = bool(run.link)
    return [(text.strip(), link) for text, link in found if text.strip()]


def _aligned(before: Sequence[Paragraph], after: Sequence[Paragraph]) -> Iterator[Pair]:
    old, new = [p.text.rstrip() for p in before], [p.text.rstrip() for p in after]
    if old == new:
        yield from zip(before, after, strict=True)
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1):
            yield from zip(before[i1:i2], after[j1:j2], strict=True)


def _paragraph_differences(first: Paragraph, second: Paragraph) -> Iterator[tuple[str, str, str]]:
    if not first.runs or not second.runs:
        return
    if first.align != second.align:
        yield "alignment", first.align, second.align
    if first.level != second.level:
        yield "level", str(first.level), str(second.level)
    if first.bullet != second.bullet:
        was, now = (f"{p.bullet.kind} {p.bullet.char}".strip() for p in (first, second))
        yield "bullet", was, now
    for name, tolerance in (
        ("line_spacing_pct", LINE_TOLERANCE_PCT),
        ("line_spacing_pt", SPACE_TOLERANCE_PT),
        ("space_before_pt", SPACE_TOLERANCE_PT),
        ("space_after_pt", SPACE_TOLERANCE_PT),
        ("margin_emu", INDENT_TOLERANCE_EMU),
        ("indent_emu", INDENT_TOLERANCE_EMU),
    ):
        old, new = getattr(first, name), getattr(second, name)
        if not _near(old, new, tolerance):
            yield name.rpartition("_")[0].replace("_", " "), str(old), str(new)


def _style_pairs(first: Paragraph, second: Paragraph) -> Iterator[tuple[RunStyle, RunStyle]]:
    """Yield the styles of letters that are in both texts, from the start and from the end."""
    shorter = min(len(first.text), len(second.text))
    ahead = _common_prefix(first.text, second.text)
    behind = 0
    if ahead < shorter:
        rest = shorter - ahead
        behind = min(rest, _common_prefix(first.text[::-1], second.text[::-1]))
    yield from _walk(first, second, 0, 0, ahead)
    if behind:
        starts = len(first.text) - behind, len(second.text) - behind
        yield from _walk(first, second, *starts, behind)


def _common_prefix(first: str, second: str) -> int:
    for position, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return position
    return min(len(first), len(second))


def _walk(
    first: Paragraph, second: Paragraph, at_first: int, at_second: int, length: int
) -> Iterator[tuple[RunStyle, RunStyle]]:
    left = _spans(first, at_first, length)
    right = _spans(second, at_second, length)
    edges = sorted({start for start, _ in left} | {start for start, _ in right} | {length})
    shift = 0, 0
    for start, end in itertools.pairwise(edges):
        # Blanks have no look that a reader could see.
        if not first.text[at_first + start : at_first + end].strip():
            continue
        while shift[0] + 1 < len(left) and left[shift[0] + 1][0] <= start:
            shift = shift[0] + 1, shift[1]
        while shift[1] + 1 < len(right) and right[shift[1] + 1][0] <= start:
            shift = shift[0], shift[1] + 1
        yield left[shift[0]][1], right[shift[1]][1]


def _spans(paragraph: Paragraph, start: int, length: int) -> list[tuple[int, RunStyle]]:
    """Return where each style begins within a stretch, counted from the stretch's start."""
    spans: list[tuple[int, RunStyle]] = []
    at = 0
    for run in paragraph.runs:
        end = at + len(run.text)
        if end > start and at < start + length:
            spans.append((max(0, at - start), run.style))
        at = end
    return spans


def _style_differences(first: RunStyle, second: RunStyle) -> Iterable[tuple[str, str, str]]:
    if first == second:
        return
    if not _near(first.size_pt, second.size_pt, SIZE_TOLERANCE_PT):
        yield "size", f"{first.size_pt:g} pt", f"{second.size_pt:g} pt"
    if not same_color(first.color, second.color):
        yield "color", str(first.color), str(second.color)
    if not same_color(first.highlight, second.highlight):
        yield "highlight", str(first.highlight), str(second.highlight)
    if first.font.casefold() != second.font.casefold():
        yield "font", first.font, second.font
    for name in ("bold", "italic", "underline", "strike", "baseline", "caps"):
        old, new = getattr(first, name), getattr(second, name)
        if old != new:
            yield name, _shown(old), _shown(new)


def same_color(first: str | None, second: str | None) -> bool:
    """Return whether two colours look the same; saving may round them."""
    if first is None or second is None:
        return first == second
    return first == second or rgb_distance(first, second) <= COLOR_TOLERANCE


def _near(first: float | None, second: float | None, tolerance: float) -> bool:
    if first is None or second is None:
        return first is second
    return abs(first - second) <= tolerance


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
