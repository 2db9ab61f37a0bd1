"""The sidebar: its decks, and the panels of the properties deck."""

from pptarena.agents.macros.driver import Driver, Steps
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.errors import MacroError

__all__ = ["open_page", "open_section"]

_PROPERTIES = "Properties"
_UPPER_PANELS = ("Character", "Paragraph", "Area")  # may push other panels out of view


def open_page(driver: Driver, name: str) -> Steps[None]:
    """Open a deck of the sidebar by its tab button."""
    tool_bar = yield from driver.wait_for(
        lambda screen: screen.first("tool bar", name), f"the tab {name!r} of the sidebar"
    )
    button = next(iter(driver.screen.children(tool_bar)), tool_bar)
    if "checked" not in button["states"]:
        yield from driver.click(button)
    yield from driver.wait_for(
        lambda screen: screen.first("panel", name), f"the page {name!r} of the sidebar"
    )


def open_section(driver: Driver, name: str) -> Steps[None]:
    """Expand a panel of the properties, and collapse the panels above that may hide it."""
    yield from open_page(driver, _PROPERTIES)
    for upper_panel in _UPPER_PANELS:
        section = _section(driver.screen, upper_panel)
        if upper_panel != name and section is not None and "expanded" in section["states"]:
            yield from driver.click(section)
    section = yield from driver.wait_for(
        lambda screen: _section(screen, name), f"the section {name!r} of the sidebar"
    )
    if "expanded" not in section["states"]:
        yield from driver.click(section)
    section_after = _section(driver.screen, name)
    if section_after is None or "expanded" not in section_after["states"]:
        raise MacroError(f"expected the section {name!r} of the sidebar to expand")


def _section(screen: Screen, name: str) -> NodeJson | None:
    page = screen.first("panel", _PROPERTIES)
    return None if page is None else screen.first("toggle button", name, page)
