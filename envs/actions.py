"""Actions: one constructor per kind, and conversion to and from the Gymnasium space.

    >>> click(element=7)
    Action(kind='click', element=7)
    >>> key("ctrl+b").to_json()
    {'kind': 'key', 'keys': 'ctrl+b'}
    >>> from_space(to_space(scroll(3, xy=(0.5, 0.25))))
    Action(kind='scroll', xy=[0.5, 0.25], amount=3)

A pointer action aims at the center of element `element` of the last observation or, if that is 0,
at the point `xy`: x from the left and y from the top, both in [0, 1]. An action with neither is
refused. In the action space `xy` is always present and is used if `element` is 0. Constructors do
not check names, points and ids; they are checked when the action is decoded, and an invalid one is
reported in ``info["action_error"]``.
"""

from pptarena.envs.action import KIND_NUMBERS, KINDS, POINTER_KINDS, Action, Point
from pptarena.envs.action_space import action_space, as_action, from_space, to_space

__all__ = [
    "KINDS",
    "KIND_NUMBERS",
    "POINTER_KINDS",
    "Action",
    "action_space",
    "as_action",
    "ask",
    "click",
    "copy_image",
    "copy_text",
    "done",
    "double_click",
    "drag",
    "fail",
    "from_space",
    "key",
    "middle_click",
    "mouse_down",
    "mouse_up",
    "move",
    "open_program",
    "paste",
    "right_click",
    "scroll",
    "switch_window",
    "to_space",
    "triple_click",
    "type",
    "type_text",
    "wait",
]


def _pointer(kind: str, element: int, xy: Point | None, keys: str) -> Action:
    return Action(kind, element=element, xy=xy, keys=keys)


def move(element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Move the pointer to the target."""
    return _pointer("move", element, xy, keys)


def click(element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Click the left button on the target, holding the modifiers `keys`."""
    return _pointer("click", element, xy, keys)


def double_click(element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Click the left button twice on the target."""
    return _pointer("double_click", element, xy, keys)


def triple_click(element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Click the left button three times on the target."""
    return _pointer("triple_click", element, xy, keys)


def right_click(element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Click the right button on the target."""
    return _pointer("right_click", element, xy, keys)


def middle_click(element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Click the middle button on the target."""
    return _pointer("middle_click", element, xy, keys)


def mouse_down(element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Press the left button on the target and keep it down."""
    return _pointer("mouse_down", element, xy, keys)


def mouse_up(element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Release the left button on the target."""
    return _pointer("mouse_up", element, xy, keys)


def drag(
    element: int = 0, xy: Point | None = None, end_xy: Point | None = None, keys: str = ""
) -> Action:
    """Drag with the left button from the target to the point `end_xy`."""
    return Action("drag", element=element, xy=xy, end_xy=end_xy, keys=keys)


def scroll(amount: int, element: int = 0, xy: Point | None = None, keys: str = "") -> Action:
    """Scroll by `amount` wheel clicks over the target: positive is down, negative is up."""
    return Action("scroll", element=element, xy=xy, keys=keys, amount=amount)


def key(keys: str, repeat: int = 0) -> Action:
    """Press a key or key combination such as ``"ctrl+b"``, `repeat` times (0 counts as 1)."""
    return Action("key", keys=keys, amount=repeat)


def type_text(text: str) -> Action:
    """Type a text; a newline presses Return, a tab presses Tab."""
    return Action("type", text=text)


type = type_text


def copy_text(text: str) -> Action:
    """Copy a text to the clipboard."""
    return Action("copy_text", text=text)


def copy_image(
    element: int = 0, xy: Point | None = None, end_xy: Point | None = None, text: str = ""
) -> Action:
    """Copy an image of an element, or of the rectangle from `xy` to `end_xy`.

    `text` describes the picture for the agent itself; nothing else uses it.
    """
    return Action("copy_image", element=element, xy=xy, end_xy=end_xy, text=text)


def paste() -> Action:
    """Paste the clipboard with Ctrl+V."""
    return Action("paste")


def open_program(name: str) -> Action:
    """Start a program by name."""
    return Action("open_program", text=name)


def switch_window(title: str) -> Action:
    """Bring the window whose title contains `title` to the front."""
    return Action("switch_window", text=title)


def wait(seconds: int = 1) -> Action:
    """Wait 0 to 20 seconds."""
    return Action("wait", amount=seconds)


def done() -> Action:
    """End the episode and report the task as finished."""
    return Action("done")


def fail() -> Action:
    """End the episode and report the task as infeasible."""
    return Action("fail")


def ask(question: str) -> Action:
    """Ask the user a question; the answer is in ``info["command"]["answer"]``."""
    return Action("ask", text=question)
