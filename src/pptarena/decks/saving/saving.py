"""Interface between the diff and the application that saved a deck."""

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
"""Factors by which slide width and height changed."""
SAME_SIZE: Scale = (1.0, 1.0)


class Saving:
    """An application that saves decks unchanged; subclasses override what they rewrite.

    Attributes:
        moves_master_shapes: Whether saving may move shapes between a master and its layouts.
    """

    moves_master_shapes: ClassVar[bool] = False

    def restore_shape(self, before: Shape, after: Shape) -> Shape:
        """Return the current shape with everything that saving alone rewrote restored."""
        return after

    def restore_transitions(self, pairs: Sequence[tuple[Slide, Slide]]) -> list[Transition]:
        """Return current transitions with everything that saving alone rewrote restored.

        Args:
            pairs: Original and current slide of each pair.
        """
        return [after.transition for _, after in pairs]

    def is_caused_by_moving(self, change: "Change") -> bool:
        """Return whether saving alone causes a change on a slide that was moved before."""
        return False

    def is_rewritten(
        self, change: "Change", before: Master | Layout, after: Master | Layout, scale: Scale
    ) -> bool:
        """Return whether saving alone causes a change to a shape of a master or layout."""
        return False

    def is_renamed(self, before: Layout, after: Layout) -> bool:
        """Return whether saving alone may have renamed a layout."""
        return False

    def is_transient(self, layout: Layout, *, is_used: bool) -> bool:
        """Return whether saving alone adds or removes a layout.

        Args:
            layout: A layout that exists in only one of two decks.
            is_used: Whether a slide of that deck uses the layout.
        """
        return False

    def is_regrouped(self, original: Deck, current: Deck, pairs: Sequence[tuple[int, int]]) -> bool:
        """Return whether saving alone moved layouts to other masters.

        Args:
            original: The original deck.
            current: The current deck.
            pairs: Original index and current index of each slide that is in both decks.
        """
        return False
