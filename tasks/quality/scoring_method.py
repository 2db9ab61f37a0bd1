"""How much of a task is scored by code: every leaf, some leaves, or none."""

from dataclasses import dataclass
from typing import Any, Literal

from pptarena.rewards import RubricNode
from pptarena.tasks import Task
from pptarena.tasks.goals import goal_deck, has_goal
from pptarena.tasks.never_saved import never_saved_reason
from pptarena.tasks.scorer import Scorer

__all__ = ["ScoringMethod", "scoring_method"]

_UNPROVABLE_CHECKS = frozenset(("judge", "visual_judge", "edit_judge", "python"))


@dataclass(frozen=True, slots=True)
class ScoringMethod:
    """Scoring method of a task, and the rubric's scores of two decks.

    Attributes:
        task: Task id.
        by: ``F`` if code scores every leaf, ``P`` if it scores some, ``N`` if it scores none. A
            leaf that requires something LibreOffice never writes is unscored.
        original: Score of the original deck; None if nothing is scored by code.
        goal: Score of the target deck; None if the target is unknown or nothing is scored by code.
    """

    task: str
    by: Literal["F", "P", "N"]
    original: float | None
    goal: float | None

    @property
    def ok(self) -> bool:
        """Whether the original scores 0 and the target, if known, scores 1."""
        return self.original in (None, 0.0) and self.goal in (None, 1.0)

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"judged_by": self.by, "on_original": self.original, "on_goal": self.goal}


def scoring_method(task: Task) -> ScoringMethod:
    """Return the scoring method of a task; decks are scored as stored, without an application.

    Raises:
        DeckError: If a deck cannot be read.
        UnscoredError: If the deck lacks the targets of a ``for_each`` node.
    """
    scorer = Scorer(task)
    root = task.rubric.resolve(scorer.original).root
    leaves = [node for _, node in root.walk() if node.check is not None]
    judged = sum(_is_scored_by_code(leaf) for leaf in leaves)
    by: Literal["F", "P", "N"] = "F" if judged == len(leaves) else "P" if judged else "N"
    goal = goal_deck(task) if has_goal(task) else None
    files = scorer.original_file, goal
    scores = [None if file is None else scorer.score(file).score for file in files]
    return ScoringMethod(task.id, by, *scores)


def _is_scored_by_code(leaf: RubricNode) -> bool:
    if leaf.check is None or leaf.check.name in _UNPROVABLE_CHECKS:
        return False
    return not never_saved_reason(leaf.check.name, leaf.args)
