"""Check whether PowerPoint would open a deck: OOXML schemas and rules beyond the schemas."""

from pptarena.decks.validity.schema import Problem, Severity
from pptarena.decks.validity.validate import new_problems, validate_deck

__all__ = ["Problem", "Severity", "new_problems", "validate_deck"]
