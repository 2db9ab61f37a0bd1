"""`DraftProof`: whether a drafted task is solved by its gold deck and by nothing less."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.decks import Deck
from pptarena.rewards import Scope, load_rubric, score
from pptarena.tasks.quality.leaf_proof import LeafProof, judge_leaves

__all__ = ["DraftProof", "prove_draft"]


@dataclass(frozen=True, slots=True)
class DraftProof:
    """The proof of a drafted task.

    Attributes:
        leaves: The proof of each rubric item.
        original: Score of the original deck; None if it cannot be scored.
        goal: Score of the gold deck; None if it cannot be scored.
    """

    leaves: tuple[LeafProof, ...]
    original: float | None
    goal: float | None

    @property
    def problem(self) -> str:
        """Why the task is not proven; empty if it is."""
        bad = [leaf for leaf in self.leaves if not leaf.ok]
        if bad:
            return "; ".join(f"{leaf.name!r} is {leaf.verdict}: {leaf.reason}" for leaf in bad)
        if (self.original, self.goal) != (0.0, 1.0):
            return (
                "the original must score 0 and the edited deck 1, but they score "
                f"{self.original} and {self.goal}"
            )
        return ""


def prove_draft(rubric: Mapping[str, Any], scope: Scope, original: Deck, goal: Deck) -> DraftProof:
    """Return the proof of a task with a gold deck.

    Args:
        rubric: The rubric, as in a task file.
        scope: The part of the deck that may change.
        original: The original deck.
        goal: The gold deck.
    """
    found = load_rubric(dict(rubric))
    leaves = judge_leaves(found, scope, original, goal, goal, (goal,))
    start, end = (
        score(found, original, deck, scope, gold=goal, targets=(goal,)).score
        for deck in (original, goal)
    )
    return DraftProof(leaves, start, end)
