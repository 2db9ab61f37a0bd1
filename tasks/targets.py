"""Targets: decks with the goal of a task reached, which tell asked-for changes from others."""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

from pptarena import edits
from pptarena.errors import DeckError, TaskError
from pptarena.tasks.goals.editing import edited
from pptarena.tasks.goals.registry import turn_edits
from pptarena.tasks.grow import rebuilding
from pptarena.tasks.registry import get_task, packaged_ids
from pptarena.tasks.task import Task

__all__ = ["has_target", "target_digest", "target_files", "turns_without_target"]

_CODE = (
    *(Path(__file__).parent / name for name in ("goals", "grow")),
    Path(edits.__file__).parent,
)
"""Folders whose programs make targets."""


def has_target(task: Task) -> bool:
    """Return whether a task, or a turn of one, has a target; see `target_files`."""
    if not task.feasible:
        return False
    made = _is_generated(task) or (_is_as_packaged(task) and bool(turn_edits(task)))
    return task.gold is not None or made


def turns_without_target(task: Task) -> tuple[int, ...]:
    """Return the numbers, from 1, of the turns that can be done and have no target."""
    numbers = range(1, len(task.turns) + 2)
    turns = {number: task.at(number) for number in numbers}
    return tuple(n for n, turn in turns.items() if turn.feasible and not has_target(turn))


def target_files(task: Task) -> tuple[bytes, ...]:
    """Return .pptx files with the goal of a task, or of a turn of one, reached.

    The target is the gold deck where there is one, else the deck that the turn begins with after
    the edits of the task's solution, or those in the row of a generated task. A
    later turn begins with the target of the turn before, whatever an agent has left.

    Args:
        task: The task, or what `Task.at` returns.

    Returns:
        The targets; empty if the task cannot be done, or nothing is known that reaches its goal, as
        for a user's task without a gold deck.

    Raises:
        DeckError: If the deck cannot be read or edited.
        TaskError: If a deck is not where the task says, or the deck does not allow the edits.
    """
    if not has_target(task):
        return ()
    if (gold := task.gold_bytes()) is not None:
        return (gold,)
    deck = _start(task)
    if deck is None:
        return ()
    if _is_generated(task):
        return (rebuilding.edited(task.grown, deck),)
    try:
        return (edited(deck, *turn_edits(task)),)
    except DeckError:
        raise
    except Exception as error:  # a program that was written for another deck may fail anyhow
        raise TaskError(f"{task.id}: the deck does not allow its edits: {error!r}") from error


def target_digest(task: Task) -> str:
    """Return a SHA-256 that is equal for equal targets, without making any; see `target_files`.

    Two runs of the same edits write files that differ in the time of day.

    Raises:
        TaskError: If a deck is not where the task says.
    """
    if (gold := task.gold_bytes()) is not None:
        return hashlib.sha256(b"gold" + gold).hexdigest()
    macros = [call.to_json() for call in task.macros]
    made_by = [task.id, task.turn_number, task.feasible, dict(task.grown), macros]
    made_by += [[dict(each) for each in task.solution], _code_digest()]
    text = json.dumps(made_by, sort_keys=True, default=str).encode()
    if task.before is not None:
        return hashlib.sha256(text + target_digest(task.before).encode()).hexdigest()
    return hashlib.sha256(text + hashlib.sha256(task.deck_bytes()).digest()).hexdigest()


def _start(task: Task) -> bytes | None:
    """Return the deck that a turn begins with if all before it went well; None if unknown."""
    if task.before is None:
        return task.deck_bytes()
    if not task.before.feasible:
        return _start(task.before)
    return next(iter(target_files(task.before)), None)


def _is_generated(task: Task) -> bool:
    return task.before is None and bool(task.grown.get("edits"))


def _is_as_packaged(task: Task) -> bool:
    """Return whether a task is what its id stands for: edits are registered by id.

    A user's copy of a packaged task may ask for something else.
    """
    if task.id not in packaged_ids():
        return True
    known = get_task(task.id)
    if task.turn_number > len(known.turns) + 1:
        return False
    known = known.at(task.turn_number)
    return (task.deck, task.rubric, task.scope) == (known.deck, known.rubric, known.scope)


@cache
def _code_digest() -> str:
    found = hashlib.sha256(version("python-pptx").encode())
    for path in _programs():
        found.update(path.read_bytes())
    return found.hexdigest()


def _programs() -> Iterator[Path]:
    for folder in _CODE:
        yield from sorted(folder.rglob("*.py"))
