"""Macros: closed-loop steps at the level of a person's plan, such as "insert a table".

A macro observes, acts, observes again, and ends when its result is visible. If the screen is not in
the required state, it raises a `MacroError` that describes the expected state. Macros produce plain
actions, so an episode of the agent ``macro`` is stored and replayed like any other.

All names of menus, dialogs and fields in this package are LibreOffice's.
"""

from pptarena.agents.macros.desk import Desk
from pptarena.agents.macros.registry import MACRO_FUNCTIONS, bind_macro, play_macros
from pptarena.agents.macros.screen import Screen

__all__ = ["MACRO_FUNCTIONS", "Desk", "Screen", "bind_macro", "play_macros"]
