"""Find controls of the accessibility tree by role and name, and aim recorded actions at them."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.envs.action import Action
from pptarena.errors import AgentError
from pptarena.tasks import DemoStep

__all__ = ["action_for_step", "find_target", "missing_target", "target_text"]

NodeJson = Mapping[str, Any]
Nodes = Sequence[NodeJson]
Target = Mapping[str, Any]

_TARGET_KEYS = frozenset({"role", "name", "nth", "within"})
_NEAR_MATCHES = 5


def find_target(nodes: Nodes, target: Target) -> NodeJson | None:
    """Return the visible node that a target names; None if it is not on the screen.

    Args:
        nodes: ``info["a11y"]["nodes"]``.
        target: ``role`` and ``name``, either of which is optional; ``nth``: index among several
            matches, from 0, in the order of the tree; ``within``: the target of an ancestor.

    Raises:
        AgentError: If the target has an unknown key.
    """
    if unknown := set(target) - _TARGET_KEYS:
        raise AgentError(f"unknown parts of a target: {', '.join(sorted(unknown))}")
    matches = [
        node
        for node in nodes
        if _is_visible(node)
        and _matches(node, target)
        and _is_within(nodes, node, target.get("within"))
    ]
    nth = int(target.get("nth", 0))
    return matches[nth] if nth < len(matches) else None


def action_for_step(
    step: DemoStep, nodes: Nodes, screen_px: tuple[int, int], observation_id: int = 0
) -> Action:
    """Return the action of a step whose targets are on the screen.

    Args:
        step: The step.
        nodes: ``info["a11y"]["nodes"]``.
        screen_px: Width and height of the screen.
        observation_id: Id of the observation with these nodes; 0 accepts any.

    Raises:
        AgentError: If a target is not on the screen.
    """
    node, end = (_require_node(nodes, target) for target in (step.target, step.end_target))
    element = int(node["element"]) if node and step.at is None else 0
    return Action(
        step.kind,
        element=element,
        # A node beyond the limit of elements has no number, but it has a position.
        xy=_point_in_node(node, step.at, screen_px) if node and not element else None,
        end_xy=_point_in_node(end, step.end_at, screen_px) if end else None,
        keys=step.keys,
        text=step.text,
        amount=step.amount,
        observation_id=observation_id,
    )


def missing_target(nodes: Nodes, target: Target) -> str:
    """Return a message about a target that is not on the screen, with near matches."""
    matches = "; ".join(_near_matches(nodes, target))
    hint = f"similar controls: {matches}" if matches else "no similar control is on the screen"
    return f"expected {target_text(target)} on the screen; {hint}"


def target_text(target: Target) -> str:
    """Return a target as text, such as ``push button 'Bold' in dialog 'Character'``."""
    text = str(target.get("role", "any control"))
    if "name" in target:
        text += f" {target['name']!r}"
    if target.get("nth"):
        text += f" number {target['nth'] + 1}"
    if target.get("within"):
        text += f" in {target_text(target['within'])}"
    return text


def _require_node(nodes: Nodes, target: Target | None) -> NodeJson | None:
    if target is None:
        return None
    if (node := find_target(nodes, target)) is None:
        raise AgentError(missing_target(nodes, target))
    return node


def _point_in_node(
    node: NodeJson, at: tuple[float, float] | None, screen_px: tuple[int, int]
) -> tuple[float, float]:
    """Return a point in the box of a node, by default its center, in [0, 1] of the screen."""
    across, down = at or (0.5, 0.5)
    left, top, width, height = node["box"]
    x, y = (left + width * across) / screen_px[0], (top + height * down) / screen_px[1]
    return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)


def _is_visible(node: NodeJson) -> bool:
    return bool(node["element"]) or "showing" in node["states"]


def _matches(node: NodeJson, target: Target) -> bool:
    role, name = target.get("role"), target.get("name")
    if role is not None and node["role"].casefold() != role.casefold():
        return False
    return name is None or _normalize(node["name"]) == _normalize(name)


def _is_within(nodes: Nodes, node: NodeJson, ancestor: Target | None) -> bool:
    if ancestor is None:
        return True
    index = node["parent"]
    while index >= 0:
        parent_node = nodes[index]
        if _matches(parent_node, ancestor) and _is_within(
            nodes, parent_node, ancestor.get("within")
        ):
            return True
        index = parent_node["parent"]
    return False


def _near_matches(nodes: Nodes, target: Target) -> list[str]:
    name = _normalize(str(target.get("name", "")))
    likeness_by_text: dict[str, float] = {}
    for node in nodes:
        if not _is_visible(node) or not (node["name"] or node["role"] == target.get("role")):
            continue
        ratio = difflib.SequenceMatcher(None, name, _normalize(node["name"])).ratio()
        same_role = node["role"] == target.get("role")
        likeness_by_text[f"{node['role']} {node['name']!r}"] = ratio + (0.3 if same_role else 0.0)
    best = sorted(likeness_by_text, key=lambda text: -likeness_by_text[text])
    return [text for text in best if likeness_by_text[text] >= 0.5][:_NEAR_MATCHES]


def _normalize(name: str) -> str:
    return " ".join(name.split()).casefold()
