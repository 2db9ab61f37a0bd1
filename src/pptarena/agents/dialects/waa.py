"""WindowsAgentArena's ``computer`` module (arXiv 2409.08264). Its code is never executed."""

import re
from collections.abc import Callable

from pptarena.agents.dialects.action_builder import ActionBuilder
from pptarena.agents.dialects.base import PlainDialect, Point, Reply, Screen, reply_text
from pptarena.agents.dialects.code import CodeCall, code_blocks, read_calls
from pptarena.agents.dialects.coordinates import Fractions, Pixels
from pptarena.agents.dialects.key_names import pyautogui_names
from pptarena.agents.dialects.pyautogui_reader import PyautoguiReader, quote
from pptarena.agents.dialects.values import integer, number, short_repr, text
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["Waa"]

_PROMPT = """\
Answer with a short analysis of the screen and a plan, then a decision and the code of one step:
```decision
COMMAND
```
```python
computer.mouse.move_id(id=7)
computer.mouse.single_click()
```
The decision is COMMAND (do what the code says), WAIT, DONE (the task is finished) or FAIL (it
cannot be done). What you write in a block ```memory comes back with the next screen. These
functions are known:
computer.mouse.move_id(id), computer.mouse.move_abs(x, y) with shares of the screen from 0 to 1,
computer.mouse.single_click(), double_click(), right_click(), scroll(dir="up" or "down"),
drag(x, y) from where the mouse is; computer.keyboard.write(text), computer.keyboard.press(key),
such as "enter" or "ctrl+b"; computer.clipboard.copy_text(text), copy_image(id, description),
paste(); computer.os.open_program(name), computer.window_manager.switch_to_application(name). Calls
of pyautogui with plain values are carried out, too, with points in pixels of the screen."""

_DECISIONS = {"DONE": "done", "FAIL": "fail", "WAIT": "wait"}
_DECISION = re.compile(r"^[ \t]*(DONE|FAIL|WAIT)[ \t]*(?:#.*)?$", re.MULTILINE)
_SCROLL_CLICKS = 5
_WAIT_SEC = 5
_CLICKS = {
    "click": "single_click",
    "double_click": "double_click",
    "right_click": "right_click",
}
_TEXT_FUNCTIONS = {
    "type": "computer.keyboard.write",
    "copy_text": "computer.clipboard.copy_text",
    "open_program": "computer.os.open_program",
    "switch_window": "computer.window_manager.switch_to_application",
}


class Waa(PlainDialect):
    """Calls of ``computer.*`` with element ids or fractions of the screen."""

    name = "waa"
    api = "chat"
    see = "marks,window,slide"

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the code, or the decision if it is not COMMAND."""
        blocks = code_blocks(reply_text(reply))
        for language, content in blocks:
            if language == "decision" and (match := _DECISION.search(content)):
                return [Action(_DECISIONS[match[1]], amount=_WAIT_SEC if match[1] == "WAIT" else 0)]
        code = "\n".join(content for language, content in blocks if language in ("python", ""))
        return _WaaReader(screen).actions(read_calls(code))

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as code, or as a decision."""
        encoded = _format_decision(action) or f"```python\n{_format_code(action, screen)}\n```"
        return Reply(f"{thought}\n{encoded}" if thought else encoded)


