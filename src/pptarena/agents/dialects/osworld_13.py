"""OSWorld's ``computer_13`` (arXiv 2404.07972): thirteen types of action as JSON, in pixels."""

import json
from typing import Any

from pptarena.agents.dialects.action_builder import ActionBuilder
from pptarena.agents.dialects.base import PlainDialect, Point, Reply, Screen, reply_text
from pptarena.agents.dialects.coordinates import Pixels
from pptarena.agents.dialects.json_text import json_objects
from pptarena.agents.dialects.key_names import combination, pyautogui_names
from pptarena.agents.dialects.values import finite, integer, number, short_repr, text, texts
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["OsworldComputer13"]

_PROMPT = """\
Answer with what you see and think in a few words, and then with an action as JSON:
```json
{"action_type": "CLICK", "parameters": {"x": 640, "y": 360}}
```
Types and parameters: MOVE_TO(x, y); CLICK(button, x, y, num_clicks), RIGHT_CLICK(x, y),
DOUBLE_CLICK(x, y), where x and y default to where the mouse is; MOUSE_DOWN(), MOUSE_UP();
DRAG_TO(x, y) from where the mouse is; SCROLL(dx, dy) in wheel clicks, positive dy is up;
TYPING(text); PRESS(key); KEY_DOWN(key); KEY_UP(key); HOTKEY(keys); WAIT; DONE when the task is
finished; FAIL when it cannot be done. x and y are pixels of the screenshot. Several actions may
follow one another, each in an object of its own."""

_PLAIN_KINDS = {"DONE": "done", "FAIL": "fail", "WAIT": "wait"}
_CLICKS: dict[str, dict[str, Any]] = {
    "click": {"action_type": "CLICK"},
    "triple_click": {"action_type": "CLICK", "num_clicks": 3},
    "middle_click": {"action_type": "CLICK", "button": "middle"},
    "right_click": {"action_type": "RIGHT_CLICK"},
    "double_click": {"action_type": "DOUBLE_CLICK"},
    "move": {"action_type": "MOVE_TO"},
}
_WAIT_SEC = 1


class OsworldComputer13(PlainDialect):
    """Objects such as ``{"action_type": "CLICK", "parameters": {"x": 640, "y": 360}}``."""

    name = "osworld-computer13"
    api = "chat"
    see = "screenshot,window,slide"

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of all objects; a bare WAIT, DONE or FAIL counts too."""
        answer = reply_text(reply)
        bare = answer.strip("` \n")
        if bare in _PLAIN_KINDS:
            return [_plain_action(bare)]
        builder = ActionBuilder(screen)
        for value in json_objects(answer):
            _decode(value, builder, screen)
        return builder.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as one object or several."""
        encoded = "\n".join(f"```json\n{_to_json(value)}\n```" for value in _encode(action, screen))
        return Reply(f"{thought}\n{encoded}" if thought else encoded)


def _plain_action(name: str) -> Action:
    return Action(_PLAIN_KINDS[name], amount=_WAIT_SEC if name == "WAIT" else 0)


def _decode(value: dict[str, Any], builder: ActionBuilder, screen: Screen) -> None:
    kind = text(value, "action_type")
    parameters = value.get("parameters", value)
    if not isinstance(parameters, dict):
        raise DialectError(f"expected parameters as an object, got {short_repr(parameters)}")
    point = _point(parameters, screen)
    match kind:
        case "CLICK":
            builder.click(
                point, text(parameters, "button", "left"), integer(parameters, "num_clicks", 1)
            )
        case "RIGHT_CLICK":
            builder.click(point, "right")
        case "DOUBLE_CLICK":
            builder.click(point, "left", 2)
        case "MOUSE_DOWN" | "MOUSE_UP":
            if text(parameters, "button", "left") != "left":
                raise DialectError("expected the left button")
            builder.press(kind.lower(), point)
        case "MOVE_TO" | "DRAG_TO":
            if point is None:
                raise DialectError(f"expected x and y for {kind}")
            if kind == "MOVE_TO":
                builder.move(point)
            else:
                builder.drag(None, point)
        case "SCROLL":
            builder.scroll(-number(parameters, "dy", 0), number(parameters, "dx", 0), point)
        case _:
            _decode_other(kind, parameters, builder)


def _decode_other(kind: str, parameters: dict[str, Any], builder: ActionBuilder) -> None:
    match kind:
        case "TYPING":
            builder.type(text(parameters, "text"))
        case "PRESS":
            builder.key(text(parameters, "key"))
        case "KEY_DOWN":
            builder.key_down(text(parameters, "key"))
        case "KEY_UP":
            builder.key_up(text(parameters, "key"))
        case "HOTKEY":
            builder.key(combination(texts(parameters, "keys")))
        case "WAIT" | "DONE" | "FAIL":
            builder.add(_plain_action(kind))
        case _:
            raise DialectError(f"unknown action_type {short_repr(kind)}")


def _point(parameters: dict[str, Any], screen: Screen) -> Point | None:
    if parameters.get("x") is None and parameters.get("y") is None:
        return None
    return Pixels().read(finite(parameters.get("x"), "x"), finite(parameters.get("y"), "y"), screen)


def _encode(action: Action, screen: Screen) -> list[dict[str, Any]]:
    modifiers = pyautogui_names(action.keys) if action.keys and action.kind != "key" else []
    if action.kind == "scroll" and "shift" in modifiers:
        modifiers.remove("shift")
    presses = [_object("KEY_DOWN", key=key) for key in modifiers]
    releases = [_object("KEY_UP", key=key) for key in reversed(modifiers)]
    return [*presses, *_encode_gesture(action, screen), *releases]


def _encode_gesture(action: Action, screen: Screen) -> list[dict[str, Any]]:
    match action.kind:
        case kind if kind in _CLICKS:
            fields = dict(_CLICKS[kind])
            return [_object(fields.pop("action_type"), **fields, **_coordinates(action, screen))]
        case "mouse_down" | "mouse_up":
            move = _object("MOVE_TO", **_coordinates(action, screen))
            return [move, _object(action.kind.upper())]
        case "drag":
            x, y = Pixels().write(action.end_xy or (0.0, 0.0), screen)
            return [
                _object("MOVE_TO", **_coordinates(action, screen)),
                _object("DRAG_TO", x=x, y=y),
            ]
        case "scroll":
            is_horizontal = "shift" in action.keys.split("+")
            wheel = (
                {"dx": action.amount, "dy": 0} if is_horizontal else {"dx": 0, "dy": -action.amount}
            )
            return [_object("MOVE_TO", **_coordinates(action, screen)), _object("SCROLL", **wheel)]
        case "key":
            names = pyautogui_names(action.keys)
            press = _object("HOTKEY", keys=names)
            press = _object("PRESS", key=names[0]) if len(names) == 1 else press
            return [press] * max(action.amount, 1)
        case "type":
            return [_object("TYPING", text=action.text)]
        case "done" | "fail":
            return [_object(action.kind.upper())]
        case "wait" if action.amount == _WAIT_SEC:
            return [_object("WAIT")]
    raise DialectError(f"{action!r} cannot be expressed in computer_13")


def _coordinates(action: Action, screen: Screen) -> dict[str, int]:
    x, y = Pixels().write(screen.target(action), screen)
    return {"x": x, "y": y}


def _object(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"action_type": kind, "parameters": parameters}


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
