"""Click on a grid of points, for learners that use pixels only."""

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from pptarena.envs.action import Action
from pptarena.envs.action_space import to_space
from pptarena.errors import ConfigError
from pptarena.wrappers.requirements import require_actions, require_at_least
from pptarena.wrappers.som_actions import DEFAULT_KEYS, POINTER_CHOICE, other_actions

__all__ = ["GridActions"]


class GridActions(gym.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Acts by three numbers: a verb, and the column and row of a grid cell.

    The verb is one of `pointer` (at the center of the cell), then one of `keys`, then ``done``; the
    last two ignore the cell. Every action is always possible, so `action_masks` is all true.

    Args:
        env: A pptarena environment.
        columns: Number of cells from left to right.
        rows: Number of cells from top to bottom.
        pointer: Pointer actions, of ``move``, ``click``, ``double_click``, ``triple_click``,
            ``right_click``.
        keys: Keys and key combinations.
        done: Whether to offer ``done``; without it an episode ends when its step budget is spent.

    Raises:
        ActionError: If a key cannot be expressed in the action space, or has an unknown name.
        ConfigError: If an argument is not allowed, or `env` has other actions.
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
        require_actions(env)
        self._verbs = (*map(Action, pointer), *other_actions(keys, (), done))
        self._pointers = len(pointer)
        self.action_space = spaces.MultiDiscrete([len(self._verbs), columns, rows])

    def to_action(self, numbers: Sequence[int]) -> Action:
        """Return the action for a verb, a column and a row.

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
        """Return a mask that allows every action, bool (verbs + columns + rows,)."""
        return np.ones(len(self._verbs) + sum(self._grid), np.bool_)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Execute the action given by three numbers."""
        return self.env.step(to_space(self.to_action(action)))
