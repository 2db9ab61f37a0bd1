"""The view `compact`: an outline of about 400 tokens at most, for small language models.

Slides and shapes that the instruction mentions by number, title or quoted text come first, then
those with the highest word overlap. The rest is omitted. So are slides that have far less overlap
than the first one, which make requests longer and rarely matter.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pptarena.envs.document.document import Document
from pptarena.envs.document.slide_lines import ShapeLine, SlideLines
from pptarena.envs.text_view import count_tokens

__all__ = ["COMPACT_MAX", "compact_text"]

COMPACT_MAX: Final = 340
"""The largest value of `count_tokens` for a view; about 400 tokens of SmolLM2."""

_SHAPES_MAX = 14
_SLIDES_WITH_SHAPES = 2
_SLIDES_MAX = 8
_MENTIONED = 8.0  # score of a slide whose title is quoted
_QUOTATION = 4.0  # score of a quoted text
_RELEVANT = 0.2  # share of the highest score, if that is at least one of a quotation
_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」')
_NUMBERS = re.compile(
    r"\bslides? (?:numbers? )?(\d+(?:(?:, | and |, and | & )\d+)*)", re.IGNORECASE
)
_RANGE = re.compile(
    r"\bslides? (?:from )?(\d+)(?: ?[-\u2013] ?| to | through )(\d+)", re.IGNORECASE
)
_FROM_END = (("third to last slide", 3), ("second to last slide", 2), ("last slide", 1))
_WORD = re.compile(r"\w+")
_AFTER = re.compile(r"\bslide right after $", re.IGNORECASE)
_COMMON = frozenset(
    (
        *("a", "an", "and", "as", "at", "be", "by", "can", "could", "for", "from", "has", "have"),
        *("i", "in", "is", "it", "its", "me", "no", "of", "off", "on", "one", "or", "please"),
        *("put", "set", "should", "slide", "slides", "than", "that", "the", "this", "to", "way"),
        *("with", "you"),
    )
)


@dataclass(frozen=True)
class _Question:
    """Slide numbers, quotations and words that an instruction mentions."""

    instruction: str

    @cached_property
    def lower(self) -> str:
        return self.instruction.lower()

    @cached_property
    def quotes(self) -> tuple[str, ...]:
        return (*self._quotes(is_after=False), *self._quotes(is_after=True))

    @cached_property
    def titles(self) -> frozenset[str]:
        """Quotations that may be the title of a slide that is meant."""
        return frozenset(self._quotes(is_after=False))

    @cached_property
    def predecessors(self) -> frozenset[str]:
        """Titles of slides whose next one is meant."""
        return frozenset(self._quotes(is_after=True))

    def _quotes(self, *, is_after: bool) -> Iterator[str]:
        """Yield the quotations that follow "slide right after", or all others."""
        for each in _QUOTED.finditer(self.instruction):
            if is_after == bool(_AFTER.search(self.instruction, 0, each.start())):
                yield next(filter(None, each.groups())).lower()

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.lower)) - _COMMON

    def numbers(self, count: int) -> set[int]:
        """Return the 1-based positions of the slides that are mentioned by number or ordinal."""
        lists = _NUMBERS.findall(self.instruction)
        found = {int(number) for each in lists for number in re.findall(r"\d+", each)}
        for first, last in _RANGE.findall(self.instruction):
            found.update(range(int(first), min(int(last), count) + 1))
        found |= {1} if "first slide" in self.lower else set()
        for phrase, back in _FROM_END:
            if phrase in self.lower:
                found.add(count + 1 - back)
                break
        return {each for each in found if 1 <= each <= count}

    def overlap(self, text: str) -> float:
        """Return how much of a text is mentioned; a quotation counts as several words."""
        text = text.lower()
        quoted = sum(_QUOTATION for each in self.quotes if each in text)
        words = self.words & set(_WORD.findall(text))
        return quoted + len(words) / (1 + 0.02 * len(text))


def compact_text(document: Document, instruction: str) -> str:
    """Return the part of a deck that an instruction is about, with ids for tool calls.

    Args:
        document: The deck.
        instruction: Determines which slides and shapes are shown.
    """
    question, ids = _Question(instruction), document.slide_ids()
    slides = [document.lines_of(each) for each in ids]
    scores = _relevant(slides, question)
    first = f"{len(slides)} slides"
    room = COMPACT_MAX - count_tokens(first)
    ranked = list(scores)[:_SLIDES_MAX]
    sections: dict[int, list[str]] = {}

    def add(index: int) -> None:
        nonlocal room
        head = _head(index + 1, ids[index], slides[index])
        cost = count_tokens(head) + 1
        if cost <= room:
            sections[index] = [head]
            room -= cost

    opened = [
        index
        for rank, index in enumerate(ranked)
        if rank < _SLIDES_WITH_SHAPES or scores[index] >= _MENTIONED
    ]
    for index in opened:
        add(index)
    for done, (index, section) in enumerate(sections.items()):
        share = room // (len(sections) - done)
        shapes = _shapes(slides[index], question, share)
        room -= sum(count_tokens(line) + 1 for line in shapes)
        section += shapes
    for index in ranked[len(opened) :]:
        add(index)
    return "\n".join([first, *itertools.chain(*sections.values())])


def _head(number: int, slide: int, lines: SlideLines) -> str:
    hidden = ", hidden" if lines.hidden else ""
    return f'slide {number} id {slide} "{lines.title[:60]}", layout {lines.layout}{hidden}'


def _relevant(slides: Sequence[SlideLines], question: _Question) -> dict[int, float]:
    """Return the scores of the relevant slides by index, the most relevant first."""
    named = {number - 1 for number in question.numbers(len(slides))}
    scores: dict[int, float] = {}
    for index, slide in enumerate(slides):
        title = slide.title.lower()
        score = 10.0 * (index in named) + _MENTIONED * (title in question.titles)
        if title in question.predecessors:
            scores[index + 1] = scores.get(index + 1, 0.0) + 12.0
        score += max((question.overlap(each.text) for each in slide.shapes), default=0.0)
        score += any(_kind(each) in question.words for each in slide.shapes)
        scores[index] = scores.get(index, 0.0) + score
    best = max(scores.values(), default=0.0)
    least = _RELEVANT * best if best >= _QUOTATION else 0.0
    scores.pop(len(slides), None)  # after the last slide
    ranked = sorted(scores, key=lambda index: (-scores[index], index))
    return {index: scores[index] for index in ranked if scores[index] >= least}


def _shapes(slide: SlideLines, question: _Question, room: int) -> list[str]:
    """Return the lines of the shapes that fit, in the order of the slide."""
    ranked = sorted(
        range(len(slide.shapes)),
        key=lambda index: (
            -question.overlap(slide.shapes[index].text)
            - (_kind(slide.shapes[index]) in question.words)
        ),
    )
    shown: dict[int, str] = {}
    for index in ranked[:_SHAPES_MAX]:
        shape = slide.shapes[index]
        line = f"[{shape.id}] {shape.summary}{_found(shape.parts, question.quotes)}"
        room -= count_tokens(line) + 1
        if room < 0:
            break
        shown[index] = line
    return [shown[index] for index in sorted(shown)]


def _kind(shape: ShapeLine) -> str:
    """Return the kind of a shape, such as "table"."""
    return shape.summary.partition(" ")[0]


def _found(parts: Sequence[tuple[str, str]], quotes: Sequence[str]) -> str:
    """Return the location of quotations in a shape, such as ``, paragraph 3 "..."``."""
    if len(parts) < 2:
        return ""
    found = [f', {place} "{text}"' for place, text in parts if text.lower() in quotes]
    return "".join(found[:2])
