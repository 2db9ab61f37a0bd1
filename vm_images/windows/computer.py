"""Assemble the desktop of a Windows computer with PowerPoint.

UNTESTED: this module has never been run; it needs Windows and PowerPoint.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pythoncom
import win32com.client

from pptarena.vm_images.guest.components import Components
from pptarena.vm_images.guest.desktop import Desktop
from pptarena.vm_images.guest.errors import SessionError
from pptarena.vm_images.guest.leftovers import Leftovers
from pptarena.vm_images.guest.pointer import Pointer
from pptarena.vm_images.guest.screen import Screen
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.windows.cleaner import Cleaner
from pptarena.vm_images.windows.clipboard import Clipboard
from pptarena.vm_images.windows.com_calls import ComCalls
from pptarena.vm_images.windows.keyboard import Keyboard
from pptarena.vm_images.windows.mouse_buttons import MouseButtons
from pptarena.vm_images.windows.pause_detector import ScreenPauseDetector
from pptarena.vm_images.windows.pause_waiter import PauseWaiter
from pptarena.vm_images.windows.powerpoint import PowerPoint
from pptarena.vm_images.windows.profile import Profile
from pptarena.vm_images.windows.tree import TreeReader
from pptarena.vm_images.windows.uia import FAILURES, UiaElements
from pptarena.vm_images.windows.win32 import Win32
from pptarena.vm_images.windows.windows import Windows

__all__ = ["Computer"]

_USER_FOLDERS = ("Desktop", "Documents", "Downloads", "Pictures")


class Computer:
    """A Windows computer. Every desktop starts in the state at the start of the guest program."""

    def __init__(self) -> None:
        data_folder = Path(os.environ["LOCALAPPDATA"]) / "pptarena"
        self._work = data_folder / "work"
        (self._work / "Documents").mkdir(parents=True, exist_ok=True)
        profile = Profile(data_folder / "powerpoint.reg")
        folders = [Path.home() / name for name in _USER_FOLDERS]
        self._system = Win32()
        self._keyboard = Keyboard(self._system)
        self._cleaner = Cleaner(
            self._system, Leftovers([*folders, self._work / "Documents"]), profile.restore
        )

    def start_desktop(self, settings: Settings) -> Desktop:
        """Start PowerPoint on a clean desktop.

        Raises:
            SessionError: If the screen does not support the requested size.
            OfficeTimeoutError: If PowerPoint does not start in time.
        """
        width_px, height_px = settings.width_px, settings.height_px
        size = self._system.set_screen_size(width_px, height_px)
        if size != (width_px, height_px):
            raise SessionError(
                f"the screen is {size[0]}x{size[1]} pixels and cannot be {width_px}x{height_px};"
                " set it in Windows, or width_px and height_px on the host"
            )
        self.clean()
        office = self._office(settings)
        office.start(settings.start_sec)
        return Desktop(self._components(office, settings), settings)

    def clean(self) -> None:
        """End the programs of a desktop."""
        self._keyboard.release_all()
        self._cleaner.clean()

    def _office(self, settings: Settings) -> PowerPoint:
        def connect() -> Any:
            application = win32com.client.DispatchEx("PowerPoint.Application")
            self._system.watch(self._pid())
            return application

        return PowerPoint(
            connect,
            ComCalls(self._cleaner.end_office, settings.answer_sec),
            self._system.exit_code,
            (pythoncom.com_error,),
            self._work / ".seen.pptx",
        )

    def _pid(self) -> int:
        return max(self._cleaner.office(), default=0)

    def _components(self, office: PowerPoint, settings: Settings) -> Components:
        screen = Screen(None)
        return Components(
            office=office,
            screen=screen,
            waiter=PauseWaiter(
                ScreenPauseDetector(
                    screen.rgb, lambda: self._system.busy_seconds(self._system.watched)
                ),
                settings,
            ),
            pointer=Pointer(MouseButtons(self._system.send)),
            keyboard=self._keyboard,
            windows=Windows(self._system),
            clipboard=Clipboard(self._system),
            tree=TreeReader(UiaElements(), FAILURES),
            home=self._work,
            refresh=self._refresher(office, settings),
        )

    def _refresher(self, office: PowerPoint, settings: Settings) -> Callable[[], None]:
        fresh = True

        def refresh() -> None:
            nonlocal fresh
            if not fresh:
                self.clean()
                office.start(settings.start_sec)
            fresh = False

        return refresh
