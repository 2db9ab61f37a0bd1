"""Gemini's computer use: desktop functions, with coordinates from 0 to 999.

Source: the documentation of the tool and the types of the SDK, google-genai 3.4. The functions of
the older Gemini 2.5, such as ``click_at``, are accepted too.
"""

from typing import Any

from pptarena.agents.dialects.base import (
    INFEASIBLE,
    Call,
    PlainDialect,
    Point,
    Reply,
    Screen,
    end_of,
)
from pptarena.agents.dialects.coordinates import Thousandths
from pptarena.agents.dialects.hand import MAX_ACTIONS, Hand
from pptarena.agents.dialects.key_names import combination, plain_names
from pptarena.agents.dialects.values import number, repr_of, text, texts
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["GeminiComputer"]

_PROMPT = (
    "You use a Linux desktop, not a browser. When the task is done, answer in words and call no "
    f"function; when it cannot be done, say {INFEASIBLE} and why."
)
_GRID = Thousandths(999)
_CLICKS = {
    "click": "click",
    "double_click": "double_click",
    "triple_click": "triple_click",
    "middle_click": "middle_click",
    "right_click": "right_click",
    "mouse_down": "mouse_down",
    "mouse_up": "mouse_up",
    "click_at": "click",
}
_WAYS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}
_CLICK_MAGNITUDE = 100
_DEFAULT_MAGNITUDE = 800


class GeminiComputer(PlainDialect):
    """Calls such as ``click(x=500, y=250, intent="...")``."""

    name = "gemini-computer"
    api = "gemini"
    see = "screenshot,window,slide"

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the tool."""
        return [{"computer_use": {"environment": "ENVIRONMENT_DESKTOP"}}]

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the calls; text alone ends the episode."""
        if not reply.calls:
            return [end_of(reply)]
        if len(reply.calls) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        hand = Hand(screen)
        for call in reply.calls:
            _do(call, hand, screen)
        return hand.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as calls; the end of an episode as text."""
        if action.kind in ("done", "fail"):
            return Reply(INFEASIBLE if action.kind == "fail" else thought or "The task is done.")
        said = _said(action, screen)
        return Reply(
            thought, tuple(Call(name, {**given, "intent": thought}) for name, given in said)
        )


def _do(call: Call, hand: Hand, screen: Screen) -> None:
    given, kind = call.arguments, call.name
    match kind:
        case _ if kind in _CLICKS:
            hand.press(_CLICKS[kind], _point(call, screen))
        case "move" | "hover_at":
            hand.move(_point(call, screen))
        case "drag_and_drop":
            end = _point(call, screen, "destination_")
            hand.drag(_point(call, screen), end)
        case "scroll" | "scroll_at" | "scroll_document":
            way = text(given, "direction")
            if way not in _WAYS:
                raise DialectError(
                    f"expected a direction of {', '.join(_WAYS)}, got {repr_of(way)}"
                )
            turns = number(given, "magnitude", _DEFAULT_MAGNITUDE) / _CLICK_MAGNITUDE
            down, right = (part * turns for part in _WAYS[way])
            hand.scroll(down, right, _point(call, screen) if "x" in given else (0.5, 0.5))
        case "type" | "type_text_at":
            _type(call, hand, screen)
        case _:
            _do_without_mouse(call, hand)


def _do_without_mouse(call: Call, hand: Hand) -> None:
    given = call.arguments
    match call.name:
        case "hotkey" | "key_combination":
            hand.key(combination(texts(given, "keys")))
        case "press_key":
            hand.key(text(given, "key"))
        case "key_down":
            hand.key_down(text(given, "key"))
        case "key_up":
            hand.key_up(text(given, "key"))
        case "wait" | "wait_5_seconds":
            hand.wait(number(given, "seconds", 5))
        case "take_screenshot":
            hand.look()
        case _:
            raise DialectError(f"unknown function {repr_of(call.name)}: this is a desktop")


def _type(call: Call, hand: Hand, screen: Screen) -> None:
    old = call.name == "type_text_at"
    if old:
        hand.click(_point(call, screen))
    if call.arguments.get("clear_before_typing", old):
        hand.key("ctrl+a")
    enter = bool(call.arguments.get("press_enter", old))
    hand.type(text(call.arguments, "text") + ("\n" if enter else ""))


def _point(call: Call, screen: Screen, prefix: str = "") -> Point:
    x, y = (number(call.arguments, f"{prefix}{axis}") for axis in ("x", "y"))
    return _GRID.read(x, y, screen)


def _said(action: Action, screen: Screen) -> list[tuple[str, dict[str, Any]]]:
    kind = action.kind
    held = plain_names(action.keys) if action.keys and kind != "key" else []
    if kind == "scroll" and "shift" in held:
        held.remove("shift")
    down: list[tuple[str, dict[str, Any]]] = [("key_down", {"key": key}) for key in held]
    up: list[tuple[str, dict[str, Any]]] = [("key_up", {"key": key}) for key in reversed(held)]
    return [*down, *_gesture(action, screen), *up]


def _gesture(action: Action, screen: Screen) -> list[tuple[str, dict[str, Any]]]:
    match action.kind:
        case kind if kind in (*_CLICKS, "move"):
            return [(kind, _at(action, screen))]
        case "drag":
            x, y = _GRID.write(action.end_xy or (0.0, 0.0), screen)
            end = {"destination_x": x, "destination_y": y}
            return [("drag_and_drop", {**_at(action, screen), **end})]
        case "scroll":
            ways = ("right", "left") if "shift" in action.keys.split("+") else ("down", "up")
            magnitude = abs(action.amount) * _CLICK_MAGNITUDE
            if magnitude > 999:
                raise DialectError("the wheel turns at most 9 clicks at once")
            turn = {"direction": ways[action.amount < 0], "magnitude": magnitude}
            return [("scroll", {**_at(action, screen), **turn})]
        case "key":
            names = plain_names(action.keys)
            one: tuple[str, dict[str, Any]] = ("hotkey", {"keys": names})
            one = ("press_key", {"key": names[0]}) if len(names) == 1 else one
            return [one] * max(action.amount, 1)
        case "type":
            return [("type", {"text": action.text, "press_enter": False})]
        case "wait":
            return [("wait", {"seconds": action.amount})]
    raise DialectError(f"{action!r} cannot be said in Gemini's computer use")


def _at(action: Action, screen: Screen) -> dict[str, int]:
    x, y = _GRID.write(screen.target(action), screen)
    return {"x": x, "y": y}
