"""The resolved form of an action: the value of ``info["command"]``."""

from typing import Any

from pptarena.envs.action import POINTER_KINDS, Action
from pptarena.envs.elements import ElementTable
from pptarena.envs.machines.base import Tree
from pptarena.vm_images.guest.protocol import Command

__all__ = ["resolve_command"]

_AIMED_KINDS = (*POINTER_KINDS, "copy_image")
_TEXT_KINDS = ("type", "copy_text", "open_program", "switch_window")
_AMOUNT_KINDS = ("scroll", "key", "wait")


def resolve_command(
    action: Action, command: Command, elements: ElementTable, tree: Tree
) -> dict[str, Any]:
    """Return the command that an action was executed as, JSON-serializable.

    ``kind`` is always present, the other keys only if the kind has them: ``x_px, y_px`` (the
    target, pixels from the top left corner), ``end_x_px, end_y_px`` (end of a drag), ``box_px``
    (left, top, width, height that ``copy_image`` copies), ``keys`` (X keysym names, pressed in this
    order), ``text``, ``amount``, ``answer`` (to ``ask``), and ``target``: role, name and box in
    pixels of the target element.

    Args:
        action: The agent's action.
        command: The command it was decoded to.
        elements: The elements of the observation that the action is based on.
        tree: The accessibility tree of that observation.
    """
    value: dict[str, Any] = {"kind": action.kind}
    if action.kind in POINTER_KINDS:
        value |= {"x_px": command.x, "y_px": command.y}
    if action.kind == "drag":
        value |= {"end_x_px": command.end_x, "end_y_px": command.end_y}
    if action.kind == "copy_image":
        value["box_px"] = list(command.box)
        if action.text:
            value["text"] = action.text
    if action.kind in (*POINTER_KINDS, "key"):
        value["keys"] = list(command.keys)
    if action.kind in _TEXT_KINDS:
        value["text"] = command.text
    if action.kind == "ask":
        value["text"] = action.text  # the environment adds ``answer``
    if action.kind in _AMOUNT_KINDS:
        value["amount"] = command.amount
    if action.element and action.kind in _AIMED_KINDS:
        node = tree.nodes[elements.nodes[action.element - 1]]
        value["target"] = {"role": node.role, "name": node.name, "box": list(node.box)}
    return value
