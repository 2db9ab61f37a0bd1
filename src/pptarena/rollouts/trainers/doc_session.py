"""`DocSession`: episodes of the document environment for the loops of trainers."""

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.errors import ActionError, ConfigError, MachineError
from pptarena.tasks import Task

__all__ = ["CreditedStep", "DocSession"]

_OVER_MESSAGE = "the episode is over and accepts no more calls"


@dataclass(frozen=True, slots=True)
class CreditedStep:
    """One call and its reward.

    Attributes:
        tool: Name of the tool; empty if the reply had no valid call, or it was refused.
        reward: The change of the score, in [-1, 1].
    """

    tool: str
    reward: float


class DocSession:
    """Successive episodes on one document environment, with the reward of every call.

    Args:
        tools: Families of tools.
        outline_chars: Maximum number of characters of the deck's outline in the first message.
        options: Other arguments of `PPTArenaDocEnv`; the reward is always dense.

    Raises:
        ConfigError: If an argument has a value that is not allowed.
    """

    def __init__(
        self, tools: Sequence[str] = ("edit",), outline_chars: int = 8_000, **options: Any
    ) -> None:
        if "reward" in options:
            raise ConfigError(
                "reward: a session always uses dense rewards, whose sum is the sparse reward"
            )
        if outline_chars < 0:
            raise ConfigError(f"outline_chars: expected 0 or more, got {outline_chars}")
        self.env = PPTArenaDocEnv(tools=tools, **options)
        # Trainers never close their environments.
        self._close = weakref.finalize(self, self.env.close)
        self._outline_chars = outline_chars
        self._info: dict[str, Any] | None = None
        self.steps: list[CreditedStep] = []
        """The calls of this episode, with their rewards."""
        self.over = True
        """Whether the episode accepts no more calls."""

    def begin(self, task: str | Path | Task | None = None, seed: int | None = None) -> str:
        """Start an episode.

        Args:
            task: The task; None samples one, or uses the task that the environment was created
                for.
            seed: Seed of the environment.

        Returns:
            The first message: the instruction, and the outline of the deck.

        Raises:
            UnknownTaskError: If there is no such task.
            MachineError: If the application that saves fails.
        """
        self.over = True
        options = {} if task is None else {"task": task}
        observation, self._info = self.env.reset(seed=seed, options=options)
        self.steps, self.over = [], False
        outline = observation["outline"]
        if len(outline) > self._outline_chars:
            outline = outline[: self._outline_chars].rpartition("\n")[0]
        return f"{observation['instruction']}\n\n{outline}".strip()

    def act(self, action: str | Mapping[str, Any] | ToolCall | ActionError) -> str:
        """Execute one call.

        Args:
            action: An action of the environment; an `ActionError` is a reply without a valid call.

        Returns:
            The result of the call, for the model, followed by the instruction of the next turn, if
            one starts.

        Raises:
            ActionError: If the call was refused, with the reason, or the episode is over.
            MachineError: If the infrastructure failed: this episode has no score.
        """
        if self.over:
            raise ActionError(_OVER_MESSAGE)
        instruction = self.info["instruction"]
        observation, reward, terminated, truncated, info = self.env.step(action)  # type: ignore[arg-type]
        self._info, self.over = info, terminated or truncated
        error = info["action_error"]
        tool = "" if error else str(info["command"].get("tool", ""))
        self.steps.append(CreditedStep(tool, float(reward)))
        if info["infra_error"]:
            raise MachineError(info["infra_error"])
        if error:
            raise ActionError(error)
        result = str(observation["result"])
        if info["instruction"] != instruction and not self.over:
            result += f"\nNext task, on the same deck: {info['instruction']}"
        return result

    def finish(self) -> None:
        """Score the episode of a model that has stopped, as if it had called done.

        Raises:
            MachineError: If the infrastructure failed.
        """
        while not self.over:
            self.act(ToolCall("done", {}))

    @property
    def info(self) -> dict[str, Any]:
        """The environment's last info.

        Raises:
            ConfigError: If no episode has started yet.
        """
        if self._info is None:
            raise ConfigError("no episode: call begin() first")
        return self._info

    @property
    def score(self) -> float | None:
        """The final score in [0, 1]; None before the end, or if the episode is unscored."""
        if not self.over or self.info["infra_error"]:
            return None
        if self.info["rubric"].get("score") is None:
            return None
        return float(self.info["score"])

    def total(self, discount: float = 1.0) -> float | None:
        """Return the sum of the rewards, each times `discount` to the power of earlier calls.

        Without a discount, the sum is the final score. Returns None without a score.
        """
        if self.score is None:
            return None
        return sum(step.reward * discount**index for index, step in enumerate(self.steps))

    def close(self) -> None:
        """Close the environment. A second call does nothing."""
        self._close()
