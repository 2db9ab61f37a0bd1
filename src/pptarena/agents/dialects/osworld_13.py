"""OSWorld's ``computer_13`` (arXiv 2404.07972): thirteen types of action as JSON, in pixels."""

import json
from typing import Any

from pptarena.agents.dialects.base import PlainDialect, Point, Reply, Screen, text_of
from pptarena.agents.dialects.coordinates import Pixels
from pptarena.agents.dialects.hand import Hand
from pptarena.agents.dialects.json_text import json_objects
from pptarena.agents.dialects.key_names import combination, plain_names
from pptarena.agents.dialects.values import finite, number, repr_of, text, texts, whole
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

_PLAIN = {"DONE": "done", "FAIL": "fail", "WAIT": "wait"}
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
        said = text_of(reply)
        bare = said.strip("` \n")
        if bare in _PLAIN:
            return [_plain(bare)]
        hand = Hand(screen)
        for value in json_objects(said):
            _do(value, hand, screen)
        return hand.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as one object or several."""
        said = "\n".join(f"```json\n{_json(each)}\n```" for each in _said(action, screen))
        return Reply(f"{thought}\n{said}" if thought else said)


def _plain(name: str) -> Action:
    return Action(_PLAIN[name], amount=_WAIT_SEC if name == "WAIT" else 0)


def _do(value: dict[str, Any], hand: Hand, screen: Screen) -> None:
    kind = text(value, "action_type")
    given = value.get("parameters", value)
    if not isinstance(given, dict):
        raise DialectError(f"expected parameters as an object, got {repr_of(given)}")
    at = _point(given, screen)
    match kind:
        case "CLICK":
            hand.click(at, text(given, "button", "left"), whole(given, "num_clicks", 1))
        case "RIGHT_CLICK":
            hand.click(at, "right")
        case "DOUBLE_CLICK":
            hand.click(at, "left", 2)
        case "MOUSE_DOWN" | "MOUSE_UP":
            if text(given, "button", "left") != "left":
                raise DialectError("expected the left button")
            hand.press(kind.lower(), at)
        case "MOVE_TO" | "DRAG_TO":
            if at is None:
                raise DialectError(f"expected x and y for {kind}")
            if kind == "MOVE_TO":
                hand.move(at)
            else:
                hand.drag(None, at)
        case "SCROLL":
            hand.scroll(-number(given, "dy", 0), number(given, "dx", 0), at)
        case _:
            _do_without_mouse(kind, given, hand)


def _do_without_mouse(kind: str, given: dict[str, Any], hand: Hand) -> None:
    match kind:
        case "TYPING":
            hand.type(text(given, "text"))
        case "PRESS":
            hand.key(text(given, "key"))
        case "KEY_DOWN":
            hand.key_down(text(given, "key"))
        case "KEY_UP":
            hand.key_up(text(given, "key"))
        case "HOTKEY":
            hand.key(combination(texts(given, "keys")))
        case "WAIT" | "DONE" | "FAIL":
            hand.add(_plain(kind))
        case _:
            raise DialectError(f"unknown action_type {repr_of(kind)}")


def _point(given: dict[str, Any], screen: Screen) -> Point | None:
    if given.get("x") is None and given.get("y") is None:
        return None
    return Pixels().read(finite(given.get("x"), "x"), finite(given.get("y"), "y"), screen)


def _said(action: Action, screen: Screen) -> list[dict[str, Any]]:
    held = plain_names(action.keys) if action.keys and action.kind != "key" else []
    if action.kind == "scroll" and "shift" in held:
        held.remove("shift")
    down = [_object("KEY_DOWN", key=key) for key in held]
    up = [_object("KEY_UP", key=key) for key in reversed(held)]
    return [*down, *_gesture(action, screen), *up]


def _gesture(action: Action, screen: Screen) -> list[dict[str, Any]]:
    match action.kind:
        case kind if kind in _CLICKS:
            words = dict(_CLICKS[kind])
            return [_object(words.pop("action_type"), **words, **_at(action, screen))]
        case "mouse_down" | "mouse_up":
            move = _object("MOVE_TO", **_at(action, screen))
            return [move, _object(action.kind.upper())]
        case "drag":
            x, y = Pixels().write(action.end_xy or (0.0, 0.0), screen)
            return [_object("MOVE_TO", **_at(action, screen)), _object("DRAG_TO", x=x, y=y)]
        case "scroll":
            sideways = "shift" in action.keys.split("+")
            turn = {"dx": action.amount, "dy": 0} if sideways else {"dx": 0, "dy": -action.amount}
            return [_object("MOVE_TO", **_at(action, screen)), _object("SCROLL", **turn)]
        case "key":
            names = plain_names(action.keys)
            one = _object("HOTKEY", keys=names)
            one = _object("PRESS", key=names[0]) if len(names) == 1 else one
            return [one] * max(action.amount, 1)
        case "type":
            return [_object("TYPING", text=action.text)]
        case "done" | "fail":
            return [_object(action.kind.upper())]
        case "wait" if action.amount == _WAIT_SEC:
            return [_object("WAIT")]
    raise DialectError(f"{action!r} cannot be said in computer_13")


def _at(action: Action, screen: Screen) -> dict[str, int]:
    x, y = Pixels().write(screen.target(action), screen)
    return {"x": x, "y": y}


def _object(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"action_type": kind, "parameters": parameters}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
