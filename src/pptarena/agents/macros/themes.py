"""Macros for themes."""

from typing import Literal

from pptarena.agents.macros.arguments import Color, Position
from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.menus import await_dialog, choose_color, choose_menu, press
from pptarena.agents.macros.slides import show_slide
from pptarena.errors import MacroError

__all__ = ["theme_color"]

ThemeSlot = Literal[
    "dk1", "lt1", "dk2", "lt2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6",
    "hlink", "folHlink",
]  # fmt: skip
_THEME_DIALOG, _COLOR_DIALOG = "Theme", "Theme Color Edit"
_LABELS = {
    "dk1": "Dark 1",
    "lt1": "Light1",
    "dk2": "Dark 2",
    "lt2": "Light2",
    **{f"accent{number}": f"Accent {number}" for number in range(1, 7)},
    "hlink": "Hyperlink",
    "folHlink": "Follow Hyperlink",
}


def theme_color(driver: Driver, slot: ThemeSlot, color: Color, slide: Position = 1) -> Steps[None]:
    """Change a color of a slide's theme by adding and selecting a new color set."""
    yield from show_slide(driver, slide)
    yield from choose_menu(driver, "Format", "Theme...")
    dialog = yield from await_dialog(driver, _THEME_DIALOG)
    count_before = len(driver.screen.all("list item", within=dialog))
    yield from press(driver, _THEME_DIALOG, "Add", closes=False)
    yield from await_dialog(driver, _COLOR_DIALOG)
    yield from choose_color(driver, _COLOR_DIALOG, _LABELS[slot], color)
    yield from press(driver, _COLOR_DIALOG)
    dialog = yield from await_dialog(driver, _THEME_DIALOG)
    color_sets = driver.screen.all("list item", within=dialog)
    if len(color_sets) <= count_before:
        raise MacroError("expected the new color set in the dialog 'Theme'")
    yield from driver.click(color_sets[-1])
    yield from press(driver, _THEME_DIALOG)
