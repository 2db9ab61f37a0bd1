"""Rows of result tables: by agent, difficulty, level, feasibility and edit type."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.report.intervals import SEED, Estimate, clustered_mean
from pptarena.rollouts.summary import SUCCESS_SCORE

__all__ = ["FigureRow", "difficulties", "figure_rows", "task_groups"]

_DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True, kw_only=True)
class FigureRow:
    """The figures of one agent on a group of tasks.

    Attributes:
        agent: Name of the agent.
        kind: How the group is formed: ``"all"``, ``"difficulty"``, ``"level"``, ``"feasibility"``
            or ``"edit type"``.
        value: The difficulty, level, ``"feasible"`` or ``"infeasible"``, or edit type; empty for
            all.
        tasks: Number of tasks with scored episodes.
        episodes: Number of scored episodes; the means include only these.
        score, success, steps, seconds: Means with intervals; success is a share of episodes,
            seconds are those of an episode including its reset.
        unscored: Number of unscored episodes.
        infra_failed: Attempts with an infrastructure failure, including repeated ones.
        agent_errors: Scored episodes in which the agent gave up.
        overloads: Scored episodes in which the agent's actions broke the application.
        questions: Questions that the agent asked in scored episodes.
    """

    agent: str
    kind: str
    value: str
    tasks: int
    episodes: int
    score: Estimate
    success: Estimate
    steps: Estimate
    seconds: Estimate
    unscored: int
    infra_failed: int
    agent_errors: int
    overloads: int
    questions: int

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return asdict(self)


def figure_rows(metas: Iterable[EpisodeMeta], seed: int = SEED) -> tuple[FigureRow, ...]:
    """Return the rows of every agent, one per group of `task_groups`.

    Args:
        metas: Metadata of the episodes.
        seed: Seed of the bootstrap.
    """
    metas = tuple(metas)
    rows = []
    for agent in dict.fromkeys(meta.contender for meta in metas):
        agent_metas = [meta for meta in metas if meta.contender == agent]
        for kind, value, members in task_groups(agent_metas):
            rows.append(_row(agent, kind, value, members, seed))
    return tuple(rows)


def difficulties(metas: Iterable[EpisodeMeta]) -> list[str]:
    """Return the difficulties of tasks: the known ones in order, then others by name."""
    names = {meta.difficulty for meta in metas}
    ordered = [name for name in _DIFFICULTIES if name in names]
    return [*ordered, *sorted(names - set(ordered))]


def task_groups(metas: Sequence[EpisodeMeta]) -> Iterator[tuple[str, str, list[EpisodeMeta]]]:
    """Yield the groups that results are reported by, each with its kind, value and members.

    The first group has all tasks. Feasible and infeasible tasks are groups if there are infeasible
    ones. A task with several edit types belongs to the group of each.
    """
    yield "all", "", list(metas)
    for name in difficulties(metas):
        yield "difficulty", name, [meta for meta in metas if meta.difficulty == name]
    for name in sorted({meta.level for meta in metas}):
        yield "level", name, [meta for meta in metas if meta.level == name]
    feasible = [meta for meta in metas if meta.feasible]
    if len(feasible) < len(metas):
        if feasible:
            yield "feasibility", "feasible", feasible
        yield "feasibility", "infeasible", [meta for meta in metas if not meta.feasible]
    for name in sorted({kind for meta in metas for kind in meta.edit_types}):
        yield "edit type", name, [meta for meta in metas if name in meta.edit_types]


def _row(agent: str, kind: str, value: str, metas: Sequence[EpisodeMeta], seed: int) -> FigureRow:
    played = [meta for meta in metas if meta.infra_error is None]
    scored = [(meta, meta.score) for meta in played if meta.score is not None]
    tasks = [meta.task for meta, _ in scored]

    def mean(values: Sequence[float]) -> Estimate:
        return clustered_mean(values, tasks, seed)

    return FigureRow(
        agent=agent,
        kind=kind,
        value=value,
        tasks=len(set(tasks)),
        episodes=len(scored),
        score=mean([score for _, score in scored]),
        success=mean([float(score >= SUCCESS_SCORE) for _, score in scored]),
        steps=mean([meta.steps for meta, _ in scored]),
        seconds=mean([meta.reset_sec + meta.run_sec for meta, _ in scored]),
        unscored=len(played) - len(scored),
        infra_failed=len(metas) - len(played),
        agent_errors=sum(meta.agent_error is not None for meta, _ in scored),
        overloads=sum(meta.overload is not None for meta, _ in scored),
        questions=sum(meta.questions for meta, _ in scored),
    )
