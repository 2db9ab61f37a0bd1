"""Anthropic's computer use: the tool of 2025-01-24, of 2025-11-24, and the toolset of 2026-08-01.

Points are pixels of the screenshot in the request. Source: the types of the SDK, anthropic 2.12.
"""

from typing import Any

from pptarena.agents.dialects.base import (
    INFEASIBLE,
    Call,
    Point,
    Reply,
    Screen,
    Size,
    end_of,
)
from pptarena.agents.dialects.coordinates import Pixels, fit_within
from pptarena.agents.dialects.hand import MAX_ACTIONS, Hand
from pptarena.agents.dialects.key_names import combination
from pptarena.agents.dialects.values import number, optional_point, repr_of, text, whole
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
_WAYS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}
# The service scales larger pictures down, and then points no longer match.
_LONGEST_PX, _MOST_PX = 1568, 1_150_000


class Anthropic2025January:
    """``computer_20250124``: one tool; the action is one of its arguments."""

    name = "anthropic-20250124"
    api = "anthropic"
    see = "screenshot,window,slide"
    beta: str | None = "computer-use-2025-01-24"
    _type = "computer_20250124"
    _one_tool = True

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the tool."""
        wide, high = screen.shown
        size = {"display_width_px": wide, "display_height_px": high}
        return [{"type": self._type, "name": "computer", **size}]

    def picture_size(self, size: Size) -> Size:
        """Return the largest size that the service does not scale."""
        return fit_within(size, _LONGEST_PX, _MOST_PX)

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of the calls; text alone ends the episode."""
        if not reply.calls:
            return [end_of(reply)]
        if len(reply.calls) > MAX_ACTIONS:
            raise DialectError(f"expected at most {MAX_ACTIONS} actions in one answer")
        hand = Hand(screen)
        for call in reply.calls:
            kind = call.name
            if self._one_tool:
                if call.name != "computer":
                    raise DialectError(f"expected the tool computer, got {repr_of(call.name)}")
                kind = text(call.arguments, "action")
            _do(kind, call, hand, screen)
        return hand.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as calls of the tool; the end of an episode as text."""
        if action.kind in ("done", "fail"):
            return Reply(INFEASIBLE if action.kind == "fail" else thought or "The task is done.")
        said = _said(action, screen)
        calls = (
            Call("computer", {"action": name, **given}) if self._one_tool else Call(name, given)
            for name, given in said
        )
        return Reply(thought, tuple(calls))


class Anthropic2025November(Anthropic2025January):
    """``computer_20251124``: the same. Zoom is not offered: screenshots have full resolution."""

    name = "anthropic-20251124"
    beta = "computer-use-2025-11-24"
    _type = "computer_20251124"


class Anthropic2026August(Anthropic2025January):
    """``computer_toolset_20260801``: one tool for each action."""

    name = "anthropic-20260801"
    beta = None
    _type = "computer_toolset_20260801"
    _one_tool = False

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the toolset, which takes the size from the screenshot."""
        return [{"type": self._type, "configs": {"zoom": {"enabled": False}}}]


def _do(kind: str, call: Call, hand: Hand, screen: Screen) -> None:
    at = _point(call, "coordinate", screen)
    match kind:
        case _ if kind in _CLICKS:
            hand.press(_CLICKS[kind], at, _held(call))
        case "mouse_move":
            if at is None:
                raise DialectError("expected a coordinate for mouse_move")
            hand.move(at)
        case "left_mouse_down" | "left_mouse_up":
            hand.press(kind.removeprefix("left_"), at)
        case "left_click_drag":
            if at is None:
                raise DialectError("expected a coordinate for left_click_drag")
            hand.drag(_point(call, "start_coordinate", screen), at, _held(call))
        case "scroll":
            given = call.arguments
            way = text(given, "scroll_direction")
            if way not in _WAYS:
                raise DialectError(
                    f"expected a direction of {', '.join(_WAYS)}, got {repr_of(way)}"
                )
            turns = number(given, "scroll_amount")
            down, right = (part * turns for part in _WAYS[way])
            hand.scroll(down, right, at, _held(call))
        case _:
            _do_without_mouse(kind, call, hand)


def _do_without_mouse(kind: str, call: Call, hand: Hand) -> None:
    given = call.arguments
    match kind:
        case "key":
            hand.key(text(given, "text"), whole(given, "repeat", 1))
        case "hold_key":
            hand.key(text(given, "text"))
        case "type":
            hand.type(text(given, "text"))
        case "wait":
            hand.wait(number(given, "duration"))
        case "screenshot" | "cursor_position":
            hand.look()
        case _:
            raise DialectError(f"unknown action {repr_of(kind)}")


def _point(call: Call, name: str, screen: Screen) -> Point | None:
    at = optional_point(call.arguments, name)
    return None if at is None else Pixels().read(*at, screen)


def _held(call: Call) -> str:
    keys = text(call.arguments, "text", "")
    return combination([keys]) if keys else ""


def _said(action: Action, screen: Screen) -> list[tuple[str, dict[str, Any]]]:
    kind = action.kind
    held = {"text": action.keys} if action.keys else {}
    if kind in _CLICK_NAMES:
        return [(_CLICK_NAMES[kind], {"coordinate": _at(action, screen), **held})]
    match kind:
        case "move" if not held:
            return [("mouse_move", {"coordinate": _at(action, screen)})]
        case "mouse_down" | "mouse_up" if not held:
            return [("mouse_move", {"coordinate": _at(action, screen)}), (f"left_{kind}", {})]
        case "drag":
            end = list(Pixels().write(action.end_xy or (0.0, 0.0), screen))
            start = _at(action, screen)
            return [("left_click_drag", {"start_coordinate": start, "coordinate": end, **held})]
        case "scroll":
            keys = action.keys.split("+") if action.keys else []
            ways = ("right", "left") if "shift" in keys else ("down", "up")
            rest = "+".join(key for key in keys if key != "shift")
            turn = {
                "scroll_direction": ways[action.amount < 0],
                "scroll_amount": abs(action.amount),
            }
            more = {"text": rest} if rest else {}
            return [("scroll", {"coordinate": _at(action, screen), **turn, **more})]
        case "key":
            return [("key", {"text": action.keys})] * max(action.amount, 1)
        case "type":
            return [("type", {"text": action.text})]
        case "wait":
            return [("wait", {"duration": action.amount})]
    raise DialectError(f"{action!r} cannot be said in Anthropic's computer use")


def _at(action: Action, screen: Screen) -> list[int]:
    return list(Pixels().write(screen.target(action), screen))
