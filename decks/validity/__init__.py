"""Whether PowerPoint would open a deck: the schemas of OOXML, and what they do not say."""

from pptarena.decks.validity.problem import Problem
from pptarena.decks.validity.validate import new_problems, validate_deck

__all__ = ["Problem", "new_problems", "validate_deck"]
