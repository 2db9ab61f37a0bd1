"""A task before it is proven: its edits, its words, its rubric and its scope."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.errors import TaskError
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params
from pptarena.tasks.macros import load_macros

__all__ = ["Draft", "Edit", "Item"]

_STEPS = 20  # beside those for each edit
_STEPS_PER_EDIT = 30
_DIFFICULTIES = ("easy", "easy", "medium", "hard")


@dataclass(frozen=True)
class Edit:
    """An operator at a place, with all that it needs to know."""

    operator: Operator
    site: Site
    params: Params

    def apply(self, presentation: Any) -> None:
        """Make the edit."""
        self.operator.apply(presentation, self.site, self.params)

    @property
    def touched(self) -> frozenset[tuple[int | None, int | None, str]]:
        """What it changes: slide, shape and aspect; None for all slides, or the slide itself."""
        site = self.site
        return frozenset((site.slide_index, site.shape_index, a) for a in self.operator.aspects)

    def goal(self, name: str) -> dict[str, Any]:
        """Return the node of a rubric."""
        leaves = self.operator.checks(self.site, self.params)
        if len(leaves) == 1:
            return {"name": name, **leaves[0]}
        return {
            "name": name,
            "children": [{"name": f"{each['check']} {i}", **each} for i, each in enumerate(leaves)],
        }

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "op": self.operator.name,
            "site": self.site.to_json(),
            "params": dict(self.params),
        }


@dataclass(frozen=True, slots=True)
class Item:
    """One part of a sentence.

    Attributes:
        front: What stands before it, perhaps empty.
        phrase: What is asked for.
        is_wish: Whether that is a clause with ``should``.
        frame: The operator and the frame.
        meaning: What it says: slides and shapes, from 0, and the values of slots.
        joiner: What stands between the item before and this one.
    """

    front: str
    phrase: str
    is_wish: bool
    frame: tuple[str, str]
    meaning: tuple[tuple[tuple[int | None, int | None], ...], tuple[tuple[str, Any], ...]]
    joiner: str = "; then "


@dataclass(frozen=True)
class Draft:
    """A task that is to be proven.

    Attributes:
        ground: Its deck.
        kind: How its edits are composed; ``one`` for a single one.
        tree: Its operators as plain data.
        edits: What makes the goal, in order.
        operators: Names of all operators in it, those of branches not taken, too.
        items: The parts of its sentence.
        depth: How many operators there are to understand, 1 to 5.
        register: How it is said.
        instruction: The whole sentence.
        split: Which split it belongs to.
        composition: How it is composed of which operators, such as ``both(bold-text,font-color)``.
    """

    ground: Ground
    kind: str
    tree: Mapping[str, Any]
    edits: tuple[Edit, ...]
    operators: tuple[str, ...]
    items: tuple[Item, ...]
    depth: int
    register: str
    instruction: str
    split: str
    composition: str

    @property
    def is_whole(self) -> bool:
        """Whether it changes more than slides by themselves."""
        return any(edit.operator.whole for edit in self.edits)

    @property
    def slides(self) -> frozenset[int]:
        """The slides that it changes, from 0."""
        found = (edit.site.slide_index for edit in self.edits)
        return frozenset(index for index in found if index is not None)

    @property
    def key(self) -> str:
        """What is equal for two drafts only if they ask for the same edits of the same deck."""
        words = json.dumps([self.ground.sha256, self.tree], sort_keys=True)
        return hashlib.sha256(words.encode()).hexdigest()

    def apply(self, presentation: Any) -> None:
        """Make all its edits."""
        for edit in self.edits:
            edit.apply(presentation)

    def rubric(self) -> dict[str, Any]:
        """Return its rubric as plain data."""
        goals = [
            edit.goal(f"{edit.operator.name}{f' {number}' if len(self.edits) > 1 else ''}")
            for number, edit in enumerate(self.edits, start=1)
        ]
        rest = {"name": "nothing else changed", "critical": False, "check": "nothing_else_changed"}
        return {"version": 1, "root": {"name": self.kind, "children": [*goals, rest]}}

    def scope(self) -> dict[str, Any]:
        """Return its scope as plain data."""
        found: dict[str, Any] = {"parts": [e.operator.part(e.site, e.params) for e in self.edits]}
        for edit in self.edits:
            for key, value in edit.operator.deck_scope(edit.site, edit.params).items():
                known = found.get(key, 0)
                found[key] = known + value if isinstance(value, int) and key in found else value
        return found

    def macros(self) -> list[dict[str, Any]] | None:
        """Return how an agent gets there by macros; None where that is not known."""
        found: list[dict[str, Any]] = []
        for edit in self.edits:
            calls = edit.operator.macros(edit.site, edit.params)
            if calls is None or not _is_named_alone(edit.site):
                return None
            found += calls
        try:
            load_macros(found)
        except TaskError:  # no macro has this value, such as a colour by its name
            return None
        # The cursor goes over some signs beyond the basic plane in more than one step.
        words = "".join(str(call.get("words", "")) for call in found)
        return None if any(ord(letter) > 0xFFFF for letter in words) else found

    def row(self, seed: int) -> dict[str, Any]:
        """Return the task as a line of a suite."""
        types = dict.fromkeys(edit.operator.edit_type for edit in self.edits)
        level = max([edit.operator.level for edit in self.edits])
        hard = min(3, max(level, self.depth, 1 + (len(self.edits) > 1)))
        name = hashlib.sha256(f"{self.key}{self.instruction}".encode()).hexdigest()[:12]
        row: dict[str, Any] = {
            "version": 2,
            "id": f"grow-{name}",
            "difficulty": _DIFFICULTIES[hard],
            "level": f"L{min(3, max(1, self.depth))}",
            "edit_types": list(types),
            "deck": self.ground.label,
            "instruction": self.instruction,
            "max_steps": _STEPS + _STEPS_PER_EDIT * len(self.edits),
            "rubric": self.rubric(),
            "scope": self.scope(),
        }
        if (macros := self.macros()) is not None:
            row["macros"] = macros
        row["grown"] = {
            "tree": self.tree,
            "kind": self.kind,
            "composition": self.composition,
            "edits": [edit.to_json() for edit in self.edits],
            "operators": list(self.operators),
            "frame": ["/".join(item.frame) for item in self.items],
            "register": self.register,
            "depth": self.depth,
            "seed": seed,
            "deck_sha256": self.ground.sha256,
            "split": self.split,
        }
        return row


def _is_named_alone(site: Site) -> bool:
    """Return whether no other shape of the slide is named alike; the screen has no other sign."""
    if site.slide_index is None or site.shape_index is None:
        return True
    names = [shape.name for shape in site.slide.shapes]
    found = site.ground.names
    shown = found[site.slide_index] if site.slide_index < len(found) else ()
    return max(each.count(site.shape.name) for each in (names, shown)) <= 1
