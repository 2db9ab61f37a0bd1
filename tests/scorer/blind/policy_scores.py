"""Scores of blind policies: the mean over a suite, for policies that read no instruction."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.scorer.blind.policies import together
from tests.scorer.blind.policy import Policy

from pptarena.rewards.scored_tree import value_of
from pptarena.tasks.scorer import Scorer
from pptarena.tasks.task import Task

__all__ = ["MAX_MEAN", "MAX_UNION_MEAN", "PolicyScores", "best_union", "score_policy"]

MAX_MEAN = 0.03
"""Highest allowed mean score of a blind policy."""

MAX_UNION_MEAN = 0.05
"""Highest allowed mean score of a union, whose members are selected by their scores."""


@dataclass(frozen=True, slots=True)
class PolicyScores:
    """Scores of one policy.

    Attributes:
        policy: The policy.
        scores: Score by task id. Infeasible tasks score 0: a blind policy never declares
            infeasibility.
    """

    policy: Policy
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """The mean over all tasks."""
        return sum(self.scores.values()) / len(self.scores) if self.scores else 0.0


def score_policy(policy: Policy, tasks: Sequence[Task]) -> PolicyScores:
    """Return the scores of a policy on tasks, computed on files without an application.

    Raises:
        DeckError: If a deck cannot be read.
    """
    decks: dict[bytes, bytes] = {}
    result = PolicyScores(policy)
    for task in tasks:
        original = task.deck_bytes()
        if original not in decks:
            decks[original] = policy.run(original)
        value = value_of(Scorer(task).score(decks[original])) if task.feasible else 0.0
        result.scores[task.id] = value
    return result


def best_union(candidates: Sequence[PolicyScores], tasks: Sequence[Task]) -> PolicyScores:
    """Return the scores of a union of policies: each is added if it raises the mean."""
    best = candidates[0]
    selected = [best.policy]
    for each in candidates[1:]:
        names = " and ".join(policy.name for policy in (*selected, each.policy))
        union = score_policy(together(names, (*selected, each.policy)), tasks)
        if union.mean > best.mean:
            best = union
            selected.append(each.policy)
    return best
