"""Bring up the desktop of the machine image: X screen, session, LibreOffice Impress."""

import importlib
import time
from pathlib import Path

from pptarena.vm_images.guest.clock import has_native
from pptarena.vm_images.guest.desktop import Desktop
from pptarena.vm_images.guest.errors import SessionError
from pptarena.vm_images.guest.limits import Limits
from pptarena.vm_images.guest.session import start_session
from pptarena.vm_images.guest.settings import Settings

__all__ = ["start_desktop"]


def start_desktop(settings: Settings, hidden: tuple[Path, ...] = ()) -> Desktop:
    """Start everything; one process starts one desktop, for one deck.

    Args:
        settings: How it runs.
        hidden: Files and folders that its programs are not to see.

    Raises:
        SessionError: If a part of the session does not come up, or the image is an early one.
        OfficeLostError: If the application exits at once.
        OfficeTimeoutError: If the application is not there in time.
    """
    limits = Limits(settings.memory_limit_bytes, settings.max_processes)
    deadline = time.monotonic() + settings.start_sec
    size = settings.width_px, settings.height_px
    if not has_native():
        raise SessionError(
            "expected the image's own libraries, got none; build the image anew: "
            "pptarena image build"
        )
    session = start_session(size, limits, hidden, deadline)
    # Only now: pyautogui opens the display when it is imported.
    parts = importlib.import_module("pptarena.vm_images.guest.linux_parts")
    return Desktop(parts.make_parts(session, settings, deadline), settings)
