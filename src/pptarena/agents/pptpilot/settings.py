"""Settings of PPTPilot and limits of its episodes."""

from dataclasses import dataclass

from pptarena.errors import ConfigError

__all__ = ["REFLECTIONS", "ROUTERS", "PilotSettings"]

ROUTERS = ("rules", "model", "program", "xml")
"""By a table of edit types, by asking the model, always programs, always XML."""

REFLECTIONS = ("judges", "editor")
"""Two judges list problems, or the editor sees its result again."""

_SWITCHES = ("yes", "no")


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotSettings:
    """Settings of PPTPilot in addition to those of its model, including its ablations.

    Attributes:
        plan: ``"yes"``, or ``"no"`` to use the instruction as the plan.
        router: One of `ROUTERS`.
        rounds: Maximum number of edit rounds per turn; all but the last are judged. 1 disables
            reflection; the paper's loop of 3 is 4.
        reflection: One of `REFLECTIONS`. With ``"editor"``, as in the paper, the same edits return
            to the editor with pictures of the result, until it changes nothing.
        questions: Maximum number of requests per edit, including reads and refused calls.
        reads: Maximum number of slides read before an edit, and after it for the judge.
        pilot_tokens: Maximum tokens of an episode, input and output; None for no limit.
        pilot_cost_usd: Maximum cost of an episode; None for no limit.
        pilot_sec: Maximum duration of an episode in seconds; None for no limit.
    """

    plan: str = "yes"
    router: str = "rules"
    rounds: int = 3
    reflection: str = "judges"
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
        choices = (("plan", _SWITCHES), ("router", ROUTERS), ("reflection", REFLECTIONS))
        for name, allowed in choices:
            if getattr(self, name) not in allowed:
                raise ConfigError(
                    f"{name}: expected one of {', '.join(allowed)}, got {getattr(self, name)!r}"
                )
        if self.reads < 0:
            raise ConfigError(f"reads: expected 0 or more, got {self.reads}")
        for name in ("rounds", "questions", "pilot_tokens", "pilot_cost_usd", "pilot_sec"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ConfigError(f"{name}: expected more than 0, got {value}")
