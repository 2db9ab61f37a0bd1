"""The view `compact`: an outline of about 400 tokens at most, for small language models.

Slides and shapes that the instruction mentions by number, title or quoted text come first, then
those with the highest word overlap. The rest is omitted.
"""

import re
from collections.abc import Sequence
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
_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」')
_NUMBERS = re.compile(r"\bslide (?:number )?(\d+)", re.IGNORECASE)
_FROM_END = (("third to last slide", 3), ("second to last slide", 2), ("last slide", 1))
_WORD = re.compile(r"\w+")
_AFTER = "slide right after"
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
        found = (next(filter(None, each)) for each in _QUOTED.findall(self.instruction))
        return tuple(each.lower() for each in found)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(_WORD.findall(self.lower)) - _COMMON

    def numbers(self, count: int) -> set[int]:
        """Return the 1-based positions of the slides that are mentioned by number or ordinal."""
        found = {int(each) for each in _NUMBERS.findall(self.instruction)}
        found |= {1} if "first slide" in self.lower else set()
        for phrase, back in _FROM_END:
            if phrase in self.lower:
                found.add(count + 1 - back)
                break
        return {each for each in found if 1 <= each <= count}

    def overlap(self, text: str) -> float:
        """Return how much of a text is mentioned; a quotation counts as several words."""
        text = text.lower()
        quoted = sum(4.0 for each in self.quotes if each in text)
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
    text = f"{len(slides)} slides"
    for rank, index in enumerate(_ranked(slides, question)[:_SLIDES_MAX]):
        head = _head(index + 1, ids[index], slides[index])
        room = COMPACT_MAX - count_tokens(text) - count_tokens(head) - 2
        if room < 0:
            break
        text += f"\n{head}"
        if rank < _SLIDES_WITH_SHAPES:
            text += "".join(f"\n{line}" for line in _shapes(slides[index], question, room))
    return text


def _head(number: int, slide: int, lines: SlideLines) -> str:
    hidden = ", hidden" if lines.hidden else ""
    return f'slide {number} id {slide} "{lines.title[:60]}", layout {lines.layout}{hidden}'


def _ranked(slides: Sequence[SlideLines], question: _Question) -> list[int]:
    """Return the indices of the relevant slides, the most relevant first."""
    named = {number - 1 for number in question.numbers(len(slides))}
    scores: dict[int, float] = {}
    for index, slide in enumerate(slides):
        title = slide.title.lower()
        is_title = bool(title) and any(title == each for each in question.quotes)
        score = 10.0 * (index in named) + 8.0 * is_title
        if is_title and _AFTER in question.lower and index + 1 < len(slides):
            scores[index + 1] = scores.get(index + 1, 0.0) + 12.0
        score += max((question.overlap(each.text) for each in slide.shapes), default=0.0)
        score += any(_kind(each) in question.words for each in slide.shapes)
        scores[index] = scores.get(index, 0.0) + score
    return sorted(scores, key=lambda index: (-scores[index], index))


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
