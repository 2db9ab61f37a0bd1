"""Success rate, mean score and mean steps of episodes, by agent, difficulty and level."""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from pptarena.rollouts.episode import EpisodeMeta

__all__ = ["SUCCESS_SCORE", "SummaryRow", "summarise", "summary_table"]

SUCCESS_SCORE = 1.0
"""Score from which an episode counts as a success."""

_ORDER = ("easy", "medium", "hard")
_TOTAL = "all"


@dataclass(frozen=True)
class SummaryRow:
    """The figures of one agent on the tasks of one difficulty or level.

    Attributes:
        agent: Name of the agent.
        difficulty: ``"easy"``, ``"medium"``, ``"hard"`` or ``"all"``.
        level: ``"L1"`` to ``"L4"`` or ``"all"``.
        episodes: Number of scored episodes; the means include only these.
        success_rate: Share of them with score 1.0; None without any.
        feasible_rate: Success rate on feasible tasks; None without any.
        infeasible_rate: Success rate on infeasible tasks; None without any.
        mean_score: Mean of their scores in [0, 1]; None without any.
        mean_steps: Mean number of their actions; None without any.
        unscored: Number of unscored episodes.
        infra_failed: Attempts with an infrastructure failure, including repeated ones.
        agent_errors: Scored episodes in which the agent gave up.
        refused_actions: Actions of scored episodes that were refused and had no effect.
        overloads: Scored episodes in which the agent's actions broke the application.
        questions: Questions that the agent asked in scored episodes (action ``ask``).
        lowest_mean_score: Mean of the scores if every attempt with an infrastructure failure after
            the first action counted 0: a lower bound for agents that break machines on purpose.
    """

    agent: str
    difficulty: str
    level: str
    episodes: int
    success_rate: float | None
    feasible_rate: float | None
    infeasible_rate: float | None
    mean_score: float | None
    mean_steps: float | None
    unscored: int
    infra_failed: int
    agent_errors: int
    refused_actions: int
    overloads: int
    questions: int
    lowest_mean_score: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return dataclasses.asdict(self)


def summarise(metas: Iterable[EpisodeMeta]) -> tuple[SummaryRow, ...]:
    """Return the rows of every agent: one per difficulty, one per level, then the total."""
    metas = tuple(metas)
    rows = []
    for agent in dict.fromkeys(meta.contender for meta in metas):
        agent_metas = [meta for meta in metas if meta.contender == agent]
        difficulties = {meta.difficulty for meta in agent_metas}
        ordered = [name for name in _ORDER if name in difficulties]
        for name in (*ordered, *sorted(difficulties - set(ordered))):
            part = [meta for meta in agent_metas if meta.difficulty == name]
            rows.append(_row(agent, name, _TOTAL, part))
        for name in sorted({meta.level for meta in agent_metas}):
            rows.append(
                _row(agent, _TOTAL, name, [meta for meta in agent_metas if meta.level == name])
            )
        rows.append(_row(agent, _TOTAL, _TOTAL, agent_metas))
    return tuple(rows)


def summary_table(rows: Sequence[SummaryRow], title: str = "") -> Table:
    """Return the rows as a printable table.

    If there are infeasible tasks, their success rate and that of feasible tasks are added.
    """
    table = Table(title=title or None, title_justify="left")
    table.add_column("agent", no_wrap=True)
    table.add_column("group", no_wrap=True)
    splits_rates = any(row.infeasible_rate is not None for row in rows)
    rates = ("success rate", *(("feasible", "infeasible") if splits_rates else ()))
    for name in ("episodes", *rates, "mean score", "mean steps"):
        table.add_column(name, justify="right")
    # Columns of failures are shown only if they are not empty.
    failure_columns = [
        (heading, name)
        for heading, name in (
            ("agent errors", "agent_errors"),
            ("refused actions", "refused_actions"),
            ("questions", "questions"),
            ("unscored", "unscored"),
            ("overloads", "overloads"),
            ("infra failed", "infra_failed"),
        )
        if any(getattr(row, name) for row in rows)
    ]
    for heading, _ in failure_columns:
        table.add_column(heading, justify="right")
    for row, next_row in zip(rows, [*rows[1:], None], strict=True):
        is_level_row = row.level != _TOTAL
        is_total = row.difficulty == _TOTAL and not is_level_row
        table.add_row(
            row.agent,
            f"level {row.level}" if is_level_row else "all tasks" if is_total else row.difficulty,
            str(row.episodes),
            _figure(row.success_rate, 2),
            *(
                (_figure(row.feasible_rate, 2), _figure(row.infeasible_rate, 2))
                if splits_rates
                else ()
            ),
            _figure(row.mean_score, 3),
            _figure(row.mean_steps, 1),
            *(str(getattr(row, name)) for _, name in failure_columns),
            style="bold" if is_total else None,
            end_section=next_row is not None and _section(row) != _section(next_row),
        )
    return table


def _section(row: SummaryRow) -> tuple[str, bool, bool]:
    return row.agent, row.difficulty == _TOTAL, row.level == _TOTAL


def _row(agent: str, difficulty: str, level: str, metas: Sequence[EpisodeMeta]) -> SummaryRow:
    played = [meta for meta in metas if meta.infra_error is None]
    scored = [(meta, meta.score) for meta in played if meta.score is not None]
    scores = [score for _, score in scored]
    solved = [(meta.feasible, float(score >= SUCCESS_SCORE)) for meta, score in scored]
    infra_zeros = [0.0 for meta in metas if meta.infra_error is not None and meta.steps > 0]
    return SummaryRow(
        agent=agent,
        difficulty=difficulty,
        level=level,
        episodes=len(scores),
        success_rate=_mean([success for _, success in solved]),
        feasible_rate=_mean([success for feasible, success in solved if feasible]),
        infeasible_rate=_mean([success for feasible, success in solved if not feasible]),
        mean_score=_mean(scores),
        mean_steps=_mean([meta.steps for meta, _ in scored]),
        unscored=len(played) - len(scores),
        infra_failed=len(metas) - len(played),
        agent_errors=sum(meta.agent_error is not None for meta in played),
        refused_actions=sum(meta.refused for meta in played),
        overloads=sum(meta.overload is not None for meta in played),
        questions=sum(meta.questions for meta, _ in scored),
        lowest_mean_score=_mean([*scores, *infra_zeros]),
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _figure(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
