"""The running score of an episode with one or more turns."""

from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import dataclass
from typing import Any, Self

from pptarena.decks.package.files import DeckFile
from pptarena.envs.grader import Grader
from pptarena.envs.machines.base import NO_FILES, Files
from pptarena.envs.turn_damage import NO_LOSS, loss_of_turns
from pptarena.rewards.scored import combine
from pptarena.tasks import Task

__all__ = ["TurnGrader"]

MakeGrader = Callable[[Task, Grader], Grader]


@dataclass(frozen=True, slots=True)
class _Ended:
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

    def __init__(self, task: Task, grader: Grader, following: MakeGrader) -> None:
        self._task = task
        self._grader = grader
        self._following = following
        self._ended: tuple[_Ended, ...] = ()
        self._kept: float | None = None
        self._loss = NO_LOSS

    def copy(self) -> Self:
        """Return an independent grader with the same score; decks are shared."""
        twin = copy(self)
        twin._grader = self._grader.copy()
        return twin

    @property
    def turn(self) -> int:
        """The number of the turn, from 1."""
        return len(self._ended) + 1

    @property
    def is_last_turn(self) -> bool:
        """Whether this is the last turn."""
        return len(self._ended) == len(self._task.turns)

    @property
    def instruction(self) -> str:
        """The instruction of the current turn."""
        return self._grader.task.instruction

    @property
    def score(self) -> float:
        """The last known score, in [0, 1]."""
        if not self._task.turns:
            return self._grader.score
        own = sum(ended.score for ended in self._ended) + self._grader.score
        return (
            (own + (self._kept or 0.0)) / (len(self._task.turns) + 2) * self._loss.damage.retained
        )

    @property
    def turn_score(self) -> float:
        """The last known score of the current turn alone, in [0, 1]."""
        return self._grader.score

    @property
    def has_questions(self) -> bool:
        """See `Grader.has_questions`."""
        return self._grader.has_questions

    def original_file(self) -> bytes:
        """Return the deck at the start of the current turn; see `Grader.original_file`."""
        return self._grader.original_file()

    def ended_files(self) -> tuple[bytes, ...]:
        """Return the decks at the end of earlier turns, as .pptx files."""
        return tuple(ended.grader.current_file() for ended in self._ended)

    def rubric(self) -> dict[str, Any]:
        """Return the scored rubric as JSON; several turns have one root with the rubrics so far."""
        present = self._grader.rubric()
        if not self._task.turns:
            return present
        turns = [*(deepcopy(ended.rubric) for ended in self._ended), present]
        kept = [] if self._kept is None else [_kept_node(self._kept)]
        judged = all(turn["score"] is not None for turn in turns)
        count = len(self._task.turns) + 1
        return {
            "name": "turns",
            "critical": True,
            "score": self.score if judged else None,
            "reason": self._reason(f"turn {self.turn} of {count}"),
            "children": [
                *({**turn, "name": f"turn {n}: {turn['name']}"} for n, turn in enumerate(turns, 1)),
                *kept,
            ],
            "judged_share": min(turn.get("judged_share", 1.0) for turn in turns),
            **({"looked": True} if all(turn.get("looked") for turn in turns) else {}),
        }

    def grade(self, saved: DeckFile, collected: Files = NO_FILES, *, is_last: bool = False) -> None:
        """Score the saved document for the current turn; see `Grader.grade`."""
        self._grader.grade(saved, collected, is_last=is_last)

    def grade_remains(self, saved: bytes | None, collected: Files = NO_FILES) -> None:
        """Score the files left after the application broke; see `Grader.grade_remains`."""
        self._grader.grade_remains(saved, collected)

    def end_turn(self, *, infeasible: bool) -> None:
        """End the current turn; after the last one, the score is final.

        Args:
            infeasible: Whether the agent declared the turn infeasible.
        """
        if infeasible:
            self._grader.declare_infeasible()
        if self._ended and self.is_last_turn:
            turns = (*self._ended, self._over())
            self._loss = loss_of_turns([turn.grader for turn in turns])
            results = [(True, self._share_kept(turns)), (False, self._loss.unchanged)]
            self._kept = combine("weighted", results)

    def next_turn(self) -> None:
        """Start the next turn; the current one must be over."""
        following = self._following(self._task.at(self.turn + 1), self._grader)
        self._ended, self._grader = (*self._ended, self._over()), following

    def _over(self) -> _Ended:
        return _Ended(self._grader, self._grader.score, self._grader.rubric())

    def _reason(self, reason: str) -> str:
        if self._loss.damage.retained >= 1:
            return reason
        left = f"{self._loss.damage.retained:.0%} of the score"
        return f"{reason}; at the end {self._loss.damage.reason}, which leaves {left}"

    def _share_kept(self, ended: tuple[_Ended, ...]) -> float:
        found = []
        for turn in ended:
            held = turn.grader.held_on(self._grader) if turn.grader.task.kept else None
            if held is not None:
                found.append(min(turn.score, held))
        if not found:  # nothing must be kept, so nothing was lost
            found = [turn.score for turn in ended]
        return sum(found) / len(found)


def _kept_node(score: float) -> dict[str, Any]:
    reason = "what turns scored at their own end and still score, without what else has changed"
    return {
        "name": "kept to the end",
        "critical": True,
        "score": score,
        "reason": reason,
        "children": [],
    }
