"""Restore the desktop before an episode: what the last one opened, put there or left is ended.

A Windows computer has one desktop, which cannot be thrown away like a sandbox. This brings back
what an agent is likely to have touched; only the snapshot of a virtual machine brings back all.
"""

import time
from collections.abc import Callable

from pptarena.vm_images.guest.leftovers import Leftovers
from pptarena.vm_images.windows.system import System

__all__ = ["OFFICE_PROGRAM", "Cleaner"]

OFFICE_PROGRAM = "powerpnt.exe"
_END_SEC = 5.0
_LOOK_SEC = 0.05


class Cleaner:
    """Remembers the desktop as it is now, to bring it back.

    Args:
        system: Windows.
        leftovers: The folders that an agent saves to.
        restore_profile: Brings PowerPoint's settings back; called while it does not run.
    """

    def __init__(
        self, system: System, leftovers: Leftovers, restore_profile: Callable[[], None]
    ) -> None:
        self._system = system
        self._leftovers = leftovers
        self._restore_profile = restore_profile
        self._processes = set(system.processes())
        self._windows = {window.handle for window in system.windows()}

    def office(self) -> list[int]:
        """Return the process ids of PowerPoint."""
        return [pid for pid, name in self._system.processes().items() if name == OFFICE_PROGRAM]

    def end_office(self) -> None:
        """End PowerPoint and wait until it is gone."""
        deadline = time.monotonic() + _END_SEC
        while (found := self.office()) and time.monotonic() < deadline:
            for pid in found:
                self._system.end(pid)
            time.sleep(_LOOK_SEC)

    def clean(self) -> None:
        """Bring the desktop back.

        PowerPoint is ended; so is every program that was started since and has a window. New
        windows of programs that ran before are closed. Clipboard, new files, settings follow.
        """
        self.end_office()
        for window in self._system.windows():
            if window.handle in self._windows:
                continue
            if window.pid in self._processes:
                self._system.close(window.handle)
            else:
                self._system.end(window.pid)
        self._system.set_clipboard(None, None)
        self._leftovers.remove()
        self._restore_profile()
