"""Unproven generated tasks: edits, wording, rubric and scope."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.edits import Solution
from pptarena.errors import EditError
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params

__all__ = ["Draft", "Edit", "Item"]

_STEPS = 20  # in addition to those for each edit
_STEPS_PER_EDIT = 30
_DIFFICULTIES = ("easy", "easy", "medium", "hard")


@dataclass(frozen=True)
class Edit:
    """An operator applied at a site with parameters."""

    operator: Operator
    site: Site
    params: Params

    def solution(self) -> Solution:
        """Return the edit as data.

        Raises:
            EditError: If the parameters, sampled for another site, do not fit this one.
        """
        try:
            return self.operator.solution(self.site, self.params)
        except (ArithmeticError, LookupError, StopIteration, ValueError) as error:
            raise EditError(f"{self.operator.name}: the site does not fit: {error}") from error

    def goal(self, name: str) -> dict[str, Any]:
        """Return the rubric node that checks the edit."""
        leaves = self.operator.checks(self.site, self.params)
        if len(leaves) == 1:
            return {"name": name, **leaves[0]}
        return {
            "name": name,
            "children": [{"name": f"{each['check']} {i}", **each} for i, each in enumerate(leaves)],
        }

    def to_json(self) -> dict[str, Any]:
        """Return the edit as JSON data."""
        return {
            "op": self.operator.name,
            "site": self.site.to_json(),
            "params": dict(self.params),
        }


@dataclass(frozen=True, slots=True)
class Item:
    """One part of an instruction.

    Attributes:
        front: Text before the phrase, possibly empty.
        phrase: The request.
        is_wish: Whether the phrase is a clause with ``should``.
        frame: Operator and template.
        meaning: The meaning as (slide, shape) indexes (0-based) and slot values.
        joiner: Text between the previous item and this one.
    """

    front: str
    phrase: str
    is_wish: bool
    frame: tuple[str, str]
    meaning: tuple[tuple[tuple[int | None, int | None], ...], tuple[tuple[str, Any], ...]]
    joiner: str = "; then "


@dataclass(frozen=True)
class Draft:
    """A generated task that has not been proven.

    Attributes:
        ground: The deck context.
        kind: How its edits are composed; ``one`` for a single edit.
        tree: The operator tree as JSON data.
        edits: The edits that produce the target deck, in order.
        operators: Names of all operators, including those of branches not taken.
        items: Parts of the instruction.
        depth: Number of operators to understand, 1 to 5.
        register: Tone of the instruction.
        instruction: The complete instruction.
        split: The split it belongs to.
        composition: Composition of operators, such as ``both(bold-text,font-color)``.
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
        """Whether it changes more than individual slides."""
        return any(edit.operator.whole for edit in self.edits)

    @property
    def slides(self) -> frozenset[int]:
        """The slides (0-based) that it changes."""
        found = (edit.site.slide_index for edit in self.edits)
        return frozenset(index for index in found if index is not None)

    @property
    def key(self) -> str:
        """A hash that is equal only for drafts with the same edits of the same deck."""
        words = json.dumps([self.ground.sha256, self.tree], sort_keys=True)
        return hashlib.sha256(words.encode()).hexdigest()

    def solution(self) -> Solution:
        """Return the edits that produce the target deck, as data.

        Raises:
            EditError: If the parameters of an edit do not fit one of several sites.
        """
        return [entry for edit in self.edits for entry in edit.solution()]

    def rubric(self) -> dict[str, Any]:
        """Return the rubric as JSON data."""
        goals = [
            edit.goal(f"{edit.operator.name}{f' {number}' if len(self.edits) > 1 else ''}")
            for number, edit in enumerate(self.edits, start=1)
        ]
        rest = {"name": "nothing else changed", "critical": False, "check": "nothing_else_changed"}
        return {"version": 1, "root": {"name": self.kind, "children": [*goals, rest]}}

    def scope(self) -> dict[str, Any]:
        """Return the scope as JSON data."""
        found: dict[str, Any] = {"parts": [e.operator.part(e.site, e.params) for e in self.edits]}
        for edit in self.edits:
            for key, value in edit.operator.deck_scope(edit.site, edit.params).items():
                known = found.get(key, 0)
                found[key] = known + value if isinstance(value, int) and key in found else value
        return found

    @property
    def is_playable(self) -> bool:
        """Whether macros carry out its edits; see `pptarena.tasks.solution_macros`."""
        return all(
            edit.operator.playable(edit.site, edit.params) and _is_named_alone(edit.site)
            for edit in self.edits
        )

    def row(self, seed: int) -> dict[str, Any]:
        """Return the task as a row of a suite file."""
        types = dict.fromkeys(edit.operator.edit_type for edit in self.edits)
        level = max([edit.operator.level for edit in self.edits])
        hard = min(3, max(level, self.depth, 1 + (len(self.edits) > 1)))
        name = hashlib.sha256(f"{self.key}{self.instruction}".encode()).hexdigest()[:12]
        row: dict[str, Any] = {
            "version": 2,
            "id": f"grow-{name}",
            "difficulty": _DIFFICULTIES[hard],
            "level": "L1" if max(level, self.depth) == 1 else "L2",
            "edit_types": list(types),
            "deck": self.ground.label,
            "instruction": self.instruction,
            "max_steps": _STEPS + _STEPS_PER_EDIT * len(self.edits),
            "rubric": self.rubric(),
            "scope": self.scope(),
            "solution": self.solution(),
        }
        if not self.is_playable:
            row["macros"] = []
        row["grown"] = {
            "tree": self.tree,
            "kind": self.kind,
            "composition": self.composition,
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
    """Return whether the shape's name is unique on its slide; the screen shows nothing else."""
    if site.slide_index is None or site.shape_index is None:
        return True
    names = [shape.name for shape in site.slide.shapes]
    found = site.ground.names
    shown = found[site.slide_index] if site.slide_index < len(found) else ()
    return max(each.count(site.shape.name) for each in (names, shown)) <= 1
