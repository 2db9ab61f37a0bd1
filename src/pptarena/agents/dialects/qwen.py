"""Qwen2.5-VL (arXiv 2502.13923) and Qwen3-VL (arXiv 2511.21631): the tool ``computer_use``."""

import json
from typing import Any

from pptarena.agents.dialects.base import Call, PlainDialect, Point, Reply, Screen, Size, text_of
from pptarena.agents.dialects.coordinates import Grid, Pixels, Thousandths, smart_resize
from pptarena.agents.dialects.hand import MAX_ACTIONS, Hand
from pptarena.agents.dialects.json_text import json_objects
from pptarena.agents.dialects.key_names import combination, plain_names
from pptarena.agents.dialects.values import number, optional_point, repr_of, text, texts
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["Qwen3Vl", "Qwen25Vl"]

_PROMPT = """\
# Tools

You may call one or more functions to assist with the user query.

You are provided with function signatures within <tools></tools> XML tags:
<tools>
{tool}
</tools>

For each function call, return a json object with function name and arguments within
<tool_call></tool_call> XML tags:
<tool_call>
{"name": <function-name>, "arguments": <args-json-object>}
</tool_call>"""

_ACTIONS = {
    "key": "press keys together, in order",
    "type": "type a text",
    "mouse_move": "move to a coordinate",
    "left_click": "click",
    "right_click": "right click",
    "middle_click": "middle click",
    "double_click": "double click",
    "triple_click": "triple click",
    "left_click_drag": "drag from where the mouse is to a coordinate",
    "scroll": "turn the wheel by pixels, positive is up",
    "hscroll": "turn it sideways, positive is right",
    "wait": "wait some seconds",
    "terminate": "end the task with a status",
    "answer": "answer a question",
}
_CLICKS = {
    "left_click": "click",
    "right_click": "right_click",
    "middle_click": "middle_click",
    "double_click": "double_click",
    "triple_click": "triple_click",
}
_CLICK_NAMES = {kind: name for name, kind in _CLICKS.items()}
_CLICK_PX = 100


class Qwen25Vl(PlainDialect):
    """Points in pixels of the picture after scaling by the model's processor."""

    name = "qwen2.5-vl"
    api = "chat"
    see = "screenshot,window,slide"
    _grid: Grid = Pixels()

    def prompt(self) -> str:
        """Return the system prompt; the size of the screen comes with `tools`."""
        tool = json.dumps(_declared("The screen's resolution is that of the screenshot."))
        return _PROMPT.replace("{tool}", tool)

    def picture_size(self, size: Size) -> Size:
        """Return the size that the model's processor produces."""
        return smart_resize(size, 28, 3136, 12_845_056)

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the calls, extracted from the text if the service did not."""
        calls = list(reply.calls) or _calls(text_of(reply))
        if len(calls) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} calls in one answer")
        hand = Hand(screen)
        for call in calls:
            if call.name != "computer_use":
                raise DialectError(f"expected the function computer_use, got {repr_of(call.name)}")
            self._do(call.arguments, hand, screen)
        return hand.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as calls in the text."""
        calls = "\n".join(
            f"<tool_call>\n{_json({'name': 'computer_use', 'arguments': each})}\n</tool_call>"
            for each in self._said(action, screen)
        )
        return Reply(f"{thought}\n{calls}" if thought else calls)

    def _do(self, given: Any, hand: Hand, screen: Screen) -> None:
        if not isinstance(given, dict):
            raise DialectError(f"expected arguments as an object, got {repr_of(given)}")
        kind = text(given, "action")
        at = optional_point(given, "coordinate")
        point = None if at is None else self._grid.read(*at, screen)
        match kind:
            case _ if kind in _CLICKS:
                hand.press(_CLICKS[kind], point, text(given, "text", ""))
            case "mouse_move" if point:
                hand.move(point)
            case "left_click_drag" if point:
                hand.drag(None, point)
            case "scroll":
                hand.scroll(-number(given, "pixels") / _CLICK_PX, 0, point)
            case "hscroll":
                hand.scroll(0, number(given, "pixels") / _CLICK_PX, point)
            case "mouse_move" | "left_click_drag":
                raise DialectError(f"expected a coordinate for {kind}")
            case _:
                _do_without_mouse(kind, given, hand)

    def _said(self, action: Action, screen: Screen) -> list[dict[str, Any]]:
        kind = action.kind
        sideways = kind == "scroll" and action.keys == "shift"
        if action.keys and kind != "key" and not sideways and kind not in _CLICK_NAMES:
            raise DialectError("keys can be held during clicks alone")
        if kind in _CLICK_NAMES:
            held = {"text": action.keys} if action.keys else {}
            return [{"action": _CLICK_NAMES[kind], "coordinate": self._at(action, screen), **held}]
        match kind:
            case "move":
                return [{"action": "mouse_move", "coordinate": self._at(action, screen)}]
            case "drag":
                end = self._written(action.end_xy or (0.0, 0.0), screen)
                start = {"action": "mouse_move", "coordinate": self._at(action, screen)}
                return [start, {"action": "left_click_drag", "coordinate": end}]
            case "scroll":
                turn = {"action": "scroll", "pixels": -action.amount * _CLICK_PX}
                if sideways:
                    turn = {"action": "hscroll", "pixels": action.amount * _CLICK_PX}
                return [{**turn, "coordinate": self._at(action, screen)}]
            case "key":
                one = {"action": "key", "keys": plain_names(action.keys)}
                return [one] * max(action.amount, 1)
            case "type":
                return [{"action": "type", "text": action.text}]
            case "wait":
                return [{"action": "wait", "time": action.amount}]
            case "done" | "fail":
                status = "success" if kind == "done" else "failure"
                return [{"action": "terminate", "status": status}]
        raise DialectError(f"{kind} cannot be said in Qwen's computer_use")

    def _at(self, action: Action, screen: Screen) -> list[float]:
        return self._written(screen.target(action), screen)

    def _written(self, point: Point, screen: Screen) -> list[float]:
        return list(self._grid.write(point, screen))


