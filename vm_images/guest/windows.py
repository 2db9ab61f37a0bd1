"""Windows by title, through the window manager's own properties (EWMH 1.5)."""

from Xlib import X, error
from Xlib.display import Display
from Xlib.protocol import event

from pptarena.vm_images.guest.window_titles import find_title

__all__ = ["Windows"]


class Windows:
    """Lists and activates the top-level windows of one X display.

    Args:
        display: Name of the display, such as ``":1"``.
    """

    def __init__(self, display: str) -> None:
        self._display = Display(display)
        self._root = self._display.screen().root
        atom = self._display.intern_atom
        self._active, self._clients = atom("_NET_ACTIVE_WINDOW"), atom("_NET_CLIENT_LIST_STACKING")
        self._name, self._utf8 = atom("_NET_WM_NAME"), atom("UTF8_STRING")

    def titles(self) -> list[str]:
        """Return the titles, topmost window first."""
        return [title for _, title in self._listed()]

    def activate(self, title: str) -> bool:
        """Bring the window of that title to the front; an exact title goes before a part of one.

        Returns:
            Whether there is such a window.
        """
        listed = self._listed()
        place = find_title([name for _, name in listed], title)
        if place is None:
            return False
        # Source indication 2: a pager, which is what a direct request of the user counts as.
        message = event.ClientMessage(
            window=listed[place][0],
            client_type=self._active,
            data=(32, [2, X.CurrentTime, 0, 0, 0]),
        )
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._root.send_event(message, event_mask=mask)
        self._display.sync()
        return True

    def _listed(self) -> list[tuple[object, str]]:
        property_ = self._root.get_full_property(self._clients, X.AnyPropertyType)
        found = []
        for identifier in reversed(property_.value if property_ else []):
            window = self._display.create_resource_object("window", identifier)
            try:
                name = window.get_full_property(self._name, self._utf8)
            except error.BadWindow:
                continue  # closed between the two requests
            found.append((window, name.value.decode("utf-8", "replace") if name else ""))
        return found
