"""Visibility: what of a deck a viewer can see."""

from pptarena.decks.visibility.visibility import Visibility, visibility_of

__all__ = ["Visibility", "visibility_of"]
