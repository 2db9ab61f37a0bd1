"""Settings of PPTPilot and limits of its episodes."""

from dataclasses import dataclass

from pptarena.errors import ConfigError

__all__ = ["ROUTERS", "PilotSettings"]

ROUTERS = ("rules", "model", "program", "xml")
"""By a table of edit types, by asking the model, always programs, always XML."""

_SWITCHES = ("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotSettings:
    """Settings of PPTPilot in addition to those of its model, including its ablations.

    Attributes:
        plan: ``"yes"``, or ``"no"`` to use the instruction as the plan.
        router: One of `ROUTERS`.
        rounds: Maximum number of edit rounds per turn; all but the last are judged. 1 disables
            reflection.
        questions: Maximum number of requests per edit, including reads and refused calls.
        reads: Maximum number of slides read before an edit, and after it for the judge.
        pilot_tokens: Maximum tokens of an episode, input and output; None for no limit.
        pilot_cost_usd: Maximum cost of an episode; None for no limit.
        pilot_sec: Maximum duration of an episode in seconds; None for no limit.
    """

    plan: str = "yes"
    router: str = "rules"
    rounds: int = 3
    questions: int = 6
    reads: int = 3
    pilot_tokens: int | None = None
    pilot_cost_usd: float | None = None
    pilot_sec: float | None = 1800.0

    def __post_init__(self) -> None:
        """Validate the settings.

        Raises:
            ConfigError: If a value is not allowed.
        """
        for name, known in (("plan", _SWITCHES), ("router", ROUTERS)):
            if getattr(self, name) not in known:
                raise ConfigError(
                    f"{name}: expected one of {', '.join(known)}, got {getattr(self, name)!r}"
                )
        if self.reads < 0:
            raise ConfigError(f"reads: expected 0 or more, got {self.reads}")
        for name in ("rounds", "questions", "pilot_tokens", "pilot_cost_usd", "pilot_sec"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ConfigError(f"{name}: expected more than 0, got {value}")
