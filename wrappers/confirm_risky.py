"""Ask before an action that is hard to undo."""

import time
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium as gym
from gymnasium.utils import RecordConstructorArgs

from pptarena.closeable import Closeable
from pptarena.envs.action_space import as_action
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.envs.document.call import as_call
from pptarena.errors import ActionError, ConfigError
from pptarena.wrappers.risks import risk_of_action, risk_of_call

__all__ = ["Confirm", "ConfirmRisky", "refusal"]

Confirm = Callable[[Any, str], bool | str]
"""A function of the `Task` and a question such as ``"deletes slides: click 'Delete Slide'"``.

It returns True to allow the action, False to refuse it, or the reason why it refuses.
"""

_MAX_REASON = 500
_MAX_DESCRIPTION = 300


class ConfirmRisky(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Asks before actions that delete slides, close the deck or overwrite a file.

    A refused action is not executed, but counts as a step: ``info["action_error"]`` contains the
    reason. ``info["confirmation"]`` describes the question of the step: ``risk``, ``by``,
    ``allowed``, ``reason`` and ``seconds`` of wall-clock time. Virtual time does not pass while
    the wrapper waits for an answer.

    Args:
        env: A `PPTArenaEnv` or `PPTArenaDocEnv`, possibly wrapped.
        confirm: The function that decides; see `Confirm`. A `Closeable` is closed with the wrapper.
        by: Who answers, for ``info["confirmation"]``.
        exempt: Returns whether the next action needs no confirmation.

    Raises:
        ConfigError: If `confirm` is not a function.

    Example:
        >>> import pptarena
        >>> env = pptarena.make("meridian-hide-backup", machine="fake")
        >>> env = ConfirmRisky(env, lambda task, question: "the deck is still needed")
        >>> _ = env.reset(seed=0)
        >>> *_, info = env.step({"kind": "key", "keys": "ctrl+w"})
        >>> info["action_error"]
        'refused by script: the deck is still needed'
        >>> env.close()
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        confirm: Confirm,
        by: str = "script",
        exempt: Callable[[], bool] = lambda: False,
    ) -> None:
        if not callable(confirm):
            raise ConfigError(f"confirm: expected a function, got {confirm!r:.80}")
        RecordConstructorArgs.__init__(self, confirm=confirm, by=by, exempt=exempt)
        gym.Wrapper.__init__(self, env)
        self._confirm, self._by, self._exempt = confirm, by, exempt
        self._info: dict[str, Any] = {}
        self._screen = (0, 0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._record(observation, info)
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute an action unless it is risky and refused."""
        confirmation = self._ask(action)
        if confirmation is not None and not confirmation["allowed"]:
            action = refusal(confirmation)
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._record(observation, info)
        if confirmation is not None:
            info = {**info, "confirmation": confirmation}
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """Close the environment and the confirming function."""
        if isinstance(self._confirm, Closeable):
            self._confirm.close()
        super().close()

    def _record(self, observation: Any, info: dict[str, Any]) -> None:
        self._info = info
        if "screenshot" in observation:
            height, width = observation["screenshot"].shape[:2]
            self._screen = width, height

    def _ask(self, action: Any) -> dict[str, Any] | None:
        """Return the answer about an action; None if there is nothing to ask."""
        if self._exempt():
            return None
        base: Any = self.env.unwrapped
        if isinstance(base, PPTArenaDocEnv):
            risk = risk_of_call(action)
        else:
            risk = risk_of_action(action, self._info["a11y"]["nodes"], self._screen)
        if not risk:
            return None
        started = time.monotonic()
        answer = self._confirm(base.task, f"{risk}: {_describe(action, self._info)}")
        if not isinstance(answer, bool | str):
            raise ConfigError(f"confirm: expected True, False or a reason, got {answer!r}")
        return {
            "risk": risk,
            "by": self._by,
            "allowed": answer is True,
            "reason": answer[:_MAX_REASON] if isinstance(answer, str) else "",
            "seconds": round(time.monotonic() - started, 3),
        }


def refusal(confirmation: Mapping[str, Any]) -> ActionError:
    """Return what the environment executes instead of a refused action.

    Args:
        confirmation: ``info["confirmation"]`` of the step.
    """
    reason = f": {confirmation['reason']}" if confirmation["reason"] else ""
    return ActionError(f"refused by {confirmation['by']}{reason}")


def _describe(action: Any, info: dict[str, Any]) -> str:
    """Return an action in words, with the name of its control."""
    if "a11y" not in info:
        tool, arguments = as_call(action)
        return f"{tool} {arguments}"[:_MAX_DESCRIPTION]
    decoded = as_action(action)
    if decoded.kind == "key":
        return f"key {decoded.keys}"
    name = next((n["name"] for n in info["a11y"]["nodes"] if n["element"] == decoded.element), "")
    return f"{decoded.kind} {name!r}" if decoded.element else f"{decoded.kind} at {decoded.xy}"
