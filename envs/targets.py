"""The targets of a task, saved by the same application as the agent's deck."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

from pptarena.envs.gold_deck import saved_facts
from pptarena.errors import DeckError, HostError, ImageError, MachineError, TaskError
from pptarena.paths import cache_home
from pptarena.rewards import Deck
from pptarena.rewards.turns import TurnContext
from pptarena.tasks import Task
from pptarena.tasks.targets import has_target, target_digest, target_files
from pptarena.vm_images.kept_files import KeptFiles

__all__ = ["TaskTargets", "TurnTargets", "target_decks"]

_log = logging.getLogger(__name__)

_KEPT_FILES = 500


class TaskTargets:
    """The targets of all turns of a task, computed once, in the background or on demand.

    They are derived from the packaged deck alone, so no agent can delay or prevent that.

    Args:
        task: The task.
        saved: See `target_decks`.
    """

    def __init__(self, task: Task, *, saved: bool) -> None:
        self._task = task
        self._saved = saved
        self._lock = threading.Lock()
        self._decks: dict[int, tuple[Deck, ...]] = {}

    def prepare(self) -> None:
        """Compute the targets in the background, since an application may take seconds."""
        threading.Thread(target=self._prepare, name="targets", daemon=True).start()

    def _prepare(self) -> None:
        for turn in range(1, self._count + 1):
            self.decks(turn)

    @property
    def _count(self) -> int:
        return len(self._task.turns) + 1

    def decks(self, turn: int = 1) -> tuple[Deck, ...]:
        """Return the facts of the targets of a turn; blocks until they are computed."""
        with self._lock:
            if turn not in self._decks:
                self._decks[turn] = target_decks(self._task.at(turn), saved=self._saved)
            return self._decks[turn]

    def reference(self, turn: int, first: Deck) -> Deck | None:
        """Return the deck that a turn's rubric was written for: the target of the turns before.

        Args:
            turn: The turn, from 1.
            first: The deck at the start of the episode.

        Returns:
            The deck; None for the first turn, and if it is unknown.
        """
        before = turn - 1
        while before and not self._task.at(before).feasible:
            before -= 1
        if turn == 1:
            return None
        return next(iter(self.decks(before)), None) if before else first

    def context(self, turn: int, first: Deck) -> TurnContext | None:
        """Return the context of a turn; None if the task has only one. See `reference`."""
        if self._count == 1:
            return None
        around = range(max(1, turn - 1), self._count + 1)
        others = tuple(deck for number in around for deck in self.decks(number))
        return TurnContext(first, self.reference(turn, first), others)


@dataclass(frozen=True, slots=True)
class TurnTargets:
    """The targets of one turn of an episode.

    Attributes:
        task_targets: The targets of all turns.
        turn: The turn, from 1.
        first: The deck at the start of the episode.
    """

    task_targets: TaskTargets
    turn: int
    first: Deck

    def decks(self) -> tuple[Deck, ...]:
        """Return the facts of the targets; blocks until they are computed."""
        return self.task_targets.decks(self.turn)

    def context(self) -> TurnContext | None:
        """Return the context of the turn; None if the task has only one."""
        return self.task_targets.context(self.turn, self.first)

    def following(self) -> Self:
        """Return the targets of the next turn."""
        return replace(self, turn=self.turn + 1)


def target_decks(task: Task, *, saved: bool) -> tuple[Deck, ...]:
    """Return the facts of a task's targets; empty if it has none, or they are unavailable.

    Args:
        task: The task, or a turn of one as `Task.at` returns it.
        saved: Whether the agent's decks are saved by the machine image's application. If so, the
            targets are saved by it too, which takes seconds the first time; the results are cached
            on disk. If that fails, a warning is issued, and there are no targets.
    """
    try:
        if not has_target(task):
            return ()
        if (gold := task.gold_bytes()) is not None:
            return (saved_facts(gold, saved),)
        return _facts(_Made(target_digest(task), saved, lambda: target_files(task)))
    except (DeckError, HostError, ImageError, MachineError, TaskError) as error:
        _log.warning("%s: there is no target to compare with: %s", task.id, error)
        return ()


@dataclass(frozen=True, slots=True)
class _Made:
    """Targets made by edits, with the function that makes them on a cache miss."""

    digest: str
    saved: bool
    make: Callable[[], tuple[bytes, ...]] = field(compare=False)


@lru_cache(maxsize=64)
def _facts(made: _Made) -> tuple[Deck, ...]:
    kept = KeptFiles(cache_home() / "targets", _KEPT_FILES)
    files = kept.get(made.digest)
    if not files:
        files = made.make()
        kept.keep(made.digest, files, ".pptx")
    return tuple(saved_facts(file, made.saved) for file in files)
