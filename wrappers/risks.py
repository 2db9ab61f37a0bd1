"""Actions that are hard to undo: deleting slides, closing the deck, overwriting a file."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.envs.action import Action
from pptarena.envs.action_space import as_action
from pptarena.envs.document.call import as_call
from pptarena.envs.elements import element_at
from pptarena.envs.keys import parse_keys
from pptarena.errors import ActionError

__all__ = ["CLOSE", "DELETE", "OVERWRITE", "risk_of_action", "risk_of_call"]

DELETE, CLOSE, OVERWRITE = "deletes slides", "closes the deck", "overwrites the file"

_PANELS = ("slides view", "slide sorter", "slides pane", "thumbnails")
_CONTROLS: Mapping[str, str] = {
    **dict.fromkeys(("delete slide", "delete slides"), DELETE),
    **dict.fromkeys(("close", "close window", "exit", "exit libreoffice", "quit"), CLOSE),
    **dict.fromkeys(("don't save", "discard", "close without saving", "reload"), CLOSE),
    **dict.fromkeys(("save", "replace", "overwrite"), OVERWRITE),
}
_KEYS: Mapping[frozenset[str], str] = {
    **{frozenset(keys.split("+")): CLOSE for keys in ("ctrl+w", "ctrl+q", "ctrl+f4", "alt+f4")},
    frozenset(("ctrl", "s")): OVERWRITE,
}
_SLIDE_DELETION_KEYS = (frozenset(("delete",)), frozenset(("backspace",)), frozenset(("ctrl", "x")))
_ACTIVATION_KEYS = (frozenset(("return",)), frozenset(("kp_enter",)), frozenset(("space",)))
_SHORT_NAMES = {"control_l": "ctrl", "control_r": "ctrl", "alt_l": "alt", "alt_r": "alt"}
_CODE = re.compile(r"sldIdLst|drop_rel|del\s+[\w.]*slides")
_SLIDE_LIST = "ppt/presentation.xml"

Node = Mapping[str, Any]


def risk_of_action(action: Any, nodes: Sequence[Node], screen: tuple[int, int]) -> str:
    """Return the risk of an action on the screen: `DELETE`, `CLOSE`, `OVERWRITE` or ``""``.

    It is found from the key combination or from the name of the control that is used.

    Args:
        action: What `PPTArenaEnv.step` accepts.
        nodes: The nodes of ``info["a11y"]`` before the action.
        screen: Width and height in pixels.
    """
    try:
        decoded = as_action(action)
        if decoded.kind == "key":
            return _risk_of_keys(decoded.keys, nodes)
    except ActionError:
        return ""  # the environment refuses it
    if decoded.kind not in ("click", "double_click", "triple_click", "mouse_up"):
        return ""
    return _risk_of_control(_control(decoded, nodes, screen))


def risk_of_call(call: Any) -> str:
    """Return the risk of a call in the document environment: `DELETE` or ``""``.

    Programs and edits of XML count if they touch the list of slides.

    Args:
        call: What `PPTArenaDocEnv.step` accepts.
    """
    try:
        tool, arguments = as_call(call)
    except ActionError:
        return ""
    edits_slide_list = tool in ("replace_part", "replace_in_part") and _SLIDE_LIST in arguments
    runs_deletion = tool == "run_program" and _CODE.search(arguments)
    return DELETE if tool.startswith("delete_slide") or edits_slide_list or runs_deletion else ""


def _risk_of_keys(keys: str, nodes: Sequence[Node]) -> str:
    pressed = frozenset(
        _SHORT_NAMES.get(key.casefold(), key.casefold()) for key in parse_keys(keys)
    )
    focused = [node for node in nodes if "focused" in node["states"]]
    if pressed in _SLIDE_DELETION_KEYS and any(_is_slide(node, nodes) for node in focused):
        return DELETE
    if pressed in _ACTIVATION_KEYS and focused:
        return _risk_of_control(focused[-1])
    return _KEYS.get(pressed, "")


def _risk_of_control(control: Node | None) -> str:
    return _CONTROLS.get(_normalize(control["name"]), "") if control else ""


def _is_slide(node: Node, nodes: Sequence[Node]) -> bool:
    """Return whether a node is in the list of slides."""
    by_index = {node["index"]: node for node in nodes}
    ancestor: Node | None = node
    while ancestor is not None:
        if _normalize(ancestor["name"]) in _PANELS:
            return True
        ancestor = by_index.get(ancestor["parent"])
    return False


def _control(action: Action, nodes: Sequence[Node], screen: tuple[int, int]) -> Node | None:
    if action.element:
        return next((node for node in nodes if node["element"] == action.element), None)
    if action.xy is None:
        return None
    return element_at(nodes, action.xy[0] * screen[0], action.xy[1] * screen[1])


def _normalize(name: str) -> str:
    return name.casefold().replace("\u2019", "'").strip(" .\u2026~_&")
