"""Operators: the targets, wording, solution, checks and scope of one type of edit."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from pptarena.edits import Solution
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.slots import Slot

__all__ = ["Leaf", "Leaves", "Operator", "Params", "TargetKind", "always", "leaf"]

Params = Mapping[str, Any]
Leaf = dict[str, Any]
Leaves = list[Leaf]
TargetKind = Literal["shape", "slide", "deck"]


def leaf(check: str, **args: Any) -> Leaf:
    """Return a rubric leaf."""
    return {"check": check, "args": args}


def always(target: Target, params: Params) -> bool:
    """Return True for any target and parameters."""
    return True


def _never(target: Target, params: Params) -> bool:
    return False


def _no_params(target: Target, rng: Random) -> Params | None:
    return {}


@dataclass(frozen=True)
class Operator:
    """One type of edit.

    Attributes:
        name: Lower-case words joined by ``-``.
        edit_type: One of `pptarena.tasks.EDIT_TYPES`.
        target_kind: What an instruction names: a shape, a slide, or only the deck.
        targets: Yields the targets of a deck for which the edit makes sense.
        solution: Returns the edits as data; see `pptarena.edits`.
        checks: Returns the rubric leaves.
        aspects: Aspects of the target that may change.
        imperatives: Templates of requests that begin with a verb, with ``{it}`` for the target and
            ``{key}`` for values.
        wishes: Templates of requests that are clauses with ``should``.
        params: Samples the remaining parameters; returns None if the target allows none.
        slots: Wording of each value of the target and the parameters.
        level: Amount of work, 1 to 3.
        playable: Returns whether macros can carry out its edits in LibreOffice.
        scope: Further fields of the scope's part, such as the cells that may change.
        deck_wide: Whether it adds, removes or reorders slides, or changes several of them.
        deck_scope: Further fields of the entire scope, such as the number of new slides.
        once_per_slide: Whether applying it to two shapes of a slide would make them overlap.
    """

    name: str
    edit_type: str
    target_kind: TargetKind
    targets: Callable[[DeckContext], Iterable[Target]]
    solution: Callable[[Target, Params], Solution]
    checks: Callable[[Target, Params], Leaves]
    aspects: tuple[str, ...]
    imperatives: tuple[str, ...]
    wishes: tuple[str, ...]
    params: Callable[[Target, Random], Params | None] = _no_params
    slots: Mapping[str, Slot] = field(default_factory=dict)
    level: int = 1
    playable: Callable[[Target, Params], bool] = _never
    scope: Callable[[Target, Params], dict[str, Any]] = lambda target, params: {}
    deck_wide: bool = False
    once_per_slide: bool = False
    deck_scope: Callable[[Target, Params], dict[str, Any]] = lambda target, params: {}

    def slot_values(self, target: Target, params: Params) -> dict[str, Any]:
        """Return all values that an instruction contains, by slot key."""
        available = {**target.detail, **params}
        return {key: available[key] for key in self.slots}

    def scope_part(self, target: Target, params: Params) -> dict[str, Any]:
        """Return the scope part that the edit may touch."""
        if self.target_kind == "deck":
            part: dict[str, Any] = {"slides": "all", "aspects": list(self.aspects)}
        else:
            part = {"slides": [target.slide_number], "aspects": list(self.aspects)}
            if target.shape_index is not None:
                part["shapes"] = [target.spec]
        return part | self.scope(target, params)
