"""Where on the screen an action aims, so that it can be drawn and replayed without its elements."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.envs.actions import POINTER_KINDS, Action

__all__ = ["Aim", "aim_of", "without_element"]

Pixel = tuple[int, int]
Screen = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Aim:
    """What an action aims at.

    Attributes:
        point: Target in pixels from the top left corner; None if the action aims at nothing.
        end: Where a drag or a copied region ends, in pixels, likewise.
        target: Role, name and box of the element aimed at; None for a bare point.
    """

    point: Pixel | None = None
    end: Pixel | None = None
    target: dict[str, Any] | None = None


def aim_of(action: Action, nodes: Sequence[Mapping[str, Any]], screen: Screen) -> Aim:
    """Return what an action aims at, resolved as the environment resolves it.

    Args:
        action: The action.
        nodes: ``info["a11y"]["nodes"]`` of the observation the action was chosen on.
        screen: Width and height of the screen in pixels.
    """
    if action.kind not in (*POINTER_KINDS, "copy_image"):
        return Aim()
    end = _pixel(action.end_xy, screen) if action.kind in ("drag", "copy_image") else None
    if not action.element:
        return Aim(_pixel(action.xy, screen), end)
    node = next((node for node in nodes if node["element"] == action.element), None)
    if node is None:  # a stale element: the environment refuses the action
        return Aim()
    left, top, right, bottom = _visible(node["box"], screen)
    target = {"role": node["role"], "name": node["name"], "box": list(node["box"])}
    if action.kind == "copy_image":
        return Aim((left, top), (right, bottom), target)
    return Aim((left + (right - left) // 2, top + (bottom - top) // 2), end, target)


def without_element(action: Action, aim: Aim, screen: Screen) -> Action:
    """Return the same action aimed at the recorded pixel instead of at an element.

    An action whose element could not be resolved stays as it is.
    """
    if not action.element or aim.point is None:
        return action
    xy = _normalised(aim.point, screen)
    if action.kind == "copy_image" and aim.end is not None:
        end_xy = _normalised(aim.end, screen)
        return dataclasses.replace(action, element=0, xy=xy, end_xy=end_xy)
    return dataclasses.replace(action, element=0, xy=xy)


def _pixel(point: tuple[float, float], screen: Screen) -> Pixel | None:
    if not all(0.0 <= part <= 1.0 for part in point):
        return None
    x, y = (min(int(part * size), size - 1) for part, size in zip(point, screen, strict=True))
    return x, y


def _normalised(pixel: Pixel, screen: Screen) -> tuple[float, float]:
    # The middle of the pixel survives the rounding to float32 and back.
    x, y = (min((part + 0.5) / size, 1.0) for part, size in zip(pixel, screen, strict=True))
    return x, y


def _visible(box: Sequence[int], screen: Screen) -> tuple[int, int, int, int]:
    left, top = max(box[0], 0), max(box[1], 0)
    return left, top, min(box[0] + box[2], screen[0]), min(box[1] + box[3], screen[1])
