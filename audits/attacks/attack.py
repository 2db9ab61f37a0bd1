"""What an attack is."""

from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from pptarena.audits.attacks.material import Material
from pptarena.audits.goals.editing import opened

__all__ = ["Attack", "Attempt", "attack"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attacked deck, and what it deserves: ``worth * score(honest)`` at most.

    Attributes:
        deck: The attacked deck.
        honest: The deck with only the part of the work in it that is honest; None: there is none.
        worth: What is left of that part's worth, in [0, 1]: less than 1 where the attack also does
            damage.
    """

    deck: bytes
    honest: bytes | None = None
    worth: float = 1.0

    @classmethod
    def at_others(cls, deck: bytes, material: Material, worth: float) -> "Attempt":
        """Return the goal with the other words of the deck spoilt.

        A slide without any loses nothing by that, which counts where most have none.

        Args:
            deck: The attacked deck.
            material: What it was made of.
            worth: What is left where all slides are hit.
        """
        goal = {each.slide_id: etree.tostring(each._element) for each in material.goal_slides}
        hit = sum(
            goal.get(each.slide_id) != etree.tostring(each._element) for each in opened(deck).slides
        )
        return cls(deck, material.goal, 1 - (1 - worth) * hit / max(1, len(goal)))


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    Attributes:
        name: A few words.
        summary: What it does, one sentence.
        make: Makes the attempt; None where the task gives nothing to attack that way.
    """

    name: str
    summary: str
    make: Callable[[Material], Attempt | None]


def attack(
    name: str, into: list[Attack]
) -> Callable[[Callable[[Material], Attempt | None]], Callable[[Material], Attempt | None]]:
    """Register a function as an attack; its docstring is the summary."""

    def register(
        make: Callable[[Material], Attempt | None],
    ) -> Callable[[Material], Attempt | None]:
        into.append(Attack(name, " ".join((make.__doc__ or "").split()), make))
        return make

    return register
