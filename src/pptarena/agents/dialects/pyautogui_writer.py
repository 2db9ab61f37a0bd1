"""Write actions as calls of pyautogui or of a similar library."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pptarena.agents.dialects.base import Screen
from pptarena.agents.dialects.coordinates import Grid
from pptarena.agents.dialects.key_names import pyautogui_names
from pptarena.agents.dialects.pyautogui_reader import quote
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
        other: Prefix of the functions that pyautogui lacks; None if the dialect has none and cannot
            express these actions.
        pointers: Pointer actions with a different notation.
        ends: Notation of ``done`` and ``fail`` if they are not calls.
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
            target = self._target(action, screen)
            if action.kind in self.pointers:
                return self._with_modifiers(
                    action.keys, self.pointers[action.kind].format(at=target)
                )
            return self._with_modifiers(
                action.keys, self.library + _POINTERS[action.kind].format(at=target)
            )
        match action.kind:
            case "drag":
                return self._with_modifiers(action.keys, self._drag(action, screen))
            case "scroll":
                return self._scroll(action, screen)
            case "key":
                return self._key(action)
            case "type":
                return f"{self.library}write(message={quote(action.text)})"
        return self._command(action, screen)

    def _command(self, action: Action, screen: Screen) -> str:
        if action.kind in self.ends:
            return self.ends[action.kind]
        if self.other is None and action.kind == "wait":
            return f"time.sleep({action.amount})"
        if self.other is None or action.kind in POINTER_KINDS:
            raise DialectError(f"{action.kind} cannot be expressed as pyautogui calls")
        if action.kind in _ENDS:
            return f"{self.other}terminate(status={quote(_ENDS[action.kind])})"
        if action.kind == "wait":
            return f"{self.other}wait({action.amount})"
        if action.kind == "copy_image":
            if action.element or action.end_xy is None:
                raise DialectError("a picture is copied from one point to another")
            x, y = self.grid.write(action.end_xy, screen)
            target = self._target(action, screen)
            end = f"end_x={_number(x)}, end_y={_number(y)}"
            description = f", description={quote(action.text)}" if action.text else ""
            return f"{self.other}copy_image({target}, {end}{description})"
        return f"{self.other}{action.kind}({quote(action.text) if action.text else ''})"

    def _drag(self, action: Action, screen: Screen) -> str:
        end = self._point(*self.grid.write(action.end_xy or (0.0, 0.0), screen))
        target = self._target(action, screen)
        return f"{self.library}moveTo({target})\n{self.library}dragTo({end})"

    def _scroll(self, action: Action, screen: Screen) -> str:
        keys = action.keys.split("+") if action.keys else []
        name, clicks = "scroll", -action.amount
        if "shift" in keys:
            keys.remove("shift")
            name, clicks = "hscroll", action.amount
        return self._with_modifiers(
            "+".join(keys), self._wheel(name, clicks, self._target(action, screen))
        )

    def _wheel(self, name: str, clicks: int, target: str) -> str:
        return f"{self.library}moveTo({target})\n{self.library}{name}({clicks})"

    def _target(self, action: Action, screen: Screen) -> str:
        if self.tags and action.element:
            return f"tag_{action.element}"
        return self._point(*self.grid.write(screen.target(action), screen))

    def _point(self, x: float, y: float) -> str:
        return f"x={_number(x)}, y={_number(y)}"

    def _key(self, action: Action) -> str:
        names = pyautogui_names(action.keys)
        if len(names) > 1:
            line = f"{self.library}hotkey({', '.join(quote(name) for name in names)})"
            return "\n".join([line] * max(action.amount, 1))
        presses = f", presses={action.amount}" if action.amount > 1 else ""
        return f"{self.library}press({quote(names[0])}{presses})"

    def _with_modifiers(self, keys: str, code: str) -> str:
        names = pyautogui_names(keys) if keys else []
        presses = [f"{self.library}keyDown({quote(key)})" for key in names]
        releases = [f"{self.library}keyUp({quote(key)})" for key in reversed(names)]
        return "\n".join([*presses, code, *releases])


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.4f}"
