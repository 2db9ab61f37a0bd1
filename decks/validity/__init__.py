"""Whether PowerPoint would open a deck: the schemas of OOXML, and what they do not say."""

from pptarena.decks.validity.problem import Problem, Severity
from pptarena.decks.validity.validate import new_problems, validate_deck

__all__ = ["Problem", "Severity", "new_problems", "validate_deck"]
