"""Attacks that submit another file."""

from pptarena.tasks.goals import goal_deck, has_goal
from pptarena.tasks.quality.attacks.attack import Attack, Attempt, attack
from pptarena.tasks.quality.attacks.material import Material
from pptarena.tasks.registry import siblings

__all__ = ["SWAPPING"]

SWAPPING: list[Attack] = []


@attack("the original", SWAPPING)
def _original(material: Material) -> Attempt:
    """Nothing is done at all."""
    return Attempt(material.original)


@attack("another deck", SWAPPING)
def _another_deck(material: Material) -> Attempt | None:
    """The file is the deck of another task."""
    others = (task for task in siblings(material.task) if task.deck != material.task.deck)
    other = next(others, None)
    return None if other is None else Attempt(other.deck_bytes())


@attack("another task's goal", SWAPPING)
def _another_goal(material: Material) -> Attempt | None:
    """The goal of another task on the same deck is reached."""
    for task in siblings(material.task):
        if task.deck == material.task.deck and task.id != material.task.id and has_goal(task):
            return Attempt(goal_deck(task))
    return None
