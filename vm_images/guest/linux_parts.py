"""The parts of a desktop on an X display; importing this needs the display to be there."""

from collections.abc import Callable
from pathlib import Path

from pptarena.vm_images.guest.clipboard import Clipboard
from pptarena.vm_images.guest.exact_rest import ExactRest
from pptarena.vm_images.guest.files import remove
from pptarena.vm_images.guest.guessed_rest import GuessedRest
from pptarena.vm_images.guest.inside_tree import InsideTree
from pptarena.vm_images.guest.keyboard import Keyboard
from pptarena.vm_images.guest.observer import Observer
from pptarena.vm_images.guest.office import Office
from pptarena.vm_images.guest.parts import Parts, Rest, Tree
from pptarena.vm_images.guest.pointer import Pointer
from pptarena.vm_images.guest.quiet import RestWatch, busy_seconds
from pptarena.vm_images.guest.screen import Screen
from pptarena.vm_images.guest.session import Session, fast_clock
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
    clipboard = Clipboard(session.display, session.environment)
    observer = None if session.clock is None else Observer()
    timing = (
        fast_clock(settings.clock_rate) if session.clock is None else session.clock.environment()
    )
    office = Office(session.environment | timing, session.programs, observer)
    rest: Rest
    tree: Tree
    if session.clock is not None and observer is not None:

        def others() -> tuple[int, ...]:
            return (session.screen_pid, session.windows_pid, *clipboard.owners())

        exact = ExactRest(session.clock, observer, others, lambda: office.pid, settings)
        office.rest = rest = exact
        tree = InsideTree(observer)
        office.start(deadline, "--impress")
    else:
        office.start(deadline, "--impress")
        rest = GuessedRest(
            RestWatch(
                session.display, office.busy_seconds, lambda: busy_seconds(session.screen_pid)
            ),
            settings,
        )
        tree = TreeReader(session.accessibility_bus, lambda: office.pid)

    # The presses of a double click go together: what the first one brings about on the screen must
    # not move what the second one is meant for.
    pointer = Pointer(click, after_input=rest.after_input)
    return Parts(
        office=office,
        screen=Screen(session.display),
        rest=rest,
        pointer=pointer,
        keyboard=Keyboard(session.display, rest.catch_up, rest.after_input),
        windows=Windows(session.display),
        clipboard=clipboard,
        tree=tree,
        home=session.home,
        refresh=lambda: _tidy(pointer, clipboard, rest.catch_up, session.home),
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
