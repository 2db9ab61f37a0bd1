"""The components of a desktop on an X display, which must exist when this module is imported."""

import os
from collections.abc import Callable
from pathlib import Path

from pptarena.vm_images.guest.clipboard import Clipboard
from pptarena.vm_images.guest.clock import NATIVE
from pptarena.vm_images.guest.components import Components
from pptarena.vm_images.guest.descendants import ProcessTree
from pptarena.vm_images.guest.files import remove
from pptarena.vm_images.guest.heap import allocator_environment
from pptarena.vm_images.guest.keyboard import Keyboard
from pptarena.vm_images.guest.observer import Observer
from pptarena.vm_images.guest.observer_tree import ObserverTree
from pptarena.vm_images.guest.office import Office
from pptarena.vm_images.guest.office_process import OfficeProcess
from pptarena.vm_images.guest.pointer import Pointer
from pptarena.vm_images.guest.screen import Screen
from pptarena.vm_images.guest.session import Session
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.virtual_time_waiter import VirtualTimeWaiter
from pptarena.vm_images.guest.windows import Windows
from pptarena.vm_images.guest.x_buttons import XButtons

__all__ = ["start_components"]

_DECKS = ("Documents", ".config/libreoffice/4/user/backup")  # locations of decks of other episodes


def start_components(session: Session, settings: Settings, deadline: float) -> Components:
    """Start the application in a session and return all components of the desktop.

    Args:
        session: The session.
        settings: Settings of the desktop.
        deadline: `time.monotonic` moment by which the application must have started.
    """
    clipboard = Clipboard(session.display, session.environment)
    observer = Observer()

    def drawing_pids() -> tuple[int, ...]:
        return (session.screen_pid, session.windows_pid, *clipboard.owners())

    all_processes = ProcessTree(os.getpid(), session.first_pid)

    waiter = VirtualTimeWaiter(
        session.clock, observer, drawing_pids, lambda: process.pid, all_processes.pids, settings
    )
    environment = (
        session.environment
        | _with_fast_drawing(session.clock.environment())
        | allocator_environment()
    )
    process = OfficeProcess(environment, session.programs, observer, waiter)
    windows = Windows(session.display)
    office = Office(process, windows)
    # ``--impress`` opens an empty deck, which the task's deck replaces; this costs a third of the
    # start. Without it LibreOffice 25.2 loops forever if a slide is deleted whose chart is being
    # edited in place.
    office.start(deadline, "--impress")
    # The clicks of a double click are sent together: the screen must not change under the pointer
    # between them.
    pointer = Pointer(XButtons(), after_input=waiter.after_input)
    return Components(
        office=office,
        screen=Screen(session.display),
        waiter=waiter,
        pointer=pointer,
        keyboard=Keyboard(session.display, waiter.catch_up, waiter.after_input),
        windows=windows,
        clipboard=clipboard,
        tree=ObserverTree(observer, settings.answer_sec),
        home=session.home,
        refresh=lambda: _reset(pointer, clipboard, waiter.catch_up, session.home),
    )


def _with_fast_drawing(environment: dict[str, str]) -> dict[str, str]:
    """Add variables that reduce the application's drawing work without changing a pixel.

    GTK draws in the application's memory and sends images to the X server. By default it sends
    every line and glyph for the server to draw, and reads the result back. ``style.so`` caches
    GTK's styles (``vm_images/native/style.c``).

    Args:
        environment: The environment of the application's clock, whose library is preloaded first.
    """
    return environment | {
        "GDK_RENDERING": "image",
        "LD_PRELOAD": f"{environment['LD_PRELOAD']}:{NATIVE / 'style.so'}",
    }


def _reset(
    pointer: Pointer, clipboard: Clipboard, catch_up: Callable[[], None], home: Path
) -> None:
    """Reset the state outside the application that an earlier episode left on this desktop."""
    pointer.go_home()
    if clipboard.clear():
        # LibreOffice 25.2 sometimes crashes when the clipboard changes while it creates the view of
        # a deck, because its listener uses a deleted view. So it processes the change first.
        catch_up()
    for name in _DECKS:
        remove(home / name)
