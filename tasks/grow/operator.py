"""Operators: the sites, wording, solution, checks and scope of one type of edit."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from pptarena.edits import Solution
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.slots import Slot

__all__ = ["Leaf", "Leaves", "Operator", "Params", "Target", "always", "leaf"]

Params = Mapping[str, Any]
Leaf = dict[str, Any]
Leaves = list[Leaf]
Target = Literal["shape", "slide", "deck"]


def leaf(check: str, **args: Any) -> Leaf:
    """Return a rubric leaf."""
    return {"check": check, "args": args}


def always(site: Site, params: Params) -> bool:
    """Return True, whatever the site and the parameters are."""
    return True


def _never(site: Site, params: Params) -> bool:
    return False


def _no_params(site: Site, rng: Random) -> Params | None:
    return {}


@dataclass(frozen=True)
class Operator:
    """One type of edit.

    Attributes:
        name: Lower-case words joined by ``-``.
        edit_type: One of `pptarena.tasks.EDIT_TYPES`.
        target: What an instruction names: a shape, a slide, or only the deck.
        sites: Yields the sites of a deck where the edit makes sense.
        solution: Returns the edits as data; see `pptarena.edits`.
        checks: Returns the rubric leaves.
        aspects: Aspects of the site that may change.
        asks: Templates of requests that begin with a verb, with ``{it}`` for the site and ``{key}``
            for values.
        wishes: Templates of requests that are clauses with ``should``.
        params: Samples the remaining parameters; returns None if the site allows none.
        slots: Wording of each value of the site and the parameters.
        level: Amount of work, 1 to 3.
        playable: Returns whether the macros of its edits reach the target in LibreOffice.
        scope: Further fields of the scope's part, such as the cells that may change.
        whole: Whether it adds, removes or reorders slides, or changes several of them.
        deck_scope: Further fields of the entire scope, such as the number of new slides.
        alone: Whether it must not be applied to two shapes of a slide, which would overlap.
    """

    name: str
    edit_type: str
    target: Target
    sites: Callable[[Ground], Iterable[Site]]
    solution: Callable[[Site, Params], Solution]
    checks: Callable[[Site, Params], Leaves]
    aspects: tuple[str, ...]
    asks: tuple[str, ...]
    wishes: tuple[str, ...]
    params: Callable[[Site, Random], Params | None] = _no_params
    slots: Mapping[str, Slot] = field(default_factory=dict)
    level: int = 1
    playable: Callable[[Site, Params], bool] = _never
    scope: Callable[[Site, Params], dict[str, Any]] = lambda site, params: {}
    whole: bool = False
    alone: bool = False
    deck_scope: Callable[[Site, Params], dict[str, Any]] = lambda site, params: {}

    def values(self, site: Site, params: Params) -> dict[str, Any]:
        """Return all values that an instruction contains, by slot key."""
        known = {**site.detail, **params}
        return {key: known[key] for key in self.slots}

    def part(self, site: Site, params: Params) -> dict[str, Any]:
        """Return the scope part that the edit may touch."""
        if self.target == "deck":
            found: dict[str, Any] = {"slides": "all", "aspects": list(self.aspects)}
        else:
            found = {"slides": [site.number], "aspects": list(self.aspects)}
            if site.shape_index is not None:
                found["shapes"] = [site.spec]
        return found | self.scope(site, params)
