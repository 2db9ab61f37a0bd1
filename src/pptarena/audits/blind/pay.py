"""Scores of blind policies: the mean over a suite, for policies that read no instruction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pptarena.audits.attacks.marking import mark
from pptarena.audits.blind.policies import ALL_TOGETHER, POLICIES, together
from pptarena.audits.blind.policy import Policy
from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.rewards.scored import ALMOST_ONE
from pptarena.tasks import list_tasks
from pptarena.tasks.task import Task

__all__ = ["MOST", "Pay", "figures", "pay_of", "rows", "total"]

MOST = 0.03
"""Highest allowed mean score of a blind policy."""

_MOST_OF_UNION = 0.05
"""Highest allowed mean score of a union, whose members are selected by their scores."""

_SUITE = "bench"
_IN_UNION = 8
_NAMED = 3


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

    def row(self, most: float = MOST) -> Row:
        """Return the audit's row, which holds up to a mean of `most`."""
        best = sorted(self.scores.items(), key=lambda each: -each[1])[:_NAMED]
        names = ", ".join(f"{task} {score:.2f}" for task, score in best if score > 0)
        full = sum(score >= ALMOST_ONE for score in self.scores.values())
        found = f"{self.mean:.3f}, in full {full}" + (f": {names}" if names else "")
        return Row(self.policy.name, f"at most {most:g} on average", found, self.mean <= most)


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
        value = mark(task, original, decks[original]) if task.feasible else 0.0
        pay.scores[task.id] = value
    return pay


def rows(settings: AuditSettings) -> Iterator[Row]:
    """Yield a row for each policy, for all policies combined, and for a union of the best.

    The union is built greedily: a policy is added if it raises the mean.
    """
    tasks = list_tasks(_SUITE)
    alone = []
    for policy in POLICIES[: settings.count]:
        alone.append(pay_of(policy, tasks))
        yield alone[-1].row()
    for policy in ALL_TOGETHER:
        yield pay_of(policy, tasks).row()
    yield _union(sorted(alone, key=lambda each: -each.mean)[:_IN_UNION], tasks).row(_MOST_OF_UNION)


def _union(candidates: Sequence[Pay], tasks: Sequence[Task]) -> Pay:
    best = candidates[0]
    chosen = [best.policy]
    for each in candidates[1:]:
        names = " and ".join(policy.name for policy in (*chosen, each.policy))
        found = pay_of(together(names, (*chosen, each.policy)), tasks)
        if found.mean > best.mean:
            best = found
            chosen.append(each.policy)
    return best


def figures(found: tuple[Row, ...]) -> dict[str, float | int | str]:
    """Return the highest mean of all policies."""
    return {"policies": len(found), "largest_mean": max(float(r.found[:5]) for r in found)}


def total(settings: AuditSettings) -> int:
    """Return the number of rows."""
    return len(POLICIES[: settings.count]) + len(ALL_TOGETHER) + 1
