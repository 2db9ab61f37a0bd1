"""`Session`: a PPTC dialogue with its labels, and its file format."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.benchmarks.pptc.calls import Call, parse_label
from pptarena.benchmarks.pptc.pptx_match import PositionRelation
from pptarena.errors import TaskError
from pptarena.files import read_text

__all__ = ["Session", "Turn", "TurnFiles", "load_session", "load_sessions", "make_turn"]

_NAME = re.compile(r"session_(\d{1,6})\.json")
_SEPARATOR = "##"
_TEXT_KEYS = (
    "User instruction", "Feasible API sequence", "Base File", "Label File",
    "API Lack Base File", "API Lack Label File",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TurnFiles:
    """Paths of a turn's decks, relative to the benchmark's root.

    Attributes:
        base: The deck before the turn.
        label: The deck after the turn, according to the label.
        lack_base: The deck before the turn in the setting ``lack``.
        lack_label: The deck after the turn in the setting ``lack``.
    """

    base: str
    label: str
    lack_base: str
    lack_label: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One instruction of a session and one solution.

    Attributes:
        index: Index of the turn, from 0.
        instruction: The instruction, without the position relations.
        relations: Required positions of objects.
        calls: The label: a sequence of calls that follows the instruction.
        files: Paths of its decks.
    """

    index: int
    instruction: str
    relations: tuple[PositionRelation, ...]
    calls: tuple[Call, ...]
    files: TurnFiles


@dataclass(frozen=True, slots=True)
class Session:
    """A dialogue about one deck.

    Attributes:
        dataset: Name of its folder: ``Create_new_slides`` or ``Edit_PPT_template``.
        number: Number in its file name.
        turns: Turns in order, at least one.
    """

    dataset: str
    number: int
    turns: tuple[Turn, ...]


def load_sessions(folder: Path) -> tuple[Session, ...]:
    """Return all sessions of a folder, sorted by number.

    Raises:
        TaskError: If there are none, or one is malformed.
    """
    paths = [path for path in folder.glob("session_*.json") if _NAME.fullmatch(path.name)]
    if not paths:
        raise TaskError(f"{folder}: expected files session_<number>.json, found none")
    return tuple(sorted(map(load_session, paths), key=lambda session: session.number))


def load_session(path: Path) -> Session:
    """Read one session from JSON Lines, one turn per line.

    Raises:
        TaskError: If it is malformed; the message begins with the file and the line.
    """
    name = _NAME.fullmatch(path.name)
    if name is None:
        raise TaskError(f"{path}: expected a file named session_<number>.json")
    try:
        lines = read_text(path).split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise TaskError(f"{path}: expected a readable UTF-8 file: {error}") from error
    turns: list[Turn] = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                turns.append(_turn(line, expected_index=len(turns)))
            except TaskError as error:
                raise TaskError(f"{path}: line {number}: {error}") from error
    if not turns:
        raise TaskError(f"{path}: expected at least one turn, found none")
    return Session(path.resolve().parent.name, int(name[1]), tuple(turns))


def _turn(line: str, expected_index: int) -> Turn:
    try:
        data: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise TaskError(f"expected a JSON object: {error}") from error
    if not isinstance(data, dict):
        raise TaskError(f"expected a JSON object, got {type(data).__name__}")
    if type(data.get("Turn")) is not int or data["Turn"] != expected_index:
        raise TaskError(f"Turn: expected {expected_index}, got {data.get('Turn')!r}")
    texts = [_text(data, key) for key in _TEXT_KEYS]
    return make_turn(expected_index, texts[0], texts[1], TurnFiles(*texts[2:]))


def make_turn(index: int, instruction: str, calls: str, files: TurnFiles) -> Turn:
    """Return a turn from the benchmark's fields.

    Args:
        index: Index of the turn, from 0.
        instruction: The instruction with its position relations.
        calls: The label.
        files: Paths of its decks.

    Raises:
        TaskError: If a relation is malformed, or the label is too long.
    """
    text, *relations = instruction.split(_SEPARATOR)
    try:
        label = parse_label(calls)
    except TaskError as error:
        raise TaskError(f"Feasible API sequence: {error}") from error
    return Turn(index, text.strip(), tuple(map(_relation, relations)), label, files)


def _text(data: dict[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise TaskError(f"{key}: expected a text, got {type(value).__name__}")
    return value


def _relation(text: str) -> PositionRelation:
    parts = [part.strip().rstrip(".").strip() for part in text.split(",")]
    if len(parts) != 4 or not all(parts) or not re.fullmatch(r"[0-9]{1,4}", parts[0]):
        raise TaskError(
            "User instruction: expected '## slide, object, object or slide, relation', "
            f"got '##{text}'"
        )
    return PositionRelation(int(parts[0]), parts[1], parts[2], parts[3])
