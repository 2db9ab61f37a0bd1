"""`GradedEpisode`: the base class of episodes on machines and on documents."""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pptarena.envs.turn_grader import TurnGrader
from pptarena.errors import ActionError, MachineError, MachineOverloadedError
from pptarena.tasks import Task

__all__ = ["ASK", "ENDS", "ERRORS", "GradedEpisode", "Outcome"]

_log = logging.getLogger(__name__)

ASK: Final = "ask"
"""Kind of the action, and name of the tool, that asks the user a question."""
ENDS: Final = ("done", "fail")
"""Kinds of the actions, and names of the tools, that end a turn."""
ERRORS = ("infra_error", "action_error", "overload")
"""Keys of ``info`` with the errors of a step."""

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Outcome:
    """How a step ended.

    Attributes:
        terminated, truncated: As `gymnasium.Env.step` returns them.
        errors: The errors of the step, with keys of `ERRORS`.
        failure: The failure of the machine, if it failed.
    """

    terminated: bool
    truncated: bool
    errors: dict[str, str]
    failure: MachineError | None = None


class GradedEpisode(ABC):
    """Tracks the turns and the score of an episode.

    Attributes:
        task: The task.
        steps: Number of steps taken, including refused ones.
        timing: Seconds per part of the last step, and facts on them as text.
        errors: Errors of the last step, with keys of `ERRORS`.
    """

    def __init__(self, task: Task, timing: dict[str, Any]) -> None:
        self.task = task
        self.steps = 0
        self.timing = timing
        self.errors: Mapping[str, str] = {}
        self._grader: TurnGrader

    def turn_decks(self) -> tuple[bytes, ...]:
        """Return the decks at the end of earlier turns; see `TurnGrader.earlier_turn_files`."""
        return self._grader.earlier_turn_files()

    @property
    def score(self) -> float:
        """The last known score, in [0, 1]."""
        return self._grader.score

    @property
    def instruction(self) -> str:
        """The instruction of the current turn."""
        return self._grader.instruction

    @property
    def is_last_turn(self) -> bool:
        """Whether ``done`` or ``fail`` ends the episode; otherwise it starts the next turn."""
        return self._grader.is_last_turn

    def take_step(
        self, action: Any, answer: Callable[[Task, str], str], budget: int, score_when: str
    ) -> Outcome:
        """Take one step: execute an action, and score the document if a score is due.

        Args:
            action: An action or a call.
            answer: Returns the user's answer to a question.
            budget: Number of steps after which the episode is truncated.
            score_when: ``"change"`` to score after every change, ``"end"`` only at the end.
        """
        kind, errors = "", dict[str, str]()
        try:
            try:
                kind = self.act(action)
                if kind == ASK:
                    self.record_answer(answer(self.task, self.question))
            except ActionError as error:
                errors["action_error"] = str(error)
            self.prepare_observation()
            terminated = kind in ENDS and self.is_last_turn
            truncated = not terminated and self.steps >= budget
            if terminated or truncated:
                self.grade_final(infeasible=kind == "fail")
            elif kind in ENDS:
                self.next_turn(infeasible=kind == "fail")
            elif not errors and score_when == "change":
                self.grade()
        except MachineOverloadedError as error:
            _log.info("task %s ends: %s", self.task.id, error)
            self.grade_after_failure()
            return Outcome(terminated=True, truncated=False, errors={"overload": str(error)})
        except MachineError as error:
            errors = {"infra_error": f"{type(error).__name__}: {error}"}
            return Outcome(terminated=False, truncated=True, errors=errors, failure=error)
        return Outcome(terminated, truncated, errors)

    @abstractmethod
    def act(self, action: Any) -> str:
        """Execute one action or call; return its kind or tool.

        Raises:
            ActionError: If it is invalid; nothing was done, but the step counts.
            MachineOverloadedError: If it broke the application.
            MachineError: If the machine or the program sandbox failed.
        """

    @property
    @abstractmethod
    def question(self) -> str:
        """The question of the last action, which was ``ask``."""

    @abstractmethod
    def record_answer(self, answer: str) -> None:
        """Record the answer to the question of the last action."""

    def prepare_observation(self) -> None:  # noqa: B027 - machines observe in `act`
        """Prepare the observation.

        Raises:
            MachineError: If slides cannot be rendered.
        """

    @abstractmethod
    def grade_after_failure(self) -> None:
        """Score the recovered document after the application broke."""

    def grade(self) -> None:
        """Score the document if it shows a change.

        Raises:
            MachineOverloadedError: If the document cannot be saved, or the saved file cannot be
                read.
            MachineError: If the machine or the application that saves failed.
        """
        if self._has_changed:
            self._grade(is_last=False)

    def grade_final(self, *, infeasible: bool) -> None:
        """Compute the final score of the document; an open text edit is committed first.

        Args:
            infeasible: Whether the agent declared the task infeasible.

        Raises:
            MachineOverloadedError: If the document cannot be saved, or the saved file cannot be
                read.
            MachineError: If the machine or the application that saves failed.
        """
        if self._may_have_changed or self._grader.has_pending_checks:
            self._grade(is_last=True)
        self._grader.end_turn(infeasible=infeasible)

    def next_turn(self, *, infeasible: bool) -> None:
        """Score the current turn and start the next one.

        Args:
            infeasible: Whether the agent declared the turn infeasible.

        Raises:
            MachineOverloadedError: If the document cannot be saved, or the saved file cannot be
                read.
            MachineError: If the machine or the application that saves failed.
            TaskError: If the gold deck of the next turn cannot be read.
        """
        self.grade_final(infeasible=infeasible)
        self._grader.next_turn()

    @property
    @abstractmethod
    def _has_changed(self) -> bool:
        """Whether the document has changed since it was scored, and can be scored now."""

    @property
    def _may_have_changed(self) -> bool:
        """Whether the document must be scored again at the end."""
        return self._has_changed

    @abstractmethod
    def _grade(self, *, is_last: bool) -> None:
        """Save and score the document."""

    def _timed(self, part: str, function: Callable[[], _Result]) -> _Result:
        started = time.perf_counter()
        try:
            return function()
        finally:
            self.timing[part] += time.perf_counter() - started
