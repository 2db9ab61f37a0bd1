"""What is known of a turn beyond the deck that it began with."""

from dataclasses import dataclass

from pptarena.decks import Deck

__all__ = ["TurnContext"]


@dataclass(frozen=True, slots=True, eq=False)
class TurnContext:
    """What is known of one turn of a task with several.

    Attributes:
        first: The deck that the first turn began with.
        reference: The target of the turns before: the deck that the turn's rubric and scope were
            written for. None for the first turn, or where it is unknown. Work of this turn that an
            earlier one did is seen by comparing with it, and slides and shapes that an earlier turn
            renamed or moved are found by way of it.
        targets: The targets of this turn, of the turn before and of the turns to come. What is as
            in one of them is work, though another turn asks for it.
    """

    first: Deck
    reference: Deck | None = None
    targets: tuple[Deck, ...] = ()
