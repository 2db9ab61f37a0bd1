"""`Wordings`: reworded instructions for the turns of sessions, from a file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from pptarena.benchmarks.pptc.session import Session
from pptarena.benchmarks.user_copy import MAX_JSON_BYTES, UserCopy
from pptarena.errors import TaskError

__all__ = ["TEXT_PATTERN", "Wordings", "is_file_name"]

TEXT_PATTERN: Final = "*.txt"
"""Pattern of instruction files in text form."""

_SUFFIXES = (".txt", ".json")
_SEPARATOR = "##"
_MAX_CHARS = 20_000


@dataclass(frozen=True, slots=True)
class Wordings:
    """Instructions by session and turn.

    Attributes:
        name: Name of the file.
        sessions: One line per turn, by session number.
        partial: Whether sessions may be missing.
    """

    name: str
    sessions: Mapping[int, tuple[str, ...]]
    partial: bool = False

    @classmethod
    def read(cls, copy: UserCopy, path: str) -> Self:
        """Read a file.

        A ``.txt`` file has one instruction per line and an empty line between sessions, which are
        numbered from 0. A ``.json`` file is an object that maps session numbers to lists of
        instructions.

        Args:
            copy: The folder of the file.
            path: Path relative to the folder.

        Raises:
            TaskError: If the file cannot be read or is malformed.
        """
        data = copy.file(path, "instructions")
        if len(data) > MAX_JSON_BYTES:
            raise TaskError(f"{path}: expected at most {MAX_JSON_BYTES} bytes, got {len(data)}")
        try:
            text = data.decode("utf-8-sig")
            sessions = (
                _parse_json(json.loads(text)) if path.endswith(".json") else _parse_text(text)
            )
        except (TaskError, ValueError, RecursionError) as error:
            raise TaskError(f"{path}: {error}") from error
        return cls(PurePosixPath(path).name, sessions, path.endswith(".json"))

    @classmethod
    def read_file(cls, path: Path) -> Self:
        """Read a file of the user; see `read`."""
        path = path.expanduser()
        if path.suffix not in _SUFFIXES:
            raise TaskError(f"{path}: expected a file that ends in {' or '.join(_SUFFIXES)}")
        return cls.read(UserCopy(path.parent), path.name)

    def __len__(self) -> int:
        """Return the number of sessions."""
        return len(self.sessions)

    def lines(self, number: int) -> tuple[str, ...]:
        """Return the instructions of a session.

        Raises:
            TaskError: If the session has none.
        """
        if number not in self.sessions:
            raise TaskError(f"{self.name}: expected instructions of session {number}, found none")
        return self.sessions[number]

    def reword(self, session: Session) -> Session:
        """Return a session with these instructions and its own labels and relations.

        Raises:
            TaskError: If the number of instructions differs from the number of turns.
        """
        lines = self.lines(session.number)
        if len(lines) != len(session.turns):
            raise TaskError(
                f"{self.name}: session {session.number}: expected {len(session.turns)} "
                f"instructions, one a turn, got {len(lines)}"
            )
        instructions = (line.partition(_SEPARATOR)[0].strip() for line in lines)
        turns = [
            replace(turn, instruction=instruction)
            for turn, instruction in zip(session.turns, instructions, strict=True)
        ]
        if not all(turn.instruction for turn in turns):
            raise TaskError(f"{self.name}: session {session.number}: expected texts, one is empty")
        return replace(session, turns=tuple(turns))


def is_file_name(instructions: str) -> bool:
    """Return whether a value is a file path rather than the name of instructions in a copy."""
    return "/" in instructions or "\\" in instructions or instructions.endswith(_SUFFIXES)


def _parse_text(text: str) -> dict[int, tuple[str, ...]]:
    sessions: list[list[str]] = [[]]
    # Not `splitlines`: instructions may contain other line separators.
    for line in text.split("\n"):
        if line.strip():
            sessions[-1].append(_instruction(line.strip()))
        elif sessions[-1]:
            sessions.append([])
    by_number = {number: tuple(lines) for number, lines in enumerate(filter(None, sessions))}
    if not by_number:
        raise TaskError("expected one line a turn, with an empty line between sessions, got none")
    return by_number


def _parse_json(value: Any) -> dict[int, tuple[str, ...]]:
    if not isinstance(value, dict) or not value:
        raise TaskError('expected an object such as {"0": ["instruction", ...]}')
    by_number = {}
    for key, lines in value.items():
        if not (key.isascii() and key.isdecimal() and len(key) <= 6 and str(int(key)) == key):
            raise TaskError(f"expected numbers of sessions as keys, got {key[:80]!r}")
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise TaskError(f"session {key}: expected a list of texts")
        by_number[int(key)] = tuple(map(_instruction, lines))
    return by_number


def _instruction(line: str) -> str:
    if len(line) > _MAX_CHARS:
        raise TaskError(
            f"expected instructions of at most {_MAX_CHARS} characters, got {len(line)}"
        )
    return line
