"""Statistics of a meta-evaluation, computed from scored submissions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pptarena.errors import ConfigError
from pptarena.rollouts.agreement import kendall_tau_b, spearman_rho
from tools.meta_eval.evaluation import Outcome
from tools.meta_eval.submissions import Grade

__all__ = ["Report"]


@dataclass(frozen=True)
class Report:
    """Agreement of scores and grades; unscored submissions are counted but excluded.

    Attributes:
        outcomes: Outcomes of all submissions.
    """

    outcomes: tuple[Outcome, ...]

    @cached_property
    def scored(self) -> tuple[Outcome, ...]:
        """Outcomes with a score."""
        return tuple(outcome for outcome in self.outcomes if outcome.scores)

    @property
    def unscored(self) -> tuple[Outcome, ...]:
        """Outcomes without a score."""
        return tuple(outcome for outcome in self.outcomes if not outcome.scores)

    @property
    def disagreements(self) -> tuple[Outcome, ...]:
        """Outcomes whose score is in the bin of another grade."""
        return tuple(each for each in self.scored if each.scored_as is not each.submission.grade)

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
        """Share of submissions whose score is in the bin of their grade; None if there are none."""
        return 1 - len(self.disagreements) / len(self.scored) if self.scored else None

    @property
    def variance_max(self) -> float:
        """Largest variance of a submission's scores over the repeats."""
        return max((outcome.variance for outcome in self.scored), default=0.0)

    @property
    def variance_mean(self) -> float:
        """Mean variance of the submissions' scores over the repeats."""
        return _mean([outcome.variance for outcome in self.scored]) or 0.0

    def of_grade(self, grade: Grade) -> "Report":
        """Return the report on the submissions of one grade."""
        return Report(tuple(each for each in self.outcomes if each.submission.grade is grade))

    def by_task(self) -> dict[str, "Report"]:
        """Return one report per task id."""
        ids = sorted({outcome.submission.task for outcome in self.outcomes})
        return {
            id: Report(tuple(each for each in self.outcomes if each.submission.task == id))
            for id in ids
        }

    def mean_score(self) -> float | None:
        """Return the mean score; None if there are no scores."""
        return _mean([outcome.score for outcome in self.scored if outcome.score is not None])

    def confusion(self) -> dict[Grade, dict[Grade, int]]:
        """Return the number of submissions by grade (outer key) and scored grade (inner key)."""
        counts = {grade: dict.fromkeys(Grade, 0) for grade in Grade}
        for outcome in self.scored:
            if outcome.scored_as is not None:
                counts[outcome.submission.grade][outcome.scored_as] += 1
        return counts

    def to_json(self) -> dict[str, Any]:
        """Return all statistics as plain data; values that cannot be computed are None."""
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
        pairs = [
            (each.submission.grade, each.score) for each in self.scored if each.score is not None
        ]
        try:
            return measure([grade for grade, _ in pairs], [score for _, score in pairs])
        except ConfigError:  # fewer than two different grades or scores
            return None


def _outcome(outcome: Outcome) -> dict[str, Any]:
    scored_as = outcome.scored_as
    return {
        "task": outcome.submission.task,
        "id": outcome.submission.id,
        "grade": outcome.submission.grade.label,
        "score": outcome.score,
        "scored_as": None if scored_as is None else scored_as.label,
        "scores": list(outcome.scores),
        "why": outcome.submission.why,
        "reason": outcome.reason,
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
