"""The target of an action on the screen, to render and replay it without its elements."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.envs.actions import Action

__all__ = ["Aim", "aim_of", "planned_aim", "with_point_targets", "without_element"]

Pixel = tuple[int, int]
Screen = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Aim:
    """The target of an action.

    Attributes:
        point: Target in pixels from the top left corner; None if the action has no target.
        end: End point of a drag or a copied region, in pixels; None without one.
        target: Role, name and box of the target element; None for a bare point.
    """

    point: Pixel | None = None
    end: Pixel | None = None
    target: dict[str, Any] | None = None


def aim_of(command: Mapping[str, Any]) -> Aim:
    """Return the target of an action.

    Args:
        command: ``info["command"]`` of the step; it is empty for a refused action.
    """
    target = command.get("target")
    if "box_px" in command:
        left, top, width, height = command["box_px"]
        return Aim((left, top), (left + width, top + height), target)
    if "x_px" not in command:
        return Aim()
    end = (command["end_x_px"], command["end_y_px"]) if "end_x_px" in command else None
    return Aim((command["x_px"], command["y_px"]), end, target)


def planned_aim(action: object, nodes: Sequence[Mapping[str, Any]], screen: Screen) -> Aim:
    """Return the target of an action that is not executed yet.

    Args:
        action: The action; anything else has no target.
        nodes: The nodes of ``info["a11y"]``.
        screen: Width and height of the screen in pixels.
    """
    if not isinstance(action, Action):
        return Aim()
    end = _pixel(action.end_xy, screen)
    if not action.element:
        return Aim(_pixel(action.xy, screen), end)
    node = next((each for each in nodes if each["element"] == action.element), None)
    if node is None:
        return Aim()
    left, top, width, height = node["box"]
    target = {name: node[name] for name in ("role", "name", "box")}
    return Aim((left + width // 2, top + height // 2), end, target)


def without_element(action: Action, aim: Aim, screen: Screen) -> Action:
    """Return the same action with the recorded pixel as its target instead of an element.

    An action that was refused has no such pixel and is returned unchanged.
    """
    if not action.element or aim.point is None:
        return action
    xy = _normalised(aim.point, screen)
    if action.kind == "copy_image" and aim.end is not None:
        end_xy = _normalised(aim.end, screen)
        return dataclasses.replace(action, element=0, xy=xy, end_xy=end_xy)
    return dataclasses.replace(action, element=0, xy=xy)


def with_point_targets(action: Action, aim: Aim, screen: Screen) -> Action:
    """Return the same action with the centers of the recorded pixels as targets, for exports."""
    xy, end_xy = (
        None if pixel is None else _normalised(pixel, screen) for pixel in (aim.point, aim.end)
    )
    if xy is None:
        return action
    return dataclasses.replace(action, element=0, xy=xy, end_xy=end_xy)


def _pixel(point: tuple[float, float] | None, screen: Screen) -> Pixel | None:
    """Return a point in pixels; None for one that is not on the screen."""
    if point is None or not all(0 <= part <= 1 for part in point):
        return None
    x, y = (min(int(part * size), size - 1) for part, size in zip(point, screen, strict=True))
    return x, y


def _normalised(pixel: Pixel, screen: Screen) -> tuple[float, float]:
    # The center of the pixel survives the rounding to float32 and back.
    x, y = (min((part + 0.5) / size, 1.0) for part, size in zip(pixel, screen, strict=True))
    return x, y
