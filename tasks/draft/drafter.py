"""Draft a task from a deck and a gold deck: one node per group of changes, and a scope."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.decks import Deck
from pptarena.decks.match.values import clip, shown
from pptarena.errors import RubricError, TaskError
from pptarena.rewards import Scope, load_rubric, score
from pptarena.rewards.gold.plan import GoldPlan, Group, plan_of
from pptarena.rewards.gold.scope_of import scope_of
from pptarena.rewards.scored import ALMOST_ONE
from pptarena.tasks.draft.covers import fallback, slots
from pptarena.tasks.draft.kinds import difficulty_of, edit_types_of, level_of, steps_of
from pptarena.tasks.draft.leaf import Leaf, Seen

__all__ = ["Draft", "draft_task"]

_VERSION = 2
_Slots = list[list[Leaf]]


def holding(leaves: Iterable[Leaf], original: Deck, gold: Deck, scope: Scope) -> set[str]:
    """Return the keys of the leaves that score 0 on the original and 1 on the gold.

    Leaves with arguments that their check rejects are left out.
    """
    known = {leaf.key: leaf for leaf in leaves}
    nodes = [
        {"name": key, "check": leaf.check, "args": dict(leaf.args)} for key, leaf in known.items()
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
        compared: Names of the nodes that no check fits, so that they compare with the gold.
    """

    task: Mapping[str, Any]
    scope: Scope
    compared: tuple[str, ...] = ()


def draft_task(original: Deck, gold: Deck, *, id: str, instruction: str) -> Draft:
    """Draft a task whose target is a gold deck.

    Each group of changes becomes a node. The node uses a check that scores 0 on the original and 1
    on the gold; if no check does, it compares that place with the gold.

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
    """Return a node for each group, and the names of those that compare with the gold."""
    ways = [list(_ways(group, plan)) for group in plan.groups]
    tried = (leaf for each in ways for way in each for slot in way for leaf in slot)
    held = holding(tried, plan.original, plan.gold, scope)
    nodes, compared, taken = [], [], {"nothing else changed"}
    for group, each in zip(plan.groups, ways, strict=True):
        name = _name(_goal(group), taken)
        chosen = _chosen(each, held)
        if chosen is None:
            compared.append(name)
            chosen = _last_way(group, plan)
        nodes.append(_node(name, chosen))
    return nodes, tuple(compared)


def _goal(group: Group) -> str:
    count = len(group.parts)
    if group.words is not None and count > 1:
        old, new = map(clip, group.words)
        return f"{old} is {new} in {count} places"
    first = group.parts[0].changes[0].text
    return first if count == 1 else f"{count} places, as {first}"


def _ways(group: Group, plan: GoldPlan) -> Iterator[_Slots]:
    """Yield candidate leaf combinations that cover a group, the shortest first."""
    each = [slots(Seen(part, plan)) for part in group.parts]
    if len(each) > 1:
        if group.words is not None:
            old, new = group.words
            of_notes = any(part.aspect == "notes" for part in group.parts)
            notes = {"include_notes": True} if of_notes else {}
            yield [[Leaf("text_replaced_everywhere", {"old": old, "new": new, **notes})]]
        joined = _joined(group, each)
        if joined is not None:
            yield joined
    yield [slot for way in each for slot in way]


def _joined(group: Group, each: Sequence[_Slots]) -> _Slots | None:
    """Return leaves that cover several slides together, or None if the slides differ otherwise."""
    numbers = sorted({part.slide for part in group.parts if part.slide is not None})
    if len(numbers) != len(each) or len({len(way) for way in each}) != 1:
        return None
    found: _Slots = []
    for at in range(len(each[0])):
        keys = [{leaf.on_slides(numbers).key for leaf in way[at]} for way in each]
        common = set.intersection(*keys)
        leaves = [leaf.on_slides(numbers) for leaf in each[0][at]]
        found.append([leaf for leaf in leaves if leaf.key in common])
    return found if all(found) else None


def _chosen(ways: Sequence[_Slots], held: set[str]) -> list[Leaf] | None:
    """Return the leaves of the first candidate whose every slot has a leaf that holds."""
    for way in ways:
        picked = [next((leaf for leaf in slot if leaf.key in held), None) for slot in way]
        leaves = [leaf for leaf in picked if leaf is not None]
        if leaves and len(leaves) == len(picked):
            return list({leaf.key: leaf for leaf in leaves}.values())
    return None


def _last_way(group: Group, plan: GoldPlan) -> list[Leaf]:
    leaves = [fallback(Seen(part, plan)) for part in group.parts]
    return list({leaf.key: leaf for leaf in leaves}.values())


def _node(name: str, leaves: Sequence[Leaf]) -> dict[str, Any]:
    if len(leaves) == 1:
        return {"name": name, "critical": True, **_plain(leaves[0])}
    taken: set[str] = set()
    children = [
        {"name": _name(_said(leaf), taken), "critical": True, **_plain(leaf)} for leaf in leaves
    ]
    return {"name": name, "critical": True, "children": children}


def _plain(leaf: Leaf) -> dict[str, Any]:
    return {"check": leaf.check, "args": dict(leaf.args)}


def _said(leaf: Leaf) -> str:
    """Return a short description of a leaf and its place."""
    place = [
        f"{name.replace('_', ' ')} {_shortened(leaf.args[name])}"
        for name in ("slide", "slide_new", "shape", "row", "column", "text", "series")
        if name in leaf.args
    ]
    return ", ".join([leaf.check.replace("_", " "), *place])


def _shortened(value: Any) -> Any:
    return shown(value) if isinstance(value, str) else value


def _name(text: str, taken: set[str]) -> str:
    """Return a name on one line that is unique among its siblings."""
    line = " ".join(text.split())
    name, number = line, 1
    while name in taken:
        number += 1
        name = f"{line} ({number})"
    taken.add(name)
    return name
