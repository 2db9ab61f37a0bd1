"""The cost of models, summed over stored episodes."""

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from pptarena.agents.model import Usage
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.messages import read_model

__all__ = ["ModelCosts", "cost_table", "model_costs"]


@dataclass(frozen=True)
class ModelCosts:
    """The sums of one agent's episodes.

    Attributes:
        agent: Name of the agent.
        episodes: Its episodes with a model.
        steps: Number of their actions.
        usage: Requests, tokens, malformed replies and seconds of the model.
        cost_usd: Cost of the tokens at the configured prices.
        environment_sec: Seconds spent outside the model: resets and steps.
    """

    agent: str
    episodes: int
    steps: int
    usage: Usage
    cost_usd: float
    environment_sec: float

    def to_json(self) -> dict[str, Any]:
        """Return the sums as a JSON object."""
        return dataclasses.asdict(self)


def model_costs(episodes: Iterable[StoredEpisode]) -> list[ModelCosts]:
    """Return the sums of every agent with a model, failed attempts included.

    Raises:
        StoreError: If a record is malformed.
    """
    sums: dict[str, ModelCosts] = {}
    for episode in episodes:
        model = read_model(episode.folder)
        if model is None:
            continue
        meta = episode.meta
        costs = ModelCosts(
            meta.contender, 1, meta.steps, model.usage, model.cost_usd,
            max(0.0, meta.reset_sec + meta.run_sec - meta.agent_sec),
        )  # fmt: skip
        previous = sums.get(meta.contender)
        sums[meta.contender] = costs if previous is None else _add(previous, costs)
    return list(sums.values())


def cost_table(costs: Iterable[ModelCosts]) -> Table:
    """Return the sums as a printable table."""
    table = Table()
    table.add_column("agent", no_wrap=True)
    for name in (
        *(
            "requests",
            "tokens in",
            "tokens out",
            "malformed replies",
            "cost",
            "model",
            "environment",
        ),
    ):
        table.add_column(name, justify="right")
    for row in costs:
        usage, steps = row.usage, max(row.steps, 1)
        table.add_row(
            row.agent,
            str(usage.requests),
            str(usage.input_tokens),
            str(usage.output_tokens),
            str(usage.malformed),
            f"{row.cost_usd:.2f} USD" if row.cost_usd else "-",
            f"{usage.model_sec / steps:.2f} s/step",
            f"{row.environment_sec / steps:.2f} s/step",
        )
    return table


def _add(first: ModelCosts, second: ModelCosts) -> ModelCosts:
    return ModelCosts(
        first.agent,
        first.episodes + second.episodes,
        first.steps + second.steps,
        first.usage + second.usage,
        first.cost_usd + second.cost_usd,
        first.environment_sec + second.environment_sec,
    )
