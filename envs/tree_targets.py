"""Find controls of the accessibility tree by role and name, and aim recorded actions at them."""

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from pptarena.envs.action import Action
from pptarena.errors import AgentError
from pptarena.tasks import DemoStep

__all__ = ["aimed", "find_target", "missing_target", "target_text"]

NodeJson = Mapping[str, Any]
Nodes = Sequence[NodeJson]
Target = Mapping[str, Any]

_KEYS = frozenset({"role", "name", "nth", "within"})
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
    if unknown := set(target) - _KEYS:
        raise AgentError(f"unknown parts of a target: {', '.join(sorted(unknown))}")
    matches = [
        node
        for node in nodes
        if _shows(node) and _matches(node, target) and _within(nodes, node, target.get("within"))
    ]
    nth = int(target.get("nth", 0))
    return matches[nth] if nth < len(matches) else None


def aimed(
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
    node, end = (_found(nodes, target) for target in (step.target, step.end_target))
    element = int(node["element"]) if node and step.at is None else 0
    return Action(
        step.kind,
        element=element,
        # A node beyond the limit of elements has no number, but it has a position.
        xy=_point_in(node, step.at, screen_px) if node and not element else None,
        end_xy=_point_in(end, step.end_at, screen_px) if end else None,
        keys=step.keys,
        text=step.text,
        amount=step.amount,
        observation_id=observation_id,
    )


def missing_target(nodes: Nodes, target: Target) -> str:
    """Return a message about a target that is not on the screen, with near matches."""
    near = "; ".join(_near_matches(nodes, target))
    hint = f"on the screen are: {near}" if near else "nothing like it is on the screen"
    return f"expected {target_text(target)} on the screen; {hint}"


def target_text(target: Target) -> str:
    """Return a target as text, such as ``push button 'Bold' in dialog 'Character'``."""
    words = str(target.get("role", "any control"))
    if "name" in target:
        words += f" {target['name']!r}"
    if target.get("nth"):
        words += f" number {target['nth'] + 1}"
    if target.get("within"):
        words += f" in {target_text(target['within'])}"
    return words


def _found(nodes: Nodes, target: Target | None) -> NodeJson | None:
    if target is None:
        return None
    if (node := find_target(nodes, target)) is None:
        raise AgentError(missing_target(nodes, target))
    return node


def _point_in(
    node: NodeJson, at: tuple[float, float] | None, screen_px: tuple[int, int]
) -> tuple[float, float]:
    """Return a point in the box of a node, by default its center, in [0, 1] of the screen."""
    across, down = at or (0.5, 0.5)
    left, top, width, height = node["box"]
    x, y = (left + width * across) / screen_px[0], (top + height * down) / screen_px[1]
    return min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)


def _shows(node: NodeJson) -> bool:
    return bool(node["element"]) or "showing" in node["states"]


def _matches(node: NodeJson, target: Target) -> bool:
    role, name = target.get("role"), target.get("name")
    if role is not None and node["role"].casefold() != role.casefold():
        return False
    return name is None or _plain(node["name"]) == _plain(name)


def _within(nodes: Nodes, node: NodeJson, ancestor: Target | None) -> bool:
    if ancestor is None:
        return True
    parent = node["parent"]
    while parent >= 0:
        above = nodes[parent]
        if _matches(above, ancestor) and _within(nodes, above, ancestor.get("within")):
            return True
        parent = above["parent"]
    return False


def _near_matches(nodes: Nodes, target: Target) -> list[str]:
    wanted = _plain(str(target.get("name", "")))
    seen: dict[str, float] = {}
    for node in nodes:
        if not _shows(node) or not (node["name"] or node["role"] == target.get("role")):
            continue
        likeness = difflib.SequenceMatcher(None, wanted, _plain(node["name"])).ratio()
        same_role = node["role"] == target.get("role")
        seen[f"{node['role']} {node['name']!r}"] = likeness + (0.3 if same_role else 0.0)
    best = sorted(seen, key=lambda words: -seen[words])
    return [words for words in best if seen[words] >= 0.5][:_NEAR_MATCHES]


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
