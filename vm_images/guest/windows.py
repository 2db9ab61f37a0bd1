"""Windows by title, through the window manager's own properties (EWMH 1.5)."""

import contextlib
from collections.abc import Iterator
from typing import Any

from Xlib import X, error
from Xlib.display import Display
from Xlib.protocol import event

from pptarena.vm_images.guest.window_titles import find_title

__all__ = ["Windows"]

_PAGER = 2  # EWMH source indication: a pager, which counts as a direct request of the user


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
        self._close, self._type = atom("_NET_CLOSE_WINDOW"), atom("_NET_WM_WINDOW_TYPE")
        self._dialog = atom("_NET_WM_WINDOW_TYPE_DIALOG")

    def titles(self) -> list[str]:
        """Return the titles, topmost window first."""
        return [title for _, title in self._titled_windows()]

    def activate(self, title: str) -> bool:
        """Bring a window to the front by title; an exact match takes precedence over a partial one.

        Returns:
            Whether the window exists.
        """
        windows = self._titled_windows()
        index = find_title([name for _, name in windows], title)
        if index is None:
            return False
        self._send(windows[index][0], self._active, [_PAGER, X.CurrentTime])
        return True

    def dialogs(self) -> frozenset[int]:
        """Return the ids of dialog windows."""
        windows = self._with_property(self._type, X.AnyPropertyType)
        return frozenset(
            window.id for window, types in windows if types and self._dialog in types.value
        )

    def close(self, identifiers: frozenset[int]) -> bool:
        """Close windows as the button in their frame does; return whether there are any."""
        for identifier in sorted(identifiers):
            window = self._display.create_resource_object("window", identifier)
            self._send(window, self._close, [X.CurrentTime, _PAGER])
        return bool(identifiers)

    def _send(self, window: Any, message_type: int, data: list[int]) -> None:
        """Send the window manager a request about a window."""
        padded = [*data, 0, 0, 0, 0, 0][:5]
        message = event.ClientMessage(window=window, client_type=message_type, data=(32, padded))
        mask = X.SubstructureRedirectMask | X.SubstructureNotifyMask
        self._root.send_event(message, event_mask=mask)
        self._display.sync()

    def _titled_windows(self) -> list[tuple[Any, str]]:
        return [
            (window, name.value.decode("utf-8", "replace") if name else "")
            for window, name in self._with_property(self._name, self._utf8)
        ]

    def _with_property(self, name: int, property_type: int) -> Iterator[tuple[Any, Any]]:
        """Yield each top-level window, topmost first, with a property's value, None if unset."""
        client_list = self._root.get_full_property(self._clients, X.AnyPropertyType)
        for identifier in reversed(client_list.value if client_list else []):
            window = self._display.create_resource_object("window", identifier)
            # A window may have been closed since the list was read.
            with contextlib.suppress(error.BadWindow):
                yield window, window.get_full_property(name, property_type)
