"""Unproven generated tasks: edits, wording, rubric and scope."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.edits import Solution
from pptarena.errors import EditError
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params

__all__ = ["Draft", "Edit", "Item"]

_STEPS = 20  # in addition to those for each edit
_STEPS_PER_EDIT = 30
_DIFFICULTIES = ("easy", "easy", "medium", "hard")


@dataclass(frozen=True)
class Edit:
    """An operator applied to a target with parameters."""

    operator: Operator
    target: Target
    params: Params

    def solution(self) -> Solution:
        """Return the edit as data.

        Raises:
            EditError: If the parameters, sampled for another target, do not fit this one.
        """
        try:
            return self.operator.solution(self.target, self.params)
        except (ArithmeticError, LookupError, StopIteration, ValueError) as error:
            raise EditError(f"{self.operator.name}: the target does not fit: {error}") from error

    def goal(self, name: str) -> dict[str, Any]:
        """Return the rubric node that checks the edit."""
        leaves = self.operator.checks(self.target, self.params)
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
            "site": self.target.to_json(),
            "params": dict(self.params),
        }


@dataclass(frozen=True, slots=True)
class Item:
    """One part of an instruction.

    Attributes:
        prefix: Text before the phrase, possibly empty.
        phrase: The request.
        is_wish: Whether the phrase is a clause with ``should``.
        template_id: Operator name and template id.
        meaning: The meaning as (slide, shape) indexes (0-based) and slot values.
        joiner: Text between the previous item and this one.
    """

    prefix: str
    phrase: str
    is_wish: bool
    template_id: tuple[str, str]
    meaning: tuple[tuple[tuple[int | None, int | None], ...], tuple[tuple[str, Any], ...]]
    joiner: str = "; then "


@dataclass(frozen=True)
class Draft:
    """A generated task that has not been proven.

    Attributes:
        context: The deck context.
        kind: How its edits are composed; ``one`` for a single edit.
        tree: The operator tree as JSON data.
        edits: The edits that produce the target deck, in order.
        operators: Names of all operators, including those of branches not taken.
        items: Parts of the instruction.
        depth: Number of operators to understand, 1 to 5.
        tone: Tone of the instruction.
        instruction: The complete instruction.
        split: The split it belongs to.
        composition: Composition of operators, such as ``both(bold-text,font-color)``.
    """

    context: DeckContext
    kind: str
    tree: Mapping[str, Any]
    edits: tuple[Edit, ...]
    operators: tuple[str, ...]
    items: tuple[Item, ...]
    depth: int
    tone: str
    instruction: str
    split: str
    composition: str

    @property
    def is_deck_wide(self) -> bool:
        """Whether it changes more than individual slides."""
        return any(edit.operator.deck_wide for edit in self.edits)

    @property
    def slides(self) -> frozenset[int]:
        """The slides (0-based) that it changes."""
        indexes = (edit.target.slide_index for edit in self.edits)
        return frozenset(index for index in indexes if index is not None)

    @property
    def key(self) -> str:
        """A hash that is equal only for drafts with the same edits of the same deck."""
        text = json.dumps([self.context.sha256, self.tree], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def solution(self) -> Solution:
        """Return the edits that produce the target deck, as data.

        Raises:
            EditError: If the parameters of an edit do not fit one of several targets.
        """
        return [entry for edit in self.edits for entry in edit.solution()]

    def rubric(self) -> dict[str, Any]:
        """Return the rubric as JSON data."""
        nodes = [
            edit.goal(f"{edit.operator.name}{f' {number}' if len(self.edits) > 1 else ''}")
            for number, edit in enumerate(self.edits, start=1)
        ]
        nothing_else = {
            "name": "nothing else changed",
            "critical": False,
            "check": "nothing_else_changed",
        }
        return {"version": 1, "root": {"name": self.kind, "children": [*nodes, nothing_else]}}

    def scope(self) -> dict[str, Any]:
        """Return the scope as JSON data."""
        scope: dict[str, Any] = {
            "parts": [e.operator.scope_part(e.target, e.params) for e in self.edits]
        }
        for edit in self.edits:
            for key, value in edit.operator.deck_scope(edit.target, edit.params).items():
                previous = scope.get(key, 0)
                scope[key] = previous + value if isinstance(value, int) and key in scope else value
        return scope

    @property
    def is_playable(self) -> bool:
        """Whether macros carry out its edits; see `pptarena.tasks.solution_macros`."""
        return all(
            edit.operator.playable(edit.target, edit.params) and _has_unique_name(edit.target)
            for edit in self.edits
        )

    def row(self, seed: int) -> dict[str, Any]:
        """Return the task as a row of a suite file."""
        types = dict.fromkeys(edit.operator.edit_type for edit in self.edits)
        level = max([edit.operator.level for edit in self.edits])
        difficulty = min(3, max(level, self.depth, 1 + (len(self.edits) > 1)))
        name = hashlib.sha256(f"{self.key}{self.instruction}".encode()).hexdigest()[:12]
        row: dict[str, Any] = {
            "version": 2,
            "id": f"grow-{name}",
            "difficulty": _DIFFICULTIES[difficulty],
            "level": "L1" if max(level, self.depth) == 1 else "L2",
            "edit_types": list(types),
            "deck": self.context.label,
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
            "frame": ["/".join(item.template_id) for item in self.items],
            "register": self.tone,
            "depth": self.depth,
            "seed": seed,
            "deck_sha256": self.context.sha256,
            "split": self.split,
        }
        return row


def _has_unique_name(target: Target) -> bool:
    """Return whether the shape's name is unique on its slide, since the screen shows only names."""
    if target.slide_index is None or target.shape_index is None:
        return True
    names = [shape.name for shape in target.slide.shapes]
    names_by_slide = target.context.names
    input_names = (
        names_by_slide[target.slide_index] if target.slide_index < len(names_by_slide) else ()
    )
    return max(each.count(target.shape.name) for each in (names, input_names)) <= 1
