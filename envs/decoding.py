"""Conversion of an `Action` to the machine's `Command` in pixels."""

from pptarena.envs.action import POINTER_KINDS, Action, Point
from pptarena.envs.action_space import require_expressible
from pptarena.envs.elements import ElementTable
from pptarena.envs.keys import parse_keys, parse_modifiers
from pptarena.errors import ActionError
from pptarena.vm_images.guest.protocol import Command

__all__ = ["decode"]

WAIT_MAX_SEC = 20
Pixel = tuple[int, int]


def decode(action: Action, elements: ElementTable, width_px: int, height_px: int) -> Command:
    """Return the command that executes an action.

    ``done`` and ``fail`` only observe the screen. Fields that the kind does not use are ignored if
    the action space can express them.

    Args:
        action: The action.
        elements: The elements of the last observation.
        width_px: Width of the screen.
        height_px: Height of the screen.

    Raises:
        ActionError: If the action is invalid; the message gives the reason.
    """
    if action.element and action.kind in (*POINTER_KINDS, "copy_image"):
        elements.box(action.element)  # one message for every missing element
    require_expressible(action)
    screen = (width_px, height_px)
    if action.kind in POINTER_KINDS:
        return _pointer_command(action, elements, screen)
    if action.kind == "copy_image":
        return Command("copy_image", box=_region(action, elements, screen))
    return _untargeted_command(action)


def _untargeted_command(action: Action) -> Command:
    """Return the command of a kind without a target point."""
    match action.kind:
        case "key":
            if action.amount < 0:
                raise ActionError(f"expected 0 or more repeats of a key, got {action.amount}")
            return Command("key", keys=parse_keys(action.keys), amount=max(action.amount, 1))
        case "type" | "copy_text":
            if not action.text:
                raise ActionError(f"expected a text to {action.kind}, got none")
            return Command(action.kind, text=action.text)
        case "open_program" | "switch_window":
            if not action.text.strip():
                raise ActionError(f"expected a name for {action.kind}, got {action.text!r}")
            return Command(action.kind, text=action.text.strip())
        case "paste":
            return Command("paste")
        case "wait":
            if not 0 <= action.amount <= WAIT_MAX_SEC:
                raise ActionError(f"expected 0 to {WAIT_MAX_SEC} seconds, got {action.amount}")
            return Command("wait", amount=action.amount)
        case "ask":
            if not action.text.strip():
                raise ActionError(f"expected a question to ask, got {action.text!r}")
            return Command("observe")
        case _:
            return Command("observe")


def _pointer_command(action: Action, elements: ElementTable, screen: Pixel) -> Command:
    x, y = _target(action, elements, screen)
    end_x, end_y = _pixel(action.end_xy, screen) if action.kind == "drag" else (0, 0)
    if action.kind == "scroll" and not action.amount:
        raise ActionError("expected a scroll of 1 or more clicks up (negative) or down, got 0")
    amount = action.amount if action.kind == "scroll" else 0
    keys = parse_modifiers(action.keys)
    return Command(action.kind, x=x, y=y, end_x=end_x, end_y=end_y, keys=keys, amount=amount)


def _target(action: Action, elements: ElementTable, screen: Pixel) -> Pixel:
    if action.element:
        left, top, width, height = elements.box(action.element)
        return left + width // 2, top + height // 2
    return _pixel(action.xy, screen)


def _pixel(point: Point | None, screen: Pixel) -> Pixel:
    assert point is not None  # `require_expressible` refuses an action without one
    # 1.0 is the far edge, which maps to the last pixel.
    x, y = (min(int(part * size), size - 1) for part, size in zip(point, screen, strict=True))
    return x, y


def _region(action: Action, elements: ElementTable, screen: Pixel) -> tuple[int, int, int, int]:
    if action.element:
        return elements.box(action.element)
    (x0, y0), (x1, y1) = _pixel(action.xy, screen), _pixel(action.end_xy, screen)
    if x0 == x1 or y0 == y1:
        raise ActionError(f"expected a region with an area, got {action.xy} to {action.end_xy}")
    return min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)
