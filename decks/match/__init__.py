"""Matching: which slide and shape of one deck is which of another."""

from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.decks.match.shapes import ShapeMatch, match_shapes

__all__ = ["DeckMatch", "ShapeMatch", "match_decks", "match_shapes"]
