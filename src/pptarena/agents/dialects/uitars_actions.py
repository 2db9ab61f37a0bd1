"""The actions of UI-TARS, independent of their notation."""

import re
from collections.abc import Mapping

from pptarena.agents.dialects.base import INFEASIBLE, Point, Screen, question_of
from pptarena.agents.dialects.coordinates import Grid
from pptarena.agents.dialects.hand import Hand
from pptarena.agents.dialects.key_names import plain_names
from pptarena.agents.dialects.values import finite, repr_of, text
from pptarena.envs.actions import Action
from pptarena.errors import DialectError

__all__ = ["do_uitars", "say_uitars"]

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
_NAMES = {
    "click": "click",
    "double_click": "left_double",
    "right_click": "right_single",
    "mouse_down": "mouse_down",
    "mouse_up": "mouse_up",
    "move": "move_to",
}
_WAYS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}
_SCROLL_CLICKS = 5
_WAIT_SEC = 5
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?")

Arguments = Mapping[str, str]


def do_uitars(
    name: str,
    arguments: Arguments,
    hand: Hand,
    grid: Grid,
    screen: Screen,
    question: str = "",
) -> None:
    """Execute one action.

    Args:
        name: Name of the action.
        arguments: Its arguments.
        hand: The hand that carries it out.
        grid: The coordinate system.
        screen: The screen that the model received.
        question: The reasoning of the reply, which ``call_user`` asks the user.

    Raises:
        ActionError: If there is no such action, or an argument is invalid.
    """

    def place(*names: str) -> Point | None:
        given = next((arguments[name] for name in names if arguments.get(name)), None)
        return None if given is None else _point(given, grid, screen)

    at = place("point", "start_point", "start_box")
    match name:
        case _ if name in _CLICKS:
            hand.press(_CLICKS[name], at)
        case "move_to" | "hover":
            if at is None:
                raise DialectError("expected a point to move to")
            hand.move(at)
        case "drag" | "select":
            end = place("end_point", "end_box")
            if end is None:
                raise DialectError("expected an end_point to drag to")
            hand.drag(at, end)
        case "scroll":
            way = text(arguments, "direction")
            if way not in _WAYS:
                raise DialectError(
                    f"expected a direction of {', '.join(_WAYS)}, got {repr_of(way)}"
                )
            down, right = (part * _SCROLL_CLICKS for part in _WAYS[way])
            hand.scroll(down, right, at)
        case _:
            _do_without_mouse(name, arguments, hand, question)


def _do_without_mouse(name: str, arguments: Arguments, hand: Hand, question: str) -> None:
    match name:
        case "hotkey" | "press":
            hand.key(text(arguments, "key"))
        case "release":
            raise DialectError("keys cannot be held from one answer to the next; use hotkey")
        case "type":
            hand.type(text(arguments, "content"))
        case "wait":
            hand.wait(_WAIT_SEC)
        case "finished":
            given = text(arguments, "content", "")
            hand.add(Action("fail" if INFEASIBLE in given else "done"))
        case "call_user":
            asked = text(arguments, "content", "") or question_of(question)
            hand.add(Action("ask", text=asked))
        case _:
            raise DialectError(f"unknown action {repr_of(name)}")


def say_uitars(
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
    sideways = kind == "scroll" and action.keys == "shift"
    if action.keys and kind != "key" and not sideways:
        raise DialectError("keys held during a pointer action cannot be said in UI-TARS")
    if kind in _NAMES and (pointer_kinds or kind in ("click", "double_click", "right_click")):
        return [(_NAMES[kind], {"point": _written(screen.target(action), grid, screen)})]
    match kind:
        case "triple_click":
            there = {"point": _written(screen.target(action), grid, screen)}
            return [("left_double", there), ("click", there)]
        case "drag":
            end = _written(action.end_xy or (0.0, 0.0), grid, screen)
            start = _written(screen.target(action), grid, screen)
            return [("drag", {"start_point": start, "end_point": end})]
        case "scroll" if abs(action.amount) == _SCROLL_CLICKS:
            ways = ("right", "left") if sideways else ("down", "up")
            at = _written(screen.target(action), grid, screen)
            return [("scroll", {"point": at, "direction": ways[action.amount < 0]})]
        case "key":
            return [("hotkey", {"key": " ".join(plain_names(action.keys))})] * max(action.amount, 1)
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
    raise DialectError(f"{action!r} cannot be said in UI-TARS")


def _point(given: str, grid: Grid, screen: Screen) -> Point:
    numbers = [finite(float(found)) for found in _NUMBER.findall(given[:200])]
    if len(numbers) not in (2, 4):
        raise DialectError(
            f"expected a point such as '<point>500 300</point>', got {repr_of(given)}"
        )
    if len(numbers) == 4:  # a box stands for its center
        numbers = [(numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2]
    return grid.read(numbers[0], numbers[1], screen)


def _written(point: Point, grid: Grid, screen: Screen) -> str:
    x, y = grid.write(point, screen)
    return f"{x:g} {y:g}"
