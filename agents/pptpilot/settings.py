"""How PPTPilot works, and what an episode of it may take."""

from dataclasses import dataclass

from pptarena.errors import ConfigError

__all__ = ["ROUTERS", "PilotSettings"]

ROUTERS = ("rules", "model", "program", "xml")
"""By a table of kinds of edits, by asking the model, always programs, always XML."""

_SWITCHES = ("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotSettings:
    """Settings of PPTPilot beside those of its model; its ablations are among them.

    Attributes:
        plan: ``"yes"``, or ``"no"`` to edit by the instruction as it is.
        router: One of `ROUTERS`.
        rounds: Most edits of one turn, each but the last judged; 1 is without reflection.
        questions: Most questions of one edit, readings and refused calls included.
        reads: Most slides that are read before an edit, and after it for the judge.
        pilot_tokens: Most tokens of an episode, in and out; None for no bound.
        pilot_cost_usd: Most money of an episode; None for no bound.
        pilot_sec: Most seconds of an episode; None for no bound.
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
        """Refuse what cannot work.

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
