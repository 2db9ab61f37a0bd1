"""Parser of generated instructions: recovers the meaning from the text alone.

It knows the templates and the names of objects in the deck, but not how the sentence was generated.
An ambiguous sentence is an error in the templates.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from pptarena.tasks.grow.compose import COPIED
from pptarena.tasks.grow.ground import Ground
from pptarena.tasks.grow.operator import Operator
from pptarena.tasks.grow.slots import TEXT
from pptarena.tasks.grow.wording import (
    ALSO,
    BY_THE_WAY,
    IF_YOU_CAN,
    NEXT,
    NO_HURRY,
    OTHERWISE,
    PLEASE,
    REASONS,
    SO,
    Frame,
    frames_of,
)

__all__ = ["Clause", "Reader"]

_Members = tuple[tuple[int | None, int | None], ...]
_MARK = "\x01{}\x02"
_MARKED = re.compile("\x01(\\d+)\x02")


@dataclass(frozen=True, slots=True)
class Clause:
    """The meaning of one part of an instruction.

    Attributes:
        operator: Name of the operator.
        places: (slide, shape) indexes, 0-based.
        values: Slot values.
        joiner: Text that connects it to the previous clause.
        condition: Its condition; empty if unconditional.
    """

    operator: str
    places: _Members
    values: tuple[tuple[str, Any], ...]
    joiner: str
    condition: str


class Reader:
    """Parses instructions about one deck.

    Args:
        ground: The deck context.
        operators: Operators that an instruction may refer to.
    """

    def __init__(self, ground: Ground, operators: Sequence[Operator]) -> None:
        self._ground = ground
        self._references = ground.references
        self._operators = tuple(operators)

    def read(self, instruction: str) -> tuple[Clause, ...]:
        """Parse an instruction.

        Raises:
            ValueError: If a part cannot be parsed, or is ambiguous.
        """
        quotes: list[str] = []

        def mark(match: re.Match[str]) -> str:
            quotes.append(match[0])
            return _MARK.format(len(quotes) - 1)

        plain = re.sub('"[^"]*"', mark, instruction)
        found: list[Clause] = []
        for joiner, text in _split(_without_register(plain)):
            ways = set(self._ways(text, joiner, quotes, found))
            if len(ways) != 1:
                raise ValueError(f"{text!r} can be read in {len(ways)} ways: {ways}")
            found.append(ways.pop())
        return tuple(found)

    def _ways(
        self, text: str, joiner: str, quotes: Sequence[str], before: Sequence[Clause]
    ) -> Iterator[Clause]:
        condition, rest = "", text
        head = re.match("[Ii]f (.+?), then ", text)
        if head and head[1] in self._references.conditions:
            condition, rest = head[1], text[head.end() :]
        for operator in self._operators:
            for frame in frames_of(operator):
                pattern = _pattern(frame, _slot_patterns(operator))
                # A value at the beginning of a sentence is capitalized.
                match = pattern.fullmatch(rest) or pattern.fullmatch(rest[:1].lower() + rest[1:])
                if match is None:
                    continue
                words = {key: _unmarked(each, quotes) for key, each in match.groupdict().items()}
                places = self._places(operator, words, before if joiner == ALSO else ())
                values = self._values(operator, words)
                if places is not None and values is not None:
                    yield Clause(operator.name, places, values, joiner, condition)

    def _places(
        self, operator: Operator, words: dict[str, str], before: Sequence[Clause]
    ) -> _Members | None:
        known = self._references
        if operator.target == "deck":
            return ((None, None),)
        name = words.get("it", "")
        if name == "it" and before:
            return self._fitting(operator, before[-1].places)
        if "slide" in words:
            slide = known.slides.get(words["slide"])
            shape = None if slide is None else known.shapes[slide].get(name)
            return None if shape is None else self._fitting(operator, ((slide, shape),))
        found: _Members | None = known.domains.get(name)
        if found is None and operator.target == "slide" and name in known.slides:
            found = ((known.slides[name], None),)
        elif found is None and name in known.places:
            found = (known.places[name],)
        return None if found is None else self._fitting(operator, found)

    def _fitting(self, operator: Operator, places: _Members) -> _Members | None:
        """Return the places if the operator applies to all of them, else None."""
        sites = self._sites[operator.name]
        return places if all(place in sites for place in places) else None

    @cached_property
    def _sites(self) -> dict[str, set[tuple[int | None, int | None]]]:
        return {
            each.name: {(site.slide_index, site.shape_index) for site in each.sites(self._ground)}
            for each in self._operators
        }

    def _values(
        self, operator: Operator, words: dict[str, str]
    ) -> tuple[tuple[str, Any], ...] | None:
        found = []
        for key, slot in operator.slots.items():
            said = words[key]
            if re.fullmatch(slot.pattern, said):
                found.append((key, slot.read(said)))
                continue
            place = self._references.places.get(said.removeprefix(COPIED))
            if key != "text" or not said.startswith(COPIED) or place is None:
                return None
            found.append((key, self._ground.deck.slides[place[0]].shapes[place[1]].text))
        return tuple(sorted(found))


def _slot_patterns(operator: Operator) -> tuple[tuple[str, str], ...]:
    """Return the patterns of an operator's slots, with quotations replaced by marks."""
    text = rf"\x01\d+\x02|{COPIED}.+?"
    slots = operator.slots.items()
    return tuple((key, text if slot is TEXT else slot.pattern) for key, slot in slots)


@cache
def _pattern(frame: Frame, slots: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Return the pattern of a template; its first letter may be capitalized."""
    text, seen, known = frame.front + frame.text, set[str](), dict(slots)
    parts = re.split(r"\{(\w+)\}", text)
    found = ""
    for at, part in enumerate(parts):
        if at % 2:
            found += f"(?P={part})" if part in seen else f"(?P<{part}>{known.get(part, '.+?')})"
            seen.add(part)
            continue
        escaped = re.escape(part)
        if at + 1 < len(parts):
            escaped = re.sub(r"\ba\\ $", "an?\\\\ ", escaped)
        found += escaped
    return re.compile(_either_case(found), re.DOTALL)


def _either_case(pattern: str) -> str:
    first = pattern[:1]
    return f"[{first}{first.upper()}]{pattern[1:]}" if first.isalpha() else pattern


def _unmarked(text: str, quotes: Sequence[str]) -> str:
    whole = _MARKED.sub(lambda match: quotes[int(match[1])], text)
    # A name at the beginning of a sentence is capitalized.
    return (
        whole[:1].lower() + whole[1:] if whole.startswith(("The ", "Slide ", "Every ")) else whole
    )


def _without_register(text: str) -> list[str]:
    """Return the lines with requests, without the phrases of the tone."""
    if text.startswith("To do:\n"):
        return [line.removeprefix("- ") for line in text.split("\n")[1:]]
    for start in (BY_THE_WAY, IF_YOU_CAN, *(f"{reason}{SO}" for reason in REASONS)):
        text = text.removeprefix(start)
    text = text.removesuffix(NO_HURRY).removesuffix(".").removesuffix("?")
    for words in (PLEASE, PLEASE.capitalize()):
        head, found, rest = text.partition(words)
        if found:
            return [head + rest]
    return [text]


def _split(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the clauses, each with the text that joins it to the previous one."""
    ways = "|".join(map(re.escape, (NEXT, ALSO, OTHERWISE)))
    for line in lines:
        first, *rest = re.split(f"({ways})", line)
        yield NEXT, first
        yield from zip(rest[::2], rest[1::2], strict=True)
