"""Macros for themes."""

from typing import Literal

from pptarena.agents.macros.arguments import Color, Position
from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.menus import await_dialog, choose, pick_color, press
from pptarena.agents.macros.slides import show_slide
from pptarena.errors import MacroError

__all__ = ["theme_color"]

ThemeSlot = Literal[
    "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
]  # fmt: skip
_THEME, _EDIT = "Theme", "Theme Color Edit"
_LABELS = {
    "dk1": "Dark 1",
    "lt1": "Light1",
    "dk2": "Dark 2",
    "lt2": "Light2",
    **{f"accent{number}": f"Accent {number}" for number in range(1, 7)},
    "hlink": "Hyperlink",
    "folHlink": "Follow Hyperlink",
}


def theme_color(desk: Desk, slot: ThemeSlot, color: Color, slide: Position = 1) -> Play[None]:
    """Change a color of a slide's theme by adding and selecting a new color set."""
    yield from show_slide(desk, slide)
    yield from choose(desk, "Format", "Theme...")
    box = yield from await_dialog(desk, _THEME)
    before = len(desk.screen.all("list item", within=box))
    yield from press(desk, _THEME, "Add", closes=False)
    yield from await_dialog(desk, _EDIT)
    yield from pick_color(desk, _EDIT, _LABELS[slot], color)
    yield from press(desk, _EDIT)
    box = yield from await_dialog(desk, _THEME)
    sets = desk.screen.all("list item", within=box)
    if len(sets) <= before:
        raise MacroError("expected the new set of colours in the dialog 'Theme'")
    yield from desk.click(sets[-1])
    yield from press(desk, _THEME)
