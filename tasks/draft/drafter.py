"""Draft a task from a deck and a gold deck: one node per group of changes, and a scope."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.decks import Deck
from pptarena.decks.match.values import clip, describe
from pptarena.errors import RubricError, TaskError
from pptarena.rewards import Scope, load_rubric, score
from pptarena.rewards.gold.plan import GoldPlan, Group, plan_of
from pptarena.rewards.gold.scope_of import scope_of
from pptarena.rewards.scored_tree import ALMOST_ONE
from pptarena.tasks.draft.candidates import fallback, leaf_slots
from pptarena.tasks.draft.classification import difficulty_of, edit_types_of, level_of, steps_of
from pptarena.tasks.draft.leaf import Leaf, PartContext

__all__ = ["Draft", "draft_task"]

_VERSION = 2
_Slots = list[list[Leaf]]


def keys_of_valid_leaves(
    leaves: Iterable[Leaf], original: Deck, gold: Deck, scope: Scope
) -> set[str]:
    """Return the keys of the leaves that score 0 on the original and 1 on the gold deck.

    Leaves whose check rejects the arguments are omitted.
    """
    by_key = {leaf.key: leaf for leaf in leaves}
    nodes = [
        {"name": key, "check": leaf.check, "args": dict(leaf.args)} for key, leaf in by_key.items()
    ]
    nodes = [node for node in nodes if _is_valid(node)]
    if not nodes:
        return set()
    rubric = load_rubric({"version": 1, "root": {"name": "leaves", "children": nodes}})
    start, end = (
        score(rubric, original, deck, scope, gold=gold, targets=(gold,))
        for deck in (original, gold)
    )
    return {
        before.name
        for before, after in zip(start.children, end.children, strict=True)
        if before.score == 0.0 and (after.score or 0.0) >= ALMOST_ONE
    }


def _is_valid(node: Mapping[str, object]) -> bool:
    try:
        load_rubric({"version": 1, "root": node})
    except RubricError:
        return False
    return True


@dataclass(frozen=True)
class Draft:
    """A drafted task that has not been written to disk.

    Attributes:
        task: Contents of the task file, ready for JSON.
        scope: The part of the deck that the task may touch.
        compared: Names of the nodes that compare with the gold deck, because no check fits.
    """

    task: Mapping[str, Any]
    scope: Scope
    compared: tuple[str, ...] = ()


def draft_task(original: Deck, gold: Deck, *, id: str, instruction: str) -> Draft:
    """Draft a task whose target is a gold deck.

    Each group of changes becomes a node. The node uses a check that scores 0 on the original and 1
    on the gold deck; if there is none, it compares the changed objects with the gold deck.

    Args:
        original: The original deck.
        gold: The target deck, saved by the same program as the original.
        id: Lower-case words joined by ``-``.
        instruction: The request to the agent.

    Raises:
        TaskError: If the gold deck changes nothing.
    """
    plan = plan_of(original, gold)
    if not plan.groups:
        raise TaskError(
            "expected a gold deck that differs from the deck, got one without a change; "
            "`pptarena decks diff DECK GOLD` shows what differs"
        )
    scope = scope_of(original, gold)
    nodes, compared = _nodes(plan, scope)
    steps = steps_of(plan.groups)
    difficulty, max_steps = difficulty_of(steps)
    nothing_else = {"check": "nothing_else_changed", "args": {}}
    root = {
        "name": "the goal is reached",
        "critical": True,
        "children": [
            *nodes,
            {"name": "nothing else changed", "critical": False, **nothing_else},
        ],
    }
    task = {
        "version": _VERSION,
        "id": id,
        "difficulty": difficulty,
        "level": level_of(plan.groups),
        "edit_types": list(edit_types_of(plan.groups)),
        "deck": "deck.pptx",
        "gold": "gold.pptx",
        "instruction": instruction,
        "max_steps": max_steps,
        "rubric": {"version": 1, "strategy": "weighted", "root": root},
        "scope": scope.to_json(),
    }
    return Draft(task, scope, compared)


def _nodes(plan: GoldPlan, scope: Scope) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Return a node for each group, and the names of the nodes that compare with the gold deck."""
    coverings_by_group = [list(_coverings(group, plan)) for group in plan.groups]
    leaves = (
        leaf
        for coverings in coverings_by_group
        for covering in coverings
        for slot in covering
        for leaf in slot
    )
    valid_keys = keys_of_valid_leaves(leaves, plan.original, plan.gold, scope)
    nodes, compared, used_names = [], [], {"nothing else changed"}
    for group, coverings in zip(plan.groups, coverings_by_group, strict=True):
        name = _unique_name(_group_name(group), used_names)
        selected = _select_leaves(coverings, valid_keys)
        if selected is None:
            compared.append(name)
            selected = _fallback_leaves(group, plan)
        nodes.append(_node(name, selected))
    return nodes, tuple(compared)


