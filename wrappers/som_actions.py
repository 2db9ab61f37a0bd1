"""One flat, discrete action space over Set-of-Marks ids, with exact masks."""

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from pptarena.envs.action import Action
from pptarena.envs.action_space import MAX_ELEMENTS, require_expressible, to_space
from pptarena.envs.elements import COLUMNS
from pptarena.envs.keys import parse_keys
from pptarena.envs.roles import ROLES
from pptarena.errors import ActionError, ConfigError
from pptarena.wrappers.quoted_texts import quoted_texts
from pptarena.wrappers.requirements import dict_space, require_actions, require_at_least

__all__ = ["DEFAULT_KEYS", "POINTER_CHOICE", "SomActions", "other_actions"]

DEFAULT_KEYS = (
    *("Escape", "Return", "Tab", "Delete", "BackSpace", "F2", "Up", "Down", "Home", "End"),
    *("Page_Up", "Page_Down", "ctrl+a", "ctrl+b", "ctrl+i", "ctrl+u", "ctrl+c", "ctrl+x"),
    *("ctrl+v", "ctrl+z", "ctrl+d"),
)
"""The keys and key combinations used most for editing a deck."""

POINTER_CHOICE = frozenset(("move", "click", "double_click", "triple_click", "right_click"))
"""Pointer actions that a flat action space may offer: those that need a single point."""


class SomActions(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Acts by one number: a pointer action on a mark, a key, a text, or the end of the episode.

    The numbers are, in this order: the marks 1 to `marks` for each of `pointer`, then `keys`, then
    `texts` (typed), then ``done`` if offered, then the quoted texts of the instruction (typed).
    `action_masks` returns which of them are possible now: marks that the last observation has,
    quoted texts that exist, and all others. The independent parts of a MultiDiscrete space cannot
    express such a mask, so the space is flat.

    Args:
        env: A pptarena environment.
        marks: Number of marks, 1 to 256; elements beyond cannot be reached.
        pointer: Pointer actions, of ``move``, ``click``, ``double_click``, ``triple_click``,
            ``right_click``.
        keys: Keys and key combinations.
        texts: Texts to type.
        done: Whether to offer ``done``; without it an episode ends when its step budget is spent.
        roles: Names of roles; the marks of all others are masked out, to make exploration easier.
            None masks none.
        quotes: Number of quoted texts that can be typed; those that the instruction lacks are
            masked out.

    Raises:
        ActionError: If a key or a text cannot be expressed in the action space, or would be
            refused.
        ConfigError: If an argument is not allowed, or `env` has no ``element_count`` or other
            actions.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        marks: int = 128,
        pointer: Sequence[str] = ("click", "double_click"),
        keys: Sequence[str] = DEFAULT_KEYS,
        texts: Sequence[str] = (),
        done: bool = True,
        roles: Sequence[str] | None = None,
        quotes: int = 0,
    ) -> None:
        RecordConstructorArgs.__init__(
            self,
            marks=marks,
            pointer=tuple(pointer),
            keys=tuple(keys),
            texts=tuple(texts),
            done=done,
            roles=None if roles is None else tuple(roles),
            quotes=quotes,
        )
        gym.Wrapper.__init__(self, env)
        require_at_least("marks", marks, 1)
        require_at_least("quotes", quotes, 0)
        dict_space(env, "element_count", spaces.Discrete)
        require_actions(env)
        if marks > MAX_ELEMENTS or not pointer or not set(pointer) <= POINTER_CHOICE:
            raise ConfigError(
                f"expected at most {MAX_ELEMENTS} marks and pointer kinds of "
                f"{sorted(POINTER_CHOICE)}, got {marks} and {tuple(pointer)}"
            )
        self.marks = marks
        self.pointer = tuple(pointer)
        self._fixed = other_actions(keys, texts, done)
        self._quoted: tuple[str, ...] = ("",) * quotes  # empty if it cannot be typed
        self._roles = None if roles is None else _role_numbers(roles)
        self._marked = np.zeros(marks, np.bool_)
        self.action_space = spaces.Discrete(marks * len(self.pointer) + len(self.others))

    @property
    def others(self) -> tuple[Action, ...]:
        """The actions without a mark, in the order of their numbers.

        A quoted text that the instruction lacks is an action with an empty text.
        """
        return (*self._fixed, *(Action("type", text=text) for text in self._quoted))

    def to_action(self, number: int) -> Action:
        """Return the action of a number.

        Raises:
            ConfigError: If there is no such number.
        """
        if not 0 <= number < int(self.action_space.n):  # type: ignore[attr-defined]
            raise ConfigError(f"expected an action below {self.action_space}, got {number}")
        kind, mark = divmod(int(number), self.marks)
        if kind < len(self.pointer):
            return Action(self.pointer[kind], element=mark + 1)
        return self.others[int(number) - self.marks * len(self.pointer)]

    def to_number(self, action: Action) -> int:
        """Return the number of an action.

        Raises:
            ConfigError: If the action has no number.
        """
        if action.kind in self.pointer and 1 <= action.element <= self.marks:
            return self.pointer.index(action.kind) * self.marks + action.element - 1
        if action not in self.others:
            raise ConfigError(f"no number stands for {action}")
        return self.marks * len(self.pointer) + self.others.index(action)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are possible on the last observation, bool (n,).

        MaskablePPO of sb3-contrib calls this method by name.
        """
        typable = [bool(text) for text in self._quoted]
        others = np.array([True] * len(self._fixed) + typable, np.bool_)
        return np.concatenate([*[self._marked] * len(self.pointer), others])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        quoted = map(_text_if_typable, quoted_texts(str(info["instruction"]), len(self._quoted)))
        self._quoted = (*quoted, *[""] * len(self._quoted))[: len(self._quoted)]
        self._update_marks(observation)
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute the action of a number."""
        result = self.env.step(to_space(self.to_action(int(action))))
        self._update_marks(result[0])
        return result

    def _update_marks(self, observation: dict[str, Any]) -> None:
        self._marked = np.arange(self.marks) < int(observation["element_count"])
        if self._roles is not None:
            roles = observation["elements"][: self.marks, COLUMNS.index("role")]
            self._marked[: len(roles)] &= np.isin(roles, self._roles)


def _role_numbers(roles: Sequence[str]) -> NDArray[np.float32]:
    unknown = sorted(set(roles) - set(ROLES))
    if unknown:
        raise ConfigError(f"expected names of roles, got {unknown}")
    return np.array([ROLES.index(role) for role in roles], np.float32)


def _text_if_typable(text: str) -> str:
    try:
        require_expressible(Action("type", text=text))
    except ActionError:
        return ""
    return text


def other_actions(keys: Sequence[str], texts: Sequence[str], done: bool) -> tuple[Action, ...]:
    """Return the actions without a mark of `SomActions` with these arguments, in their order.

    Raises:
        ActionError: If a key or a text cannot be expressed in the action space, or would be
            refused: a key with an unknown name, or an empty text.
        ConfigError: If `keys` or `texts` is a text instead of a sequence of texts.
    """
    for name, values in (("keys", keys), ("texts", texts)):
        if isinstance(values, str):
            raise ConfigError(f"expected {name} to be a sequence such as [{values!r}], got a text")
    actions = [Action("key", keys=combination) for combination in keys]
    actions += [Action("type", text=text) for text in texts]
    for action in actions:
        require_expressible(action)
        if action.kind == "key":
            parse_keys(action.keys)
        elif not action.text:
            raise ActionError("expected texts to type, got an empty one")
    return (*actions, Action("done")) if done else tuple(actions)
