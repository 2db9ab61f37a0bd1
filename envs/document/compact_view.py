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
_TITLE_SCORE = 8.0  # score of a slide whose title is quoted
_QUOTE_SCORE = 4.0  # score of a quoted text
_RELEVANT_SHARE = 0.2  # of the highest score, if that is at least `_QUOTE_SCORE`
_QUOTE = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」')
_SLIDE_NUMBERS = re.compile(
    r"\bslides? (?:numbers? )?(\d+(?:(?:, | and |, and | & )\d+)*)", re.IGNORECASE
)
_SLIDE_RANGE = re.compile(
    r"\bslides? (?:from )?(\d+)(?: ?[-\u2013] ?| to | through )(\d+)", re.IGNORECASE
)
_FROM_END = (("third to last slide", 3), ("second to last slide", 2), ("last slide", 1))
_WORD = re.compile(r"\w+")
_PRECEDING_SLIDE = re.compile(r"\bslide right after $", re.IGNORECASE)
_STOP_WORDS = frozenset(
    (
        *("a", "an", "and", "as", "at", "be", "by", "can", "could", "for", "from", "has", "have"),
        *("i", "in", "is", "it", "its", "me", "no", "of", "off", "on", "one", "or", "please"),
        *("put", "set", "should", "slide", "slides", "than", "that", "the", "this", "to", "way"),
        *("with", "you"),
    )
)


@dataclass(frozen=True)
class _Mentions:
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
        for match in _QUOTE.finditer(self.instruction):
            if is_after == bool(_PRECEDING_SLIDE.search(self.instruction, 0, match.start())):
                yield next(filter(None, match.groups())).lower()

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.lower)) - _STOP_WORDS

    def numbers(self, count: int) -> set[int]:
        """Return the 1-based positions of the slides that are mentioned by number or ordinal."""
        lists = _SLIDE_NUMBERS.findall(self.instruction)
        positions = {int(number) for numbers in lists for number in re.findall(r"\d+", numbers)}
        for first, last in _SLIDE_RANGE.findall(self.instruction):
            positions.update(range(int(first), min(int(last), count) + 1))
        positions |= {1} if "first slide" in self.lower else set()
        for phrase, from_end in _FROM_END:
            if phrase in self.lower:
                positions.add(count + 1 - from_end)
                break
        return {position for position in positions if 1 <= position <= count}

    def overlap(self, text: str) -> float:
        """Return how much of a text is mentioned; a quotation counts as several words."""
        text = text.lower()
        quote_score = sum(_QUOTE_SCORE for quote in self.quotes if quote in text)
        words = self.words & set(_WORD.findall(text))
        return quote_score + len(words) / (1 + 0.02 * len(text))


def compact_text(document: Document, instruction: str) -> str:
    """Return the part of a deck that an instruction is about, with ids for tool calls.

    Args:
        document: The deck.
        instruction: Determines which slides and shapes are shown.
    """
    mentions, ids = _Mentions(instruction), document.slide_ids()
    slides = [document.lines_of(slide) for slide in ids]
    scores = _relevance_scores(slides, mentions)
    header = f"{len(slides)} slides"
    remaining = COMPACT_MAX - count_tokens(header)
    ranked = list(scores)[:_SLIDES_MAX]
    sections: dict[int, list[str]] = {}

    def add(index: int) -> None:
        nonlocal remaining
        head = _head(index + 1, ids[index], slides[index])
        cost = count_tokens(head) + 1
        if cost <= remaining:
            sections[index] = [head]
            remaining -= cost

    detailed = [
        index
        for rank, index in enumerate(ranked)
        if rank < _SLIDES_WITH_SHAPES or scores[index] >= _TITLE_SCORE
    ]
    for index in detailed:
        add(index)
    for position, (index, section) in enumerate(sections.items()):
        budget = remaining // (len(sections) - position)
        shapes = _shapes(slides[index], mentions, budget)
        remaining -= sum(count_tokens(line) + 1 for line in shapes)
        section += shapes
    for index in ranked[len(detailed) :]:
        add(index)
    return "\n".join([header, *itertools.chain(*sections.values())])


def _head(number: int, slide: int, lines: SlideLines) -> str:
    hidden = ", hidden" if lines.hidden else ""
    return f'slide {number} id {slide} "{lines.title[:60]}", layout {lines.layout}{hidden}'


def _relevance_scores(slides: Sequence[SlideLines], mentions: _Mentions) -> dict[int, float]:
    """Return the scores of the relevant slides by index, the most relevant first."""
    mentioned = {number - 1 for number in mentions.numbers(len(slides))}
    scores: dict[int, float] = {}
    for index, slide in enumerate(slides):
        title = slide.title.lower()
        score = 10.0 * (index in mentioned) + _TITLE_SCORE * (title in mentions.titles)
        if title in mentions.predecessors:
            scores[index + 1] = scores.get(index + 1, 0.0) + 12.0
        score += max((mentions.overlap(shape.text) for shape in slide.shapes), default=0.0)
        score += any(_shape_kind(shape) in mentions.words for shape in slide.shapes)
        scores[index] = scores.get(index, 0.0) + score
    highest = max(scores.values(), default=0.0)
    threshold = _RELEVANT_SHARE * highest if highest >= _QUOTE_SCORE else 0.0
    scores.pop(len(slides), None)  # after the last slide
    ranked = sorted(scores, key=lambda index: (-scores[index], index))
    return {index: scores[index] for index in ranked if scores[index] >= threshold}


def _shapes(slide: SlideLines, mentions: _Mentions, budget: int) -> list[str]:
    """Return the lines of the shapes that fit, in the order of the slide."""
    ranked = sorted(
        range(len(slide.shapes)),
        key=lambda index: (
            -mentions.overlap(slide.shapes[index].text)
            - (_shape_kind(slide.shapes[index]) in mentions.words)
        ),
    )
    lines: dict[int, str] = {}
    for index in ranked[:_SHAPES_MAX]:
        shape = slide.shapes[index]
        text = f"[{shape.id}] {shape.summary}{_quote_locations(shape.parts, mentions.quotes)}"
        budget -= count_tokens(text) + 1
        if budget < 0:
            break
        lines[index] = text
    return [lines[index] for index in sorted(lines)]


def _shape_kind(shape: ShapeLine) -> str:
    """Return the kind of a shape, such as "table"."""
    return shape.summary.partition(" ")[0]


def _quote_locations(parts: Sequence[tuple[str, str]], quotes: Sequence[str]) -> str:
    """Return the location of quotations in a shape, such as ``, paragraph 3 "..."``."""
    if len(parts) < 2:
        return ""
    locations = [f', {location} "{text}"' for location, text in parts if text.lower() in quotes]
    return "".join(locations[:2])
