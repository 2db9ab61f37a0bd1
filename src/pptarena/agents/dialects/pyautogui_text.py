"""Write actions as calls of pyautogui or of a similar library."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pptarena.agents.dialects.base import Screen
from pptarena.agents.dialects.coordinates import Grid
from pptarena.agents.dialects.key_names import plain_names
from pptarena.agents.dialects.pyautogui_code import quoted
from pptarena.envs.actions import POINTER_KINDS, Action
from pptarena.errors import DialectError

__all__ = ["PyautoguiWriter"]

_POINTERS = {
    "click": "click({at})",
    "double_click": "doubleClick({at})",
    "triple_click": "tripleClick({at})",
    "right_click": "rightClick({at})",
    "middle_click": "middleClick({at})",
    "move": "moveTo({at})",
    "mouse_down": "mouseDown({at})",
    "mouse_up": "mouseUp({at})",
}
_ENDS = {"done": "success", "fail": "failure"}


@dataclass(frozen=True)
class PyautoguiWriter:
    """Writes actions as code.

    Attributes:
        grid: The coordinate system.
        library: Prefix of the functions of pyautogui.
        other: Prefix of the functions that pyautogui lacks; None if there are none, so that actions
            that need them cannot be expressed.
        pointers: Pointer actions with a different notation.
        ends: ``done`` and ``fail``, where they are not calls.
        tags: Whether elements are written as variables ``tag_<number>``.
    """

    grid: Grid
    library: str = "pyautogui."
    other: str | None = "computer."
    pointers: Mapping[str, str] = field(default_factory=dict)
    ends: Mapping[str, str] = field(default_factory=dict)
    tags: bool = False

    def code(self, action: Action, screen: Screen) -> str:
        """Return an action as code.

        Raises:
            DialectError: If it cannot be expressed.
        """
        if action.kind in _POINTERS:
            at = self._at(action, screen)
            if action.kind in self.pointers:
                return self._held(action.keys, self.pointers[action.kind].format(at=at))
            return self._held(action.keys, self.library + _POINTERS[action.kind].format(at=at))
        match action.kind:
            case "drag":
                return self._held(action.keys, self._drag(action, screen))
            case "scroll":
                return self._scroll(action, screen)
            case "key":
                return self._key(action)
            case "type":
                return f"{self.library}write(message={quoted(action.text)})"
        return self._no_gesture(action, screen)

    def _no_gesture(self, action: Action, screen: Screen) -> str:
        if action.kind in self.ends:
            return self.ends[action.kind]
        if self.other is None and action.kind == "wait":
            return f"time.sleep({action.amount})"
        if self.other is None or action.kind in POINTER_KINDS:
            raise DialectError(f"{action.kind} cannot be said in pyautogui's calls")
        if action.kind in _ENDS:
            return f"{self.other}terminate(status={quoted(_ENDS[action.kind])})"
        if action.kind == "wait":
            return f"{self.other}wait({action.amount})"
        if action.kind == "copy_image":
            if action.element or action.end_xy is None:
                raise DialectError("a picture is copied from one point to another")
            x, y = self.grid.write(action.end_xy, screen)
            at = self._at(action, screen)
            more = f", description={quoted(action.text)}" if action.text else ""
            return f"{self.other}copy_image({at}, end_x={_number(x)}, end_y={_number(y)}{more})"
        return f"{self.other}{action.kind}({quoted(action.text) if action.text else ''})"

    def _drag(self, action: Action, screen: Screen) -> str:
        end = self._point(*self.grid.write(action.end_xy or (0.0, 0.0), screen))
        at = self._at(action, screen)
        return f"{self.library}moveTo({at})\n{self.library}dragTo({end})"

    def _scroll(self, action: Action, screen: Screen) -> str:
        keys = action.keys.split("+") if action.keys else []
        name, turns = "scroll", -action.amount
        if "shift" in keys:
            keys.remove("shift")
            name, turns = "hscroll", action.amount
        return self._held("+".join(keys), self._turn(name, turns, self._at(action, screen)))

    def _turn(self, name: str, turns: int, at: str) -> str:
        return f"{self.library}moveTo({at})\n{self.library}{name}({turns})"

    def _at(self, action: Action, screen: Screen) -> str:
        if self.tags and action.element:
            return f"tag_{action.element}"
        return self._point(*self.grid.write(screen.target(action), screen))

    def _point(self, x: float, y: float) -> str:
        return f"x={_number(x)}, y={_number(y)}"

    def _key(self, action: Action) -> str:
        names = plain_names(action.keys)
        if len(names) > 1:
            line = f"{self.library}hotkey({', '.join(quoted(name) for name in names)})"
            return "\n".join([line] * max(action.amount, 1))
        times = f", presses={action.amount}" if action.amount > 1 else ""
        return f"{self.library}press({quoted(names[0])}{times})"

    def _held(self, keys: str, code: str) -> str:
        held = plain_names(keys) if keys else []
        down = [f"{self.library}keyDown({quoted(key)})" for key in held]
        up = [f"{self.library}keyUp({quoted(key)})" for key in reversed(held)]
        return "\n".join([*down, code, *up])


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
