"""Parser of generated instructions: recovers the meaning from the text alone.

It knows the templates and the names of objects in the deck, but not how the sentence was generated.
An ambiguous sentence is an error in the templates.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from pptarena.tasks.generator.compose import COPY_PREFIX
from pptarena.tasks.generator.deck_context import DeckContext
from pptarena.tasks.generator.operator import Operator
from pptarena.tasks.generator.slots import TEXT
from pptarena.tasks.generator.wording import (
    ALSO,
    BY_THE_WAY,
    IF_YOU_CAN,
    NEXT,
    NO_HURRY,
    OTHERWISE,
    PLEASE,
    REASONS,
    SO,
    Template,
    templates_of,
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
        locations: (slide, shape) indexes, 0-based.
        values: Slot values.
        joiner: Text that connects it to the previous clause.
        condition: Its condition; empty if unconditional.
    """

    operator: str
    locations: _Members
    values: tuple[tuple[str, Any], ...]
    joiner: str
    condition: str


class Reader:
    """Parses instructions about one deck.

    Args:
        context: The deck context.
        operators: Operators that an instruction may refer to.
    """

    def __init__(self, context: DeckContext, operators: Sequence[Operator]) -> None:
        self._context = context
        self._references = context.references
        self._operators = tuple(operators)

    def parse(self, instruction: str) -> tuple[Clause, ...]:
        """Parse an instruction.

        Raises:
            ValueError: If a part cannot be parsed, or is ambiguous.
        """
        quotes: list[str] = []

        def mark(match: re.Match[str]) -> str:
            quotes.append(match[0])
            return _MARK.format(len(quotes) - 1)

        plain = re.sub('"[^"]*"', mark, instruction)
        parsed: list[Clause] = []
        for joiner, text in _split(_without_tone(plain)):
            clauses = set(self._clauses(text, joiner, quotes, parsed))
            if len(clauses) != 1:
                raise ValueError(f"{text!r} can be parsed in {len(clauses)} ways: {clauses}")
            parsed.append(clauses.pop())
        return tuple(parsed)

    def _clauses(
        self, text: str, joiner: str, quotes: Sequence[str], before: Sequence[Clause]
    ) -> Iterator[Clause]:
        condition, remainder = "", text
        head = re.match("[Ii]f (.+?), then ", text)
        if head and head[1] in self._references.conditions:
            condition, remainder = head[1], text[head.end() :]
        for operator in self._operators:
            for template in templates_of(operator):
                pattern = _pattern(template, _slot_patterns(operator))
                # A value at the beginning of a sentence is capitalized.
                match = pattern.fullmatch(remainder) or pattern.fullmatch(
                    remainder[:1].lower() + remainder[1:]
                )
                if match is None:
                    continue
                groups = {key: _unmarked(each, quotes) for key, each in match.groupdict().items()}
                locations = self._locations(operator, groups, before if joiner == ALSO else ())
                values = self._values(operator, groups)
                if locations is not None and values is not None:
                    yield Clause(operator.name, locations, values, joiner, condition)

    def _locations(
        self, operator: Operator, groups: dict[str, str], before: Sequence[Clause]
    ) -> _Members | None:
        references = self._references
        if operator.target_kind == "deck":
            return ((None, None),)
        name = groups.get("it", "")
        if name == "it" and before:
            return self._if_applicable(operator, before[-1].locations)
        if "slide" in groups:
            slide = references.slides.get(groups["slide"])
            shape = None if slide is None else references.shapes[slide].get(name)
            return None if shape is None else self._if_applicable(operator, ((slide, shape),))
        locations: _Members | None = references.domains.get(name)
        if locations is None and operator.target_kind == "slide" and name in references.slides:
            locations = ((references.slides[name], None),)
        elif locations is None and name in references.locations:
            locations = (references.locations[name],)
        return None if locations is None else self._if_applicable(operator, locations)

    def _if_applicable(self, operator: Operator, locations: _Members) -> _Members | None:
        """Return the locations if the operator applies to all of them, else None."""
        targets = self._targets[operator.name]
        return locations if all(location in targets for location in locations) else None

    @cached_property
    def _targets(self) -> dict[str, set[tuple[int | None, int | None]]]:
        return {
            each.name: {
                (target.slide_index, target.shape_index) for target in each.targets(self._context)
            }
            for each in self._operators
        }

    def _values(
        self, operator: Operator, groups: dict[str, str]
    ) -> tuple[tuple[str, Any], ...] | None:
        values = []
        for key, slot in operator.slots.items():
            wording = groups[key]
            if re.fullmatch(slot.pattern, wording):
                values.append((key, slot.parse(wording)))
                continue
            location = self._references.locations.get(wording.removeprefix(COPY_PREFIX))
            if key != "text" or not wording.startswith(COPY_PREFIX) or location is None:
                return None
            values.append((key, self._context.deck.slides[location[0]].shapes[location[1]].text))
        return tuple(sorted(values))


def _slot_patterns(operator: Operator) -> tuple[tuple[str, str], ...]:
    """Return the patterns of an operator's slots, with quotations replaced by marks."""
    text = rf"\x01\d+\x02|{COPY_PREFIX}.+?"
    slots = operator.slots.items()
    return tuple((key, text if slot is TEXT else slot.pattern) for key, slot in slots)


@cache
def _pattern(template: Template, slots: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Return the pattern of a template; its first letter may be capitalized."""
    text, used, slot_patterns = template.prefix + template.text, set[str](), dict(slots)
    parts = re.split(r"\{(\w+)\}", text)
    pattern = ""
    for index, part in enumerate(parts):
        if index % 2:
            pattern += (
                f"(?P={part})" if part in used else f"(?P<{part}>{slot_patterns.get(part, '.+?')})"
            )
            used.add(part)
            continue
        escaped = re.escape(part)
        if index + 1 < len(parts):
            escaped = re.sub(r"\ba\\ $", "an?\\\\ ", escaped)
        pattern += escaped
    return re.compile(_either_case(pattern), re.DOTALL)


def _either_case(pattern: str) -> str:
    first = pattern[:1]
    return f"[{first}{first.upper()}]{pattern[1:]}" if first.isalpha() else pattern


def _unmarked(text: str, quotes: Sequence[str]) -> str:
    unmarked = _MARKED.sub(lambda match: quotes[int(match[1])], text)
    # A name at the beginning of a sentence is capitalized.
    return (
        unmarked[:1].lower() + unmarked[1:]
        if unmarked.startswith(("The ", "Slide ", "Every "))
        else unmarked
    )


def _without_tone(text: str) -> list[str]:
    """Return the lines with requests, without phrases of the tone."""
    if text.startswith("To do:\n"):
        return [line.removeprefix("- ") for line in text.split("\n")[1:]]
    for start in (BY_THE_WAY, IF_YOU_CAN, *(f"{reason}{SO}" for reason in REASONS)):
        text = text.removeprefix(start)
    text = text.removesuffix(NO_HURRY).removesuffix(".").removesuffix("?")
    for phrase in (PLEASE, PLEASE.capitalize()):
        head, separator, tail = text.partition(phrase)
        if separator:
            return [head + tail]
    return [text]


def _split(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the clauses, each with the text that joins it to the previous one."""
    joiners = "|".join(map(re.escape, (NEXT, ALSO, OTHERWISE)))
    for line in lines:
        first, *rest = re.split(f"({joiners})", line)
        yield NEXT, first
        yield from zip(rest[::2], rest[1::2], strict=True)
