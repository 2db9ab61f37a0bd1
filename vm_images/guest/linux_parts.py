"""The parts of a desktop on an X display; importing this needs the display to be there."""

import time
from collections.abc import Callable
from pathlib import Path

from pptarena.vm_images.guest.clipboard import Clipboard
from pptarena.vm_images.guest.files import remove
from pptarena.vm_images.guest.keyboard import Keyboard
from pptarena.vm_images.guest.office import Office
from pptarena.vm_images.guest.parts import Parts
from pptarena.vm_images.guest.pointer import Pointer
from pptarena.vm_images.guest.quiet import RestWatch, busy_seconds
from pptarena.vm_images.guest.screen import Screen
from pptarena.vm_images.guest.session import Session
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.tree import TreeReader
from pptarena.vm_images.guest.windows import Windows
from pptarena.vm_images.guest.x_clicks import click

__all__ = ["make_parts"]

_DECKS = ("Documents", ".config/libreoffice/4/user/backup")  # where those of other episodes lie


def make_parts(session: Session, settings: Settings, deadline: float) -> Parts:
    """Start the application in a session and return all that the desktop needs.

    Args:
        session: The session.
        settings: How the desktop runs.
        deadline: `time.monotonic` moment by which the application must be up.
    """
    office = Office(session.environment, settings.clock_rate, session.programs)
    office.start(deadline, "--impress")
    rest = RestWatch(session.display, office.busy_seconds, lambda: busy_seconds(session.screen_pid))

    def catch_up() -> None:
        rest.wait(settings.quiet_sec, time.monotonic() + settings.settle_cap_sec)

    pointer, clipboard = Pointer(click), Clipboard(session.display, session.environment)
    return Parts(
        office=office,
        screen=Screen(session.display),
        rest=rest,
        pointer=pointer,
        keyboard=Keyboard(session.display, catch_up),
        windows=Windows(session.display),
        clipboard=clipboard,
        tree=TreeReader(session.accessibility_bus, lambda: office.pid),
        home=session.home,
        clock_rate=settings.clock_rate,
        refresh=lambda: _tidy(pointer, clipboard, catch_up, session.home),
    )


def _tidy(pointer: Pointer, clipboard: Clipboard, catch_up: Callable[[], None], home: Path) -> None:
    """Put back what an earlier episode on this desktop left outside of the application."""
    pointer.go_home()
    if clipboard.clear():
        # LibreOffice 25.2 crashes now and then when it hears of a change of the clipboard while it
        # builds a view of a deck (its listener uses a view that is gone): let it hear of it first.
        catch_up()
    for name in _DECKS:
        remove(home / name)
