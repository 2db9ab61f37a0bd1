"""Match the slides and shapes of two decks."""

from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.match.shapes import ShapeMatch, match_shapes

__all__ = ["DeckMatch", "ShapeMatch", "match_decks", "match_shapes"]
