"""An operator: one structure behind the places, words, edit, checks and scope of an edit."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.slots import Slot

__all__ = ["Leaf", "Leaves", "Macros", "Operator", "Params", "Target", "leaf"]

Params = Mapping[str, Any]
Leaf = dict[str, Any]
Leaves = list[Leaf]
Macros = list[dict[str, Any]]
Target = Literal["shape", "slide", "deck"]


def leaf(check: str, **args: Any) -> Leaf:
    """Return the leaf of a rubric."""
    return {"check": check, "args": args}


def _no_macros(site: Site, params: Params) -> Macros | None:
    return None


def _no_params(site: Site, rng: Random) -> Params | None:
    return {}


@dataclass(frozen=True)
class Operator:
    """One kind of edit.

    Attributes:
        name: Lower-case words joined by ``-``.
        edit_type: One of `pptarena.tasks.EDIT_TYPES`.
        target: What a sentence names: a shape, a slide, or nothing but the deck.
        sites: Returns the places of a deck where it makes sense.
        apply: Makes the edit in a python-pptx presentation.
        checks: Returns the leaves of its rubric.
        aspects: Aspects of the place that may change for it.
        asks: Ways to ask for it, beginning with a verb, with ``{it}`` for the place and
            ``{key}`` for values.
        wishes: Ways to wish for it: clauses with ``should``.
        params: Draws the rest of what it needs to know; None if there is nothing to draw.
        slots: How each value of place and params is said.
        level: 1 to 3, how much there is to do.
        macros: Returns how an agent gets there by macros; None where that is not known.
        scope: More of a scope's part, such as the cells that may change.
        whole: Whether it changes which slides there are, or more than one of them.
        deck_scope: More of the scope as a whole, such as how many slides may be new.
        alone: Whether it makes no sense for two shapes of one slide, which would lie on each other.
    """

    name: str
    edit_type: str
    target: Target
    sites: Callable[[Ground], Iterable[Site]]
    apply: Callable[[Any, Site, Params], None]
    checks: Callable[[Site, Params], Leaves]
    aspects: tuple[str, ...]
    asks: tuple[str, ...]
    wishes: tuple[str, ...]
    params: Callable[[Site, Random], Params | None] = _no_params
    slots: Mapping[str, Slot] = field(default_factory=dict)
    level: int = 1
    macros: Callable[[Site, Params], Macros | None] = _no_macros
    scope: Callable[[Site, Params], dict[str, Any]] = lambda site, params: {}
    whole: bool = False
    alone: bool = False
    deck_scope: Callable[[Site, Params], dict[str, Any]] = lambda site, params: {}

    def values(self, site: Site, params: Params) -> dict[str, Any]:
        """Return all values that a sentence says, by the key of their slot."""
        known = {**site.detail, **params}
        return {key: known[key] for key in self.slots}

    def part(self, site: Site, params: Params) -> dict[str, Any]:
        """Return the part of a scope that the edit may touch."""
        if self.target == "deck":
            found: dict[str, Any] = {"slides": "all", "aspects": list(self.aspects)}
        else:
            found = {"slides": [site.number], "aspects": list(self.aspects)}
            if site.shape_index is not None:
                found["shapes"] = [site.spec]
        return found | self.scope(site, params)
