"""OpenAI's ``computer`` tool of the Responses API: batches of actions, in pixels.

Source: the types of the SDK, openai 3.54.
"""

from collections.abc import Mapping
from typing import Any

from pptarena.agents.dialects.action_builder import ActionBuilder
from pptarena.agents.dialects.base import (
    INFEASIBLE,
    Call,
    PlainDialect,
    Point,
    Reply,
    Screen,
    end_action,
)
from pptarena.agents.dialects.coordinates import Pixels
from pptarena.agents.dialects.key_names import combination, pyautogui_names
from pptarena.agents.dialects.values import number, short_repr, text, texts
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
            return [end_action(reply)]
        builder = ActionBuilder(screen)
        for call in reply.calls:
            batch = call.arguments.get("actions") or [call.arguments.get("action")]
            if call.name != "computer" or not isinstance(batch, list):
                raise DialectError("expected a computer_call with actions")
            for item in batch:
                if not isinstance(item, Mapping):
                    raise DialectError(f"expected an action, got {short_repr(item)}")
                _decode(item, builder, screen)
        return builder.actions()

    def render(self, action: Action, screen: Screen, thought: str = "") -> Reply:
        """Return an action as a batch; the end of an episode as text."""
        if action.kind in ("done", "fail"):
            return Reply(INFEASIBLE if action.kind == "fail" else thought or "The task is done.")
        return Reply(thought, (Call("computer", {"actions": _encode(action, screen)}),))


class OpenAiComputerPreview(OpenAiComputer):
    """The tool ``computer_use_preview`` of the model with the same name; one action per call."""

    name = "openai-computer-preview"

    def tools(self, screen: Screen) -> list[dict[str, Any]]:
        """Return the declaration of the tool."""
        width, height = screen.image_size
        return [
            {
                "type": "computer_use_preview",
                "display_width": width,
                "display_height": height,
                "environment": "linux",
            }
        ]


def _decode(arguments: Mapping[str, Any], builder: ActionBuilder, screen: Screen) -> None:
    kind = text(arguments, "type")
    keys = combination(texts(arguments, "keys")) if arguments.get("keys") else ""
    match kind:
        case "click":
            button = text(arguments, "button", "left")
            if button not in _BUTTONS:
                raise DialectError(
                    f"expected the button left, right or wheel, got {short_repr(button)}"
                )
            builder.press(_BUTTONS[button], _point(arguments, screen), keys)
        case "double_click":
            builder.press("double_click", _point(arguments, screen), keys)
        case "move" if keys:
            builder.press("move", _point(arguments, screen), keys)
        case "move":
            builder.move(_point(arguments, screen))
        case "drag":
            path = arguments.get("path")
            if not isinstance(path, list) or len(path) < 2:
                raise DialectError("expected a path of at least two points")
            ends = [point if isinstance(point, Mapping) else {} for point in (path[0], path[-1])]
            builder.drag(_point(ends[0], screen), _point(ends[1], screen), keys)
        case "scroll":
            down, right = number(arguments, "scroll_y", 0), number(arguments, "scroll_x", 0)
            builder.scroll(down / _WHEEL_PX, right / _WHEEL_PX, _point(arguments, screen), keys)
        case _:
            _decode_other(kind, arguments, keys, builder)


def _decode_other(
    kind: str, arguments: Mapping[str, Any], keys: str, builder: ActionBuilder
) -> None:
    match kind:
        case "keypress":
            builder.key(keys or combination([]))
        case "type":
            builder.type(text(arguments, "text"))
        case "wait":
            builder.wait(_WAIT_SEC)
        case "screenshot":
            builder.screenshot()
        case _:
            raise DialectError(f"unknown type of action {short_repr(kind)}")


def _point(arguments: Mapping[str, Any], screen: Screen) -> Point:
    return Pixels().read(number(arguments, "x"), number(arguments, "y"), screen)


def _encode(action: Action, screen: Screen) -> list[dict[str, Any]]:
    kind = action.kind
    modifiers: dict[str, Any] = (
        {"keys": _key_names(action)} if action.keys and kind != "key" else {}
    )
    if kind in _BUTTON_NAMES:
        button = {"button": _BUTTON_NAMES[kind]}
        return [{"type": "click", **button, **_coordinates(action, screen), **modifiers}]
    match kind:
        case "triple_click":
            first = {"type": "double_click", **_coordinates(action, screen), **modifiers}
            return [
                first,
                {"type": "click", "button": "left", **_coordinates(action, screen), **modifiers},
            ]
        case "double_click" | "move":
            return [{"type": kind, **_coordinates(action, screen), **modifiers}]
        case "drag":
            x, y = Pixels().write(action.end_xy or (0.0, 0.0), screen)
            return [
                {
                    "type": "drag",
                    "path": [_coordinates(action, screen), {"x": x, "y": y}],
                    **modifiers,
                }
            ]
        case "scroll":
            wheel_px = action.amount * _WHEEL_PX
            keys = [key for key in modifiers.get("keys", []) if key != "SHIFT"]
            is_horizontal = len(keys) < len(modifiers.get("keys", []))
            scroll = {
                "scroll_x": wheel_px if is_horizontal else 0,
                "scroll_y": 0 if is_horizontal else wheel_px,
            }
            other_keys = {"keys": keys} if keys else {}
            return [{"type": "scroll", **_coordinates(action, screen), **scroll, **other_keys}]
        case "key":
            return [{"type": "keypress", "keys": _key_names(action)}] * max(action.amount, 1)
        case "type":
            return [{"type": "type", "text": action.text}]
        case "wait" if action.amount == _WAIT_SEC:
            return [{"type": "wait"}]
    raise DialectError(f"{action!r} cannot be expressed in OpenAI's computer tool")


def _key_names(action: Action) -> list[str]:
    return [name.upper() if len(name) > 1 else name for name in pyautogui_names(action.keys)]


def _coordinates(action: Action, screen: Screen) -> dict[str, int]:
    x, y = Pixels().write(screen.target(action), screen)
    return {"x": x, "y": y}
