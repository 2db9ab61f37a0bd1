"""The running score of one episode."""

import logging
from copy import copy, deepcopy
from typing import Any, Self

from pptarena.errors import DeckError, MachineError
from pptarena.rewards import Deck, read_deck, score
from pptarena.tasks import Task

__all__ = ["Grader"]

_log = logging.getLogger(__name__)


class Grader:
    """Keeps the last known score of an episode and the scored rubric it came from.

    A rubric whose root could not be judged leaves the score as it was; the rubric then says so:
    its own ``"score"`` is None. A task that cannot be done has no rubric to speak of: it scores 1
    when the agent says that it cannot be done, else 0.

    Attributes:
        score: The last known score, in [0, 1].
    """

    def __init__(self, task: Task, original: Deck) -> None:
        self._task = task
        self._original = original
        self.score = 0.0
        self._rubric: dict[str, Any] = {}
        self._judge(original)

    def copy(self) -> Self:
        """Return a grader of its own with the same score; the original deck is shared."""
        # The rubric is replaced as a whole, never changed in place, so it can be shared too.
        return copy(self)

    def rubric(self) -> dict[str, Any]:
        """Return the scored rubric as JSON, in memory of its own."""
        return deepcopy(self._rubric)

    def grade(self, saved: bytes) -> None:
        """Score the document as saved.

        Raises:
            MachineError: If it cannot be read: the application's fault, never the agent's.
        """
        try:
            current = read_deck(saved)
        except DeckError as error:
            raise MachineError(
                f"the application saved a deck that cannot be read: {error}"
            ) from error
        self._judge(current)

    def declare_infeasible(self) -> None:
        """Take note that the agent says the task cannot be done."""
        if not self._task.feasible:
            self.score = 1.0
            self._rubric = _verdict(1.0, "the agent saw that the task cannot be done")

    def _judge(self, current: Deck) -> None:
        if not self._task.feasible:
            self._rubric = _verdict(0.0, "the task cannot be done, and the agent did not say so")
            return
        node = score(self._task.rubric, self._original, current, self._task.scope)
        self._rubric = node.to_json()
        if node.score is None:
            _log.warning("task %s could not be scored: %s", self._task.id, node.reason)
        else:
            self.score = float(node.score)


def _verdict(value: float, reason: str) -> dict[str, Any]:
    return {
        "name": "infeasible",
        "critical": True,
        "score": value,
        "reason": reason,
        "children": [],
    }
