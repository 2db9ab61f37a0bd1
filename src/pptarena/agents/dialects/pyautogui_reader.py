"""Translate pyautogui calls: the code of OpenCUA, AgentNet, OSWorld and ScaleCUA."""

import json
from collections.abc import Callable
from typing import Any

from pptarena.agents.dialects.action_builder import ActionBuilder, Target
from pptarena.agents.dialects.base import Point, Screen, question_text
from pptarena.agents.dialects.code import CodeCall, Tag
from pptarena.agents.dialects.coordinates import Grid
from pptarena.agents.dialects.key_names import combination
from pptarena.agents.dialects.values import finite, integer, number, short_repr, text, texts
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["PyautoguiReader", "quote"]

_ENDS = {"success": "done", "failure": "fail", "fail": "fail", "infeasible": "fail"}
_CLICKS = {
    "doubleClick": ("left", 2),
    "tripleClick": ("left", 3),
    "triple_click": ("left", 3),
    "rightClick": ("right", 1),
    "middleClick": ("middle", 1),
    "leftClick": ("left", 1),
}
_PRESSES = {"mouseDown": "mouse_down", "mouseUp": "mouse_up"}
_TEXT_KINDS = ("copy_text", "open_program", "switch_window", "ask")
_PREFIXES = ("pyautogui.", "computer.", "agent.")


class PyautoguiReader:
    """Translates calls of pyautogui and similar libraries into actions.

    Args:
        grid: The coordinate system.
        screen: The screen that the model received.
        question: The text of the reply, which ``call_user()`` sends to the user.
        builder: Receives the actions; by default a new builder.
    """

    def __init__(
        self, grid: Grid, screen: Screen, question: str = "", builder: ActionBuilder | None = None
    ) -> None:
        self._grid, self._screen, self._question = grid, screen, question
        self._builder = ActionBuilder(screen) if builder is None else builder

    def actions(self, calls: list[CodeCall]) -> list[Action]:
        """Return the actions of the calls.

        Raises:
            ActionError: If a call is unknown, or its values are invalid.
        """
        sleep_sec = 0.0
        for call in calls:
            if call.name == "time.sleep":
                sleep_sec += number(call.arguments("secs"), "secs")
            else:
                self.translate(call)
        if calls and all(call.name == "time.sleep" for call in calls):
            self._builder.wait(sleep_sec)  # otherwise each step waits anyway
        return self._builder.actions()

    def translate(self, call: CodeCall) -> None:
        """Translate one call.

        Raises:
            ActionError: If the call is unknown, or its values are invalid.
        """
        name = call.name
        for prefix in _PREFIXES:
            name = name.removeprefix(prefix)
        if name in _CLICKS or name == "click":
            self._click(name, call)
        elif name in _PRESSES:
            arguments = call.arguments("x", "y", "button")
            _require_left(arguments)
            self._builder.press(_PRESSES[name], self._target(arguments))
        elif name in _TEXT_KINDS:
            self._builder.add(Action(name, text=text(call.arguments("text"), "text", "")))
        else:
            handler = _HANDLERS.get(name)
            if handler is None:
                raise DialectError(f"unknown function {short_repr(call.name)}")
            handler(self, call)

    def _click(self, name: str, call: CodeCall) -> None:
        button, count = _CLICKS.get(name, ("left", 1))
        arguments = call.arguments("x", "y", "clicks", "interval", "button")
        if name in ("doubleClick", "click", "tripleClick"):
            button = text(arguments, "button", button)
        button = {"primary": "left", "secondary": "right"}.get(button, button)
        self._builder.click(self._target(arguments), button, integer(arguments, "clicks", count))

    def _move(self, call: CodeCall) -> None:
        target = self._target(call.arguments("x", "y", "duration"))
        if target is None:
            raise DialectError("expected x and y")
        self._builder.move(target)

    def _drag(self, call: CodeCall) -> None:
        arguments = call.arguments("x", "y", "duration", "tween", "button")
        _require_left(arguments)
        if "from_coord" in arguments:
            start, end = self._pair(arguments, "from_coord"), self._pair(arguments, "to_coord")
            self._builder.drag(start, end)
        else:
            self._builder.drag(None, self._required_point(arguments))

    def _scroll(self, call: CodeCall) -> None:
        arguments = call.arguments("clicks", "x", "y")
        self._builder.scroll(-number(arguments, "clicks"), 0, self._target(arguments))

    def _hscroll(self, call: CodeCall) -> None:
        arguments = call.arguments("clicks", "x", "y")
        self._builder.scroll(0, number(arguments, "clicks"), self._target(arguments))

    def _write(self, call: CodeCall) -> None:
        arguments = call.arguments("message", "interval")
        self._builder.type(text(arguments, "message" if "message" in arguments else "text"))

    def _press(self, call: CodeCall) -> None:
        arguments = call.arguments("keys", "presses", "interval")
        names = texts(arguments, "keys" if "keys" in arguments else "key")
        for name in names:
            self._builder.key(name, integer(arguments, "presses", 1))

    def _hotkey(self, call: CodeCall) -> None:
        values = call.positional or tuple(texts(call.named, "args"))
        names = values[0] if len(values) == 1 and isinstance(values[0], list) else values
        self._builder.key(combination(texts({"keys": list(names)}, "keys")))

    def _key_down(self, call: CodeCall) -> None:
        self._builder.key_down(text(call.arguments("key"), "key"))

    def _key_up(self, call: CodeCall) -> None:
        self._builder.key_up(text(call.arguments("key"), "key"))

    def _wait(self, call: CodeCall) -> None:
        self._builder.wait(number(call.arguments("seconds"), "seconds", 3))

    def _terminate(self, call: CodeCall) -> None:
        status = text(call.arguments("status", "info"), "status", "success").lower()
        if status not in _ENDS:
            raise DialectError(f"expected status 'success' or 'failure', got {short_repr(status)}")
        self._builder.add(Action(_ENDS[status]))

    def _end(self, call: CodeCall) -> None:
        self._builder.add(Action("fail" if call.name == "FAIL" else "done"))

    def _call_user(self, call: CodeCall) -> None:
        question = text(call.arguments("text"), "text", "")
        self._builder.add(Action("ask", text=question or question_text(self._question)))

    def _paste(self, call: CodeCall) -> None:
        call.arguments()
        self._builder.add(Action("paste"))

    def _copy_image(self, call: CodeCall) -> None:
        arguments = call.arguments("x", "y", "end_x", "end_y", "description")
        end = {"x": arguments.get("end_x"), "y": arguments.get("end_y")}
        xy, end_xy = self._required_point(arguments), self._required_point(end)
        description = text(arguments, "description", "")
        self._builder.add(Action("copy_image", xy=xy, end_xy=end_xy, text=description))

    def _screenshot(self, call: CodeCall) -> None:
        self._builder.screenshot()

    def _target(self, arguments: dict[str, Any]) -> Target | None:
        x, y = arguments.get("x"), arguments.get("y")
        if isinstance(x, Tag):
            self._screen.target(Action("move", element=x.number))  # refuses unknown elements
            return x.number
        if isinstance(x, list) and y is None:
            return self._pair(arguments, "x")
        if x is None and y is None:
            return None
        return self._grid.read(finite(x, "x"), finite(y, "y"), self._screen)

    def _required_point(self, arguments: dict[str, Any]) -> Point:
        target = self._target(arguments)
        if target is None:
            raise DialectError("expected x and y")
        return (
            self._screen.target(Action("move", element=target))
            if isinstance(target, int)
            else target
        )

    def _pair(self, arguments: dict[str, Any], name: str) -> Point:
        pair = arguments.get(name)
        if not isinstance(pair, list) or len(pair) != 2:
            raise DialectError(f"expected {name} to be [x, y], got {short_repr(pair)}")
        return self._grid.read(finite(pair[0], name), finite(pair[1], name), self._screen)


