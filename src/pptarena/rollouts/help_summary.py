"""Help that agents received from people, scripts and other models in stored episodes."""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.summary import SUCCESS_SCORE

__all__ = ["HelpRow", "help_rows", "help_table"]


@dataclass(frozen=True, kw_only=True)
class HelpRow:
    """The help that one agent received.

    Attributes:
        agent: Name of the agent.
        episodes: Scored episodes with help.
        success_helped: Share of them with score 1.0; None without any.
        success_alone: The same for the agent's scored episodes without help; None without any.
        interventions: Mean number of interventions in an episode with help.
        human_sec: Mean seconds in which a person had control.
        human_share: Share of all actions that the person chose, in [0, 1].
        hints, answers: Number of hints and of answers in all episodes.
        confirmations: Number of risky actions that a person, a script or another model decided on.
        refusals: How many of them were refused.
    """

    agent: str
    episodes: int
    success_helped: float | None
    success_alone: float | None
    interventions: float
    human_sec: float
    human_share: float
    hints: int
    answers: int
    confirmations: int
    refusals: int

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        return dataclasses.asdict(self)


def help_rows(metas: Iterable[EpisodeMeta]) -> tuple[HelpRow, ...]:
    """Return a row for every agent with a scored episode in which a person helped."""
    scored = [meta for meta in metas if meta.score is not None]
    rows = []
    for agent in dict.fromkeys(meta.agent for meta in scored if meta.help):
        own_metas = [meta for meta in scored if meta.agent == agent]
        helped = [meta for meta in own_metas if meta.help]
        total = Counter[str]()
        for meta in helped:
            total.update(meta.help)
        rows.append(
            HelpRow(
                agent=agent,
                episodes=len(helped),
                success_helped=_success(helped),
                success_alone=_success([meta for meta in own_metas if not meta.help]),
                interventions=total["interventions"] / len(helped),
                human_sec=total["human_sec"] / len(helped),
                human_share=total["human_steps"] / max(1, sum(meta.steps for meta in helped)),
                hints=total["hints"],
                answers=total["answers"],
                confirmations=total["confirmations"],
                refusals=total["refusals"],
            )
        )
    return tuple(rows)


def help_table(rows: Sequence[HelpRow]) -> Table:
    """Return the rows as a printable table."""
    table = Table(title="episodes with help", title_justify="left")
    table.add_column("agent", overflow="fold")
    for heading in (
        *("episodes", "success helped", "success alone", "interventions", "human seconds"),
        *("human actions", "hints", "answers", "confirmations", "refusals"),
    ):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            row.agent,
            str(row.episodes),
            _share(row.success_helped),
            _share(row.success_alone),
            f"{row.interventions:.1f}",
            f"{row.human_sec:.0f}",
            f"{row.human_share:.0%}",
            str(row.hints),
            str(row.answers),
            str(row.confirmations),
            str(row.refusals),
        )
    return table


def _success(metas: Sequence[EpisodeMeta]) -> float | None:
    solved = [meta.score is not None and meta.score >= SUCCESS_SCORE for meta in metas]
    return sum(solved) / len(solved) if solved else None


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
