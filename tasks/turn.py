"""`Turn`: a later request of a multi-turn task."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pptarena.rewards import Rubric, Scope
from pptarena.tasks.deck_source import DeckSource

__all__ = ["Turn"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a task after its first one, which is the task itself.

    Attributes:
        instruction: The request to the agent.
        rubric: Scores the turn; its original is the deck at the end of the previous turn.
        scope: The part of the deck that this turn may touch; None as in `Task`.
        gold: The deck with this and all earlier turns carried out; None if there is none.
        feasible: Whether the turn can be done; otherwise its correct end is ``fail``.
        kept: Whether its result must still hold at the end of the task; False if a later turn
            replaces it.
        solution: Edits that carry out the turn on the deck of the previous one; empty if none are
            known. See `pptarena.edits`.
        paraphrases: Alternative wordings of the instruction, as in `Task`.
    """

    instruction: str
    rubric: Rubric
    scope: Scope | None = None
    gold: DeckSource | None = None
    feasible: bool = True
    kept: bool = True
    solution: tuple[Mapping[str, Any], ...] = ()
    paraphrases: tuple[str, ...] = ()
