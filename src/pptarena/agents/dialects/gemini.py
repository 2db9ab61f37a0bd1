"""Gemini's computer use: desktop functions, with coordinates from 0 to 999.

Source: the documentation of the tool and the types of the SDK, google-genai 3.4. The functions of
the older Gemini 2.5, such as ``click_at``, are accepted too.
"""

from typing import Any

from pptarena.agents.dialects.action_builder import MAX_ACTIONS, ActionBuilder
from pptarena.agents.dialects.base import (
    INFEASIBLE,
    Call,
    PlainDialect,
    Point,
    Reply,
    Screen,
    end_action,
)
from pptarena.agents.dialects.coordinates import Thousandths
from pptarena.agents.dialects.key_names import combination, pyautogui_names
from pptarena.agents.dialects.values import number, short_repr, text, texts
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
_DIRECTIONS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}
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
            return [end_action(reply)]
        if len(reply.calls) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        builder = ActionBuilder(screen)
        for call in reply.calls:
            _decode(call, builder, screen)
        return builder.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as calls; the end of an episode as text."""
        if action.kind in ("done", "fail"):
            return Reply(INFEASIBLE if action.kind == "fail" else thought or "The task is done.")
        encoded = _encode(action, screen)
        return Reply(
            thought,
            tuple(Call(name, {**arguments, "intent": thought}) for name, arguments in encoded),
        )


def _decode(call: Call, builder: ActionBuilder, screen: Screen) -> None:
    arguments, kind = call.arguments, call.name
    match kind:
        case _ if kind in _CLICKS:
            builder.press(_CLICKS[kind], _point(call, screen))
        case "move" | "hover_at":
            builder.move(_point(call, screen))
        case "drag_and_drop":
            end = _point(call, screen, "destination_")
            builder.drag(_point(call, screen), end)
        case "scroll" | "scroll_at" | "scroll_document":
            direction = text(arguments, "direction")
            if direction not in _DIRECTIONS:
                raise DialectError(
                    f"expected a direction of {', '.join(_DIRECTIONS)}, got {short_repr(direction)}"
                )
            clicks = number(arguments, "magnitude", _DEFAULT_MAGNITUDE) / _CLICK_MAGNITUDE
            down, right = (sign * clicks for sign in _DIRECTIONS[direction])
            builder.scroll(down, right, _point(call, screen) if "x" in arguments else (0.5, 0.5))
        case "type" | "type_text_at":
            _type(call, builder, screen)
        case _:
            _decode_other(call, builder)


def _decode_other(call: Call, builder: ActionBuilder) -> None:
    arguments = call.arguments
    match call.name:
        case "hotkey" | "key_combination":
            builder.key(combination(texts(arguments, "keys")))
        case "press_key":
            builder.key(text(arguments, "key"))
        case "key_down":
            builder.key_down(text(arguments, "key"))
        case "key_up":
            builder.key_up(text(arguments, "key"))
        case "wait" | "wait_5_seconds":
            builder.wait(number(arguments, "seconds", 5))
        case "take_screenshot":
            builder.screenshot()
        case _:
            raise DialectError(f"unknown function {short_repr(call.name)}: this is a desktop")


def _type(call: Call, builder: ActionBuilder, screen: Screen) -> None:
    is_legacy = call.name == "type_text_at"
    if is_legacy:
        builder.click(_point(call, screen))
    if call.arguments.get("clear_before_typing", is_legacy):
        builder.key("ctrl+a")
    presses_enter = bool(call.arguments.get("press_enter", is_legacy))
    builder.type(text(call.arguments, "text") + ("\n" if presses_enter else ""))


def _point(call: Call, screen: Screen, prefix: str = "") -> Point:
    x, y = (number(call.arguments, f"{prefix}{axis}") for axis in ("x", "y"))
    return _GRID.read(x, y, screen)


def _encode(action: Action, screen: Screen) -> list[tuple[str, dict[str, Any]]]:
    kind = action.kind
    modifiers = pyautogui_names(action.keys) if action.keys and kind != "key" else []
    if kind == "scroll" and "shift" in modifiers:
        modifiers.remove("shift")
    presses: list[tuple[str, dict[str, Any]]] = [("key_down", {"key": key}) for key in modifiers]
    releases: list[tuple[str, dict[str, Any]]] = [
        ("key_up", {"key": key}) for key in reversed(modifiers)
    ]
    return [*presses, *_encode_gesture(action, screen), *releases]


def _encode_gesture(action: Action, screen: Screen) -> list[tuple[str, dict[str, Any]]]:
    match action.kind:
        case kind if kind in (*_CLICKS, "move"):
            return [(kind, _coordinates(action, screen))]
        case "drag":
            x, y = _GRID.write(action.end_xy or (0.0, 0.0), screen)
            end = {"destination_x": x, "destination_y": y}
            return [("drag_and_drop", {**_coordinates(action, screen), **end})]
        case "scroll":
            directions = ("right", "left") if "shift" in action.keys.split("+") else ("down", "up")
            magnitude = abs(action.amount) * _CLICK_MAGNITUDE
            if magnitude > 999:
                raise DialectError("a scroll has at most 9 clicks")
            wheel = {"direction": directions[action.amount < 0], "magnitude": magnitude}
            return [("scroll", {**_coordinates(action, screen), **wheel})]
        case "key":
            names = pyautogui_names(action.keys)
            press: tuple[str, dict[str, Any]] = ("hotkey", {"keys": names})
            press = ("press_key", {"key": names[0]}) if len(names) == 1 else press
            return [press] * max(action.amount, 1)
        case "type":
            return [("type", {"text": action.text, "press_enter": False})]
        case "wait":
            return [("wait", {"seconds": action.amount})]
    raise DialectError(f"{action!r} cannot be expressed in Gemini's computer use")


def _coordinates(action: Action, screen: Screen) -> dict[str, int]:
    x, y = _GRID.write(screen.target(action), screen)
    return {"x": x, "y": y}
