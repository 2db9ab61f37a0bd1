"""The running score of an episode with one or more turns."""

from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any, Self

from pptarena.decks.package.files import DeckFile
from pptarena.envs.episode_loss import NO_LOSS, episode_loss
from pptarena.envs.grader import Grader
from pptarena.envs.machines.base import NO_FILES, Files
from pptarena.rewards.scored_tree import combine
from pptarena.tasks import Task

__all__ = ["TurnGrader"]

NextGrader = Callable[[Task, Grader], Grader]


@dataclass(frozen=True, slots=True)
class _FinishedTurn:
    """A finished turn.

    Attributes:
        grader: Its grader.
        score: Its score at its end.
        rubric: Its scored rubric at its end.
    """

    grader: Grader
    score: float
    rubric: dict[str, Any]


class TurnGrader:
    """Scores turns in sequence, each from the deck at the end of the previous one.

    With one turn, the score is that of its grader. With n turns, the score is the mean of n + 1
    numbers: the score of every turn at its end, and a retention score at the end of the last turn.
    Retention is the mean, over the turns whose results must be kept, of the smaller of the turn's
    score then and its score on the last deck. Changes since the first turn are penalized as within
    a turn. Before that, future turns and retention count as 0.

    At the end, damage is charged once more: the mean is reduced by the damage of the last deck
    compared with the first under the scopes of all turns.

    Args:
        task: The task.
        grader: The grader of the first turn.
        following: Creates the grader of a later turn from its task and the previous grader.
    """

    def __init__(self, task: Task, grader: Grader, next_grader: NextGrader) -> None:
        self._task = task
        self._grader = grader
        self._next_grader = next_grader
        self._finished_turns: tuple[_FinishedTurn, ...] = ()
        self._retention: float | None = None
        self._loss = NO_LOSS

    def copy(self) -> Self:
        """Return an independent grader with the same score; decks are shared."""
        grader = copy(self)
        grader._grader = self._grader.copy()
        return grader

    @property
    def turn(self) -> int:
        """The number of the turn, from 1."""
        return len(self._finished_turns) + 1

    @property
    def is_last_turn(self) -> bool:
        """Whether this is the last turn."""
        return len(self._finished_turns) == len(self._task.turns)

    @property
    def instruction(self) -> str:
        """The instruction of the current turn."""
        return self._grader.task.instruction

    @property
    def score(self) -> float:
        """The last known score, in [0, 1]."""
        if not self._task.turns:
            return self._grader.score
        turn_scores = sum(turn.score for turn in self._finished_turns) + self._grader.score
        return (
            (turn_scores + (self._retention or 0.0))
            / (len(self._task.turns) + 2)
            * self._loss.damage.retained
        )

    @property
    def turn_score(self) -> float:
        """The last known score of the current turn alone, in [0, 1]."""
        return self._grader.score

    @property
    def has_pending_checks(self) -> bool:
        """See `Grader.has_pending_checks`."""
        return self._grader.has_pending_checks

    def original_file(self) -> bytes:
        """Return the deck at the start of the current turn; see `Grader.original_file`."""
        return self._grader.original_file()

    def earlier_turn_files(self) -> tuple[bytes, ...]:
        """Return the decks at the end of earlier turns, as .pptx files."""
        return tuple(turn.grader.current_file() for turn in self._finished_turns)

    def rubric(self) -> dict[str, Any]:
        """Return the scored rubric as JSON; several turns have one root with the rubrics so far."""
        current = self._grader.rubric()
        if not self._task.turns:
            return current
        rubrics = [*(deepcopy(ended.rubric) for ended in self._finished_turns), current]
        retention = [] if self._retention is None else [_retention_node(self._retention)]
        judged = all(rubric["score"] is not None for rubric in rubrics)
        count = len(self._task.turns) + 1
        return {
            "name": "turns",
            "critical": True,
            "score": self.score if judged else None,
            "reason": self._reason(f"turn {self.turn} of {count}"),
            "children": [
                *(
                    {**rubric, "name": f"turn {number}: {rubric['name']}"}
                    for number, rubric in enumerate(rubrics, 1)
                ),
                *retention,
            ],
            "judged_share": min(rubric.get("judged_share", 1.0) for rubric in rubrics),
            **({"looked": True} if all(rubric.get("looked") for rubric in rubrics) else {}),
        }

    def grade(self, saved: DeckFile, collected: Files = NO_FILES, *, is_last: bool = False) -> None:
        """Score the saved document for the current turn; see `Grader.grade`."""
        self._grader.grade(saved, collected, is_last=is_last)

    def grade_after_failure(self, saved: bytes | None, collected: Files = NO_FILES) -> None:
        """Score the files left after the application broke; see `Grader.grade_after_failure`."""
        self._grader.grade_after_failure(saved, collected)

    def end_turn(self, *, infeasible: bool) -> None:
        """End the current turn; after the last one, the score is final.

        Args:
            infeasible: Whether the agent declared the turn infeasible.
        """
        if infeasible:
            self._grader.declare_infeasible()
        if self._finished_turns and self.is_last_turn:
            turns = (*self._finished_turns, self._finish_turn())
            self._loss = episode_loss([turn.grader for turn in turns])
            results = [(True, self._retention_score(turns)), (False, self._loss.unchanged)]
            self._retention = combine("weighted", results)

    def next_turn(self) -> None:
        """Start the next turn; the current one must be over."""
        next_grader = self._next_grader(self._task.at(self.turn + 1), self._grader)
        self._finished_turns, self._grader = (
            (*self._finished_turns, self._finish_turn()),
            next_grader,
        )

    def _finish_turn(self) -> _FinishedTurn:
        return _FinishedTurn(self._grader, self._grader.score, self._grader.rubric())

    def _reason(self, reason: str) -> str:
        if self._loss.damage.retained >= 1:
            return reason
        remainder = f"{self._loss.damage.retained:.0%} of the score"
        return f"{reason}; at the end {self._loss.damage.reason}, which leaves {remainder}"

    def _retention_score(self, turns: tuple[_FinishedTurn, ...]) -> float:
        scores = []
        for turn in turns:
            retained = turn.grader.retained_score(self._grader) if turn.grader.task.kept else None
            if retained is not None:
                scores.append(min(turn.score, retained))
        if not scores:  # nothing must be kept, so nothing was lost
            scores = [turn.score for turn in turns]
        return sum(scores) / len(scores)


def _retention_node(score: float) -> dict[str, Any]:
    reason = "the lower of each turn's scores at its end and now, reduced by other changes"
    return {
        "name": "kept to the end",
        "critical": True,
        "score": score,
        "reason": reason,
        "children": [],
    }
