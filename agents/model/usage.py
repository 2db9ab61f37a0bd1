"""What asking a model costs: counted for an episode, bounded for a run."""

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
    """What was asked of a model, and what came of it.

    Attributes:
        requests: Requests that were answered.
        input_tokens, output_tokens: As the service counted them.
        malformed: Answers that meant no action.
        cut_off: Those of them that hit the limit of their length.
        refused: Those of them that the service or the model refused to give.
        model_sec: Seconds until the answers came.
    """

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    malformed: int = 0
    cut_off: int = 0
    refused: int = 0
    model_sec: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        """Return both together."""
        mine, others = dataclasses.astuple(self), dataclasses.astuple(other)
        return Usage(*(one + more for one, more in zip(mine, others, strict=True)))

    def cost_usd(self, settings: ModelSettings) -> float:
        """Return the price at the prices of the settings."""
        paid = self.input_tokens * settings.input_price_usd
        return (paid + self.output_tokens * settings.output_price_usd) / _MILLION

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return dataclasses.asdict(self)


class RunBudget:
    """Tokens and money of a run; all its agents share it.

    Args:
        settings: What may be spent.
    """

    def __init__(self, settings: ModelSettings) -> None:
        self._settings, self._lock, self._spent = settings, threading.Lock(), Usage()

    def __reduce__(self) -> tuple[type["RunBudget"], tuple[ModelSettings]]:
        settings = self._settings
        if settings.max_tokens is not None or settings.max_cost_usd is not None:
            raise ConfigError(
                "max_tokens and max_cost_usd count in one process: expected neither on a cluster; "
                "leave them out, or play on this computer"
            )
        return RunBudget, (settings,)

    @property
    def spent(self) -> Usage:
        """What was used so far."""
        with self._lock:
            return self._spent

    def add(self, used: Usage) -> None:
        """Count what an answer took."""
        with self._lock:
            self._spent += used

    def require_left(self) -> None:
        """Refuse another request when everything is spent.

        Raises:
            EndpointClosedError: If it is.
        """
        spent, settings = self.spent, self._settings
        tokens, cost = spent.input_tokens + spent.output_tokens, spent.cost_usd(settings)
        if settings.max_tokens is not None and tokens >= settings.max_tokens:
            raise EndpointClosedError(
                f"the run has used {tokens} tokens of {settings.max_tokens}; raise max_tokens and "
                "run it again with --resume"
            )
        if settings.max_cost_usd is not None and cost >= settings.max_cost_usd:
            raise EndpointClosedError(
                f"the run has cost {cost:.2f} USD of {settings.max_cost_usd:.2f}; raise "
                "max_cost_usd and run it again with --resume"
            )
