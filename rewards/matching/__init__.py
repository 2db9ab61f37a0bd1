"""Matching: which slide and shape of one deck is which of another."""

from pptarena.rewards.matching.decks import DeckMatch, match_decks
from pptarena.rewards.matching.shapes import ShapeMatch, match_shapes

__all__ = ["DeckMatch", "ShapeMatch", "match_decks", "match_shapes"]
