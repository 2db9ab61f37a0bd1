"""The cost of model requests: counted per episode, limited per run."""

import dataclasses
import threading
from dataclasses import dataclass
from typing import Any

from pptarena.agents.model.settings import ModelSettings
from pptarena.errors import ConfigError, EndpointClosedError

__all__ = ["RunBudget", "Usage"]

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Usage:
    """Requests to a model and their results.

    Attributes:
        requests: Number of requests with a reply.
        input_tokens, output_tokens: Counts of the service.
        malformed: Replies without a valid action.
        cut_off: Malformed replies that hit the length limit.
        refused: Malformed replies that the service or the model refused.
        model_sec: Total seconds until the replies arrived.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    malformed: int = 0
    cut_off: int = 0
    refused: int = 0
    model_sec: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum of both."""
        own_counts, other_counts = dataclasses.astuple(self), dataclasses.astuple(other)
        return Usage(*(own + added for own, added in zip(own_counts, other_counts, strict=True)))

    def cost_usd(self, settings: ModelSettings) -> float:
        """Return the cost at the prices of the settings."""
        input_cost = self.input_tokens * settings.input_price_usd
        return (input_cost + self.output_tokens * settings.output_price_usd) / _MILLION

    def to_json(self) -> dict[str, Any]:
        """Return the counts as a JSON object."""
        return dataclasses.asdict(self)


class RunBudget:
    """Tokens and money of a run, shared by all its agents.

    Args:
        settings: Settings with the limits.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._settings, self._lock, self._usage = settings, threading.Lock(), Usage()

    def __reduce__(self) -> tuple[type["RunBudget"], tuple[ModelSettings]]:
        settings = self._settings
        if settings.max_tokens is not None or settings.max_cost_usd is not None:
            raise ConfigError(
                "max_tokens and max_cost_usd count in one process: expected neither on a cluster; "
                "remove them, or run on this computer"
            )
        return RunBudget, (settings,)

    @property
    def usage(self) -> Usage:
        """The usage so far."""
        with self._lock:
            return self._usage

    def add(self, usage: Usage) -> None:
        """Add the usage of a reply."""
        with self._lock:
            self._usage += usage

    def require_remaining(self) -> None:
        """Raise if the budget is spent.

        Raises:
            EndpointClosedError: If it is spent.
        """
        usage, settings = self.usage, self._settings
        tokens, cost = usage.input_tokens + usage.output_tokens, usage.cost_usd(settings)
        if settings.max_tokens is not None and tokens >= settings.max_tokens:
            raise EndpointClosedError(
                f"the run has used {tokens} tokens of {settings.max_tokens}; raise max_tokens "
                "to continue"
            )
        if settings.max_cost_usd is not None and cost >= settings.max_cost_usd:
            raise EndpointClosedError(
                f"the run has cost {cost:.2f} USD of {settings.max_cost_usd:.2f}; raise "
                "max_cost_usd to continue"
            )
