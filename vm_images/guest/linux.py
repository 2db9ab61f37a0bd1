"""Start the desktop of the machine image: X screen, session, LibreOffice Impress."""

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
    """Start the session and the application. A process starts at most one desktop.

    Args:
        settings: Settings of the desktop.
        hidden: Files and folders that its programs must not see.

    Raises:
        SessionError: If a component of the session does not start, or the image is too old.
        OfficeLostError: If the application exits immediately.
        OfficeTimeoutError: If the application does not start in time.
    """
    limits = Limits(settings.memory_limit_bytes, settings.max_processes)
    deadline = time.monotonic() + settings.start_sec
    size = settings.width_px, settings.height_px
    if not has_native():
        raise SessionError(
            "the image lacks the libraries of pptarena; build it again with: pptarena image build"
        )
    session = start_session(size, limits, hidden, deadline)
    # Imported late: pyautogui opens the display on import.
    linux_components = importlib.import_module("pptarena.vm_images.guest.linux_components")
    return Desktop(linux_components.start_components(session, settings, deadline), settings)
