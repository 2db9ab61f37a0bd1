"""The sidebar: its decks, and the panels of the properties deck."""

from pptarena.agents.macros.desk import Desk, Play
from pptarena.agents.macros.screen import NodeJson, Screen
from pptarena.errors import MacroError

__all__ = ["open_page", "open_section"]

_PROPERTIES = "Properties"
_ABOVE = ("Character", "Paragraph", "Area")  # panels that may push others out of view


def open_page(desk: Desk, name: str) -> Play[None]:
    """Open a deck of the sidebar by its tab button."""
    bar = yield from desk.await_(lambda screen: screen.first("tool bar", name), f"{name!r}")
    button = next(iter(desk.screen.children(bar)), bar)
    if "checked" not in button["states"]:
        yield from desk.click(button)
    yield from desk.await_(
        lambda screen: screen.first("panel", name), f"the page {name!r} of the sidebar"
    )


def open_section(desk: Desk, name: str) -> Play[None]:
    """Expand a panel of the properties, and collapse those above that may hide it."""
    yield from open_page(desk, _PROPERTIES)
    for each in _ABOVE:
        node = _section(desk.screen, each)
        if each != name and node is not None and "expanded" in node["states"]:
            yield from desk.click(node)
    node = yield from desk.await_(
        lambda screen: _section(screen, name), f"the section {name!r} of the sidebar"
    )
    if "expanded" not in node["states"]:
        yield from desk.click(node)
    again = _section(desk.screen, name)
    if again is None or "expanded" not in again["states"]:
        raise MacroError(f"expected the section {name!r} of the sidebar to unfold")


def _section(screen: Screen, name: str) -> NodeJson | None:
    page = screen.first("panel", _PROPERTIES)
    return None if page is None else screen.first("toggle button", name, page)
