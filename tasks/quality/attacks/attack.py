"""The types of an attack and an attacked deck."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree
from pptx.oxml.ns import qn

from pptarena.tasks.goals.editing import opened
from pptarena.tasks.quality.attacks.material import Material, shape_elements, shape_id

__all__ = ["Attack", "Attempt", "attack"]

_BARE = 0.5


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attacked deck; it deserves at most ``worth * score(honest)``.

    Attributes:
        deck: The attacked deck.
        honest: The deck with only the honest part of the work; None if there is none.
        worth: Share of the honest part's score that remains, in [0, 1]; below 1 if the attack does
            damage.
    """

    deck: bytes
    honest: bytes | None = None
    worth: float = 1.0

    @classmethod
    def at_others(cls, deck: bytes, material: Material, worth: float) -> "Attempt":
        """Return an attack that keeps the target's work and damages the other shapes.

        The damage counts by the share of shapes hit; shapes without text or picture count half.

        Args:
            deck: The attacked deck.
            material: The task and its decks.
            worth: Remaining worth if all shapes of all slides are hit.
        """
        goal = {each.slide_id: each for each in material.goal_slides}
        now = opened(deck).slides
        hit = sum(_share_hit(goal[each.slide_id], each) for each in now if each.slide_id in goal)
        return cls(deck, material.goal, 1 - (1 - worth) * hit / max(1, len(goal)))


def _share_hit(goal: Any, now: Any) -> float:
    """Return the weighted share of a slide's shapes that differ."""
    known = {shape_id(each): etree.tostring(each) for each in _single(now)}
    weights = {shape_id(each): (_weight(each), etree.tostring(each)) for each in _single(goal)}
    hit = sum(weight for id, (weight, xml) in weights.items() if known.get(id) != xml)
    return hit / (sum(weight for weight, _ in weights.values()) or 1)


def _single(slide: Any) -> Iterator[Any]:
    yield from (each for each in shape_elements(slide) if each.tag != qn("p:grpSp"))


def _weight(element: Any) -> float:
    shows = any((text.text or "").strip() for text in element.iter(qn("a:t")))
    if shows or element.tag in (qn("p:pic"), qn("p:graphicFrame")):
        return 1.0
    is_place = next(element.iter(qn("p:ph")), None) is not None
    return 0.0 if is_place else _BARE  # an empty placeholder shows nothing


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    Attributes:
        name: Short description.
        summary: What the attack does, in one sentence.
        make: Returns the attacked deck; None if the task has no suitable target.
        kind: A key of `KINDS`; for attacks not derived from the target, their family.
    """

    name: str
    summary: str
    make: Callable[[Material], Attempt | None]
    kind: str = ""


def attack(
    name: str, into: list[Attack]
) -> Callable[[Callable[[Material], Attempt | None]], Callable[[Material], Attempt | None]]:
    """Register a function as an attack; its docstring becomes the summary."""

    def register(
        make: Callable[[Material], Attempt | None],
    ) -> Callable[[Material], Attempt | None]:
        into.append(Attack(name, " ".join((make.__doc__ or "").split()), make))
        return make

    return register
