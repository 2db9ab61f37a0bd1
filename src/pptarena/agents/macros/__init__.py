"""Macros: closed-loop procedures for user-level operations, such as "insert a table".

A macro observes, acts, observes again, and ends when its result is visible. If the screen is not in
the required state, it raises a `MacroError` that describes the expected state. Macros produce plain
actions, so an episode of the agent ``macro`` is stored and replayed like any other.

The names of menus, dialogs and fields in this package are those of LibreOffice.
"""

from pptarena.agents.macros.driver import Driver
from pptarena.agents.macros.registry import MACRO_FUNCTIONS, bind_macro, play_macros
from pptarena.agents.macros.screen import Screen

__all__ = ["MACRO_FUNCTIONS", "Driver", "Screen", "bind_macro", "play_macros"]
