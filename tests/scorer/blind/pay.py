"""Scores of blind policies: the mean over a suite, for policies that read no instruction."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.scorer.blind.policies import together
from tests.scorer.blind.policy import Policy

from pptarena.rewards.scored import value_of
from pptarena.tasks.scorer import Scorer
from pptarena.tasks.task import Task

__all__ = ["MOST", "MOST_OF_UNION", "Pay", "best_union", "pay_of"]

MOST = 0.03
"""Highest allowed mean score of a blind policy."""

MOST_OF_UNION = 0.05
"""Highest allowed mean score of a union, whose members are selected by their scores."""


@dataclass(frozen=True, slots=True)
class Pay:
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


def pay_of(policy: Policy, tasks: Sequence[Task]) -> Pay:
    """Return the scores of a policy on tasks, computed on files without an application.

    Raises:
        DeckError: If a deck cannot be read.
    """
    decks: dict[bytes, bytes] = {}
    pay = Pay(policy)
    for task in tasks:
        original = task.deck_bytes()
        if original not in decks:
            decks[original] = policy.run(original)
        value = value_of(Scorer(task).score(decks[original])) if task.feasible else 0.0
        pay.scores[task.id] = value
    return pay


def best_union(candidates: Sequence[Pay], tasks: Sequence[Task]) -> Pay:
    """Return the scores of a union of policies: each is added if it raises the mean."""
    best = candidates[0]
    chosen = [best.policy]
    for each in candidates[1:]:
        names = " and ".join(policy.name for policy in (*chosen, each.policy))
        found = pay_of(together(names, (*chosen, each.policy)), tasks)
        if found.mean > best.mean:
            best = found
            chosen.append(each.policy)
    return best
