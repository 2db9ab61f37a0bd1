"""The menus of the fake machine, named as in LibreOffice Impress."""

from pptarena.envs.machines.fake.document import FakeDocument

__all__ = ["MENUS", "MenuPath", "is_entry_enabled"]

MenuPath = tuple[str, ...]

MENUS: dict[MenuPath, tuple[str, ...]] = {
    ("Slide",): (
        "New Slide",
        "Duplicate Slide",
        "Delete Slide",
        "Show Slide",
        "Hide Slide",
        "Move",
    ),
    ("Slide", "Move"): ("Slide to Start", "Slide Up", "Slide Down", "Slide to End"),
}
"""The entries of each menu; an entry is a submenu if its path is also a key."""


def is_entry_enabled(document: FakeDocument, entry: str) -> bool:
    """Return whether a menu entry is enabled."""
    current, last = document.current, document.slide_count - 1
    enabled = {
        "Delete Slide": last > 0,
        "Show Slide": current >= 0 and document.is_hidden(current),
        "Hide Slide": current >= 0 and not document.is_hidden(current),
        "Slide to Start": current > 0,
        "Slide Up": current > 0,
        "Slide Down": 0 <= current < last,
        "Slide to End": 0 <= current < last,
    }
    return enabled.get(entry, True)
