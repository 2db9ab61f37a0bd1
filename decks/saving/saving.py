"""What the diff asks of the application that saved a deck."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from pptarena.decks.facts.deck import Deck, Slide
from pptarena.decks.facts.master import Layout, Master
from pptarena.decks.facts.motion import Transition
from pptarena.decks.facts.shape import Shape

if TYPE_CHECKING:
    from pptarena.decks.diff.change import Change

__all__ = ["SAME_SIZE", "Saving", "Scale"]

Scale = tuple[float, float]
"""How many times as wide and as high slides are now."""
SAME_SIZE: Scale = (1.0, 1.0)


class Saving:
    """An application that saves a deck as it was given; others override what they rewrite.

    Attributes:
        moves_master_shapes: Whether saving may put shapes of a master on its layouts, or back.
    """

    moves_master_shapes: ClassVar[bool] = False

    def restored_shape(self, before: Shape, after: Shape) -> Shape:
        """Return a shape as it is now, with all that saving alone rewrote as it was before."""
        return after

    def restored_transitions(self, pairs: Sequence[tuple[Slide, Slide]]) -> list[Transition]:
        """Return how slides come in now, with all that saving alone rewrote as it was before.

        Args:
            pairs: Each slide before and now.
        """
        return [after.transition for _, after in pairs]

    def is_rewritten(
        self, change: "Change", before: Master | Layout, after: Master | Layout, scale: Scale
    ) -> bool:
        """Return whether saving alone makes a change of a shape of a master or layout."""
        return False

    def is_renamed(self, before: Layout, after: Layout) -> bool:
        """Return whether saving alone may have given a layout another name."""
        return False

    def comes_and_goes(self, layout: Layout, *, is_used: bool) -> bool:
        """Return whether saving alone adds or removes a layout.

        Args:
            layout: One that is in one of two decks only.
            is_used: Whether a slide of that deck has it.
        """
        return False

    def is_regrouped(self, original: Deck, current: Deck, pairs: Sequence[tuple[int, int]]) -> bool:
        """Return whether saving alone has put layouts under other masters.

        Args:
            original: The deck before.
            current: The deck now.
            pairs: Index in the original and index now of each slide that is in both.
        """
        return False
