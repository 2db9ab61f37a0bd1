"""The types of an attack and an attacked deck."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lxml import etree
from pptx.oxml.ns import qn

from pptarena.tasks.goals.editing import open_deck
from pptarena.tasks.quality.attacks.material import Material, shape_elements, shape_id

__all__ = ["Attack", "AttackedDeck", "attack"]

_TEXTLESS_SHAPE_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class AttackedDeck:
    """An attacked deck; it deserves at most ``worth * score(baseline)``.

    Attributes:
        deck: The attacked deck.
        baseline: The deck with only the legitimate part of the work; None if there is none.
        worth: Share of the baseline's score that the attack deserves, in [0, 1]; below 1 if the
            attack does damage.
    """

    deck: bytes
    baseline: bytes | None = None
    worth: float = 1.0

    @classmethod
    def damaging_other_shapes(cls, deck: bytes, material: Material, worth: float) -> "AttackedDeck":
        """Return an attacked deck that reaches the target and damages the other shapes.

        The damage is weighted by the share of damaged shapes; shapes without text or picture count
        half.

        Args:
            deck: The attacked deck.
            material: The task and its decks.
            worth: Worth if all shapes of all slides are damaged.
        """
        goal = {each.slide_id: each for each in material.goal_slides}
        slides = open_deck(deck).slides
        changed = sum(
            _share_changed(goal[each.slide_id], each) for each in slides if each.slide_id in goal
        )
        return cls(deck, material.goal, 1 - (1 - worth) * changed / max(1, len(goal)))


def _share_changed(goal: Any, current: Any) -> float:
    """Return the weighted share of a slide's shapes that differ."""
    xml_by_id = {shape_id(each): etree.tostring(each) for each in _ungrouped_elements(current)}
    weights = {
        shape_id(each): (_weight(each), etree.tostring(each)) for each in _ungrouped_elements(goal)
    }
    changed_weight = sum(
        weight for id, (weight, xml) in weights.items() if xml_by_id.get(id) != xml
    )
    return changed_weight / (sum(weight for weight, _ in weights.values()) or 1)


def _ungrouped_elements(slide: Any) -> Iterator[Any]:
    yield from (each for each in shape_elements(slide) if each.tag != qn("p:grpSp"))


def _weight(element: Any) -> float:
    has_text = any((text.text or "").strip() for text in element.iter(qn("a:t")))
    if has_text or element.tag in (qn("p:pic"), qn("p:graphicFrame")):
        return 1.0
    is_placeholder = next(element.iter(qn("p:ph")), None) is not None
    return 0.0 if is_placeholder else _TEXTLESS_SHAPE_WEIGHT  # an empty placeholder shows nothing


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
    make: Callable[[Material], AttackedDeck | None]
    kind: str = ""


def attack(
    name: str, attacks: list[Attack]
) -> Callable[
    [Callable[[Material], AttackedDeck | None]], Callable[[Material], AttackedDeck | None]
]:
    """Register a function as an attack; its docstring becomes the summary."""

    def register(
        make: Callable[[Material], AttackedDeck | None],
    ) -> Callable[[Material], AttackedDeck | None]:
        attacks.append(Attack(name, " ".join((make.__doc__ or "").split()), make))
        return make

    return register
