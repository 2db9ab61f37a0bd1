"""An agent of the document environment that produces the target deck by editing the file."""

import base64
import io
import posixpath
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.envs.document import ToolCall
from pptarena.errors import AgentError, DeckError, TaskError
from pptarena.tasks import Task
from pptarena.tasks.goals import goals_of_turns

__all__ = ["GoalAgent", "goal_program"]

_LEAST_ALIKE = 64  # bytes shared at both ends before one part is encoded relative to another
_PROGRAM = """\
import base64, io, zipfile, zlib
from pptx import Presentation

GONE = {gone!r}
# Of each part: whose beginning and end it shares, how much of them, and what stands between.
CHANGED = {changed!r}
before, after = io.BytesIO(), io.BytesIO()
presentation.save(before)
with zipfile.ZipFile(before) as file:
    old = {{name: file.read(name) for name in file.namelist()}}
new = {{name: data for name, data in old.items() if name not in GONE}}
for name, (like, check, head, tail, middle) in CHANGED.items():
    source = old.get(like, b"")
    if zlib.crc32(source) != check:
        raise ValueError(f"{{like}} is not the part that this was written for")
    between = zlib.decompress(base64.b85decode(middle))
    new[name] = source[:head] + between + source[len(source) - tail :]
with zipfile.ZipFile(after, "w") as file:
    for name, data in new.items():
        file.writestr(name, data)
presentation._part = Presentation(after).part  # what is saved is the package of this part
"""


def goal_program(task: Task, turn: int = 1) -> str:
    """Return a program that edits ``presentation`` into the target deck of a turn.

    The program writes the changed parts of the file, since the edits are not available in the
    program sandbox.

    Raises:
        AgentError: If the target deck of the turn is unknown or cannot be built.
    """
    try:
        decks = (task.deck_bytes(), *goals_of_turns(task))
        if turn < len(decks):
            return _part_program(decks[turn - 1], decks[turn])
    except (DeckError, TaskError) as error:
        raise AgentError(f"{task.id}: {error}") from error
    raise AgentError(f"{task.id}: expected a solution or a gold deck for turn {turn}")


class GoalAgent:
    """Runs one program per turn, then `done`; calls `fail` on infeasible turns.

    Args:
        tasks: The tasks to play.
    """

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._calls: list[ToolCall] = []

    def reset(self, info: Mapping[str, Any], seed: int) -> None:
        """Start an episode.

        Raises:
            AgentError: If a turn of the task has no known target deck.
        """
        task = self._tasks[info["task_id"]]
        self._calls = []
        for turn, can_be_done in enumerate((task.feasible, *(t.feasible for t in task.turns)), 1):
            if not can_be_done:
                self._calls.append(ToolCall.of("fail"))
                continue
            code = goal_program(task, turn)
            self._calls += [ToolCall.of("run_program", code=code), ToolCall.of("done")]

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> ToolCall:
        """Return the next call.

        Raises:
            AgentError: If the previous call was refused; the message has the reason.
        """
        if info["action_error"]:
            raise AgentError(f"the goal's edit was refused: {info['action_error']}")
        return self._calls.pop(0)


def _part_program(before: bytes, after: bytes) -> str:
    """Return a program that edits ``presentation``, opened from one deck, into another.

    The program writes the parts that differ after python-pptx has saved both decks, and keeps the
    rest. It needs only python-pptx, so it runs where this package is not installed.

    Args:
        before: The .pptx file that the program starts from.
        after: The .pptx file that the program must produce.

    Raises:
        DeckError: If either file is not a deck.
    """
    old, new = _parts(before), _parts(after)
    changed = {
        name: _written(data, name, old) for name, data in new.items() if old.get(name) != data
    }
    return _PROGRAM.format(gone=[name for name in old if name not in new], changed=changed)


def _parts(file: bytes) -> dict[str, bytes]:
    presentation = open_presentation(file)
    # Accessing the slides renames their parts by number; the program's deck was accessed too.
    assert presentation.slides is not None
    with zipfile.ZipFile(io.BytesIO(save_presentation(presentation))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _written(data: bytes, name: str, old: Mapping[str, bytes]) -> tuple[str, int, int, int, str]:
    """Return the most similar old part, its checksum and the differences from it.

    Returns:
        Name and CRC-32 of the old part, length in bytes of the shared head and tail, and the part's
        middle, compressed and base85-encoded.
    """
    folder = posixpath.dirname(name)
    known = [name] if name in old else [each for each in old if posixpath.dirname(each) == folder]
    like, head, tail = _nearest(data, known, old)
    middle = zlib.compress(data[head : len(data) - tail], 9)
    check = zlib.crc32(old.get(like, b""))
    return like, check, head, tail, base64.b85encode(middle).decode()


def _nearest(data: bytes, names: Iterable[str], old: Mapping[str, bytes]) -> tuple[str, int, int]:
    """Return the part with the longest common head and tail, and their lengths in bytes."""
    best = "", 0, 0
    for name in names:
        other = old[name]
        head = _alike(data, other)
        tail = _alike(data[head:][::-1], other[head:][::-1])
        if head + tail > max(_LEAST_ALIKE, best[1] + best[2]):
            best = name, head, tail
    return best


def _alike(one: bytes, two: bytes) -> int:
    """Return the length in bytes of the common prefix."""
    most = min(len(one), len(two))
    first, second = (np.frombuffer(each, np.uint8, most) for each in (one, two))
    differ = np.flatnonzero(first != second)
    return int(differ[0]) if differ.size else most