class Qwen3Vl(Qwen25Vl):
    """Points in thousandths of the screen, independent of the size of the picture."""

    name = "qwen3-vl"
    _grid = Thousandths()

    def prompt(self) -> str:
        """Return the system prompt."""
        tool = json.dumps(_declared("The screen's resolution is 1000x1000."))
        return _PROMPT.replace("{tool}", tool)

    def picture_size(self, size: Size) -> Size:
        """Return the size that the model's processor produces."""
        return smart_resize(size, 32, 65_536, 16_777_216)


def _do_without_mouse(kind: str, given: dict[str, Any], hand: Hand) -> None:
    match kind:
        case "key":
            hand.key(combination(texts(given, "keys")))
        case "type":
            hand.type(text(given, "text"))
        case "wait":
            hand.wait(number(given, "time", 1))
        case "answer":
            hand.add(Action("done"))
        case "terminate":
            failed = text(given, "status", "success") != "success"
            hand.add(Action("fail" if failed else "done"))
        case _:
            raise DialectError(f"unknown action {repr_of(kind)}")


def _calls(text: str) -> list[Call]:
    return [_call(value) for value in json_objects(text[max(text.find("<tool_call>"), 0) :])]


def _call(value: dict[str, Any]) -> Call:
    name, arguments = value.get("name"), value.get("arguments")
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise DialectError('expected {"name": "computer_use", "arguments": {...}}')
    return Call(name, arguments)


def _declared(resolution: str) -> dict[str, Any]:
    actions = "; ".join(f"{name}: {words}" for name, words in _ACTIONS.items())
    properties: dict[str, Any] = {
        "action": {"type": "string", "enum": list(_ACTIONS), "description": actions},
        "keys": {"type": "array", "items": {"type": "string"}},
        "text": {"type": "string", "description": "for type; for clicks, modifiers held"},
        "coordinate": {"type": "array", "items": {"type": "number"}, "description": "[x, y]"},
        "pixels": {"type": "number"},
        "time": {"type": "number", "description": "seconds"},
        "status": {"type": "string", "enum": ["success", "failure"]},
    }
    return {
        "type": "function",
        "function": {
            "name": "computer_use",
            "description": f"Use mouse and keyboard of a computer. {resolution}",
            "parameters": {"type": "object", "properties": properties, "required": ["action"]},
        },
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
