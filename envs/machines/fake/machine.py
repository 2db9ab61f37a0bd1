"""`FakeMachine`: a deterministic in-process stand-in that edits a real .pptx."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pptx

from pptarena.envs.keys import is_keysym
from pptarena.envs.machines.base import (
    NO_FILES,
    Files,
    Machine,
    MachineCheckpoint,
    MachineObservation,
)
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.fake.document import FakeDocument
from pptarena.envs.machines.fake.input import FakeInput
from pptarena.envs.machines.fake.layout import Widget, build_tree, layout_widgets
from pptarena.envs.machines.fake.paint import paint
from pptarena.errors import (
    ActionError,
    ConfigError,
    MachineLostError,
    MachineOverloadedError,
    MachineStartError,
    MachineTimeoutError,
)
from pptarena.vm_images.guest.protocol import Command, DocumentState

__all__ = ["FakeConfig", "FakeMachine"]

_FAILURES: dict[str, Callable[[str], Exception]] = {
    "lost": MachineLostError,
    "overload": MachineOverloadedError,
    "timeout": MachineTimeoutError,
    "start": MachineStartError,
}
_CALLS = ("load", "perform", "save", "collect", "checkpoint", "restore", "fork")
CLIPBOARD_MAX = 4096


@dataclass(frozen=True, slots=True)
class FakeConfig(MachineConfig):
    """The settings of all machines; only the screen size and `max_nodes` have an effect.

    Attributes:
        draw: Whether to draw the screen; if not, screenshots are black and steps are faster.
    """

    draw: bool = True


class FakeMachine(Machine):
    """A small presentation program, drawn with Pillow, that edits with python-pptx.

    It has toolbars (`pptarena.envs.machines.fake.layout.TOOLBARS`), the menu Slide
    (`pptarena.envs.machines.fake.menus.MENUS`), a slide panel and the current slide, with the roles
    and names of LibreOffice Impress. A click selects, a double click opens a text edit, a triple
    click selects a paragraph in it; Escape or a click elsewhere commits the edit. Supported are
    typing, Ctrl+A, B, I, U, L, E, R, J, Z, Y, M, C, X and V, Delete, Page Up and Down, dragging a
    shape and the wheel; in the slide panel also arrows, Home, End, and copying, cutting and pasting
    a slide. Ctrl+S saves, Ctrl+W closes without saving, Ctrl+Shift+R reloads and ``open_program``
    reopens a closed deck.

    There are no dialogs, sidebars, table cells, charts or notes view, so tasks that need them
    cannot be solved. Equal decks and commands give equal screens, trees and documents. The machine
    is not a sandbox and renders slides only roughly: use it to test and develop agents.

    Args:
        config: Its settings.

    Attributes:
        files: Files next to the deck, by name. No dialog shows them; files added here, for example
            by a test, are collected.

    Example:
        >>> from pptx import Presentation
        >>> from io import BytesIO
        >>> deck = BytesIO()
        >>> Presentation().save(deck)
        >>> with FakeMachine() as machine:
        ...     machine.load(deck.getvalue(), "empty.pptx").document.slide_count
        0
    """

    kind: ClassVar[str] = "fake"
    config_class: ClassVar[type[MachineConfig]] = FakeConfig

    def __init__(self, config: MachineConfig | None = None) -> None:
        super().__init__(config)
        self._document: FakeDocument | None = None
        self._input: FakeInput | None = None
        self._title = ""
        self._widgets: list[Widget] | None = None  # as last observed, until the next change
        self.files: Files = NO_FILES
        self._disk: bytes | None = None  # the file left by an overloaded machine
        self._failures: list[tuple[str, str]] = []

    def fail_next(self, failure: str, *, on: str = "perform", times: int = 1) -> None:
        """Make the next calls fail, to test code that uses a machine.

        Args:
            failure: ``"lost"``, ``"overload"``, ``"timeout"`` or ``"start"`` raise the
                `MachineError` of that name and stop the machine (with ``on="fork"``, only the new
                machine is affected); after ``"overload"`` its disk can still be read. ``"garbage"``
                (only ``on="save"``) makes `save` return bytes that are not a deck.
            on: The call that fails: ``"load"``, ``"perform"``, ``"save"``, ``"collect"``,
                ``"checkpoint"``, ``"restore"`` or ``"fork"``.
            times: Number of calls that fail.

        Raises:
            ConfigError: If `failure` or `on` is none of these.
        """
        is_supported = failure in _FAILURES or (failure == "garbage" and on == "save")
        if not is_supported or on not in _CALLS:
            raise ConfigError(f"the fake machine cannot fail with {failure!r} on {on!r}")
        self._failures += [(failure, on)] * times

    def _checkpoint_problem(self) -> str:
        return ""

    def _application_version_impl(self) -> str:
        return f"fake-1 python-pptx-{pptx.__version__}"

    def _load_impl(self, deck: bytes, name: str, files: Files) -> MachineObservation:
        self._document = self._input = self._disk = self._widgets = None
        self._fail_if_requested("load")
        started = time.perf_counter()
        self._document, self.files = FakeDocument(deck), dict(files)
        self._input = FakeInput(self._document)
        self._title = f"{name} — LibreOffice Impress"
        return self._observe(started)

    def _perform_impl(self, command: Command) -> MachineObservation:
        self._fail_if_requested("perform")
        document, input_driver = self._require_running()
        started = time.perf_counter()
        if unknown := [name for name in command.keys if not is_keysym(name)]:
            raise ActionError(f"unknown keysym names: {', '.join(unknown)}")
        size = (self.config.width_px, self.config.height_px)
        if not (0 <= command.x < size[0] and 0 <= command.y < size[1]):
            raise ActionError(f"the point ({command.x}, {command.y}) is not on the screen")
        widgets = self._widgets or layout_widgets(document, self._title, *size)
        self._widgets = None
        input_driver.perform(command, widgets, self._title)
        return self._observe(started)

    def _save_impl(self, commit_edit: bool) -> bytes:
        garbage = self._fail_if_requested("save")
        self._widgets = None  # committing the edit changes the screen
        document, _ = self._require_running()
        if commit_edit:
            document.end_edit()
        elif document.edit is not None:
            raise ActionError("a text edit is open; end it first or save with commit_edit")
        return b"no deck" if garbage else document.save()

    def _saved_file_impl(self) -> bytes:
        if self._disk is not None:
            return self._disk
        return self._require_running()[0].disk

    def _collect_impl(self, names: Sequence[str]) -> Files:
        self._fail_if_requested("collect")
        return {name: self.files[name] for name in names if name in self.files}

    def _checkpoint_impl(self) -> MachineCheckpoint:
        self._fail_if_requested("checkpoint")
        document, input_driver = self._require_running()
        return MachineCheckpoint(
            self.kind, state=(*_copy(document, input_driver, self._title), self.files)
        )

    def _restore_impl(self, checkpoint: MachineCheckpoint) -> MachineObservation:
        self._document = self._input = None
        self._fail_if_requested("restore")
        started = time.perf_counter()
        self._load_state(checkpoint)
        return self._observe(started)

    def _fork_impl(self, checkpoint: MachineCheckpoint) -> Machine:
        self._fail_if_requested("fork")
        machine = type(self)(self.config)
        machine._load_state(checkpoint)
        return machine

    def _load_state(self, checkpoint: MachineCheckpoint) -> None:
        self._widgets = None
        *state, self.files = checkpoint.state()
        self._document, self._input, self._title = _copy(*state)

    def _memory_bytes_impl(self) -> int | None:
        return None  # no process of its own

    def _close_impl(self) -> None:
        self._document = self._input = None

    def _require_running(self) -> tuple[FakeDocument, FakeInput]:
        if self._document is None or self._input is None:
            raise MachineLostError("the fake machine is down after a failure; load a deck")
        return self._document, self._input

    def _fail_if_requested(self, call: str) -> bool:
        """Raise the requested failure; return whether the reply must be garbage."""
        failure = self._pop_failure(call)
        if failure in ("", "garbage"):
            return bool(failure)
        if call != "fork":
            if failure == "overload" and self._document is not None:
                self._disk = self._document.disk
            self._document = self._input = None
        raise _FAILURES[failure](f"the fake machine simulates a failure ({failure} on {call})")

    def _pop_failure(self, call: str) -> str:
        for failure in [entry for entry in self._failures if entry[1] == call]:
            with suppress(ValueError):  # another forking thread took it first
                self._failures.remove(failure)
                return failure[0]
        return ""

    def _observe(self, started: float) -> MachineObservation:
        document, input_driver = self._require_running()
        action_end = time.perf_counter()
        widgets = layout_widgets(document, self._title, self.config.width_px, self.config.height_px)
        self._widgets = widgets
        tree = build_tree(widgets, self.config.max_nodes)
        tree_end = time.perf_counter()
        size = self.config.width_px, self.config.height_px
        draws = not isinstance(self.config, FakeConfig) or self.config.draw
        screenshot = paint(widgets, *size) if draws else np.zeros((*size[::-1], 3), np.uint8)
        screenshot_end = time.perf_counter()
        timing = {
            "action": action_end - started,
            "settle": 0.0,
            "screenshot": screenshot_end - tree_end,
            "tree": tree_end - action_end,
            "total": screenshot_end - started,
            "settled_by": "nothing to wait for",
        }
        state = DocumentState(
            open=document.open,
            revision=document.revision,
            editing=document.edit is not None,
            slide=document.current + 1,
            slide_count=document.slide_count,
        )
        clipboard = input_driver.clipboard[:CLIPBOARD_MAX]
        return MachineObservation(screenshot, tree, (self._title,), clipboard, state, timing)


def _copy(
    document: FakeDocument, input_driver: FakeInput, title: str
) -> tuple[FakeDocument, FakeInput, str]:
    document_copy = document.copy()
    return document_copy, input_driver.copy(document_copy), title
