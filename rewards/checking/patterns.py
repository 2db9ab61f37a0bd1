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

_LONGEST = 200
_MOST_STATES = 2_000
_MOST_TIMES = 100
_MOST_STEPS = 1_000_000

_Test = Callable[[str], bool]


class PatternError(ValueError):
    """A pattern cannot be parsed."""


class TooLongError(Exception):
    """A text is too long for a pattern."""


@dataclass(slots=True)
class _State:
    """A state that consumes a character, asserts a position, or is an empty transition."""

    test: _Test | None = None
    place: str = ""
    leads_to: list[int] = field(default_factory=list)


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

    def all_in(self, text: str) -> Iterator[str]:
        """Yield the non-empty, non-overlapping matches in a text, from left to right.

        Raises:
            TooLongError: If matching exceeds the limit of steps.
        """
        at, left = 0, _MOST_STEPS
        while at < len(text):
            end, steps = self._longest(text, at, left)
            left -= steps + 1
            if end is not None and end > at:
                yield text[at:end]
                at = end
            else:
                at += 1

    def is_all_of(self, text: str) -> bool:
        """Return whether the entire text matches."""
        return self._longest(text, 0, _MOST_STEPS, whole=True)[0] == len(text)

    def _longest(
        self, text: str, at: int, most: int, *, whole: bool = False
    ) -> tuple[int | None, int]:
        """Return the end of the longest match at a position, or None, and the number of steps."""
        final, end, steps = len(self.states) - 1, None, 0
        active = self._free({self.start}, text, at)
        while active:
            if final in active and not (whole and at < len(text)):
                end = at
            if at == len(text):
                break
            steps += len(active)
            if steps > most:
                raise TooLongError(f"{self.text!r} takes too many steps on a text")
            reached = {
                nearest
                for index in active
                if (test := self.states[index].test) is not None and test(text[at])
                for nearest in self.states[index].leads_to
            }
            at += 1
            active = self._free(reached, text, at)
        return end, steps

    def _free(self, indexes: set[int], text: str, at: int) -> set[int]:
        """Return the epsilon closure of states at a position of the text."""
        found, open_ones = set(indexes), list(indexes)
        while open_ones:
            state = self.states[open_ones.pop()]
            if state.test is not None or (state.place and not _is_at(state.place, text, at)):
                continue
            for index in state.leads_to:
                if index not in found:
                    found.add(index)
                    open_ones.append(index)
        return found


def compile_pattern(text: str, *, match_case: bool = True) -> Pattern:
    """Compile a pattern.

    Raises:
        PatternError: If the pattern is empty, too long or invalid; the message names the position.
    """
    if not 0 < len(text) <= _LONGEST:
        raise PatternError(f"expected a pattern of 1 to {_LONGEST} characters, got {len(text)}")
    reader = _Reader(text, match_case)
    start, end = reader.choice()
    if reader.at < len(text):
        raise PatternError(f"{text!r}: {text[reader.at]!r} at {reader.at} is one too many")
    final = reader.new()
    reader.states[end].leads_to.append(final)
    return Pattern(text, tuple(reader.states), start)


def _is_at(place: str, text: str, at: int) -> bool:
    if place == "^":
        return at == 0
    if place == "$":
        return at == len(text)
    before, after = at > 0 and _is_word(text[at - 1]), at < len(text) and _is_word(text[at])
    return (before != after) == (place == "b")


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


_CLASSES: dict[str, _Test] = {"d": str.isdecimal, "w": _is_word, "s": str.isspace}


