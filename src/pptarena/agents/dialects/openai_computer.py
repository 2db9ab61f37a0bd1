"""OpenAI's ``computer`` tool of the Responses API: batches of actions, in pixels.

Source: the types of the SDK, openai 3.54.
"""

from collections.abc import Mapping
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
from pptarena.agents.dialects.coordinates import Pixels
from pptarena.agents.dialects.hand import Hand
from pptarena.agents.dialects.key_names import combination, plain_names
from pptarena.agents.dialects.values import number, repr_of, text, texts
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["OpenAiComputer", "OpenAiComputerPreview"]

_PROMPT = (
    "You use a Linux desktop through the computer tool. When the task is done, answer in words and "
    f"call no tool; when it cannot be done, say {INFEASIBLE} and why."
)
_WHEEL_PX = 120
_WAIT_SEC = 2
_BUTTONS = {"left": "click", "right": "right_click", "wheel": "middle_click"}
_BUTTON_NAMES = {kind: name for name, kind in _BUTTONS.items()}


class OpenAiComputer(PlainDialect):
    """Items ``computer_call`` with their ``actions``, or one ``action`` in older versions."""

    name = "openai-computer"
    api = "responses"
    see = "screenshot,window,slide"

    def prompt(self) -> str:
        """Return the system prompt."""
        return _PROMPT

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the tool."""
        return [{"type": "computer"}]

    def parse(self, reply: Reply, screen: Screen) -> list[Action]:
        """Return the actions of all batches; text alone ends the episode."""
        if not reply.calls:
            return [end_of(reply)]
        hand = Hand(screen)
        for call in reply.calls:
            batch = call.arguments.get("actions") or [call.arguments.get("action")]
            if call.name != "computer" or not isinstance(batch, list):
                raise DialectError("expected a computer_call with actions")
            for each in batch:
                if not isinstance(each, Mapping):
                    raise DialectError(f"expected an action, got {repr_of(each)}")
                _do(each, hand, screen)
        return hand.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as a batch; the end of an episode as text."""
        if action.kind in ("done", "fail"):
            return Reply(INFEASIBLE if action.kind == "fail" else thought or "The task is done.")
        return Reply(thought, (Call("computer", {"actions": _said(action, screen)}),))


class OpenAiComputerPreview(OpenAiComputer):
    """The tool ``computer_use_preview`` of the model of this name, with one action per call."""

    name = "openai-computer-preview"

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the tool."""
        width, height = screen.shown
        return [
            {
                "type": "computer_use_preview",
                "display_width": width,
                "display_height": height,
                "environment": "linux",
            }
        ]


def _do(given: Mapping[str, Any], hand: Hand, screen: Screen) -> None:
    kind = text(given, "type")
    keys = combination(texts(given, "keys")) if given.get("keys") else ""
    match kind:
        case "click":
            button = text(given, "button", "left")
            if button not in _BUTTONS:
                raise DialectError(
                    f"expected the button left, right or wheel, got {repr_of(button)}"
                )
            hand.press(_BUTTONS[button], _point(given, screen), keys)
        case "double_click":
            hand.press("double_click", _point(given, screen), keys)
        case "move" if keys:
            hand.press("move", _point(given, screen), keys)
        case "move":
            hand.move(_point(given, screen))
        case "drag":
            path = given.get("path")
            if not isinstance(path, list) or len(path) < 2:
                raise DialectError("expected a path of two points or more")
            ends = [each if isinstance(each, Mapping) else {} for each in (path[0], path[-1])]
            hand.drag(_point(ends[0], screen), _point(ends[1], screen), keys)
        case "scroll":
            down, right = number(given, "scroll_y", 0), number(given, "scroll_x", 0)
            hand.scroll(down / _WHEEL_PX, right / _WHEEL_PX, _point(given, screen), keys)
        case _:
            _do_without_mouse(kind, given, keys, hand)


def _do_without_mouse(kind: str, given: Mapping[str, Any], keys: str, hand: Hand) -> None:
    match kind:
        case "keypress":
            hand.key(keys or combination([]))
        case "type":
            hand.type(text(given, "text"))
        case "wait":
            hand.wait(_WAIT_SEC)
        case "screenshot":
            hand.look()
        case _:
            raise DialectError(f"unknown type of action {repr_of(kind)}")


def _point(given: Mapping[str, Any], screen: Screen) -> Point:
    return Pixels().read(number(given, "x"), number(given, "y"), screen)


def _said(action: Action, screen: Screen) -> list[dict[str, Any]]:
    kind = action.kind
    held: dict[str, Any] = {"keys": _names(action)} if action.keys and kind != "key" else {}
    if kind in _BUTTON_NAMES:
        button = {"button": _BUTTON_NAMES[kind]}
        return [{"type": "click", **button, **_at(action, screen), **held}]
    match kind:
        case "triple_click":
            first = {"type": "double_click", **_at(action, screen), **held}
            return [first, {"type": "click", "button": "left", **_at(action, screen), **held}]
        case "double_click" | "move":
            return [{"type": kind, **_at(action, screen), **held}]
        case "drag":
            x, y = Pixels().write(action.end_xy or (0.0, 0.0), screen)
            return [{"type": "drag", "path": [_at(action, screen), {"x": x, "y": y}], **held}]
        case "scroll":
            turn = action.amount * _WHEEL_PX
            keys = [key for key in held.get("keys", []) if key != "SHIFT"]
            sideways = len(keys) < len(held.get("keys", []))
            turns = {"scroll_x": turn if sideways else 0, "scroll_y": 0 if sideways else turn}
            more = {"keys": keys} if keys else {}
            return [{"type": "scroll", **_at(action, screen), **turns, **more}]
        case "key":
            return [{"type": "keypress", "keys": _names(action)}] * max(action.amount, 1)
        case "type":
            return [{"type": "type", "text": action.text}]
        case "wait" if action.amount == _WAIT_SEC:
            return [{"type": "wait"}]
    raise DialectError(f"{action!r} cannot be said in OpenAI's computer tool")


def _names(action: Action) -> list[str]:
    return [name.upper() if len(name) > 1 else name for name in plain_names(action.keys)]


def _at(action: Action, screen: Screen) -> dict[str, int]:
    x, y = Pixels().write(screen.target(action), screen)
    return {"x": x, "y": y}
