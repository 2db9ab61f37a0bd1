"""Clicks on a grid of points, for learners that see pixels only."""

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from pptarena.envs.action import Action
from pptarena.envs.action_space import require_expressible, to_space
from pptarena.errors import ConfigError
from pptarena.wrappers.require import require_at_least
from pptarena.wrappers.som_actions import DEFAULT_KEYS, POINTER_CHOICE

__all__ = ["GridActions"]


class GridActions(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Acts by three numbers: what to do, and the column and row of the grid cell to do it at.

    What to do is one of `pointer` (at the middle of the cell), then one of `keys`, then ``done``;
    the last two ignore the cell. Everything can be done always, so `action_masks` is all true.

    Args:
        env: A pptarena environment.
        columns: Cells from left to right.
        rows: Cells from top to bottom.
        pointer: Kinds of pointer action, of ``move``, ``click``, ``double_click``,
            ``triple_click``, ``right_click``.
        keys: Keys and combinations.
        done: Whether ``done`` is offered; without it an episode ends by its step budget.

    Raises:
        ActionError: If a key cannot be expressed in the action space.
        ConfigError: If an argument is not allowed.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        columns: int = 64,
        rows: int = 36,
        pointer: Sequence[str] = ("click", "double_click"),
        keys: Sequence[str] = DEFAULT_KEYS,
        done: bool = True,
    ) -> None:
        RecordConstructorArgs.__init__(
            self, columns=columns, rows=rows, pointer=tuple(pointer), keys=tuple(keys), done=done
        )
        gym.Wrapper.__init__(self, env)
        require_at_least("columns", columns, 1)
        require_at_least("rows", rows, 1)
        if not pointer or not set(pointer) <= POINTER_CHOICE:
            raise ConfigError(
                f"expected pointer kinds of {sorted(POINTER_CHOICE)}, got {tuple(pointer)}"
            )
        self._grid = columns, rows
        others = [Action("key", keys=combination) for combination in keys]
        for action in others:
            require_expressible(action)
        self._verbs = (*map(Action, pointer), *others, *([Action("done")] if done else []))
        self._pointers = len(pointer)
        self.action_space = spaces.MultiDiscrete([len(self._verbs), columns, rows])

    def to_action(self, numbers: Sequence[int]) -> Action:
        """Return the action that verb, column and row stand for.

        Raises:
            ConfigError: If one of them is out of range.
        """
        verb, column, row = (int(number) for number in numbers)
        columns, rows = self._grid
        if not (0 <= verb < len(self._verbs) and 0 <= column < columns and 0 <= row < rows):
            raise ConfigError(f"expected an action of {self.action_space}, got {list(numbers)}")
        if verb >= self._pointers:
            return self._verbs[verb]
        return Action(self._verbs[verb].kind, xy=((column + 0.5) / columns, (row + 0.5) / rows))

    def action_masks(self) -> NDArray[np.bool_]:
        """Return that all can be done, bool (verbs + columns + rows,)."""
        return np.ones(len(self._verbs) + sum(self._grid), np.bool_)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Carry out the action of three numbers."""
        return self.env.step(to_space(self.to_action(action)))
