"""Context of one turn of a multi-turn task."""

from dataclasses import dataclass

from pptarena.decks import Deck

__all__ = ["TurnContext"]


@dataclass(frozen=True, slots=True, eq=False)
class TurnContext:
    """Context of one turn of a multi-turn task.

    Attributes:
        first: The deck at the start of the first turn.
        reference: The target of the previous turns, for which the turn's rubric and scope were
            written. None for the first turn, or if unknown. Comparing with it reveals work of this
            turn that an earlier one did, and locates slides and shapes that an earlier turn renamed
            or moved.
        targets: Targets of this turn, the previous turn and the later turns. A result present in
            one of them counts as work, even if another turn requests it.
    """

    first: Deck
    reference: Deck | None = None
    targets: tuple[Deck, ...] = ()
