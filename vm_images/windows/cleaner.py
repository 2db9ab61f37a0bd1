"""Restore the desktop before an episode.

A Windows computer has one desktop, which cannot be discarded like a sandbox. This module undoes the
changes that an agent is likely to make; only the snapshot of a virtual machine undoes all of them.
"""

import time
from collections.abc import Callable

from pptarena.vm_images.guest.leftovers import Leftovers
from pptarena.vm_images.windows.system import System

__all__ = ["OFFICE_PROGRAM", "Cleaner"]

OFFICE_PROGRAM = "powerpnt.exe"
_END_SEC = 5.0
_POLL_SEC = 0.05


class Cleaner:
    """Records the current desktop, to restore it later.

    Args:
        system: Windows.
        leftovers: The folders that an agent saves to.
        restore_profile: Restores PowerPoint's settings; called while PowerPoint is not running.
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
        """End PowerPoint and wait until its processes have exited."""
        deadline = time.monotonic() + _END_SEC
        while (pids := self.office()) and time.monotonic() < deadline:
            for pid in pids:
                self._system.end(pid)
            time.sleep(_POLL_SEC)

    def clean(self) -> None:
        """Restore the desktop.

        PowerPoint and all programs with a window that were started since are ended. New windows of
        older programs are closed. Clipboard, new files and settings are reset.
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
