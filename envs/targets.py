"""The targets of a task, as the application that saves the agent's deck would save them."""

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
    """The targets of all turns of a task, made once: in the background, or when asked for.

    They are made of the packaged deck alone, so that no agent can delay or prevent that.

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
        """Make the targets in the background: an application may take seconds to save them."""
        threading.Thread(target=self._prepare, name="targets", daemon=True).start()

    def _prepare(self) -> None:
        for turn in range(1, self._count + 1):
            self.decks(turn)

    @property
    def _count(self) -> int:
        return len(self._task.turns) + 1

    def decks(self, turn: int = 1) -> tuple[Deck, ...]:
        """Return the facts of the targets of a turn; waits while they are made."""
        with self._lock:
            if turn not in self._decks:
                self._decks[turn] = target_decks(self._task.at(turn), saved=self._saved)
            return self._decks[turn]

    def reference(self, turn: int, first: Deck) -> Deck | None:
        """Return the deck that a turn's rubric was written for: the target of the turns before.

        Args:
            turn: The turn, from 1.
            first: The deck that the episode began with.

        Returns:
            The deck; None for the first turn, and where it is unknown.
        """
        before = turn - 1
        while before and not self._task.at(before).feasible:
            before -= 1
        if turn == 1:
            return None
        return next(iter(self.decks(before)), None) if before else first

    def context(self, turn: int, first: Deck) -> TurnContext | None:
        """Return what is known of a turn; None if the task has only one. See `reference`."""
        if self._count == 1:
            return None
        around = range(max(1, turn - 1), self._count + 1)
        others = tuple(deck for number in around for deck in self.decks(number))
        return TurnContext(first, self.reference(turn, first), others)


@dataclass(frozen=True, slots=True)
class TurnTargets:
    """The targets of one turn of an episode.

    Attributes:
        task_targets: Those of all turns.
        turn: The turn, from 1.
        first: The deck that the episode began with.
    """

    task_targets: TaskTargets
    turn: int
    first: Deck

    def decks(self) -> tuple[Deck, ...]:
        """Return the facts of the targets; waits while they are made."""
        return self.task_targets.decks(self.turn)

    def context(self) -> TurnContext | None:
        """Return what is known of the turn; None if the task has only one."""
        return self.task_targets.context(self.turn, self.first)

    def following(self) -> Self:
        """Return those of the next turn."""
        return replace(self, turn=self.turn + 1)


def target_decks(task: Task, *, saved: bool) -> tuple[Deck, ...]:
    """Return the facts of a task's targets; empty if it has none, or none can be had.

    Args:
        task: The task, or a turn of one as `Task.at` returns it.
        saved: Whether the decks to compare with are saved by the machine image's application; so
            are the targets then. It takes some seconds the first time with an image, and what was
            made is kept on the disk. If it fails, a warning says so, and there is no target.
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
    """Targets made by edits, and what makes them where they are not kept."""

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
