"""`Wordings`: other instructions for the turns of sessions, from a file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from pptarena.benchmarks.pptc.session import Session
from pptarena.benchmarks.user_copy import MAX_JSON_BYTES, UserCopy
from pptarena.errors import TaskError

__all__ = ["WORDS", "Wordings", "is_file_name"]

WORDS: Final = "*.txt"
"""Files of instructions as text."""

_SUFFIXES = (".txt", ".json")
_SEPARATOR = "##"
_MAX_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Wordings:
    """Instructions by session and turn.

    Attributes:
        name: The file that they are from.
        sessions: For each session, by its number, a line for each of its turns.
        partial: Whether it may leave sessions out.
    """

    name: str
    sessions: Mapping[int, tuple[str, ...]]
    partial: bool = False

    @classmethod
    def of(cls, copy: UserCopy, path: str) -> Self:
        """Read a file.

        A ``.txt`` has one instruction a line, with an empty line between sessions, which are
        counted from 0. A ``.json`` is an object: numbers of sessions, and lists of instructions.

        Args:
            copy: The folder that it lies in.
            path: Its path below that.

        Raises:
            TaskError: If it cannot be read or is malformed.
        """
        data = copy.file(path, "instructions")
        if len(data) > MAX_JSON_BYTES:
            raise TaskError(f"{path}: expected at most {MAX_JSON_BYTES} bytes, got {len(data)}")
        try:
            text = data.decode("utf-8-sig")
            found = _in_json(json.loads(text)) if path.endswith(".json") else _in_text(text)
        except (TaskError, ValueError, RecursionError) as error:
            raise TaskError(f"{path}: {error}") from error
        return cls(PurePosixPath(path).name, found, path.endswith(".json"))

    @classmethod
    def of_file(cls, path: Path) -> Self:
        """Read a file of the user; see `of`."""
        path = path.expanduser()
        if path.suffix not in _SUFFIXES:
            raise TaskError(f"{path}: expected a file that ends in {' or '.join(_SUFFIXES)}")
        return cls.of(UserCopy(path.parent), path.name)

    def __len__(self) -> int:
        """Return how many sessions have any."""
        return len(self.sessions)

    def of_session(self, number: int) -> tuple[str, ...]:
        """Return the instructions of a session.

        Raises:
            TaskError: If it has none.
        """
        if number not in self.sessions:
            raise TaskError(f"{self.name}: expected instructions of session {number}, found none")
        return self.sessions[number]

    def worded(self, session: Session) -> Session:
        """Return a session with these instructions; labels and relations stay as they are.

        Raises:
            TaskError: If there are not as many as the session has turns.
        """
        words = self.of_session(session.number)
        if len(words) != len(session.turns):
            raise TaskError(
                f"{self.name}: session {session.number}: expected {len(session.turns)} "
                f"instructions, one a turn, got {len(words)}"
            )
        asked = (each.partition(_SEPARATOR)[0].strip() for each in words)
        turns = [
            replace(turn, instruction=instruction)
            for turn, instruction in zip(session.turns, asked, strict=True)
        ]
        if not all(turn.instruction for turn in turns):
            raise TaskError(f"{self.name}: session {session.number}: expected texts, one is empty")
        return replace(session, turns=tuple(turns))


def is_file_name(instructions: str) -> bool:
    """Return whether instructions are said by a file, and not by the name of some in a copy."""
    return "/" in instructions or "\\" in instructions or instructions.endswith(_SUFFIXES)


def _in_text(text: str) -> dict[int, tuple[str, ...]]:
    sessions: list[list[str]] = [[]]
    # Not `splitlines`: some of the marks that it parts at stand inside of instructions.
    for line in text.split("\n"):
        if line.strip():
            sessions[-1].append(_instruction(line.strip()))
        elif sessions[-1]:
            sessions.append([])
    found = {at: tuple(lines) for at, lines in enumerate(filter(None, sessions))}
    if not found:
        raise TaskError("expected one line a turn, with an empty line between sessions, got none")
    return found


def _in_json(value: Any) -> dict[int, tuple[str, ...]]:
    if not isinstance(value, dict) or not value:
        raise TaskError('expected an object such as {"0": ["instruction", ...]}')
    found = {}
    for key, lines in value.items():
        if not (key.isascii() and key.isdecimal() and len(key) <= 6 and str(int(key)) == key):
            raise TaskError(f"expected numbers of sessions as keys, got {key[:80]!r}")
        if not isinstance(lines, list) or not all(isinstance(each, str) for each in lines):
            raise TaskError(f"session {key}: expected a list of texts")
        found[int(key)] = tuple(map(_instruction, lines))
    return found


def _instruction(line: str) -> str:
    if len(line) > _MAX_CHARS:
        raise TaskError(f"expected instructions of at most {_MAX_CHARS} letters, got {len(line)}")
    return line
