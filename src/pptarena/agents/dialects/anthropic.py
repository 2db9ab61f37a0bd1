"""Anthropic's computer use: the tool of 2025-01-24, of 2025-11-24, and the toolset of 2026-08-01.

Points are pixels of the screenshot in the request. Source: the types of the SDK, anthropic 2.12.
"""

from typing import Any

from pptarena.agents.dialects.action_builder import MAX_ACTIONS, ActionBuilder
from pptarena.agents.dialects.base import (
    INFEASIBLE,
    Call,
    Point,
    Reply,
    Screen,
    Size,
    end_action,
)
from pptarena.agents.dialects.coordinates import Pixels, fit_within
from pptarena.agents.dialects.key_names import combination
from pptarena.agents.dialects.values import integer, number, optional_point, short_repr, text
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["Anthropic2025January", "Anthropic2025November", "Anthropic2026August"]

_PROMPT = (
    "You use a Linux desktop through the computer tool. A new screenshot comes after every action, "
    "so you need not ask for one. When the task is done, answer in words and call no tool; when it "
    f"cannot be done, say {INFEASIBLE} and why."
)
_CLICKS = {
    "left_click": "click",
    "right_click": "right_click",
    "middle_click": "middle_click",
    "double_click": "double_click",
    "triple_click": "triple_click",
}
_CLICK_NAMES = {kind: name for name, kind in _CLICKS.items()}
_DIRECTIONS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}
# The service scales larger images down, so points would no longer match.
_MAX_SIDE_PX, _MAX_AREA_PX = 1568, 1_150_000


class Anthropic2025January:
    """``computer_20250124``: one tool; the action is one of its arguments."""

    name = "anthropic-20250124"
    api = "anthropic"
    see = "screenshot,window,slide"
    beta: str | None = "computer-use-2025-01-24"
    _type = "computer_20250124"
    _is_one_tool = True

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the tool."""
        width, height = screen.image_size
        size = {"display_width_px": width, "display_height_px": height}
        return [{"type": self._type, "name": "computer", **size}]

    def picture_size(self, size: Size) -> Size:
        """Return the largest size that the service does not scale."""
        return fit_within(size, _MAX_SIDE_PX, _MAX_AREA_PX)

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the calls; text alone ends the episode."""
        if not reply.calls:
            return [end_action(reply)]
        if len(reply.calls) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        builder = ActionBuilder(screen)
        for call in reply.calls:
            kind = call.name
            if self._is_one_tool:
                if call.name != "computer":
                    raise DialectError(f"expected the tool computer, got {short_repr(call.name)}")
                kind = text(call.arguments, "action")
            _decode(kind, call, builder, screen)
        return builder.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as calls of the tool; the end of an episode as text."""
        if action.kind in ("done", "fail"):
            return Reply(INFEASIBLE if action.kind == "fail" else thought or "The task is done.")
        encoded = _encode(action, screen)
        calls = (
            Call("computer", {"action": name, **arguments})
            if self._is_one_tool
            else Call(name, arguments)
            for name, arguments in encoded
        )
        return Reply(thought, tuple(calls))


class Anthropic2025November(Anthropic2025January):
    """``computer_20251124``: like the tool of January; zoom is not offered."""

    name = "anthropic-20251124"
    beta = "computer-use-2025-11-24"
    _type = "computer_20251124"


class Anthropic2026August(Anthropic2025January):
    """``computer_toolset_20260801``: one tool for each action."""

    name = "anthropic-20260801"
    beta = None
    _type = "computer_toolset_20260801"
    _is_one_tool = False

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the toolset, which takes the size from the screenshot."""
        return [{"type": self._type, "configs": {"zoom": {"enabled": False}}}]


def _decode(kind: str, call: Call, builder: ActionBuilder, screen: Screen) -> None:
    point = _point(call, "coordinate", screen)
    match kind:
        case _ if kind in _CLICKS:
            builder.press(_CLICKS[kind], point, _modifiers(call))
        case "mouse_move":
            if point is None:
                raise DialectError("expected a coordinate for mouse_move")
            builder.move(point)
        case "left_mouse_down" | "left_mouse_up":
            builder.press(kind.removeprefix("left_"), point)
        case "left_click_drag":
            if point is None:
                raise DialectError("expected a coordinate for left_click_drag")
            builder.drag(_point(call, "start_coordinate", screen), point, _modifiers(call))
        case "scroll":
            arguments = call.arguments
            direction = text(arguments, "scroll_direction")
            if direction not in _DIRECTIONS:
                raise DialectError(
                    f"expected a direction of {', '.join(_DIRECTIONS)}, got {short_repr(direction)}"
                )
            clicks = number(arguments, "scroll_amount")
            down, right = (sign * clicks for sign in _DIRECTIONS[direction])
            builder.scroll(down, right, point, _modifiers(call))
        case _:
            _decode_other(kind, call, builder)


def _decode_other(kind: str, call: Call, builder: ActionBuilder) -> None:
    arguments = call.arguments
    match kind:
        case "key":
            builder.key(text(arguments, "text"), integer(arguments, "repeat", 1))
        case "hold_key":
            builder.key(text(arguments, "text"))
        case "type":
            builder.type(text(arguments, "text"))
        case "wait":
            builder.wait(number(arguments, "duration"))
        case "screenshot" | "cursor_position":
            builder.screenshot()
        case _:
            raise DialectError(f"unknown action {short_repr(kind)}")


def _point(call: Call, name: str, screen: Screen) -> Point | None:
    coordinate = optional_point(call.arguments, name)
    return None if coordinate is None else Pixels().read(*coordinate, screen)


def _modifiers(call: Call) -> str:
    keys = text(call.arguments, "text", "")
    return combination([keys]) if keys else ""


def _encode(action: Action, screen: Screen) -> list[tuple[str, dict[str, Any]]]:
    kind = action.kind
    modifiers = {"text": action.keys} if action.keys else {}
    if kind in _CLICK_NAMES:
        return [(_CLICK_NAMES[kind], {"coordinate": _coordinate(action, screen), **modifiers})]
    match kind:
        case "move" if not modifiers:
            return [("mouse_move", {"coordinate": _coordinate(action, screen)})]
        case "mouse_down" | "mouse_up" if not modifiers:
            return [
                ("mouse_move", {"coordinate": _coordinate(action, screen)}),
                (f"left_{kind}", {}),
            ]
        case "drag":
            end = list(Pixels().write(action.end_xy or (0.0, 0.0), screen))
            start = _coordinate(action, screen)
            return [
                ("left_click_drag", {"start_coordinate": start, "coordinate": end, **modifiers})
            ]
        case "scroll":
            keys = action.keys.split("+") if action.keys else []
            directions = ("right", "left") if "shift" in keys else ("down", "up")
            other_keys = "+".join(key for key in keys if key != "shift")
            wheel = {
                "scroll_direction": directions[action.amount < 0],
                "scroll_amount": abs(action.amount),
            }
            other_modifiers = {"text": other_keys} if other_keys else {}
            return [
                ("scroll", {"coordinate": _coordinate(action, screen), **wheel, **other_modifiers})
            ]
        case "key":
            return [("key", {"text": action.keys})] * max(action.amount, 1)
        case "type":
            return [("type", {"text": action.text})]
        case "wait":
            return [("wait", {"duration": action.amount})]
    raise DialectError(f"{action!r} cannot be expressed in Anthropic's computer use")


def _coordinate(action: Action, screen: Screen) -> list[int]:
    return list(Pixels().write(screen.target(action), screen))
