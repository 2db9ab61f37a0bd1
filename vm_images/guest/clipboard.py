"""The clipboard, through xclip; it is read again only after its owner has changed."""

import contextlib
import io
import os
import subprocess

from PIL import Image
from Xlib import X
from Xlib.display import Display
from Xlib.ext import xfixes
from Xlib.protocol import request

from pptarena.vm_images.guest.descendants import reap_orphans

__all__ = ["Clipboard"]

_READ_TIMEOUT_SEC = 0.5
_MAX_CHARS = 2000


class Clipboard:
    """Text and images on the CLIPBOARD selection.

    Args:
        display: Name of the display, such as ``":1"``.
        environment: Environment for xclip.
    """

    def __init__(self, display: str, environment: dict[str, str]) -> None:
        self._environment = environment
        self._display = Display(display)
        self._display.xfixes_query_version()
        selection = self._display.intern_atom("CLIPBOARD")
        root = self._display.screen().root
        self._display.xfixes_select_selection_input(
            root, selection, xfixes.XFixesSetSelectionOwnerNotifyMask
        )
        self._display.sync()
        self._text = ""
        self._has_served = False

    def text(self) -> str:
        """Return the text on the clipboard; "" if it is empty or not text."""
        changed = False
        while self._display.pending_events():
            self._display.next_event()
            changed = True
        if changed:
            self._text = self._read()
        return self._text

    def _read(self) -> str:
        command = ["xclip", "-selection", "clipboard", "-out", "-target", "UTF8_STRING"]
        try:
            result = subprocess.run(
                command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_READ_TIMEOUT_SEC,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return ""
        return (
            result.stdout.decode("utf-8", "replace")[:_MAX_CHARS] if result.returncode == 0 else ""
        )

    def put_text(self, text: str) -> None:
        """Put text on the clipboard."""
        self._put(text.encode(), "UTF8_STRING")

    def put_image(self, image: Image.Image) -> None:
        """Put an image on the clipboard, as PNG."""
        buffer = io.BytesIO()
        image.save(buffer, "PNG")
        self._put(buffer.getvalue(), "image/png")

    def owners(self) -> tuple[int, ...]:
        """Return the xclip processes that serve the clipboard."""
        if not self._has_served:
            return ()
        pids = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/comm", "rb") as file:
                if file.read().strip() == b"xclip":
                    pids.append(int(name))
        return tuple(pids)

    def clear(self) -> bool:
        """Clear the clipboard and the primary selection.

        Returns:
            Whether there was anything to clear. Only then are other programs notified.
        """
        atoms = [self._display.intern_atom(name) for name in ("CLIPBOARD", "PRIMARY")]
        owned = [atom for atom in atoms if self._display.get_selection_owner(atom) != X.NONE]
        for atom in owned:
            request.SetSelectionOwner(
                display=self._display.display,
                window=X.NONE,
                selection=atom,
                time=X.CurrentTime,
            )
        self._display.sync()
        return bool(owned)

    def _put(self, data: bytes, target: str) -> None:
        self._has_served = True
        reap_orphans(excluded_pid=0)  # earlier ones, if this is the first process of its namespace
        # xclip returns when it owns the selection; a child process then serves it.
        subprocess.run(
            ["xclip", "-selection", "clipboard", "-in", "-target", target],
            input=data,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=5,
            check=True,
        )
