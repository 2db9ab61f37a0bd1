"""How much of a task is judged by programs: all of it, a part, or nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from pptarena.decks import read_deck
from pptarena.rewards import RubricNode, score
from pptarena.tasks import Task
from pptarena.tasks.goals import goal_deck, has_goal
from pptarena.tasks.never_saved import why_never_saved

__all__ = ["JudgedBy", "judged_by"]

_ASKED = frozenset(("judge", "visual_judge", "edit_judge", "python"))


@dataclass(frozen=True, slots=True)
class JudgedBy:
    """What judges a task, and what its rubric says of two decks.

    Attributes:
        task: Its id.
        by: ``F`` if programs judge every leaf, ``P`` if they judge some, ``N`` if none. A leaf that
            asks for what LibreOffice never writes is judged by nobody.
        original: Score of the untouched deck; None where nothing is judged.
        goal: Score of the goal; None where it is not known as a deck, or nothing is judged.
    """

    task: str
    by: Literal["F", "P", "N"]
    original: float | None
    goal: float | None

    @property
    def ok(self) -> bool:
        """Whether no work earns nothing, and the goal all, as far as it is known."""
        return self.original in (None, 0.0) and self.goal in (None, 1.0)

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return {"judged_by": self.by, "on_original": self.original, "on_goal": self.goal}


def judged_by(task: Task) -> JudgedBy:
    """Return what judges a task; its decks are scored as they are, without an application.

    Raises:
        DeckError: If a deck cannot be read.
        UnscoredError: If its deck lacks what a ``for_each`` is about.
    """
    original = read_deck(task.deck_bytes())
    leaves = list(_leaves(task.rubric.on(original).root))
    judged = sum(_is_judged(leaf) for leaf in leaves)
    by: Literal["F", "P", "N"] = "F" if judged == len(leaves) else "P" if judged else "N"
    file = goal_deck(task) if has_goal(task) else None
    goal = None if file is None else read_deck(file)
    gold = goal if task.gold is not None else None
    options: dict[str, Any] = {"gold": gold, "targets": () if goal is None else (goal,)}
    scored = [
        None if deck is None else score(task.rubric, original, deck, task.scope, **options).score
        for deck in (original, goal)
    ]
    return JudgedBy(task.id, by, *scored)


def _leaves(node: RubricNode) -> Iterator[RubricNode]:
    if node.check is not None:
        yield node
    for child in node.children:
        yield from _leaves(child)


def _is_judged(leaf: RubricNode) -> bool:
    if leaf.check is None or leaf.check.name in _ASKED:
        return False
    return not why_never_saved(leaf.check.name, leaf.args)