class _WaaReader:
    """Translates calls; the pointer may be on an element instead of at a point."""

    def __init__(self, screen: Screen) -> None:
        self._screen, self._builder, self._sleep_sec = screen, ActionBuilder(screen), 0.0
        self._pyautogui = PyautoguiReader(Pixels(), screen, builder=self._builder)

    def actions(self, calls: list[CodeCall]) -> list[Action]:
        """Return the actions of calls."""
        for call in calls:
            self._decode(call)
        if self._sleep_sec and all(call.name == "time.sleep" for call in calls):
            self._builder.wait(self._sleep_sec)  # otherwise each step waits anyway
        return self._builder.actions()

    def _decode(self, call: CodeCall) -> None:
        handler = _HANDLERS.get(call.name)
        if handler is not None:
            handler(self, call)
        elif call.name.startswith("pyautogui."):
            self._pyautogui.translate(call)
        elif call.name == "time.sleep":
            self._sleep_sec += number(call.arguments("secs"), "secs")
        elif call.name in _TEXT_KINDS:
            arguments = call.arguments("text")
            content = (
                next(iter(arguments.values()), "") if len(arguments) == 1 else arguments.get("text")
            )
            self._builder.add(Action(_TEXT_KINDS[call.name], text=text({"text": content}, "text")))
        else:
            raise DialectError(f"unknown function {short_repr(call.name)}")

    def _move_id(self, call: CodeCall) -> None:
        element = integer(call.arguments("id"), "id")
        self._screen.target(Action("move", element=element))  # refuses unknown elements
        self._builder.move(element)

    def _move_abs(self, call: CodeCall) -> None:
        self._builder.move(self._point(call))

    def _click(self, call: CodeCall) -> None:
        call.arguments()
        counts = {"single_click": ("left", 1), "double_click": ("left", 2)}
        self._builder.click(None, *counts.get(call.name.rpartition(".")[2], ("right", 1)))

    def _scroll(self, call: CodeCall) -> None:
        directions = {"down": 1, "up": -1}
        direction = text(call.arguments("dir"), "dir")
        if direction not in directions:
            raise DialectError(f"expected dir 'up' or 'down', got {short_repr(direction)}")
        self._builder.scroll(directions[direction] * _SCROLL_CLICKS, 0)

    def _drag(self, call: CodeCall) -> None:
        self._builder.drag(None, self._point(call))

    def _press(self, call: CodeCall) -> None:
        arguments = call.arguments("key")
        self._builder.key(text(arguments, "key" if "key" in arguments else "text"))

    def _copy_image(self, call: CodeCall) -> None:
        arguments = call.arguments("id", "description")
        description = text(arguments, "description", "")
        self._builder.add(Action("copy_image", element=integer(arguments, "id"), text=description))

    def _paste(self, call: CodeCall) -> None:
        call.arguments()
        self._builder.add(Action("paste"))

    def _point(self, call: CodeCall) -> Point:
        arguments = call.arguments("x", "y")
        return Fractions().read(number(arguments, "x"), number(arguments, "y"), self._screen)


_HANDLERS: dict[str, Callable[[_WaaReader, CodeCall], None]] = {
    "computer.mouse.move_id": _WaaReader._move_id,
    "computer.mouse.move_abs": _WaaReader._move_abs,
    "computer.mouse.single_click": _WaaReader._click,
    "computer.mouse.double_click": _WaaReader._click,
    "computer.mouse.right_click": _WaaReader._click,
    "computer.mouse.scroll": _WaaReader._scroll,
    "computer.mouse.drag": _WaaReader._drag,
    "computer.keyboard.press": _WaaReader._press,
    "computer.clipboard.copy_image": _WaaReader._copy_image,
    "computer.clipboard.paste": _WaaReader._paste,
}
_TEXT_KINDS = {function: kind for kind, function in _TEXT_FUNCTIONS.items()}


def _format_decision(action: Action) -> str:
    decisions = {"done": "DONE", "fail": "FAIL"}
    if action.kind == "wait" and action.amount == _WAIT_SEC:
        return "```decision\nWAIT\n```"
    return f"```decision\n{decisions[action.kind]}\n```" if action.kind in decisions else ""


def _format_code(action: Action, screen: Screen) -> str:
    if action.kind in _TEXT_FUNCTIONS:
        return f"{_TEXT_FUNCTIONS[action.kind]}({quote(action.text)})"
    if action.kind == "paste":
        return "computer.clipboard.paste()"
    if action.kind == "copy_image" and action.element:
        description = quote(action.text)
        return f"computer.clipboard.copy_image(id={action.element}, description={description})"
    if action.kind == "key":
        line = f"computer.keyboard.press({quote('+'.join(pyautogui_names(action.keys)))})"
        return "\n".join([line] * max(action.amount, 1))
    if action.keys or action.kind not in (*_CLICKS, "triple_click", "move", "drag", "scroll"):
        raise DialectError(f"{action!r} cannot be expressed in WindowsAgentArena's calls")
    return "\n".join(filter(None, (_format_move(action, screen), _format_gesture(action, screen))))


def _format_move(action: Action, screen: Screen) -> str:
    if action.element:
        return f"computer.mouse.move_id(id={action.element})"
    x, y = Fractions().write(screen.target(action), screen)
    return f"computer.mouse.move_abs(x={x:.4f}, y={y:.4f})"


def _format_gesture(action: Action, screen: Screen) -> str:
    if action.kind == "drag":
        x, y = Fractions().write(action.end_xy or (0.0, 0.0), screen)
        return f"computer.mouse.drag(x={x:.4f}, y={y:.4f})"
    if action.kind == "scroll":
        if action.amount not in (_SCROLL_CLICKS, -_SCROLL_CLICKS):
            return f"pyautogui.scroll({-action.amount})"
        return f'computer.mouse.scroll(dir="{"down" if action.amount > 0 else "up"}")'
    if action.kind == "triple_click":
        return "computer.mouse.double_click()\ncomputer.mouse.single_click()"
    return f"computer.mouse.{_CLICKS[action.kind]}()" if action.kind in _CLICKS else ""