class _Reader:
    """Recursive-descent parser that builds the states; a part is its first and last state."""

    def __init__(self, text: str, match_case: bool) -> None:
        self.text = text
        self.at = 0
        self.states: list[_State] = []
        self._match_case = match_case

    def new(self, test: _Test | None = None, place: str = "") -> int:
        """Add a state and return its index."""
        if len(self.states) >= _MOST_STATES:
            raise PatternError(f"{self.text!r}: it is too large once its repeats are written out")
        self.states.append(_State(test, place))
        return len(self.states) - 1

    def choice(self) -> tuple[int, int]:
        """Parse one or more alternatives."""
        start, end = self.new(), self.new()
        while True:
            first, last = self._row()
            self.states[start].leads_to.append(first)
            self.states[last].leads_to.append(end)
            if self._peek() != "|":
                return start, end
            self.at += 1

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, what: str = "") -> str:
        character = self._peek()
        if not character or (what and character != what):
            raise PatternError(f"{self.text!r}: expected {what or 'more'} at {self.at}")
        self.at += 1
        return character

    def _row(self) -> tuple[int, int]:
        start = end = self.new()
        while self._peek() not in ("", "|", ")"):
            began = self.at
            part = self._one()
            least, most = self._times()
            finished = self.at
            first, last = self._repeated(part, began, least, most)
            self.at = finished
            self.states[end].leads_to.append(first)
            end = last
        return start, end

    def _repeated(
        self, part: tuple[int, int], began: int, least: int, most: int | None
    ) -> tuple[int, int]:
        """Return a part repeated in a row; each copy is parsed again from `began`."""
        start = end = self.new()
        done = self.new()
        for number in range(max(least, most or 0, 1)):
            if number:
                self.at = began
                part = self._one()
            if number >= least:
                self.states[end].leads_to.append(done)
            self.states[end].leads_to.append(part[0])
            end = part[1]
        if most is None:
            # Loop over the last copy, which is optional if no repetition is required.
            self.states[end].leads_to.append(part[0])
        self.states[end].leads_to.append(done)
        if most == 0:
            self.states[start].leads_to = [done]
        return start, done

    def _times(self) -> tuple[int, int | None]:
        sign = self._peek()
        if sign in ("*", "+", "?") and sign:
            self.at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        if sign != "{":
            return 1, 1
        close = self.text.find("}", self.at)
        least, comma, most = self.text[self.at + 1 : close].partition(",")
        if close < 0 or not least or not f"{least}{most}".isdecimal() or close - self.at > 8:
            raise PatternError(f"{self.text!r}: expected a count such as {{2,5}} at {self.at}")
        self.at = close + 1
        low = int(least)
        high = int(most) if most else None if comma else low
        if max(low, high or 0) > _MOST_TIMES or (high is not None and high < low):
            raise PatternError(f"{self.text!r}: expected counts up to {_MOST_TIMES}, in order")
        return low, high

    def _one(self) -> tuple[int, int]:
        character = self._take()
        if character == "(":
            if self.text.startswith("?:", self.at):
                self.at += 2
            part = self.choice()
            self._take(")")
            return part
        if character in "^$":
            return self._single(place=character)
        if character in "*+?{":
            raise PatternError(f"{self.text!r}: nothing to repeat at {self.at - 1}")
        if character == "\\" and self._peek() in ("b", "B"):
            return self._single(place=self._take())
        if character == "[":
            return self._single(self._set())
        if character == ".":
            return self._single(lambda read: True)
        if character == "\\":
            return self._single(self._escaped())
        return self._single(self._letters(character, character))

    def _single(self, test: _Test | None = None, place: str = "") -> tuple[int, int]:
        index, end = self.new(test, place), self.new()
        self.states[index].leads_to.append(end)
        return index, end

    def _letters(self, first: str, last: str) -> _Test:
        if last < first:
            raise PatternError(f"{self.text!r}: expected a range in order, got {first}-{last}")
        if self._match_case:
            return lambda read: first <= read <= last
        return lambda read: first <= read.lower() <= last or first <= read.upper() <= last

    def _escaped(self) -> _Test:
        name = self._take()
        if name.lower() in _CLASSES:
            test, wanted = _CLASSES[name.lower()], name.islower()
            return lambda read: test(read) == wanted
        if name == "p":
            close = self.text.find("}", self.at)
            category = self.text[self.at + 1 : close]
            if self._take() != "{" or close < 0 or not 1 <= len(category) <= 2:
                raise PatternError(f"{self.text!r}: expected a category such as \\p{{So}}")
            self.at = close + 1
            return lambda read: unicodedata.category(read).startswith(category)
        if name.isalnum():
            raise PatternError(f"{self.text!r}: \\{name} has no meaning here")
        return self._letters(name, name)

    def _set(self) -> _Test:
        refused = self._peek() == "^"
        self.at += refused
        tests: list[_Test] = []
        while self._peek() != "]" or not tests:
            character = self._take()
            if character == "\\":
                tests.append(self._escaped())
                continue
            last = character
            if self._peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("", "]"):
                self.at += 1
                last = self._take()
            tests.append(self._letters(character, last))
        self._take("]")
        return lambda read: any(test(read) for test in tests) != refused