def _group_name(group: Group) -> str:
    count = len(group.parts)
    if group.words is not None and count > 1:
        old, new = map(clip, group.words)
        return f"{old} is {new} in {count} places"
    first = group.parts[0].changes[0].text
    return first if count == 1 else f"{count} places, as {first}"


def _coverings(group: Group, plan: GoldPlan) -> Iterator[_Slots]:
    """Yield candidate leaf combinations that cover a group, the shortest first."""
    slots_by_part = [leaf_slots(PartContext(part, plan)) for part in group.parts]
    if len(slots_by_part) > 1:
        if group.words is not None:
            old, new = group.words
            changes_notes = any(part.aspect == "notes" for part in group.parts)
            options = {"include_notes": True} if changes_notes else {}
            yield [[Leaf("text_replaced_everywhere", {"old": old, "new": new, **options})]]
        joint = _join_slides(group, slots_by_part)
        if joint is not None:
            yield joint
    yield [slot for slots in slots_by_part for slot in slots]


def _join_slides(group: Group, slots_by_part: Sequence[_Slots]) -> _Slots | None:
    """Return leaves that cover several slides together, or None if the slides differ otherwise."""
    numbers = sorted({part.slide for part in group.parts if part.slide is not None})
    if len(numbers) != len(slots_by_part) or len({len(slots) for slots in slots_by_part}) != 1:
        return None
    joint: _Slots = []
    for index in range(len(slots_by_part[0])):
        keys = [{leaf.on_slides(numbers).key for leaf in slots[index]} for slots in slots_by_part]
        common = set.intersection(*keys)
        leaves = [leaf.on_slides(numbers) for leaf in slots_by_part[0][index]]
        joint.append([leaf for leaf in leaves if leaf.key in common])
    return joint if all(joint) else None


def _select_leaves(coverings: Sequence[_Slots], valid_keys: set[str]) -> list[Leaf] | None:
    """Return the leaves of the first covering whose every slot has a valid leaf."""
    for covering in coverings:
        candidates = [
            next((leaf for leaf in slot if leaf.key in valid_keys), None) for slot in covering
        ]
        leaves = [leaf for leaf in candidates if leaf is not None]
        if leaves and len(leaves) == len(candidates):
            return list({leaf.key: leaf for leaf in leaves}.values())
    return None


def _fallback_leaves(group: Group, plan: GoldPlan) -> list[Leaf]:
    leaves = [fallback(PartContext(part, plan)) for part in group.parts]
    return list({leaf.key: leaf for leaf in leaves}.values())


def _node(name: str, leaves: Sequence[Leaf]) -> dict[str, Any]:
    if len(leaves) == 1:
        return {"name": name, "critical": True, **_to_json(leaves[0])}
    used_names: set[str] = set()
    children = [
        {"name": _unique_name(_describe(leaf), used_names), "critical": True, **_to_json(leaf)}
        for leaf in leaves
    ]
    return {"name": name, "critical": True, "children": children}


def _to_json(leaf: Leaf) -> dict[str, Any]:
    return {"check": leaf.check, "args": dict(leaf.args)}


def _describe(leaf: Leaf) -> str:
    """Return a short description of a leaf and its target."""
    details = [
        f"{name.replace('_', ' ')} {_shortened(leaf.args[name])}"
        for name in ("slide", "slide_new", "shape", "row", "column", "text", "series")
        if name in leaf.args
    ]
    return ", ".join([leaf.check.replace("_", " "), *details])


def _shortened(value: Any) -> Any:
    return describe(value) if isinstance(value, str) else value


def _unique_name(text: str, used_names: set[str]) -> str:
    """Return a name on one line that is unique among its siblings."""
    line = " ".join(text.split())
    name, number = line, 1
    while name in used_names:
        number += 1
        name = f"{line} ({number})"
    used_names.add(name)
    return name
