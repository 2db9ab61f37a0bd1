"""How much of a task is scored by code: every leaf, some leaves, or none."""

from dataclasses import dataclass
from typing import Any, Literal

from pptarena.rewards import RubricNode
from pptarena.tasks import Task
from pptarena.tasks.goals import goal_deck, has_goal
from pptarena.tasks.never_saved import why_never_saved
from pptarena.tasks.scorer import Scorer

__all__ = ["JudgedBy", "judged_by"]

_ASKED = frozenset(("judge", "visual_judge", "edit_judge", "python"))


@dataclass(frozen=True, slots=True)
class JudgedBy:
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


def judged_by(task: Task) -> JudgedBy:
    """Return the scoring method of a task; decks are scored as stored, without an application.

    Raises:
        DeckError: If a deck cannot be read.
        UnscoredError: If the deck lacks the targets of a ``for_each`` node.
    """
    scorer = Scorer(task)
    root = task.rubric.on(scorer.original).root
    leaves = [node for _, node in root.walk() if node.check is not None]
    judged = sum(_is_judged(leaf) for leaf in leaves)
    by: Literal["F", "P", "N"] = "F" if judged == len(leaves) else "P" if judged else "N"
    goal = goal_deck(task) if has_goal(task) else None
    files = scorer.original_file, goal
    scored = [None if file is None else scorer.score(file).score for file in files]
    return JudgedBy(task.id, by, *scored)


def _is_judged(leaf: RubricNode) -> bool:
    if leaf.check is None or leaf.check.name in _ASKED:
        return False
    return not why_never_saved(leaf.check.name, leaf.args)
