r"""Patterns of rubrics, matched without backtracking.

Rubrics are untrusted, and `re` takes exponential time for some patterns. Here a pattern is a
nondeterministic finite automaton whose states are followed in parallel, with a limit on the steps.
The syntax is the common subset of regular expression dialects: ``. [a-z] [^a-z] \d \w \s \b ^ $ | *
+ ? {2} {2,} {2,5}``, groups, and ``\p{So}`` for a Unicode category. The longest match at a position
wins.
"""

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

__all__ = ["Pattern", "PatternError", "TooLongError", "compile_pattern"]

_MAX_PATTERN_CHARS = 200
_MAX_STATES = 2_000
_MAX_REPEATS = 100
_MAX_STEPS = 1_000_000

_Test = Callable[[str], bool]


class PatternError(ValueError):
    """A pattern cannot be parsed."""


class TooLongError(Exception):
    """A text is too long for a pattern."""


@dataclass(slots=True)
class _State:
    """A state that consumes a character, asserts a position, or is an empty transition."""

    test: _Test | None = None
    assertion: str = ""
    targets: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as an automaton; created by `compile_pattern`.

    Attributes:
        text: The source of the pattern.
        states: States of the automaton; the last one accepts.
        start: Index of the initial state.
    """

    text: str
    states: tuple[_State, ...]
    start: int

    def find_all(self, text: str) -> Iterator[str]:
        """Yield the non-empty, non-overlapping matches in a text, from left to right.

        Raises:
            TooLongError: If matching exceeds the limit of steps.
        """
        at, remaining_steps = 0, _MAX_STEPS
        while at < len(text):
            end, steps = self._longest_match(text, at, remaining_steps)
            remaining_steps -= steps + 1
            if end is not None and end > at:
                yield text[at:end]
                at = end
            else:
                at += 1

    def matches_entirely(self, text: str) -> bool:
        """Return whether the entire text matches."""
        return self._longest_match(text, 0, _MAX_STEPS, anchored=True)[0] == len(text)

    def _longest_match(
        self, text: str, at: int, max_steps: int, *, anchored: bool = False
    ) -> tuple[int | None, int]:
        """Return the end of the longest match at a position, or None, and the number of steps."""
        final, end, steps = len(self.states) - 1, None, 0
        active = self._epsilon_closure({self.start}, text, at)
        while active:
            if final in active and not (anchored and at < len(text)):
                end = at
            if at == len(text):
                break
            steps += len(active)
            if steps > max_steps:
                raise TooLongError(f"{self.text!r} takes too many steps on a text")
            next_states = {
                nearest
                for index in active
                if (test := self.states[index].test) is not None and test(text[at])
                for nearest in self.states[index].targets
            }
            at += 1
            active = self._epsilon_closure(next_states, text, at)
        return end, steps

    def _epsilon_closure(self, indexes: set[int], text: str, at: int) -> set[int]:
        """Return the epsilon closure of states at a position of the text."""
        closure, pending = set(indexes), list(indexes)
        while pending:
            state = self.states[pending.pop()]
            if state.test is not None or (
                state.assertion and not _holds_at(state.assertion, text, at)
            ):
                continue
            for index in state.targets:
                if index not in closure:
                    closure.add(index)
                    pending.append(index)
        return closure


def compile_pattern(text: str, *, match_case: bool = True) -> Pattern:
    """Compile a pattern.

    Raises:
        PatternError: If the pattern is empty, too long or invalid; the message names the position.
    """
    if not 0 < len(text) <= _MAX_PATTERN_CHARS:
        raise PatternError(
            f"expected a pattern of 1 to {_MAX_PATTERN_CHARS} characters, got {len(text)}"
        )
    parser = _Parser(text, match_case)
    start, end = parser.parse_alternatives()
    if parser.at < len(text):
        raise PatternError(f"{text!r}: unexpected {text[parser.at]!r} at {parser.at}")
    final = parser.add_state()
    parser.states[end].targets.append(final)
    return Pattern(text, tuple(parser.states), start)


def _holds_at(assertion: str, text: str, at: int) -> bool:
    if assertion == "^":
        return at == 0
    if assertion == "$":
        return at == len(text)
    before, after = at > 0 and _is_word(text[at - 1]), at < len(text) and _is_word(text[at])
    return (before != after) == (assertion == "b")


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


_CLASSES: dict[str, _Test] = {"d": str.isdecimal, "w": _is_word, "s": str.isspace}


class _Parser:
    """Recursive-descent parser that builds the states; a part is its first and last state."""

    def __init__(self, text: str, match_case: bool) -> None:
        self.text = text
        self.at = 0
        self.states: list[_State] = []
        self._match_case = match_case

    def add_state(self, test: _Test | None = None, assertion: str = "") -> int:
        """Add a state and return its index."""
        if len(self.states) >= _MAX_STATES:
            raise PatternError(
                f"{self.text!r}: the pattern is too large when its repeats are expanded"
            )
        self.states.append(_State(test, assertion))
        return len(self.states) - 1

    def parse_alternatives(self) -> tuple[int, int]:
        """Parse one or more alternatives."""
        start, end = self.add_state(), self.add_state()
        while True:
            first, last = self._parse_sequence()
            self.states[start].targets.append(first)
            self.states[last].targets.append(end)
            if self._peek() != "|":
                return start, end
            self.at += 1

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, expected: str = "") -> str:
        character = self._peek()
        if not character or (expected and character != expected):
            raise PatternError(f"{self.text!r}: expected {expected or 'more'} at {self.at}")
        self.at += 1
        return character

    def _parse_sequence(self) -> tuple[int, int]:
        start = end = self.add_state()
        while self._peek() not in ("", "|", ")"):
            start_at = self.at
            part = self._parse_atom()
            min_count, max_count = self._parse_quantifier()
            end_at = self.at
            first, last = self._repeat(part, start_at, min_count, max_count)
            self.at = end_at
            self.states[end].targets.append(first)
            end = last
        return start, end

    def _repeat(
        self, part: tuple[int, int], start_at: int, min_count: int, max_count: int | None
    ) -> tuple[int, int]:
        """Return a part repeated in a row; each copy is parsed again from `start_at`."""
        start = end = self.add_state()
        done = self.add_state()
        for number in range(max(min_count, max_count or 0, 1)):
            if number:
                self.at = start_at
                part = self._parse_atom()
            if number >= min_count:
                self.states[end].targets.append(done)
            self.states[end].targets.append(part[0])
            end = part[1]
        if max_count is None:
            # Loop over the last copy, which is optional if no repetition is required.
            self.states[end].targets.append(part[0])
        self.states[end].targets.append(done)
        if max_count == 0:
            self.states[start].targets = [done]
        return start, done

    def _parse_quantifier(self) -> tuple[int, int | None]:
        sign = self._peek()
        if sign in ("*", "+", "?") and sign:
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        if sign != "{":
            return 1, 1
        close = self.text.find("}", self.at)
        min_text, comma, max_text = self.text[self.at + 1 : close].partition(",")
        if (
            close < 0
            or not min_text
            or not f"{min_text}{max_text}".isdecimal()
            or close - self.at > 8
        ):
            raise PatternError(f"{self.text!r}: expected a count such as {{2,5}} at {self.at}")
        self.at = close + 1
        low = int(min_text)
        high = int(max_text) if max_text else None if comma else low
        if max(low, high or 0) > _MAX_REPEATS or (high is not None and high < low):
            raise PatternError(f"{self.text!r}: expected counts up to {_MAX_REPEATS}, in order")
        return low, high

    def _parse_atom(self) -> tuple[int, int]:
        character = self._take()
        if character == "(":
            if self.text.startswith("?:", self.at):
                self.at += 2
            part = self.parse_alternatives()
            self._take(")")
            return part
        if character in "^$":
            return self._add_atom(assertion=character)
        if character in "*+?{":
            raise PatternError(f"{self.text!r}: nothing to repeat at {self.at - 1}")
        if character == "\\" and self._peek() in ("b", "B"):
            return self._add_atom(assertion=self._take())
        if character == "[":
            return self._add_atom(self._parse_class())
        if character == ".":
            return self._add_atom(lambda read: True)
        if character == "\\":
            return self._add_atom(self._parse_escape())
        return self._add_atom(self._range_test(character, character))

    def _add_atom(self, test: _Test | None = None, assertion: str = "") -> tuple[int, int]:
        index, end = self.add_state(test, assertion), self.add_state()
        self.states[index].targets.append(end)
        return index, end

    def _range_test(self, first: str, last: str) -> _Test:
        if last < first:
            raise PatternError(f"{self.text!r}: expected a range in order, got {first}-{last}")
        if self._match_case:
            return lambda read: first <= read <= last
        return lambda read: first <= read.lower() <= last or first <= read.upper() <= last

    def _parse_escape(self) -> _Test:
        name = self._take()
        if name.lower() in _CLASSES:
            test, is_positive = _CLASSES[name.lower()], name.islower()
            return lambda read: test(read) == is_positive
        if name == "p":
            close = self.text.find("}", self.at)
            category = self.text[self.at + 1 : close]
            if self._take() != "{" or close < 0 or not 1 <= len(category) <= 2:
                raise PatternError(f"{self.text!r}: expected a category such as \\p{{So}}")
            self.at = close + 1
            return lambda read: unicodedata.category(read).startswith(category)
        if name.isalnum():
            raise PatternError(f"{self.text!r}: unsupported escape \\{name}")
        return self._range_test(name, name)

    def _parse_class(self) -> _Test:
        is_negated = self._peek() == "^"
        self.at += is_negated
        tests: list[_Test] = []
        while self._peek() != "]" or not tests:
            character = self._take()
            if character == "\\":
                tests.append(self._parse_escape())
                continue
            last = character
            if self._peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("", "]"):
                self.at += 1
                last = self._take()
            tests.append(self._range_test(character, last))
        self._take("]")
        return lambda read: any(test(read) for test in tests) != is_negated
