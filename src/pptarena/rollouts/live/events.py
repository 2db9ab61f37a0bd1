"""Mouse and keyboard events of the page, converted to actions."""

from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.elements import element_at
from pptarena.errors import ActionError

__all__ = ["action_of_event"]

# Elements that react the same wherever they are clicked. Other elements, such as text and
# shapes, are addressed by the point.
_BUTTONS = frozenset(
    {
        *("button", "push button", "toggle button", "check box", "radio button", "switch"),
        *("menu", "menu item", "check menu item", "radio menu item", "list item", "page tab"),
        *("icon", "link", "tree item"),
    }
)
_CLICKS = {1: "click", 2: "double_click", 3: "triple_click"}
_BUTTON_KINDS = {0: "click", 1: "middle_click", 2: "right_click"}
_MAX_TEXT = 4_000
_MAX_SCROLL = 50
_MAX_KEYS = 100

Node = Mapping[str, Any]


def action_of_event(
    event: Mapping[str, Any], nodes: Sequence[Node], screen: tuple[int, int]
) -> Action:
    """Return the action of an event.

    Args:
        event: ``kind`` is ``"click"`` (``xy``, ``button`` 0 to 2, ``count`` 1 to 3, ``keys``),
            ``"move"`` (``xy``), ``"drag"`` (``xy``, ``end_xy``, ``keys``), ``"scroll"`` (``xy``,
            ``amount``), ``"key"`` (``keys``), ``"type"`` (``text``), ``"wait"``, ``"done"`` or
            ``"fail"``. Points are in [0, 1].
        nodes: The nodes of ``info["a11y"]``. A click on a button or a similar element becomes an
            action on that element.
        screen: Width and height of the screen in pixels.

    Raises:
        ActionError: If the event is malformed.
    """
    kind = event.get("kind")
    if kind in ("done", "fail"):
        return Action(str(kind))
    if kind == "wait":
        return actions.wait()
    if kind == "type":
        return actions.type_text(_text(event, "text", _MAX_TEXT))
    if kind == "key":
        return actions.key(_text(event, "keys", _MAX_KEYS))
    keys = _text(event, "keys", _MAX_KEYS)
    xy = _point(event.get("xy"))
    if kind == "move":
        return actions.move(xy=xy)
    if kind == "drag":
        return actions.drag(xy=xy, end_xy=_point(event.get("end_xy")), keys=keys)
    if kind == "scroll":
        amount = _integer(event, "amount", -_MAX_SCROLL, _MAX_SCROLL)
        return actions.scroll(amount, xy=xy, keys=keys)
    if kind != "click":
        raise ActionError(f"unknown event {kind!r:.80}")
    name = _BUTTON_KINDS[_integer(event, "button", 0, 2)]
    if name == "click":
        name = _CLICKS[_integer(event, "count", 1, 3)]
    element = _button_at(nodes, xy[0] * screen[0], xy[1] * screen[1])
    return Action(name, element=element, xy=None if element else xy, keys=keys)


def _button_at(nodes: Sequence[Node], x: float, y: float) -> int:
    """Return the number of the button-like element at a point in pixels; 0 if there is none."""
    node = element_at(nodes, x, y)
    if node is None or node["role"] not in _BUTTONS:
        return 0
    left, top, width, height = node["box"]
    # An action on an element clicks its center, and another element may cover that point.
    center = element_at(nodes, left + width / 2, top + height / 2)
    return int(node["element"]) if center is node else 0


def _point(value: object) -> tuple[float, float]:
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2:
        x, y = value
        numbers = all(isinstance(each, int | float) for each in (x, y))
        if numbers and 0 <= x <= 1 and 0 <= y <= 1:
            return float(x), float(y)
    raise ActionError(f"expected a point in [0, 1], got {value!r:.80}")


def _text(event: Mapping[str, Any], name: str, max_chars: int) -> str:
    value = event.get(name, "")
    if not isinstance(value, str) or len(value) > max_chars:
        raise ActionError(f"expected {name} to be a text of at most {max_chars} characters")
    return value


def _integer(event: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = event.get(name, low)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise ActionError(f"expected {name} from {low} to {high}, got {value!r:.80}")
    return value
