"""WindowsAgentArena's ``computer`` module (arXiv 2409.08264). Its code is never executed."""

import re
from collections.abc import Callable

from pptarena.agents.dialects.base import PlainDialect, Point, Reply, Screen, text_of
from pptarena.agents.dialects.code import CodeCall, code_blocks, read_calls
from pptarena.agents.dialects.coordinates import Pixels, Shares
from pptarena.agents.dialects.hand import Hand
from pptarena.agents.dialects.key_names import plain_names
from pptarena.agents.dialects.pyautogui_code import PyautoguiReader, quoted
from pptarena.agents.dialects.values import number, repr_of, text, whole
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
_TEXTS = {
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
        blocks = code_blocks(text_of(reply))
        for language, content in blocks:
            if language == "decision" and (found := _DECISION.search(content)):
                return [Action(_DECISIONS[found[1]], amount=_WAIT_SEC if found[1] == "WAIT" else 0)]
        code = "\n".join(content for language, content in blocks if language in ("python", ""))
        return _WaaHand(screen).actions(read_calls(code))

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as code, or as a decision."""
        said = _decision(action) or f"```python\n{_code(action, screen)}\n```"
        return Reply(f"{thought}\n{said}" if thought else said)


class _WaaHand:
    """Executes calls; the mouse may be on an element, not only at a point."""

    def __init__(self, screen: Screen) -> None:
        self._screen, self._hand, self._slept = screen, Hand(screen), 0.0
        self._pyautogui = PyautoguiReader(Pixels(), screen, hand=self._hand)

    def actions(self, calls: list[CodeCall]) -> list[Action]:
        """Return the actions of calls."""
        for call in calls:
            self._do(call)
        if self._slept and all(call.name == "time.sleep" for call in calls):
            self._hand.wait(self._slept)  # between two calls a step waits anyway
        return self._hand.actions()

    def _do(self, call: CodeCall) -> None:
        does = _DOES.get(call.name)
        if does is not None:
            does(self, call)
        elif call.name.startswith("pyautogui."):
            self._pyautogui.do(call)
        elif call.name == "time.sleep":
            self._slept += number(call.arguments("secs"), "secs")
        elif call.name in _TEXT_KINDS:
            given = call.arguments("text")
            value = next(iter(given.values()), "") if len(given) == 1 else given.get("text")
            self._hand.add(Action(_TEXT_KINDS[call.name], text=text({"text": value}, "text")))
        else:
            raise DialectError(f"unknown function {repr_of(call.name)}")

    def _move_id(self, call: CodeCall) -> None:
        element = whole(call.arguments("id"), "id")
        self._screen.target(Action("move", element=element))  # refuses unknown elements
        self._hand.move(element)

    def _move_abs(self, call: CodeCall) -> None:
        self._hand.move(self._point(call))

    def _click(self, call: CodeCall) -> None:
        call.arguments()
        counts = {"single_click": ("left", 1), "double_click": ("left", 2)}
        self._hand.click(None, *counts.get(call.name.rpartition(".")[2], ("right", 1)))

    def _scroll(self, call: CodeCall) -> None:
        ways = {"down": 1, "up": -1}
        way = text(call.arguments("dir"), "dir")
        if way not in ways:
            raise DialectError(f"expected dir 'up' or 'down', got {repr_of(way)}")
        self._hand.scroll(ways[way] * _SCROLL_CLICKS, 0)

    def _drag(self, call: CodeCall) -> None:
        self._hand.drag(None, self._point(call))

    def _press(self, call: CodeCall) -> None:
        given = call.arguments("key")
        self._hand.key(text(given, "key" if "key" in given else "text"))

    def _copy_image(self, call: CodeCall) -> None:
        given = call.arguments("id", "description")
        described = text(given, "description", "")
        self._hand.add(Action("copy_image", element=whole(given, "id"), text=described))

    def _paste(self, call: CodeCall) -> None:
        call.arguments()
        self._hand.add(Action("paste"))

    def _point(self, call: CodeCall) -> Point:
        at = call.arguments("x", "y")
        return Shares().read(number(at, "x"), number(at, "y"), self._screen)


_DOES: dict[str, Callable[[_WaaHand, CodeCall], None]] = {
    "computer.mouse.move_id": _WaaHand._move_id,
    "computer.mouse.move_abs": _WaaHand._move_abs,
    "computer.mouse.single_click": _WaaHand._click,
    "computer.mouse.double_click": _WaaHand._click,
    "computer.mouse.right_click": _WaaHand._click,
    "computer.mouse.scroll": _WaaHand._scroll,
    "computer.mouse.drag": _WaaHand._drag,
    "computer.keyboard.press": _WaaHand._press,
    "computer.clipboard.copy_image": _WaaHand._copy_image,
    "computer.clipboard.paste": _WaaHand._paste,
}
_TEXT_KINDS = {function: kind for kind, function in _TEXTS.items()}


def _decision(action: Action) -> str:
    words = {"done": "DONE", "fail": "FAIL"}
    if action.kind == "wait" and action.amount == _WAIT_SEC:
        return "```decision\nWAIT\n```"
    return f"```decision\n{words[action.kind]}\n```" if action.kind in words else ""


def _code(action: Action, screen: Screen) -> str:
    if action.kind in _TEXTS:
        return f"{_TEXTS[action.kind]}({quoted(action.text)})"
    if action.kind == "paste":
        return "computer.clipboard.paste()"
    if action.kind == "copy_image" and action.element:
        described = quoted(action.text)
        return f"computer.clipboard.copy_image(id={action.element}, description={described})"
    if action.kind == "key":
        line = f"computer.keyboard.press({quoted('+'.join(plain_names(action.keys)))})"
        return "\n".join([line] * max(action.amount, 1))
    if action.keys or action.kind not in (*_CLICKS, "triple_click", "move", "drag", "scroll"):
        raise DialectError(f"{action!r} cannot be said in WindowsAgentArena's calls")
    return "\n".join(filter(None, (_move(action, screen), _at_pointer(action, screen))))


def _move(action: Action, screen: Screen) -> str:
    if action.element:
        return f"computer.mouse.move_id(id={action.element})"
    x, y = Shares().write(screen.target(action), screen)
    return f"computer.mouse.move_abs(x={x:.4f}, y={y:.4f})"


def _at_pointer(action: Action, screen: Screen) -> str:
    if action.kind == "drag":
        x, y = Shares().write(action.end_xy or (0.0, 0.0), screen)
        return f"computer.mouse.drag(x={x:.4f}, y={y:.4f})"
    if action.kind == "scroll":
        if action.amount not in (_SCROLL_CLICKS, -_SCROLL_CLICKS):
            return f"pyautogui.scroll({-action.amount})"
        return f'computer.mouse.scroll(dir="{"down" if action.amount > 0 else "up"}")'
    if action.kind == "triple_click":
        return "computer.mouse.double_click()\ncomputer.mouse.single_click()"
    return f"computer.mouse.{_CLICKS[action.kind]}()" if action.kind in _CLICKS else ""
