"""Translate pyautogui calls: the code of OpenCUA, AgentNet, OSWorld and ScaleCUA."""

import json
from collections.abc import Callable
from typing import Any

from pptarena.agents.dialects.base import Point, Screen, question_of
from pptarena.agents.dialects.code import CodeCall, Tag
from pptarena.agents.dialects.coordinates import Grid
from pptarena.agents.dialects.hand import Hand, Target
from pptarena.agents.dialects.key_names import combination
from pptarena.agents.dialects.values import finite, number, repr_of, text, texts, whole
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["PyautoguiReader", "quoted"]

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
        question: The text of the reply, which ``call_user()`` asks the user.
        hand: The hand that carries out the calls; by default a new one.
    """

    def __init__(
        self, grid: Grid, screen: Screen, question: str = "", hand: Hand | None = None
    ) -> None:
        self._grid, self._screen, self._question = grid, screen, question
        self._hand = Hand(screen) if hand is None else hand

    def actions(self, calls: list[CodeCall]) -> list[Action]:
        """Return the actions of the calls.

        Raises:
            ActionError: If a call is unknown, or its values are invalid.
        """
        slept = 0.0
        for call in calls:
            if call.name == "time.sleep":
                slept += number(call.arguments("secs"), "secs")
            else:
                self.do(call)
        if calls and all(call.name == "time.sleep" for call in calls):
            self._hand.wait(slept)  # between two calls a step waits anyway
        return self._hand.actions()

    def do(self, call: CodeCall) -> None:
        """Carry out one call.

        Raises:
            ActionError: If the call is unknown, or its values are invalid.
        """
        name = call.name
        for prefix in _PREFIXES:
            name = name.removeprefix(prefix)
        if name in _CLICKS or name == "click":
            self._click(name, call)
        elif name in _PRESSES:
            at = call.arguments("x", "y", "button")
            _require_left(at)
            self._hand.press(_PRESSES[name], self._target(at))
        elif name in _TEXT_KINDS:
            self._hand.add(Action(name, text=text(call.arguments("text"), "text", "")))
        else:
            does = _DOES.get(name)
            if does is None:
                raise DialectError(f"unknown function {repr_of(call.name)}")
            does(self, call)

    def _click(self, name: str, call: CodeCall) -> None:
        button, count = _CLICKS.get(name, ("left", 1))
        at = call.arguments("x", "y", "clicks", "interval", "button")
        if name in ("doubleClick", "click", "tripleClick"):
            button = text(at, "button", button)
        button = {"primary": "left", "secondary": "right"}.get(button, button)
        self._hand.click(self._target(at), button, whole(at, "clicks", count))

    def _move(self, call: CodeCall) -> None:
        target = self._target(call.arguments("x", "y", "duration"))
        if target is None:
            raise DialectError("expected x and y")
        self._hand.move(target)

    def _drag(self, call: CodeCall) -> None:
        at = call.arguments("x", "y", "duration", "tween", "button")
        _require_left(at)
        if "from_coord" in at:
            start, end = self._pair(at, "from_coord"), self._pair(at, "to_coord")
            self._hand.drag(start, end)
        else:
            self._hand.drag(None, self._required(at))

    def _scroll(self, call: CodeCall) -> None:
        at = call.arguments("clicks", "x", "y")
        self._hand.scroll(-number(at, "clicks"), 0, self._target(at))

    def _hscroll(self, call: CodeCall) -> None:
        at = call.arguments("clicks", "x", "y")
        self._hand.scroll(0, number(at, "clicks"), self._target(at))

    def _write(self, call: CodeCall) -> None:
        given = call.arguments("message", "interval")
        self._hand.type(text(given, "message" if "message" in given else "text"))

    def _press(self, call: CodeCall) -> None:
        given = call.arguments("keys", "presses", "interval")
        names = texts(given, "keys" if "keys" in given else "key")
        for name in names:
            self._hand.key(name, whole(given, "presses", 1))

    def _hotkey(self, call: CodeCall) -> None:
        given = call.positional or tuple(texts(call.named, "args"))
        names = given[0] if len(given) == 1 and isinstance(given[0], list) else given
        self._hand.key(combination(texts({"keys": list(names)}, "keys")))

    def _key_down(self, call: CodeCall) -> None:
        self._hand.key_down(text(call.arguments("key"), "key"))

    def _key_up(self, call: CodeCall) -> None:
        self._hand.key_up(text(call.arguments("key"), "key"))

    def _wait(self, call: CodeCall) -> None:
        self._hand.wait(number(call.arguments("seconds"), "seconds", 3))

    def _terminate(self, call: CodeCall) -> None:
        status = text(call.arguments("status", "info"), "status", "success").lower()
        if status not in _ENDS:
            raise DialectError(f"expected status 'success' or 'failure', got {repr_of(status)}")
        self._hand.add(Action(_ENDS[status]))

    def _end(self, call: CodeCall) -> None:
        self._hand.add(Action("fail" if call.name == "FAIL" else "done"))

    def _call_user(self, call: CodeCall) -> None:
        asked = text(call.arguments("text"), "text", "")
        self._hand.add(Action("ask", text=asked or question_of(self._question)))

    def _paste(self, call: CodeCall) -> None:
        call.arguments()
        self._hand.add(Action("paste"))

    def _copy_image(self, call: CodeCall) -> None:
        at = call.arguments("x", "y", "end_x", "end_y", "description")
        end = {"x": at.get("end_x"), "y": at.get("end_y")}
        xy, end_xy = self._required(at), self._required(end)
        described = text(at, "description", "")
        self._hand.add(Action("copy_image", xy=xy, end_xy=end_xy, text=described))

    def _look(self, call: CodeCall) -> None:
        self._hand.look()

    def _target(self, at: dict[str, Any]) -> Target | None:
        x, y = at.get("x"), at.get("y")
        if isinstance(x, Tag):
            self._screen.target(Action("move", element=x.number))  # refuses unknown elements
            return x.number
        if isinstance(x, list) and y is None:
            return self._pair(at, "x")
        if x is None and y is None:
            return None
        return self._grid.read(finite(x, "x"), finite(y, "y"), self._screen)

    def _required(self, at: dict[str, Any]) -> Point:
        found = self._target(at)
        if found is None:
            raise DialectError("expected x and y")
        return (
            self._screen.target(Action("move", element=found)) if isinstance(found, int) else found
        )

    def _pair(self, at: dict[str, Any], name: str) -> Point:
        pair = at.get(name)
        if not isinstance(pair, list) or len(pair) != 2:
            raise DialectError(f"expected {name} to be [x, y], got {repr_of(pair)}")
        return self._grid.read(finite(pair[0], name), finite(pair[1], name), self._screen)


_DOES: dict[str, Callable[[PyautoguiReader, CodeCall], None]] = {
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
    "screenshot": PyautoguiReader._look,
}


def _require_left(at: dict[str, Any]) -> None:
    if (button := text(at, "button", "left")) not in ("left", "primary"):
        raise DialectError(f"expected the left button, got {repr_of(button)}")


def quoted(value: str) -> str:
    """Return a text in a notation that is valid in both Python and JSON."""
    return json.dumps(value, ensure_ascii=False)
