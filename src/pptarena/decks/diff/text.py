"""Differences in text and its formatting, independent of how text is split into runs."""

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.decks import Link, Paragraph, RunStyle
from pptarena.decks.diff.change import Aspect, Difference
from pptarena.decks.diff.fields import Equality, field_differences, find_rule
from pptarena.decks.match.sequences import common_start, opcodes
from pptarena.decks.match.values import clip, same_color

__all__ = [
    "TRAILING_LINES",
    "FormatValue",
    "LinkMap",
    "aligned_values",
    "clip",
    "format_differences",
    "keep_link",
    "link_differences",
    "same_color",
    "text_differences",
]

TRAILING_LINES = "empty lines after the text"
"""Property name of a difference in line breaks and empty paragraphs after the last character."""

LinkMap = Callable[[Link | None], Link | None]
"""Maps a link of the original to the same link in the current deck."""

_Pair = tuple[Paragraph, Paragraph]
_LinkedText = tuple[str, Link | None, str]
_Styles = tuple[str, RunStyle, RunStyle]
_TOKEN = re.compile(r"\w+|\W")
_MIN_COMMON_CHARS = 4  # minimum length of a common stretch within changed text


def keep_link(link: Link | None) -> Link | None:
    """Return a link unchanged; the `LinkMap` of decks whose slides did not move."""
    return link


def text_differences(
    before: Sequence[Paragraph],
    after: Sequence[Paragraph],
    aspect: Aspect,
    what: str = "",
    *,
    trailing_lines: bool = False,
) -> Iterator[Difference]:
    """Yield the difference in characters between two texts, at most one.

    If `trailing_lines` is set, empty lines after the text count because they move the text.
    """
    old, new = _lines(before), _lines(after)
    if old != new:
        yield Difference.of(aspect, what, "\n".join(old), "\n".join(new), clip)
    elif trailing_lines and old:
        counts = _count_trailing_lines(before), _count_trailing_lines(after)
        if counts[0] != counts[1]:
            yield Difference.of(aspect, f"{what} {TRAILING_LINES}".strip(), *counts)


def format_differences(
    before: Sequence[Paragraph], after: Sequence[Paragraph], prefix: str = ""
) -> list[Difference]:
    """Return the differences in formatting of text that is in both versions.

    There is one difference per property. Its description is that of the first location, and its
    values contain all locations as pairs of text and value. New text is not compared.
    """
    if before == after:
        return []
    locations: dict[str, list[tuple[str, Difference]]] = {}
    for first, second in _align_paragraphs(before, after):
        if first == second:
            continue
        if first.runs and second.runs:
            for each in field_differences(first, second, "formatting", prefix):
                locations.setdefault(each.what, []).append((second.text, each))
        for text, old, new in _style_pairs(first, second):
            for each in _style_differences(old, new, prefix):
                locations.setdefault(each.what, []).append((text, each))
    return [_merge_locations(what, parts) for what, parts in locations.items()]


def _style_differences(old: RunStyle, new: RunStyle, prefix: str) -> Iterator[Difference]:
    """Yield the differences between two styles; color and type of a new line are not separate."""
    for each in field_differences(old, new, "formatting", prefix):
        what = each.what.removeprefix(prefix)
        implied = {
            "underline color": (old.underline == "none") != (new.underline == "none"),
            "double strike": old.strike != new.strike,
        }
        if not implied.get(what):
            yield each


@dataclass(frozen=True, slots=True)
class FormatValue:
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
    same: Equality


def aligned_values(
    before: Sequence[Paragraph], after: Sequence[Paragraph], what: str
) -> Iterator[tuple[FormatValue, tuple[int, int]]]:
    """Yield the values of one formatting property, with the old and new outline level."""
    paragraph_rule, run_rule = find_rule(Paragraph, what), find_rule(RunStyle, what)
    for first, second in _align_paragraphs(before, after):
        levels = first.level, second.level
        if paragraph_rule is not None and first.runs and second.runs:
            values = getattr(first, paragraph_rule.name), getattr(second, paragraph_rule.name)
            yield FormatValue(paragraph_rule.name, *values, paragraph_rule.same), levels
        elif run_rule is not None:
            for _, old, new in _style_pairs(first, second):
                values = getattr(old, run_rule.name), getattr(new, run_rule.name)
                yield FormatValue(run_rule.name, *values, run_rule.same), levels


def link_differences(
    before: Sequence[Paragraph], after: Sequence[Paragraph], map_link: LinkMap
) -> Iterator[Difference]:
    """Yield the difference in links between two texts, at most one."""
    if before == after and not any(run.link for p in before for run in p.runs):
        return
    old, new = _links(before), _links(after)
    if [(text, map_link(link), tip) for text, link, tip in old] != new:
        yield Difference.of("hyperlinks", "", tuple(old), tuple(new), _describe_links)


