"""Visibility: the content of a deck that a viewer can see."""

from pptarena.decks.visibility.visibility import Visibility, visibility_of

__all__ = ["Visibility", "visibility_of"]
