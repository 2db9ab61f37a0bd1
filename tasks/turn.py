"""`Turn`: one more thing that a task asks for, once what came before was said to be done."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.rewards import Rubric, Scope
from pptarena.tasks.deck_source import DeckSource

__all__ = ["Turn"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a task after its first, which is the task itself.

    Attributes:
        instruction: What the agent is asked to do now.
        rubric: Scores it; its original is the deck as the turn before left it.
        scope: The part of the deck that this turn may touch; None as in `Task`.
        gold: The deck with this and all turns before it carried out; None if there is none.
        feasible: Whether it can be done; if not, its right end is ``fail``.
        kept: Whether what it asks for must hold at the very end, too; False where a later turn
            asks for something else in its place.
        solution: Edits as data that carry it out, on the deck as the turn before left it; empty
            where none are known. See `pptarena.edits`.
    """

    instruction: str
    rubric: Rubric
    scope: Scope | None = None
    gold: DeckSource | None = None
    feasible: bool = True
    kept: bool = True
    solution: tuple[Mapping[str, Any], ...] = ()