_HANDLERS: dict[str, Callable[[PyautoguiReader, CodeCall], None]] = {
    "moveTo": PyautoguiReader._move,
    "move": PyautoguiReader._move,
    "dragTo": PyautoguiReader._drag,
    "swipe": PyautoguiReader._drag,
    "scroll": PyautoguiReader._scroll,
    "vscroll": PyautoguiReader._scroll,
    "hscroll": PyautoguiReader._hscroll,
    "write": PyautoguiReader._write,
    "typewrite": PyautoguiReader._write,
    "press": PyautoguiReader._press,
    "hotkey": PyautoguiReader._hotkey,
    "keyDown": PyautoguiReader._key_down,
    "keyUp": PyautoguiReader._key_up,
    "wait": PyautoguiReader._wait,
    "WAIT": PyautoguiReader._wait,
    "terminate": PyautoguiReader._terminate,
    "response": PyautoguiReader._end,
    "DONE": PyautoguiReader._end,
    "FAIL": PyautoguiReader._end,
    "call_user": PyautoguiReader._call_user,
    "paste": PyautoguiReader._paste,
    "copy_image": PyautoguiReader._copy_image,
    "screenshot": PyautoguiReader._screenshot,
}


def _require_left(arguments: dict[str, Any]) -> None:
    if (button := text(arguments, "button", "left")) not in ("left", "primary"):
        raise DialectError(f"expected the left button, got {short_repr(button)}")


def quote(value: str) -> str:
    """Return a text in a notation that is valid in both Python and JSON."""
    return json.dumps(value, ensure_ascii=False)
