"""The components of a desktop on an X display, which must exist when this module is imported."""

import os
from collections.abc import Callable
from pathlib import Path

from pptarena.vm_images.guest.cheap_drawing import cheap_drawing
from pptarena.vm_images.guest.clipboard import Clipboard
from pptarena.vm_images.guest.descendants import Family
from pptarena.vm_images.guest.exact_rest import ExactRest
from pptarena.vm_images.guest.files import remove
from pptarena.vm_images.guest.heap import kept_memory
from pptarena.vm_images.guest.inside_tree import InsideTree
from pptarena.vm_images.guest.keyboard import Keyboard
from pptarena.vm_images.guest.observer import Observer
from pptarena.vm_images.guest.office import Office
from pptarena.vm_images.guest.office_process import OfficeProcess
from pptarena.vm_images.guest.parts import Parts
from pptarena.vm_images.guest.pointer import Pointer
from pptarena.vm_images.guest.screen import Screen
from pptarena.vm_images.guest.session import Session
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.windows import Windows
from pptarena.vm_images.guest.x_buttons import XButtons

__all__ = ["make_parts"]

_DECKS = ("Documents", ".config/libreoffice/4/user/backup")  # locations of decks of other episodes


def make_parts(session: Session, settings: Settings, deadline: float) -> Parts:
    """Start the application in a session and return all components of the desktop.

    Args:
        session: The session.
        settings: Settings of the desktop.
        deadline: `time.monotonic` moment by which the application must have started.
    """
    clipboard = Clipboard(session.display, session.environment)
    observer = Observer()

    def others() -> tuple[int, ...]:
        return (session.screen_pid, session.windows_pid, *clipboard.owners())

    everybody = Family(os.getpid(), session.first_pid)

    rest = ExactRest(session.clock, observer, others, lambda: process.pid, everybody.pids, settings)
    environment = session.environment | cheap_drawing(session.clock.environment()) | kept_memory()
    process = OfficeProcess(environment, session.programs, observer, rest)
    windows = Windows(session.display)
    office = Office(process, windows)
    # ``--impress`` opens an empty deck, which the task's deck replaces; this costs a third of the
    # start. Without it LibreOffice 25.2 loops forever if a slide is deleted whose chart is being
    # edited in place.
    office.start(deadline, "--impress")
    # The clicks of a double click are sent together: the screen must not change under the pointer
    # between them.
    pointer = Pointer(XButtons(), after_input=rest.after_input)
    return Parts(
        office=office,
        screen=Screen(session.display),
        rest=rest,
        pointer=pointer,
        keyboard=Keyboard(session.display, rest.catch_up, rest.after_input),
        windows=windows,
        clipboard=clipboard,
        tree=InsideTree(observer, settings.answer_sec),
        home=session.home,
        refresh=lambda: _tidy(pointer, clipboard, rest.catch_up, session.home),
    )


def _tidy(pointer: Pointer, clipboard: Clipboard, catch_up: Callable[[], None], home: Path) -> None:
    """Reset the state outside the application that an earlier episode left on this desktop."""
    pointer.go_home()
    if clipboard.clear():
        # LibreOffice 25.2 sometimes crashes when the clipboard changes while it creates the view of
        # a deck, because its listener uses a deleted view. So it processes the change first.
        catch_up()
    for name in _DECKS:
        remove(home / name)
