"""Scores of stored OSWorld episodes, by the environment and by the benchmark's own evaluators."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pptarena.benchmarks.osworld.published import published_evaluation
from pptarena.decks.package.files import read_bytes
from pptarena.rollouts.episode import StoredEpisode

__all__ = ["OsworldRow", "osworld_rows"]

_FAILED = "fail"


@dataclass
class OsworldRow:
    """Results of one agent.

    Attributes:
        agent: Agent name in the store.
        tasks: Number of episodes played.
        lost: Number of episodes with an infrastructure error; excluded from all other figures.
        scores: Scores of the environment.
        published: Scores of the benchmark's evaluators, as reimplemented here.
        unscored: Number of episodes whose evaluator is not reimplemented.
        reasons: Why the published score is missing or below 1, by task id.
        disagreements: Ids of tasks that only one of the two scorers considers done.
    """

    agent: str
    tasks: int = 0
    lost: int = 0
    scores: list[float] = field(default_factory=list)
    published: list[float] = field(default_factory=list)
    unscored: int = 0
    reasons: dict[str, str] = field(default_factory=dict)
    disagreements: Counter[str] = field(default_factory=Counter)

    @property
    def mean_score(self) -> float | None:
        """The mean of the environment's scores; None if there are none."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    @property
    def rate(self) -> float | None:
        """The mean of the published scores, as the benchmark reports it; None if there are none."""
        return sum(self.published) / len(self.published) if self.published else None

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {
            "agent": self.agent,
            "tasks": self.tasks,
            "lost": self.lost,
            "mean_score": self.mean_score,
            "published": {
                "judged": len(self.published),
                "passed": sum(value >= 1 for value in self.published),
                "mean": self.rate,
                "unjudged": self.unscored,
            },
            "apart": sorted(self.disagreements),
            "reasons": self.reasons,
        }


def osworld_rows(episodes: Iterable[StoredEpisode]) -> list[OsworldRow]:
    """Return one row per agent.

    Args:
        episodes: Episodes of imported tasks; their task folder must still exist.

    Raises:
        TaskError: If an episode belongs to a task of another benchmark.
        DeckError: If a deck to compare with cannot be read.
        StoreError: If a record is malformed.
    """
    rows: dict[str, OsworldRow] = {}
    for episode in episodes:
        meta = episode.meta
        evaluation = published_evaluation(meta.task, meta.task_place)
        row = rows.setdefault(meta.agent, OsworldRow(meta.agent))
        if meta.infra_error is not None:
            row.lost += 1
            continue
        row.tasks += 1
        row.scores += [] if meta.score is None else [meta.score]
        value: float | None
        if evaluation.infeasible or meta.end == _FAILED:
            # In OSWorld, `fail` scores 1 on infeasible tasks and 0 elsewhere; nothing else scores
            # on them.
            value, reason = float(evaluation.infeasible and meta.end == _FAILED), f"end: {meta.end}"
        else:
            value, reason = evaluation.score(read_bytes(episode.folder / "final.pptx"))
        if value is None:
            row.unscored += 1
            row.reasons[meta.task] = reason
            continue
        row.published.append(value)
        if value < 1:
            row.reasons[meta.task] = reason
        if meta.score is not None and (value >= 1) != (meta.score >= 1):
            row.disagreements[meta.task] += 1
    return [rows[key] for key in sorted(rows)]
