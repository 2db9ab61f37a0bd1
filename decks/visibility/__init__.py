"""Sight: what of a deck a viewer can see."""

from pptarena.decks.visibility.visibility import Sight, sight_of

__all__ = ["Sight", "sight_of"]
