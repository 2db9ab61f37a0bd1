"""Differences of text and of how it looks, blind to how it is split into runs."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.decks import Link, Paragraph, RunStyle
from pptarena.decks.diff.change import Aspect, Difference
from pptarena.decks.diff.fields import Same, field_differences, rule_named
from pptarena.decks.match.sequences import opcodes
from pptarena.decks.match.values import clip, same_color

__all__ = [
    "LINES_AFTER",
    "LinkMap",
    "Place",
    "aligned_places",
    "clip",
    "format_differences",
    "keep_link",
    "link_differences",
    "same_color",
    "text_differences",
]

LINES_AFTER = "empty lines after the text"
"""What a difference is called of line breaks and empty paragraphs behind the last character."""

LinkMap = Callable[[Link | None], Link | None]
"""Translates a link of the original to what the same link is now."""

_Pair = tuple[Paragraph, Paragraph]
_Linked = tuple[str, Link | None, str]
_Styles = tuple[str, RunStyle, RunStyle]
_TOKEN = re.compile(r"\w+|\W")
_ALIKE_LETTERS = 4  # a stretch in the middle of changed text that is no chance likeness


def keep_link(link: Link | None) -> Link | None:
    """Return a link as it is; the `LinkMap` of decks whose slides stay where they are."""
    return link


def text_differences(
    before: Sequence[Paragraph],
    after: Sequence[Paragraph],
    aspect: Aspect,
    what: str = "",
    *,
    lines_after: bool = False,
) -> Iterator[Difference]:
    """Yield how two texts differ in their characters, at most once.

    Args:
        before: Text of the original.
        after: Text now.
        aspect: What the difference concerns.
        what: What it is called.
        lines_after: Whether empty lines after the text count, because they move the text.
    """
    old, new = _lines(before), _lines(after)
    if old != new:
        yield Difference.of(aspect, what, "\n".join(old), "\n".join(new), clip)
    elif lines_after and old:
        counts = _lines_after(before), _lines_after(after)
        if counts[0] != counts[1]:
            yield Difference.of(aspect, f"{what} {LINES_AFTER}".strip(), *counts)


def format_differences(
    before: Sequence[Paragraph], after: Sequence[Paragraph], prefix: str = ""
) -> list[Difference]:
    """Return how the look of text that is in both differs.

    Each property is named once, in words with its first difference, in its values with all of
    them: pairs of the text and its value there. Text that is new has no look before, so it makes
    no difference.
    """
    if before == after:
        return []
    found: dict[str, list[tuple[str, Difference]]] = {}
    for first, second in _aligned(before, after):
        if first == second:
            continue
        if first.runs and second.runs:
            for each in field_differences(first, second, "formatting", prefix):
                found.setdefault(each.what, []).append((second.text, each))
        for text, old, new in _style_pairs(first, second):
            for each in _style_differences(old, new, prefix):
                found.setdefault(each.what, []).append((text, each))
    return [_joined(what, parts) for what, parts in found.items()]


def _style_differences(old: RunStyle, new: RunStyle, prefix: str) -> Iterator[Difference]:
    """Yield how two styles differ; a line that came or went has its color and number with it."""
    for each in field_differences(old, new, "formatting", prefix):
        what = each.what.removeprefix(prefix)
        came_or_went = {"underline color": _has_underline, "double strike": _is_struck}.get(what)
        if came_or_went is None or came_or_went(old) == came_or_went(new):
            yield each


def _has_underline(style: RunStyle) -> bool:
    return style.underline != "none"


def _is_struck(style: RunStyle) -> bool:
    return style.strike


@dataclass(frozen=True, slots=True)
class Place:
    """One value of text that is in both decks.

    Attributes:
        name: Of the field.
        old: What it was.
        new: What it is now.
        same: Whether two values of the field look the same.
    """

    name: str
    old: Any
    new: Any
    same: Same


def aligned_places(
    before: Sequence[Paragraph], after: Sequence[Paragraph], what: str
) -> Iterator[tuple[Place, tuple[int, int]]]:
    """Yield each place of one property of the look of text, with its level before and now.

    Args:
        before: Text of the original.
        after: Text now.
        what: What differences call the property.
    """
    of_paragraph, of_run = rule_named(Paragraph, what), rule_named(RunStyle, what)
    for first, second in _aligned(before, after):
        levels = first.level, second.level
        if of_paragraph is not None and first.runs and second.runs:
            values = getattr(first, of_paragraph.name), getattr(second, of_paragraph.name)
            yield Place(of_paragraph.name, *values, of_paragraph.same), levels
        elif of_run is not None:
            for _, old, new in _style_pairs(first, second):
                values = getattr(old, of_run.name), getattr(new, of_run.name)
                yield Place(of_run.name, *values, of_run.same), levels


def link_differences(
    before: Sequence[Paragraph], after: Sequence[Paragraph], moved: LinkMap
) -> Iterator[Difference]:
    """Yield how the links of two texts differ, at most once.

    Args:
        before: Text of the original.
        after: Text now.
        moved: Translates a link of the original to what the same link is now.
    """
    if before == after and not any(run.link for p in before for run in p.runs):
        return
    old, new = _links(before), _links(after)
    if [(text, moved(link), tip) for text, link, tip in old] != new:
        yield Difference.of("hyperlinks", "", tuple(old), tuple(new), _linked)


def _linked(links: tuple[_Linked, ...]) -> str:
    return "; ".join(f"{text} -> {link}{f' ({tip})' if tip else ''}" for text, link, tip in links)


def _joined(what: str, parts: Sequence[tuple[str, Difference]]) -> Difference:
    first = parts[0][1]
    old = tuple((text, each.value_before) for text, each in parts)
    new = tuple((text, each.value_after) for text, each in parts)
    return Difference("formatting", what, first.before, first.after, old, new)


def _lines(paragraphs: Sequence[Paragraph]) -> list[str]:
    """Return the text of each paragraph, without spaces and empty lines at the very end."""
    lines = [_without_blanks(paragraph.text) for paragraph in paragraphs]
    while lines and not lines[-1].rstrip():
        lines.pop()
    return [*lines[:-1], lines[-1].rstrip()] if lines else []


def _without_blanks(text: str) -> str:
    """Return a text without spaces at its end; line breaks there move what is below."""
    kept = text.rstrip()
    return kept + "\v" * text.count("\v", len(kept))


def _lines_after(paragraphs: Sequence[Paragraph]) -> int:
    """Return how many lines are after the last one with a character."""
    text = "\n".join(_without_blanks(paragraph.text) for paragraph in paragraphs)
    return len(text) - len(text.rstrip())


def _links(paragraphs: Sequence[Paragraph]) -> list[_Linked]:
    """Return linked text, its link and its tip; neighbours with the same link are one."""
    found: list[_Linked] = []
    for paragraph in paragraphs:
        joined = False
        for run in paragraph.runs:
            if run.link and joined and found[-1][1:] == (run.link, run.tooltip):
                found[-1] = (found[-1][0] + run.text, run.link, run.tooltip)
            elif run.link:
                found.append((run.text, run.link, run.tooltip))
            joined = bool(run.link)
    return [(text.strip(), link, tip) for text, link, tip in found if text.strip()]


def _aligned(before: Sequence[Paragraph], after: Sequence[Paragraph]) -> Iterator[_Pair]:
    old, new = [p.text.rstrip() for p in before], [p.text.rstrip() for p in after]
    if old == new:
        yield from zip(before, after, strict=True)
        return
    for tag, i1, i2, j1, j2 in opcodes(old, new):
        if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1):
            yield from zip(before[i1:i2], after[j1:j2], strict=True)


def _style_pairs(first: Paragraph, second: Paragraph) -> Iterator[_Styles]:
    """Yield letters that are in both texts, with their styles: from both ends, then between."""
    if first.runs == second.runs:
        return
    ahead = _common_prefix(first.text, second.text)
    rest = min(len(first.text), len(second.text)) - ahead
    behind = min(rest, _common_prefix(first.text[::-1], second.text[::-1])) if rest else 0
    yield from _walk(first, second, 0, 0, ahead)
    ends = len(first.text) - behind, len(second.text) - behind
    if min(ends) > ahead:
        tokens = [
            _TOKEN.findall(p.text[ahead:e]) for p, e in zip((first, second), ends, strict=True)
        ]
        starts = [list(itertools.accumulate(map(len, side), initial=ahead)) for side in tokens]
        for tag, i1, i2, j1, _ in opcodes(*tokens):
            length = starts[0][i2] - starts[0][i1]
            if tag == "equal" and length >= _ALIKE_LETTERS:
                yield from _walk(first, second, starts[0][i1], starts[1][j1], length)
    if behind:
        yield from _walk(first, second, *ends, behind)


def _common_prefix(first: str, second: str) -> int:
    for position, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return position
    return min(len(first), len(second))


def _walk(
    first: Paragraph, second: Paragraph, at_first: int, at_second: int, length: int
) -> Iterator[_Styles]:
    """Yield stretches of equal text, each of one style before and one now."""
    left = _spans(first, at_first, length)
    right = _spans(second, at_second, length)
    edges = sorted({start for start, _ in left} | {start for start, _ in right} | {length})
    text, at_left, at_right = first.text, 0, 0
    for start, end in itertools.pairwise(edges):
        while at_left + 1 < len(left) and left[at_left + 1][0] <= start:
            at_left += 1
        while at_right + 1 < len(right) and right[at_right + 1][0] <= start:
            at_right += 1
        # Blanks have no look that a reader could see.
        if text[at_first + start : at_first + end].strip():
            piece = text[at_first + start : at_first + end]
            yield piece, left[at_left][1], right[at_right][1]


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
