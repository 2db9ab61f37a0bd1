"""The actions of UI-TARS, independent of their notation."""

import re
from collections.abc import Mapping

from pptarena.agents.dialects.action_builder import ActionBuilder
from pptarena.agents.dialects.base import INFEASIBLE, Point, Screen, question_text
from pptarena.agents.dialects.coordinates import Grid
from pptarena.agents.dialects.key_names import pyautogui_names
from pptarena.agents.dialects.values import finite, short_repr, text
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["decode_uitars", "encode_uitars"]

_CLICKS = {
    "click": "click",
    "left_single": "click",
    "left_double": "double_click",
    "left_triple": "triple_click",
    "right_single": "right_click",
    "middle_click": "middle_click",
    "mouse_down": "mouse_down",
    "mouse_up": "mouse_up",
}
_FUNCTIONS = {
    "click": "click",
    "double_click": "left_double",
    "right_click": "right_single",
    "mouse_down": "mouse_down",
    "mouse_up": "mouse_up",
    "move": "move_to",
}
_DIRECTIONS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}
_SCROLL_CLICKS = 5
_WAIT_SEC = 5
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")

Arguments = Mapping[str, str]


def decode_uitars(
    name: str,
    arguments: Arguments,
    builder: ActionBuilder,
    grid: Grid,
    screen: Screen,
    question: str = "",
) -> None:
    """Add one action to the builder.

    Args:
        name: Name of the action.
        arguments: Its arguments.
        builder: Receives the action.
        grid: The coordinate system.
        screen: The screen that the model received.
        question: The reasoning of the reply, which ``call_user`` sends to the user.

    Raises:
        ActionError: If there is no such action, or an argument is invalid.
    """

    def find_point(*names: str) -> Point | None:
        value = next((arguments[name] for name in names if arguments.get(name)), None)
        return None if value is None else _point(value, grid, screen)

    point = find_point("point", "start_point", "start_box")
    match name:
        case _ if name in _CLICKS:
            builder.press(_CLICKS[name], point)
        case "move_to" | "hover":
            if point is None:
                raise DialectError("expected a point to move to")
            builder.move(point)
        case "drag" | "select":
            end = find_point("end_point", "end_box")
            if end is None:
                raise DialectError("expected an end_point to drag to")
            builder.drag(point, end)
        case "scroll":
            direction = text(arguments, "direction")
            if direction not in _DIRECTIONS:
                raise DialectError(
                    f"expected a direction of {', '.join(_DIRECTIONS)}, got {short_repr(direction)}"
                )
            down, right = (sign * _SCROLL_CLICKS for sign in _DIRECTIONS[direction])
            builder.scroll(down, right, point)
        case _:
            _decode_other(name, arguments, builder, question)


def _decode_other(name: str, arguments: Arguments, builder: ActionBuilder, question: str) -> None:
    match name:
        case "hotkey" | "press":
            builder.key(text(arguments, "key"))
        case "release":
            raise DialectError("keys cannot be held from one answer to the next; use hotkey")
        case "type":
            builder.type(text(arguments, "content"))
        case "wait":
            builder.wait(_WAIT_SEC)
        case "finished":
            content = text(arguments, "content", "")
            builder.add(Action("fail" if INFEASIBLE in content else "done"))
        case "call_user":
            user_question = text(arguments, "content", "") or question_text(question)
            builder.add(Action("ask", text=user_question))
        case _:
            raise DialectError(f"unknown action {short_repr(name)}")


def encode_uitars(
    action: Action, grid: Grid, screen: Screen, *, pointer_kinds: bool
) -> list[tuple[str, dict[str, str]]]:
    """Return the names and arguments that express an action; points are ``x y``.

    Args:
        action: The action to express.
        grid: The coordinate system.
        screen: The screen that the model received.
        pointer_kinds: Whether the notation can move, press and release the mouse.

    Raises:
        DialectError: If it cannot be expressed.
    """
    kind = action.kind
    is_horizontal = kind == "scroll" and action.keys == "shift"
    if action.keys and kind != "key" and not is_horizontal:
        raise DialectError("keys held during a pointer action cannot be expressed in UI-TARS")
    if kind in _FUNCTIONS and (pointer_kinds or kind in ("click", "double_click", "right_click")):
        return [(_FUNCTIONS[kind], {"point": _format_point(screen.target(action), grid, screen)})]
    match kind:
        case "triple_click":
            target = {"point": _format_point(screen.target(action), grid, screen)}
            return [("left_double", target), ("click", target)]
        case "drag":
            end = _format_point(action.end_xy or (0.0, 0.0), grid, screen)
            start = _format_point(screen.target(action), grid, screen)
            return [("drag", {"start_point": start, "end_point": end})]
        case "scroll" if abs(action.amount) == _SCROLL_CLICKS:
            directions = ("right", "left") if is_horizontal else ("down", "up")
            point = _format_point(screen.target(action), grid, screen)
            return [("scroll", {"point": point, "direction": directions[action.amount < 0]})]
        case "key":
            return [("hotkey", {"key": " ".join(pyautogui_names(action.keys))})] * max(
                action.amount, 1
            )
        case "type":
            return [("type", {"content": action.text})]
        case "wait" if action.amount == _WAIT_SEC:
            return [("wait", {})]
        case "done":
            return [("finished", {"content": ""})]
        case "fail":
            return [("finished", {"content": INFEASIBLE})]
        case "ask":
            return [("call_user", {})]
    raise DialectError(f"{action!r} cannot be expressed in UI-TARS")


def _point(value: str, grid: Grid, screen: Screen) -> Point:
    numbers = [finite(float(match)) for match in _NUMBER.findall(value[:200])]
    if len(numbers) not in (2, 4):
        raise DialectError(
            f"expected a point such as '<point>500 300</point>', got {short_repr(value)}"
        )
    if len(numbers) == 4:  # the center of a box
        numbers = [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    return grid.read(numbers[0], numbers[1], screen)


def _format_point(point: Point, grid: Grid, screen: Screen) -> str:
    x, y = grid.write(point, screen)
    return f"{x:g} {y:g}"