def _describe_links(links: tuple[_LinkedText, ...]) -> str:
    return "; ".join(f"{text} -> {link}{f' ({tip})' if tip else ''}" for text, link, tip in links)


def _merge_locations(what: str, parts: Sequence[tuple[str, Difference]]) -> Difference:
    first = parts[0][1]
    old = tuple((text, each.value_before) for text, each in parts)
    new = tuple((text, each.value_after) for text, each in parts)
    return Difference("formatting", what, first.before, first.after, old, new)


def _lines(paragraphs: Sequence[Paragraph]) -> list[str]:
    """Return the text of each paragraph, without trailing spaces and empty lines at the end."""
    lines = [_strip_trailing_spaces(paragraph.text) for paragraph in paragraphs]
    while lines and not lines[-1].rstrip():
        lines.pop()
    return [*lines[:-1], lines[-1].rstrip()] if lines else []


def _strip_trailing_spaces(text: str) -> str:
    """Return a text without trailing spaces; trailing line breaks move the text below and stay."""
    stripped = text.rstrip()
    return stripped + "\v" * text.count("\v", len(stripped))


def _count_trailing_lines(paragraphs: Sequence[Paragraph]) -> int:
    """Return the number of lines after the last character."""
    text = "\n".join(_strip_trailing_spaces(paragraph.text) for paragraph in paragraphs)
    return len(text) - len(text.rstrip())


def _links(paragraphs: Sequence[Paragraph]) -> list[_LinkedText]:
    """Return linked text, link and tooltip; adjacent runs with the same link are merged."""
    links: list[_LinkedText] = []
    for paragraph in paragraphs:
        is_linked = False
        for run in paragraph.runs:
            if run.link and is_linked and links[-1][1:] == (run.link, run.tooltip):
                links[-1] = (links[-1][0] + run.text, run.link, run.tooltip)
            elif run.link:
                links.append((run.text, run.link, run.tooltip))
            is_linked = bool(run.link)
    return [(text.strip(), link, tip) for text, link, tip in links if text.strip()]


def _align_paragraphs(before: Sequence[Paragraph], after: Sequence[Paragraph]) -> Iterator[_Pair]:
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
    prefix = common_start(first.text, second.text, shorter)
    suffix = common_start(first.text[::-1], second.text[::-1], shorter - prefix)
    yield from _common_styles(first, second, 0, 0, prefix)
    ends = len(first.text) - suffix, len(second.text) - suffix
    if min(ends) > prefix:
        tokens = [
            _TOKEN.findall(p.text[prefix:e]) for p, e in zip((first, second), ends, strict=True)
        ]
        starts = [list(itertools.accumulate(map(len, side), initial=prefix)) for side in tokens]
        for tag, i1, i2, j1, _ in opcodes(*tokens):
            length = starts[0][i2] - starts[0][i1]
            if tag == "equal" and length >= _MIN_COMMON_CHARS:
                yield from _common_styles(first, second, starts[0][i1], starts[1][j1], length)
    if suffix:
        yield from _common_styles(first, second, *ends, suffix)


def _common_styles(
    first: Paragraph, second: Paragraph, at_first: int, at_second: int, length: int
) -> Iterator[_Styles]:
    """Yield stretches of equal text with one old and one new style each."""
    old_spans = _spans(first, at_first, length)
    new_spans = _spans(second, at_second, length)
    edges = sorted({start for start, _ in old_spans} | {start for start, _ in new_spans} | {length})
    text, old_index, new_index = first.text, 0, 0
    for start, end in itertools.pairwise(edges):
        while old_index + 1 < len(old_spans) and old_spans[old_index + 1][0] <= start:
            old_index += 1
        while new_index + 1 < len(new_spans) and new_spans[new_index + 1][0] <= start:
            new_index += 1
        # Formatting of whitespace is invisible.
        if text[at_first + start : at_first + end].strip():
            span_text = text[at_first + start : at_first + end]
            yield span_text, old_spans[old_index][1], new_spans[new_index][1]


def _spans(paragraph: Paragraph, start: int, length: int) -> list[tuple[int, RunStyle]]:
    """Return the start of each style within a stretch, relative to the stretch."""
    spans: list[tuple[int, RunStyle]] = []
    position = 0
    for run in paragraph.runs:
        end = position + len(run.text)
        if end > start and position < start + length:
            spans.append((max(0, position - start), run.style))
        position = end
    return spans
