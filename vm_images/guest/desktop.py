"""One desktop with one deck: run a command, wait until the application is idle, observe."""

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pptarena.vm_images.guest.components import Components
from pptarena.vm_images.guest.covered_windows import without_covered_windows
from pptarena.vm_images.guest.errors import (
    CommandError,
    DeckUnreadableError,
    OfficeLostError,
    OfficeTimeoutError,
)
from pptarena.vm_images.guest.files import read_attachments, read_deck, remove, write_file
from pptarena.vm_images.guest.protocol import POINTER_OPS, Command, DocumentState
from pptarena.vm_images.guest.settings import Settings
from pptarena.vm_images.guest.tree_shape import TreeLimits, truncated_tree

__all__ = ["Desktop", "Observation"]

_MAX_TITLES, _TITLE_CHARS = 64, 500
_STATE_SHARE = 1 / 6  # of the answer timeout, for the state query of every step
_OFFICE_NAMES = ("impress", "libreoffice", "powerpoint", "powerpnt", "presentation", "soffice")
_SHEET_NAMES = ("calc", "excel", "spreadsheet")


@dataclass(frozen=True, slots=True)
class Observation:
    """The contents of one observation reply."""

    rgb: bytes
    facts: dict[str, Any]


class Desktop:
    """The desktop of one machine, independent of the operating system.

    Args:
        parts: Its components; the application runs already.
        settings: Its settings.
    """

    def __init__(self, components: Components, settings: Settings) -> None:
        self._settings = settings
        self._folder = components.home / "Documents"
        self._copy = components.home / ".copy.pptx"
        self._office = components.office
        self._screen = components.screen
        self._waiter = components.waiter
        self._pointer = components.pointer
        self._keyboard = components.keyboard
        self._windows = components.windows
        self._clipboard = components.clipboard
        self._tree = components.tree
        self._refresh = components.refresh
        s = settings
        self._limits = TreeLimits(nodes=s.tree_nodes, depth=s.tree_depth, seconds=s.tree_sec)
        self._fresh = True
        self._waiter.settle_after_load(fresh=False)

    @property
    def application(self) -> str:
        """Name and version of the application."""
        return self._office.version

    def load(
        self, deck: bytes, name: str, files: Mapping[str, bytes] = MappingProxyType({})
    ) -> Observation:
        """Open a deck and observe it.

        Args:
            deck: The .pptx file.
            name: File name of the deck.
            files: Attachments stored next to the deck, by name.
        """
        started = time.monotonic()
        self._refresh()
        for attachment, content in files.items():
            write_file(self._folder / Path(attachment).name, content)
        path = self._folder / Path(name).name
        write_file(path, deck)
        s = self._settings
        self._office.load(path, max(s.answer_sec, s.start_sec / 2))  # a large deck takes long
        loaded = time.monotonic()
        settled_by = self._waiter.settle_after_load(fresh=self._fresh)
        self._fresh = False
        return self._observe(started, loaded, settled_by)

    def perform(self, command: Command) -> Observation:
        """Run a command and observe.

        Raises:
            CommandError: If the command is invalid; nothing was done.
        """
        self._office.require_alive()
        started = time.monotonic()
        self._run_command(command)
        acted = time.monotonic()
        settled_by = (
            self._waiter.wait(command.amount) if command.op == "wait" else self._waiter.settle()
        )
        return self._observe(started, acted, settled_by)

    def follow(self, span_sec: float) -> None:
        """Advance virtual time by elapsed wall-clock time; the next command reports any error."""
        with contextlib.suppress(OfficeLostError, OfficeTimeoutError):
            self._waiter.follow(span_sec)

    def observe(self) -> Observation:
        """Observe immediately, for a machine that resumes from an idle state."""
        now = time.monotonic()
        return self._observe(now, now, "kept")

    def park(self) -> None:
        """Close files that a checkpoint cannot contain; they are reopened when needed."""
        self._waiter.park()

    def _run_command(self, command: Command) -> None:
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
            "wait": lambda: None,  # the wait follows
        }
        actions[command.op]()

    def _copy_image(self, box: tuple[int, int, int, int]) -> None:
        left, top, width, height = box
        if width <= 0 or height <= 0:
            raise CommandError(f"expected a box with an area to copy, got {box}")
        self._clipboard.put_image(self._screen.crop(left, top, width, height))

    def _open_program(self, name: str) -> None:
        name, deadline = name.strip().casefold(), time.monotonic() + self._settings.answer_sec
        if name in _SHEET_NAMES:
            self._office.new_workbook(deadline)
            return
        if name not in _OFFICE_NAMES:
            programs = ", ".join((*_OFFICE_NAMES, *_SHEET_NAMES))
            raise CommandError(f"no program {name!r} on this machine; available: {programs}")
        try:
            self._office.reopen(deadline)
        except DeckUnreadableError as error:
            raise CommandError(f"the deck can no longer be opened: {error}") from error

    def _switch_window(self, title: str) -> None:
        if not self._windows.activate(title):
            raise CommandError(
                f"no window titled {title!r}; open: {', '.join(self._windows.titles())}"
            )

    def _observe(self, started: float, acted: float, settled_by: str) -> Observation:
        document, clipboard = self._document_state(), self._clipboard.text()
        self._waiter.recover()
        settled = time.monotonic()
        rgb = self._screen.rgb()
        shot = time.monotonic()
        titles = self._windows.titles()
        nodes, reason = self._tree.read(self._limits)
        nodes, reason = truncated_tree(
            without_covered_windows(nodes, titles), reason, self._limits.text_chars
        )
        read = time.monotonic()
        facts = {
            "width_px": self._screen.width_px,
            "height_px": self._screen.height_px,
            "nodes": nodes,
            "degraded": reason,
            "window_titles": [t[:_TITLE_CHARS] for t in titles[:_MAX_TITLES]],
            "clipboard": clipboard,
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
            return self._office.state(self._settings.answer_sec * _STATE_SHARE)
        except OfficeTimeoutError:
            # The application is busy (a long operation or a modal loop). An unknown state is not
            # scored.
            return DocumentState(open=True, revision=-1, editing=True)

    def save(self, commit: bool) -> bytes:
        """Return the document as .pptx; if the user has closed it, return the file on disk.

        Raises:
            CommandError: If a text edit is open and `commit` is not set.
            OverloadError: If it cannot be saved, is too large, or no longer exists.
        """
        if commit:
            self._pointer.release()
        remove(self._copy)  # any file there was created by the desktop's user
        try:
            if self._office.save(self._copy, commit, self._settings.answer_sec):
                return read_deck(self._copy)
        finally:
            remove(self._copy)
        return self.stored_deck()

    def collect(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return the named files next to the deck; missing ones are left out."""
        return read_attachments(self._folder, names)

    def stored_deck(self) -> bytes:
        """Return the document as stored on disk.

        Raises:
            OverloadError: If it is too large or no longer exists.
        """
        return read_deck(self._office.path)
