"""`ActionBuilder`: combines the gestures of a reply into actions."""

import dataclasses
import math

from pptarena.agents.dialects.base import Point, Screen
from pptarena.agents.dialects.key_names import combination
from pptarena.envs.action_space import AMOUNT_MAX
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["MAX_ACTIONS", "ActionBuilder", "Target", "wheel_clicks"]

MAX_ACTIONS = 20
"""The most actions of one reply; each is a step of the episode."""

Target = Point | int
"""A point in [0, 1], or the number of an element."""

_WAIT_MAX_SEC = 20
_CLICKS = {
    ("left", 1): "click",
    ("left", 2): "double_click",
    ("left", 3): "triple_click",
    ("right", 1): "right_click",
    ("middle", 1): "middle_click",
}


class ActionBuilder:
    """Builds the actions of one reply from its mouse and keyboard gestures.

    Many dialects need several gestures for one action: move and then press; hold Ctrl, click and
    release it; the same key three times; a double click followed by a click at the same point. Each
    of these becomes one action.

    Args:
        screen: The screen that the model received.
    """

    def __init__(self, screen: Screen) -> None:
        self._pointer: Target | None = screen.pointer
        self._pending_move: Target | None = None
        self._held_keys: dict[str, bool] = {}  # key -> whether another input used it
        self._actions: list[Action] = []

    def move(self, target: Target) -> None:
        """Move the pointer; a later gesture at this point needs no separate action for it."""
        self._flush()
        self._pointer = self._pending_move = target

    def click(self, target: Target | None, button: str = "left", count: int = 1) -> None:
        """Click at a target, by default at the pointer.

        Raises:
            DialectError: If this kind of click does not exist.
        """
        kind = _CLICKS.get((button, count))
        if kind is None:
            raise DialectError(f"expected 1 to 3 left clicks or 1 other, got {count} {button}")
        self.press(kind, target)

    def press(
        self, kind: str, target: Target | None, keys: str = "", end: Point | None = None
    ) -> None:
        """Perform a pointer action at a target, by default at the pointer.

        Raises:
            DialectError: If the position of the pointer is unknown.
        """
        if target is None:
            target = self._pointer
            if target is None:
                raise DialectError(
                    "expected a point, because the position of the pointer is unknown"
                )
        else:
            self._flush()
        self._pending_move = None
        self._pointer = end or target
        action = dataclasses.replace(
            _pointer_action(kind, target), end_xy=end, keys=self._with_held_keys(keys)
        )
        previous = self._actions[-1] if self._actions else None
        if kind == "click" and previous == dataclasses.replace(action, kind="double_click"):
            # Some dialects have no other notation for a triple click.
            self._actions[-1] = dataclasses.replace(action, kind="triple_click")
        else:
            self._add(action)

    def drag(self, target: Target | None, end: Point, keys: str = "") -> None:
        """Drag from a target, by default the pointer, to a point."""
        self.press("drag", target, keys, end)

    def scroll(
        self, down: float, right: float, target: Target | None = None, keys: str = ""
    ) -> None:
        """Turn the wheel by whole clicks; horizontal scrolling is the wheel with Shift.

        Raises:
            DialectError: If the number of clicks is 0.
        """
        if not (down or right):
            raise DialectError("expected a scroll of more than 0")
        if down and right:
            raise DialectError("expected a scroll along one axis, got both")
        self.press("scroll", target, "+".join(filter(None, ("shift" if right else "", keys))))
        amount = wheel_clicks(down or right)
        self._actions[-1] = dataclasses.replace(self._actions[-1], amount=amount)

    def key(self, keys: str, repeat: int = 1) -> None:
        """Press a key combination, together with the keys that are held.

        Raises:
            ActionError: If the combination is invalid.
        """
        if not 1 <= repeat <= AMOUNT_MAX:
            raise DialectError(f"expected 1 to {AMOUNT_MAX} presses of a key, got {repeat}")
        pressed = self._with_held_keys(combination([keys]))
        last = self._actions[-1] if self._actions and self._pending_move is None else None
        total = max(last.amount, 1) + repeat if last else 0
        if last and last.kind == "key" and last.keys == pressed and total <= AMOUNT_MAX:
            self._actions[-1] = dataclasses.replace(last, amount=total)
            return
        self.add(Action("key", keys=pressed, amount=repeat if repeat > 1 else 0))

    def key_down(self, name: str) -> None:
        """Hold a key down."""
        self._held_keys.setdefault(combination([name]), False)

    def key_up(self, name: str) -> None:
        """Release a key; if no other input used it, the key itself is pressed.

        Raises:
            DialectError: If it is not held.
        """
        self._flush()
        name = combination([name])
        if name not in self._held_keys:
            raise DialectError(f"expected {name} to be held, since it is released")
        if not self._held_keys.pop(name):
            self.key(name)

    def type(self, text: str) -> None:
        """Type a text.

        Raises:
            DialectError: If keys are held, because a text is typed literally.
        """
        if self._held_keys:
            raise DialectError("expected no keys to be held while a text is typed")
        self.add(Action("type", text=text))

    def wait(self, seconds: float) -> None:
        """Wait: whole seconds, at most 20."""
        if seconds < 0:
            raise DialectError(f"expected 0 or more seconds, got {seconds:g}")
        self.add(Action("wait", amount=math.ceil(min(seconds, _WAIT_MAX_SEC))))

    def screenshot(self) -> None:
        """Take a screenshot; this is an action only if the reply requests nothing else."""
        if not self._actions:
            self.add(Action("wait"))

    def add(self, action: Action) -> None:
        """Add an action other than a gesture."""
        self._flush()
        self._add(action)

    def actions(self) -> list[Action]:
        """Return the actions.

        Raises:
            DialectError: If there are none, or keys are held at the end.
        """
        self._flush()
        if self._held_keys:
            raise DialectError(
                f"expected {', '.join(self._held_keys)} to be released in the same answer"
            )
        if not self._actions:
            raise DialectError("expected at least one action, got none")
        return self._actions

    def _flush(self) -> None:
        if self._pending_move is not None:
            action, self._pending_move = _pointer_action("move", self._pending_move), None
            self._add(dataclasses.replace(action, keys=self._with_held_keys("")))

    def _with_held_keys(self, keys: str) -> str:
        names = [*self._held_keys, *([keys] if keys else [])]
        self._held_keys = dict.fromkeys(self._held_keys, True)
        return combination(names) if names else ""

    def _add(self, action: Action) -> None:
        if len(self._actions) >= MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        self._actions.append(action)


def _pointer_action(kind: str, target: Target) -> Action:
    return Action(kind, element=target) if isinstance(target, int) else Action(kind, xy=target)


def wheel_clicks(turns: float) -> int:
    """Return wheel clicks within the limits of an action: 1 to 20 in either direction."""
    clicks = max(1, min(round(abs(turns)), AMOUNT_MAX))
    return clicks if turns > 0 else -clicks
