"""The figures of a meta-evaluation, computed from scored attempts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pptarena.audits.meta_eval.agreement import kendall_tau_b, spearman_rho
from pptarena.audits.meta_eval.evaluation import Outcome
from pptarena.audits.meta_eval.standard import Grade
from pptarena.errors import ConfigError

__all__ = ["Report"]


@dataclass(frozen=True)
class Report:
    """How well scores and grades agree. Attempts without a score are counted, and left out.

    Attributes:
        outcomes: Scored attempts.
    """

    outcomes: tuple[Outcome, ...]

    @cached_property
    def scored(self) -> tuple[Outcome, ...]:
        """Those that have a score."""
        return tuple(outcome for outcome in self.outcomes if outcome.scores)

    @property
    def unscored(self) -> tuple[Outcome, ...]:
        """Those that have none."""
        return tuple(outcome for outcome in self.outcomes if not outcome.scores)

    @property
    def disagreements(self) -> tuple[Outcome, ...]:
        """Those whose score is in the bin of another grade."""
        return tuple(each for each in self.scored if each.scored_as is not each.attempt.grade)

    @cached_property
    def tau_b(self) -> float | None:
        """Kendall's tau-b of grades and scores; None if there is no order to compare."""
        return self._correlation(kendall_tau_b)

    @cached_property
    def rho(self) -> float | None:
        """Spearman's rho of grades and scores; None if there is no order to compare."""
        return self._correlation(spearman_rho)

    @property
    def accuracy(self) -> float | None:
        """Share of attempts whose score is in the bin of their grade; None without any."""
        return 1 - len(self.disagreements) / len(self.scored) if self.scored else None

    @property
    def variance_max(self) -> float:
        """The largest variance of one attempt over its repeats."""
        return max((outcome.variance for outcome in self.scored), default=0.0)

    @property
    def variance_mean(self) -> float:
        """The mean of all attempts' variances over their repeats."""
        return _mean([outcome.variance for outcome in self.scored]) or 0.0

    def of_grade(self, grade: Grade) -> "Report":
        """Return the report on the attempts of one grade."""
        return Report(tuple(each for each in self.outcomes if each.attempt.grade is grade))

    def by_task(self) -> dict[str, "Report"]:
        """Return a report for each task, by its id."""
        ids = sorted({outcome.attempt.task for outcome in self.outcomes})
        return {
            id: Report(tuple(each for each in self.outcomes if each.attempt.task == id))
            for id in ids
        }

    def mean_score(self) -> float | None:
        """Return the mean score; None without any."""
        return _mean([outcome.score for outcome in self.scored if outcome.score is not None])

    def confusion(self) -> dict[Grade, dict[Grade, int]]:
        """Return how many attempts of each grade (outer) were scored as each grade (inner)."""
        counts = {grade: dict.fromkeys(Grade, 0) for grade in Grade}
        for outcome in self.scored:
            if outcome.scored_as is not None:
                counts[outcome.attempt.grade][outcome.scored_as] += 1
        return counts

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain data; what cannot be computed is None."""
        return self._figures() | {
            "variance": {"mean": self.variance_mean, "max": self.variance_max},
            "categories": {grade.label: self.of_grade(grade)._category() for grade in Grade},
            "confusion": {
                grade.label: {scored.label: count for scored, count in row.items()}
                for grade, row in self.confusion().items()
            },
            "tasks": {id: report._figures() for id, report in self.by_task().items()},
            "outcomes": [_outcome(outcome) for outcome in self.outcomes],
        }

    def _figures(self) -> dict[str, Any]:
        return {
            "attempts": len(self.outcomes),
            "unscored": len(self.unscored),
            "accuracy": self.accuracy,
            "tau_b": self.tau_b,
            "rho": self.rho,
        }

    def _category(self) -> dict[str, Any]:
        return {
            "attempts": len(self.outcomes),
            "unscored": len(self.unscored),
            "mean_score": self.mean_score(),
            "accuracy": self.accuracy,
        }

    def _correlation(
        self, measure: Callable[[Sequence[float], Sequence[float]], float]
    ) -> float | None:
        pairs = [(each.attempt.grade, each.score) for each in self.scored if each.score is not None]
        try:
            return measure([grade for grade, _ in pairs], [score for _, score in pairs])
        except ConfigError:  # one grade or one score only
            return None


def _outcome(outcome: Outcome) -> dict[str, Any]:
    scored_as = outcome.scored_as
    return {
        "task": outcome.attempt.task,
        "id": outcome.attempt.id,
        "grade": outcome.attempt.grade.label,
        "score": outcome.score,
        "scored_as": None if scored_as is None else scored_as.label,
        "scores": list(outcome.scores),
        "why": outcome.attempt.why,
        "reason": outcome.reason,
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
