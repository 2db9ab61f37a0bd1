"""Macros: closed-loop steps at the height of a person's plan.

A macro looks at the last observation, acts, looks again, and ends when what it is for can be seen;
where the screen is not as it must be, it raises a `MacroError` that says what was expected. What
comes out are plain actions: an episode of the agent ``macro`` is stored and replayed as any other.

All names of menus, dialogs and fields in here are LibreOffice's.
"""

from pptarena.agents.macros.desk import Desk
from pptarena.agents.macros.registry import MACRO_FUNCTIONS, play_macros
from pptarena.agents.macros.screen import Screen

__all__ = ["MACRO_FUNCTIONS", "Desk", "Screen", "play_macros"]
