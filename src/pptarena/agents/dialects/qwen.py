"""Qwen2.5-VL (arXiv 2502.13923) and Qwen3-VL (arXiv 2511.21631): the tool ``computer_use``."""

import json
from typing import Any

from pptarena.agents.dialects.action_builder import MAX_ACTIONS, ActionBuilder
from pptarena.agents.dialects.base import Call, PlainDialect, Point, Reply, Screen, Size, reply_text
from pptarena.agents.dialects.coordinates import Grid, Pixels, Thousandths, smart_resize
from pptarena.agents.dialects.json_text import json_objects
from pptarena.agents.dialects.key_names import combination, pyautogui_names
from pptarena.agents.dialects.values import number, optional_point, short_repr, text, texts
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
        tool = json.dumps(_declaration("The screen's resolution is that of the screenshot."))
        return _PROMPT.replace("{tool}", tool)

    def picture_size(self, size: Size) -> Size:
        """Return the size that the model's processor produces."""
        return smart_resize(size, 28, 3136, 12_845_056)

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the calls, extracted from the text if the service did not."""
        calls = list(reply.calls) or _parse_calls(reply_text(reply))
        if len(calls) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} calls in one answer")
        builder = ActionBuilder(screen)
        for call in calls:
            if call.name != "computer_use":
                raise DialectError(
                    f"expected the function computer_use, got {short_repr(call.name)}"
                )
            self._decode(call.arguments, builder, screen)
        return builder.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as calls in the text."""
        calls = "\n".join(
            f"<tool_call>\n{_to_json({'name': 'computer_use', 'arguments': each})}\n</tool_call>"
            for each in self._encode(action, screen)
        )
        return Reply(f"{thought}\n{calls}" if thought else calls)

    def _decode(self, arguments: Any, builder: ActionBuilder, screen: Screen) -> None:
        if not isinstance(arguments, dict):
            raise DialectError(f"expected arguments as an object, got {short_repr(arguments)}")
        kind = text(arguments, "action")
        coordinate = optional_point(arguments, "coordinate")
        point = None if coordinate is None else self._grid.read(*coordinate, screen)
        match kind:
            case _ if kind in _CLICKS:
                builder.press(_CLICKS[kind], point, text(arguments, "text", ""))
            case "mouse_move" if point:
                builder.move(point)
            case "left_click_drag" if point:
                builder.drag(None, point)
            case "scroll":
                builder.scroll(-number(arguments, "pixels") / _CLICK_PX, 0, point)
            case "hscroll":
                builder.scroll(0, number(arguments, "pixels") / _CLICK_PX, point)
            case "mouse_move" | "left_click_drag":
                raise DialectError(f"expected a coordinate for {kind}")
            case _:
                _decode_other(kind, arguments, builder)

    def _encode(self, action: Action, screen: Screen) -> list[dict[str, Any]]:
        kind = action.kind
        is_horizontal = kind == "scroll" and action.keys == "shift"
        if action.keys and kind != "key" and not is_horizontal and kind not in _CLICK_NAMES:
            raise DialectError("keys can only be held during clicks")
        if kind in _CLICK_NAMES:
            modifiers = {"text": action.keys} if action.keys else {}
            return [
                {
                    "action": _CLICK_NAMES[kind],
                    "coordinate": self._target(action, screen),
                    **modifiers,
                }
            ]
        match kind:
            case "move":
                return [{"action": "mouse_move", "coordinate": self._target(action, screen)}]
            case "drag":
                end = self._encode_point(action.end_xy or (0.0, 0.0), screen)
                start = {"action": "mouse_move", "coordinate": self._target(action, screen)}
                return [start, {"action": "left_click_drag", "coordinate": end}]
            case "scroll":
                wheel = {"action": "scroll", "pixels": -action.amount * _CLICK_PX}
                if is_horizontal:
                    wheel = {"action": "hscroll", "pixels": action.amount * _CLICK_PX}
                return [{**wheel, "coordinate": self._target(action, screen)}]
            case "key":
                press = {"action": "key", "keys": pyautogui_names(action.keys)}
                return [press] * max(action.amount, 1)
            case "type":
                return [{"action": "type", "text": action.text}]
            case "wait":
                return [{"action": "wait", "time": action.amount}]
            case "done" | "fail":
                status = "success" if kind == "done" else "failure"
                return [{"action": "terminate", "status": status}]
        raise DialectError(f"{kind} cannot be expressed in Qwen's computer_use")

    def _target(self, action: Action, screen: Screen) -> list[float]:
        return self._encode_point(screen.target(action), screen)

    def _encode_point(self, point: Point, screen: Screen) -> list[float]:
        return list(self._grid.write(point, screen))


class Qwen3Vl(Qwen25Vl):
    """Points in thousandths of the screen, independent of the size of the picture."""

    name = "qwen3-vl"
    _grid = Thousandths()

    def prompt(self) -> str:
        """Return the system prompt."""
        tool = json.dumps(_declaration("The screen's resolution is 1000x1000."))
        return _PROMPT.replace("{tool}", tool)

    def picture_size(self, size: Size) -> Size:
        """Return the size that the model's processor produces."""
        return smart_resize(size, 32, 65_536, 16_777_216)


def _decode_other(kind: str, arguments: dict[str, Any], builder: ActionBuilder) -> None:
    match kind:
        case "key":
            builder.key(combination(texts(arguments, "keys")))
        case "type":
            builder.type(text(arguments, "text"))
        case "wait":
            builder.wait(number(arguments, "time", 1))
        case "answer":
            builder.add(Action("done"))
        case "terminate":
            failed = text(arguments, "status", "success") != "success"
            builder.add(Action("fail" if failed else "done"))
        case _:
            raise DialectError(f"unknown action {short_repr(kind)}")


def _parse_calls(text: str) -> list[Call]:
    return [_parse_call(value) for value in json_objects(text[max(text.find("<tool_call>"), 0) :])]


def _parse_call(value: dict[str, Any]) -> Call:
    name, arguments = value.get("name"), value.get("arguments")
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise DialectError('expected {"name": "computer_use", "arguments": {...}}')
    return Call(name, arguments)


def _declaration(resolution: str) -> dict[str, Any]:
    descriptions = "; ".join(f"{name}: {description}" for name, description in _ACTIONS.items())
    properties: dict[str, Any] = {
        "action": {"type": "string", "enum": list(_ACTIONS), "description": descriptions},
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


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
