"""Differences in text and its formatting, independent of how text is split into runs."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.decks import Link, Paragraph, RunStyle
from pptarena.decks.diff.change import Aspect, Difference
from pptarena.decks.diff.fields import Same, field_differences, rule_named
from pptarena.decks.match.sequences import common_start, opcodes
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
"""Property name of a difference in line breaks and empty paragraphs after the last character."""

LinkMap = Callable[[Link | None], Link | None]
"""Maps a link of the original to the same link in the current deck."""

_Pair = tuple[Paragraph, Paragraph]
_Linked = tuple[str, Link | None, str]
_Styles = tuple[str, RunStyle, RunStyle]
_TOKEN = re.compile(r"\w+|\W")
_ALIKE_LETTERS = 4  # least length of a common stretch within changed text


def keep_link(link: Link | None) -> Link | None:
    """Return a link unchanged; the `LinkMap` of decks whose slides did not move."""
    return link


def text_differences(
    before: Sequence[Paragraph],
    after: Sequence[Paragraph],
    aspect: Aspect,
    what: str = "",
    *,
    lines_after: bool = False,
) -> Iterator[Difference]:
    """Yield the difference in characters between two texts, at most one.

    With `lines_after`, empty lines after the text count, because they move the text.
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
    """Return the differences in formatting of text that is in both versions.

    There is one difference per property. Its description is that of the first location, and its
    values contain all locations as pairs of text and value. New text is not compared.
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
    """Yield the differences between two styles; color and type of a new line are not separate."""
    for each in field_differences(old, new, "formatting", prefix):
        what = each.what.removeprefix(prefix)
        came_or_went = {
            "underline color": (old.underline == "none") != (new.underline == "none"),
            "double strike": old.strike != new.strike,
        }
        if not came_or_went.get(what):
            yield each


@dataclass(frozen=True, slots=True)
class Place:
    """A formatting value of text that is in both decks.

    Attributes:
        name: Name of the field.
        old: The original value.
        new: The current value.
        same: Returns whether two values of the field look the same.
    """

    name: str
    old: Any
    new: Any
    same: Same


def aligned_places(
    before: Sequence[Paragraph], after: Sequence[Paragraph], what: str
) -> Iterator[tuple[Place, tuple[int, int]]]:
    """Yield the values of one formatting property, with the old and new outline level."""
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
    """Yield the difference in links between two texts, at most one."""
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
    """Return the text of each paragraph, without trailing spaces and empty lines at the end."""
    lines = [_without_blanks(paragraph.text) for paragraph in paragraphs]
    while lines and not lines[-1].rstrip():
        lines.pop()
    return [*lines[:-1], lines[-1].rstrip()] if lines else []


def _without_blanks(text: str) -> str:
    """Return a text without trailing spaces; trailing line breaks move the text below and stay."""
    kept = text.rstrip()
    return kept + "\v" * text.count("\v", len(kept))


def _lines_after(paragraphs: Sequence[Paragraph]) -> int:
    """Return the number of lines after the last character."""
    text = "\n".join(_without_blanks(paragraph.text) for paragraph in paragraphs)
    return len(text) - len(text.rstrip())


def _links(paragraphs: Sequence[Paragraph]) -> list[_Linked]:
    """Return linked text, link and tooltip; adjacent runs with the same link are merged."""
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
    """Yield common stretches of two texts with their styles: common ends, then the middle."""
    if first.runs == second.runs:
        return
    shorter = min(len(first.text), len(second.text))
    ahead = common_start(first.text, second.text, shorter)
    behind = common_start(first.text[::-1], second.text[::-1], shorter - ahead)
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


def _walk(
    first: Paragraph, second: Paragraph, at_first: int, at_second: int, length: int
) -> Iterator[_Styles]:
    """Yield stretches of equal text with one old and one new style each."""
    left = _spans(first, at_first, length)
    right = _spans(second, at_second, length)
    edges = sorted({start for start, _ in left} | {start for start, _ in right} | {length})
    text, at_left, at_right = first.text, 0, 0
    for start, end in itertools.pairwise(edges):
        while at_left + 1 < len(left) and left[at_left + 1][0] <= start:
            at_left += 1
        while at_right + 1 < len(right) and right[at_right + 1][0] <= start:
            at_right += 1
        # Formatting of whitespace is invisible.
        if text[at_first + start : at_first + end].strip():
            piece = text[at_first + start : at_first + end]
            yield piece, left[at_left][1], right[at_right][1]


def _spans(paragraph: Paragraph, start: int, length: int) -> list[tuple[int, RunStyle]]:
    """Return the start of each style within a stretch, relative to the stretch."""
    spans: list[tuple[int, RunStyle]] = []
    at = 0
    for run in paragraph.runs:
        end = at + len(run.text)
        if end > start and at < start + length:
            spans.append((max(0, at - start), run.style))
        at = end
    return spans
