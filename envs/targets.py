"""The targets of a task's turns, computed in the background."""

import threading
from dataclasses import dataclass, replace
from typing import Self

from pptarena.rewards import Deck
from pptarena.rewards.context import TurnContext
from pptarena.tasks import Task
from pptarena.tasks.targets import SaveDeck, target_decks

__all__ = ["TaskTargets", "TurnTargets"]


class TaskTargets:
    """The targets of all turns of a task, computed once, in the background or on demand.

    They are derived from the packaged deck alone, so no agent can delay or prevent that.

    Args:
        task: The task.
        save: See `target_decks`.
    """

    def __init__(self, task: Task, save: SaveDeck | None = None) -> None:
        self._task = task
        self._save = save
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
                self._decks[turn] = target_decks(self._task.at(turn), self._save)
            return self._decks[turn]

    def reference(self, turn: int, first: Deck) -> Deck | None:
        """Return the deck that a turn's rubric was written for: the target of the turns before.

        Args:
            turn: The turn, from 1.
            first: The deck at the start of the episode.

        Returns:
            The deck; None for the first turn, and if it is unknown.
        """
        previous = turn - 1
        while previous and not self._task.at(previous).feasible:
            previous -= 1
        if turn == 1:
            return None
        return next(iter(self.decks(previous)), None) if previous else first

    def context(self, turn: int, first: Deck) -> TurnContext | None:
        """Return the context of a turn; None if the task has only one. See `reference`."""
        if self._count == 1:
            return None
        turns = range(max(1, turn - 1), self._count + 1)
        decks = tuple(deck for number in turns for deck in self.decks(number))
        return TurnContext(first, self.reference(turn, first), decks)


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

    def next_turn(self) -> Self:
        """Return the targets of the next turn."""
        return replace(self, turn=self.turn + 1)
