"""Target decks: solved versions of a task's deck, used to tell requested changes from others."""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path

from pptarena import edits
from pptarena.errors import DeckError, HostError, ImageError, MachineError, TaskError
from pptarena.file_cache import FileCache
from pptarena.paths import cache_home
from pptarena.rewards import Deck, read_deck
from pptarena.tasks.goals.editing import edit_deck
from pptarena.tasks.goals.registry import turn_edits
from pptarena.tasks.registry import get_task, packaged_ids
from pptarena.tasks.task import Task

__all__ = [
    "SaveDeck",
    "deck_facts",
    "has_target",
    "target_decks",
    "target_digest",
    "target_files",
    "turns_without_target",
]

_log = logging.getLogger(__name__)

SaveDeck = Callable[[bytes], bytes]
"""Returns a .pptx file as an office application saves it."""

_MAX_CACHED_FILES = 500

_CODE_FOLDERS = (
    Path(__file__).parent / "goals",
    Path(edits.__file__).parent,
)
"""Folders whose code produces targets."""


def has_target(task: Task) -> bool:
    """Return whether a task, or a turn of one, has a target; see `target_files`."""
    if not task.feasible:
        return False
    return task.gold is not None or (_matches_packaged(task) and bool(turn_edits(task)))


def turns_without_target(task: Task) -> tuple[int, ...]:
    """Return the 1-based numbers of the feasible turns without a target."""
    numbers = range(1, len(task.turns) + 2)
    turns = {number: task.at(number) for number in numbers}
    return tuple(n for n, turn in turns.items() if turn.feasible and not has_target(turn))


def target_files(task: Task) -> tuple[bytes, ...]:
    """Return the target .pptx files of a task, or of a turn of one.

    The target is the gold deck if there is one. Otherwise it is the deck at the start of the turn
    after the edits of the task's solution. A later turn starts from the target of the previous
    turn, regardless of the agent's result.

    Args:
        task: The task, or a result of `Task.at`.

    Returns:
        The targets; empty if the task is infeasible, or no solution is known, as for a user's task
        without a gold deck.

    Raises:
        DeckError: If the deck cannot be read or edited.
        TaskError: If a deck file does not exist, or the edits do not fit the deck.
    """
    if not has_target(task):
        return ()
    if (gold := task.gold_bytes()) is not None:
        return (gold,)
    deck = _start_deck(task)
    if deck is None:
        return ()
    try:
        return (edit_deck(deck, *turn_edits(task)),)
    except DeckError:
        raise
    except Exception as error:  # a program written for another deck may raise anything
        raise TaskError(f"{task.id}: the deck does not allow its edits: {error!r}") from error


def target_digest(task: Task) -> str:
    """Return a SHA-256 that is equal for equal targets, without producing them; see `target_files`.

    The files themselves contain the time of day and differ between runs.

    Raises:
        TaskError: If a deck file does not exist.
    """
    if (gold := task.gold_bytes()) is not None:
        return hashlib.sha256(b"gold" + gold).hexdigest()
    inputs = [task.id, task.turn_number, task.feasible, dict(task.grown)]
    inputs += [[dict(each) for each in task.solution], _code_digest()]
    text = json.dumps(inputs, sort_keys=True, default=str).encode()
    if task.before is not None:
        return hashlib.sha256(text + target_digest(task.before).encode()).hexdigest()
    return hashlib.sha256(text + hashlib.sha256(task.deck_bytes()).digest()).hexdigest()


def _start_deck(task: Task) -> bytes | None:
    """Return the deck at the start of a turn if all earlier turns were solved; None if unknown."""
    if task.before is None:
        return task.deck_bytes()
    if not task.before.feasible:
        return _start_deck(task.before)
    return next(iter(target_files(task.before)), None)


def _matches_packaged(task: Task) -> bool:
    """Return whether a task equals the packaged task of its id, if there is one.

    A changed copy of a packaged task may request something other than what the solution does.
    """
    if task.id not in packaged_ids():
        return True
    packaged = get_task(task.id)
    if task.turn_number > len(packaged.turns) + 1:
        return False
    packaged = packaged.at(task.turn_number)
    return (task.deck, task.rubric, task.scope) == (packaged.deck, packaged.rubric, packaged.scope)


@cache
def _code_digest() -> str:
    digest = hashlib.sha256(version("python-pptx").encode())
    for path in _source_files():
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _source_files() -> Iterator[Path]:
    for folder in _CODE_FOLDERS:
        yield from sorted(folder.rglob("*.py"))


def target_decks(task: Task, save: SaveDeck | None = None) -> tuple[Deck, ...]:
    """Return the facts of a task's targets; empty if it has none, or they are unavailable.

    Args:
        task: The task, or a turn of one as `Task.at` returns it.
        save: Saves the targets as the application does that saves the agent's deck, because saving
            alone changes a deck. If that fails, a warning is issued, and there are no targets.
    """
    try:
        if not has_target(task):
            return ()
        if (gold := task.gold_bytes()) is not None:
            return (deck_facts(gold, save),)
        return _facts(_EditedTargets(target_digest(task), save, lambda: target_files(task)))
    except (DeckError, HostError, ImageError, MachineError, TaskError) as error:
        _log.warning("%s: there is no target to compare with: %s", task.id, error)
        return ()


@lru_cache(maxsize=16)
def deck_facts(file: bytes, save: SaveDeck | None = None) -> Deck:
    """Return the facts of a .pptx file; recent results are cached.

    Args:
        file: The file.
        save: Saves it first; None reads it as it is.

    Raises:
        DeckError: If the file cannot be read, or the application refuses it.
        HostError: If the application cannot run on this computer.
        ImageError: If there is no image.
        MachineError: If the application fails.
    """
    return read_deck(file if save is None else save(file))


@dataclass(frozen=True, slots=True)
class _EditedTargets:
    """Targets made by edits, with the function that makes them on a cache miss."""

    digest: str
    save: SaveDeck | None
    make: Callable[[], tuple[bytes, ...]] = field(compare=False)


@lru_cache(maxsize=64)
def _facts(targets: _EditedTargets) -> tuple[Deck, ...]:
    cache = FileCache(cache_home() / "targets", _MAX_CACHED_FILES)
    files = cache.get(targets.digest)
    if not files:
        files = targets.make()
        cache.put(targets.digest, files, ".pptx")
    return tuple(deck_facts(file, targets.save) for file in files)
