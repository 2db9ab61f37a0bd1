"""One desktop with one deck: carry out a command, wait until it is quiet, observe."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pptarena.vm_images.guest.clipboard import Clipboard
from pptarena.vm_images.guest.errors import CommandError, OfficeTimeoutError
from pptarena.vm_images.guest.keyboard import Keyboard
from pptarena.vm_images.guest.office import Office
from pptarena.vm_images.guest.pointer import Pointer
from pptarena.vm_images.guest.protocol import POINTER_OPS, Command, DocumentState
from pptarena.vm_images.guest.quiet import RestWatch
from pptarena.vm_images.guest.screen import Screen
from pptarena.vm_images.guest.session import Session
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.tree import TreeLimits, TreeReader
from pptarena.vm_images.guest.windows import Windows

__all__ = ["Desktop"]

_OFFICE_NAMES = ("impress", "libreoffice", "powerpoint", "powerpnt", "presentation", "soffice")


@dataclass(frozen=True, slots=True)
class Observation:
    """What one reply carries."""

    rgb: bytes
    facts: dict[str, Any]


class Desktop:
    """The desktop of one machine.

    Args:
        session: The session it is the desktop of; this module needs its screen at import already.
        settings: How it runs.
        deadline: `time.monotonic` moment by which the application must be up.
    """

    def __init__(self, session: Session, settings: Settings, deadline: float) -> None:
        self._settings = settings
        self._home = session.home
        self.office = Office(session.environment, settings.clock_rate)
        self.office.start(deadline, "--impress")
        self._attach(session)
        self._until_quiet(time.monotonic() + settings.answer_sec)

    def _attach(self, session: Session) -> None:
        self._screen = Screen(session.display)
        self._rest = RestWatch(session.display, self.office.busy_seconds)
        self._pointer = Pointer()
        self._keyboard = Keyboard(session.display, self._catch_up)
        self._windows = Windows(session.display)
        self._clipboard = Clipboard(session.display, session.environment)
        self._tree = TreeReader(session.accessibility_bus)
        s = self._settings
        self._limits = TreeLimits(nodes=s.tree_nodes, depth=s.tree_depth, seconds=s.tree_sec)

    def _catch_up(self) -> None:
        self._until_quiet(time.monotonic() + self._settings.settle_cap_sec)

    def load(self, deck: bytes, name: str) -> Observation:
        """Open a deck and observe it."""
        started = time.monotonic()
        folder = self._home / "Documents"
        folder.mkdir(exist_ok=True)
        path = folder / Path(name).name
        path.write_bytes(deck)
        self.office.load(path, self._settings.answer_sec)
        loaded = time.monotonic()
        by = self._until_quiet(loaded + self._settings.answer_sec)
        return self._observe(started, loaded, by)

    def perform(self, command: Command) -> Observation:
        """Carry out a command and observe.

        Raises:
            CommandError: If it cannot be carried out as given; nothing was done.
        """
        self.office.require_alive()
        started = time.monotonic()
        self._act(command)
        acted = time.monotonic()
        by = self._until_quiet(acted + self._settings.settle_cap_sec)
        return self._observe(started, acted, by)

    def _act(self, command: Command) -> None:
        if command.op in POINTER_OPS:
            release = self._keyboard.hold(command.keys)
            try:
                self._pointer.act(
                    command.op, command.x, command.y, command.end_x, command.end_y, command.amount
                )
            finally:
                release()
            return
        actions: dict[str, Callable[[], None]] = {
            "observe": lambda: None,
            "key": lambda: self._keyboard.combination(command.keys, max(1, command.amount)),
            "type": lambda: self._keyboard.type(command.text),
            "copy_text": lambda: self._clipboard.put_text(command.text),
            "copy_image": lambda: self._copy_image(command.box),
            "paste": lambda: self._keyboard.combination(("Control_L", "v")),
            "open_program": lambda: self._open_program(command.text),
            "switch_window": lambda: self._switch_window(command.text),
            "wait": lambda: self._wait(command.amount),
        }
        actions[command.op]()

    def _copy_image(self, box: tuple[int, int, int, int]) -> None:
        left, top, width, height = box
        if width <= 0 or height <= 0:
            raise CommandError(f"expected a box with an area to copy, got {box}")
        image = self._screen.image().crop((left, top, left + width, top + height))
        self._clipboard.put_image(image)

    def _open_program(self, name: str) -> None:
        if name.strip().casefold() not in _OFFICE_NAMES:
            known = ", ".join(_OFFICE_NAMES)
            raise CommandError(f"no program {name!r} on this machine; there is: {known}")
        self.office.reopen(time.monotonic() + self._settings.answer_sec)

    def _switch_window(self, title: str) -> None:
        if not self._windows.activate(title):
            raise CommandError(
                f"no window titled {title!r}; there is: {', '.join(self._windows.titles())}"
            )

    def _wait(self, seconds: int) -> None:
        """Let time pass by the machine's clock, which runs faster than real time."""
        span_sec = seconds / self._settings.clock_rate
        self._rest.wait(span_sec, time.monotonic() + span_sec)

    def _until_quiet(self, deadline: float) -> str:
        """Wait for rest and say what ended the waiting: "quiet" or "cap"."""
        return "quiet" if self._rest.wait(self._settings.quiet_sec, deadline) else "cap"

    def _observe(self, started: float, acted: float, settled_by: str) -> Observation:
        settled = time.monotonic()
        rgb = self._screen.rgb()
        shot = time.monotonic()
        nodes, reason = self._tree.read(self._limits)
        read = time.monotonic()
        document = self._document_state()
        facts = {
            "width_px": self._screen.width_px,
            "height_px": self._screen.height_px,
            "nodes": nodes,
            "degraded": reason,
            "window_titles": self._windows.titles(),
            "clipboard": self._clipboard.text(),
            "document": asdict(document),
            "timing": {
                "action": acted - started,
                "settle": settled - acted,
                "settled_by": settled_by,
                "screenshot": shot - settled,
                "tree": read - shot,
            },
        }
        return Observation(rgb, facts)

    def _document_state(self) -> DocumentState:
        try:
            return self.office.state(self._settings.settle_cap_sec)
        except OfficeTimeoutError:
            # Busy (a long operation or a modal loop): nothing is known, so nothing is scored.
            return DocumentState(open=True, revision=-1, editing=True)

    def save(self, commit: bool) -> bytes:
        """Return the document as .pptx."""
        if commit:
            self._pointer.release()
        target = self._home / ".copy.pptx"
        try:
            self.office.save(target, commit, self._settings.answer_sec)
            return target.read_bytes()
        finally:
            target.unlink(missing_ok=True)
