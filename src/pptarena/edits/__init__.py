"""One vocabulary of deck edits: typed functions, solutions as data, and the file executor."""

from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.registry import EDITS, FAMILIES, Edit, get_edit
from pptarena.edits.solution import Solution, apply_solution, check_solution, edit_presentation

__all__ = [
    "EDITS",
    "FAMILIES",
    "Edit",
    "OpenDeck",
    "Solution",
    "apply_solution",
    "check_solution",
    "edit_presentation",
    "get_edit",
]
