"""The interface of all machines."""

import zipfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pptarena.closeable import Closeable
from pptarena.envs.machines.checkpoint import MachineCheckpoint
from pptarena.envs.machines.config import MachineConfig
from pptarena.errors import ActionError, ConfigError, DeckError, MachineLostError
from pptarena.vm_images.guest.protocol import Command, DocumentState

__all__ = [
    "MACHINE_PARTS",
    "NO_FILES",
    "Files",
    "Machine",
    "MachineCheckpoint",
    "MachineObservation",
    "Node",
    "Tree",
]

Files = Mapping[str, bytes]
"""Files next to a deck in the machine's Documents folder: contents by name."""

NO_FILES: Files = MappingProxyType({})

MACHINE_PARTS = ("action", "settle", "screenshot", "tree")
"""The parts of `MachineObservation.timing` in a machine's round trip."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the accessibility tree.

    Attributes:
        index: Position in the list of nodes, from 0; parents precede their children.
        parent: Index of the parent, -1 for a root.
        role: AT-SPI role name, such as ``"push button"``.
        name: Accessible name, ``""`` if it has none.
        text: Content of a text object, truncated to a limit; ``""`` for others.
        description: Accessible description, ``""`` if it has none.
        box: Left, top, width, height on the screen, in pixels.
        states: AT-SPI state names that are set, such as ``"showing"`` or ``"focused"``.
    """

    index: int
    parent: int
    role: str
    name: str
    text: str
    description: str
    box: tuple[int, int, int, int]
    states: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tree:
    """A bounded accessibility tree; if `degraded`, `reason` names the limit that cut it."""

    nodes: tuple[Node, ...] = ()
    degraded: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MachineObservation:
    """The result of one round trip.

    Attributes:
        screenshot: uint8 (height, width, 3), RGB; a fresh array, never a reused buffer.
        tree: The accessibility tree.
        window_titles: Titles of the open windows, the active one first.
        clipboard: Text on the clipboard, truncated to a limit.
        document: State of the open document.
        timing: Seconds per part: ``action``, ``settle``, ``screenshot``, ``tree`` and, as text,
            ``settled_by``: why the wait for idleness ended.
    """

    screenshot: NDArray[np.uint8]
    tree: Tree = field(default_factory=Tree)
    window_titles: tuple[str, ...] = ()
    clipboard: str = ""
    document: DocumentState = field(default_factory=DocumentState)
    timing: dict[str, Any] = field(default_factory=dict)


class Machine(Closeable, ABC):
    """A computer with the office application, for one episode at a time.

    The constructor starts nothing. `load` starts the machine if necessary, restores a clean desktop
    and opens a deck; after a `MachineError` the next `load` starts from scratch. Public methods
    check the state and call the `_..._impl` methods of the subclass. Callers use the first
    attributes to find out what a machine can do, and must not branch on `kind`.

    Args:
        config: Settings of class `config_class`; None, and fields that a `MachineConfig` does not
            have, use the defaults.

    Attributes:
        kind: Name of the machine type.
        config_class: Class of its settings.
        runs_office: Whether an office application saves the decks and can render their slides.
        runs_image: Whether it runs the machine image of this computer.
        slow_factor: How many times longer than others it may take.
        config: Its settings.
    """

    kind: ClassVar[str]
    config_class: ClassVar[type[MachineConfig]] = MachineConfig
    runs_office: ClassVar[bool] = False
    runs_image: ClassVar[bool] = False
    slow_factor: ClassVar[float] = 1.0
    config: MachineConfig

    def __init__(self, config: MachineConfig | None = None) -> None:
        self.config = self.config_class.of(config)
        self._loaded = False
        self._closed = False

    @classmethod
    def suits(cls, config: Any) -> tuple[bool, str]:
        """Return whether ``"auto"`` should select this machine on this computer, and why."""
        return True, "it runs everywhere"

    @property
    def can_checkpoint(self) -> bool:
        """Whether `checkpoint`, `restore` and `fork` work; starts nothing."""
        return not self._checkpoint_problem()

    @property
    def application_version(self) -> str:
        """Name of image and application; decks saved under the same name are comparable."""
        return self._application_version_impl()

    @property
    def restore_sec(self) -> float | None:
        """Seconds that the last `load` took until the machine ran again.

        This is the part of a reset before the machine's own work; None if the machine is not
        restored from a snapshot.
        """
        return None

    @property
    def details(self) -> dict[str, str]:
        """Further properties for measurements, such as ``{"accelerator": "kvm"}``."""
        return {}

    def load(self, deck: bytes, name: str, files: Files = NO_FILES) -> MachineObservation:
        """Restore a clean desktop, open a deck and observe.

        Args:
            deck: The .pptx file.
            name: File name of the deck inside the machine, such as ``"plan.pptx"``.
            files: Files next to the deck in the user's Documents folder, by name; limited like the
                files of a task (`pptarena.tasks.task_files`).

        Raises:
            DeckError: If the application cannot open the deck.
            MachineError: If the machine does not start or does not respond in time.
        """
        self._require_open()
        self._loaded = False
        _require_pptx(deck, name)
        observed = self._load_impl(deck, name, files)
        self._require_still_open()
        self._loaded = True
        return observed

    def perform(self, command: Command) -> MachineObservation:
        """Execute one command, wait until the screen is idle and observe: one round trip.

        Raises:
            ActionError: If the command is invalid; nothing was done.
            MachineOverloadedError: If the command broke a program in the machine.
            MachineError: If the machine was lost or does not respond in time.
        """
        self._require_loaded("perform")
        try:
            return self._perform_impl(command)
        except ActionError as error:
            if command.op != "observe":
                raise
            raise MachineLostError(
                f"the machine rejected an observation request: {error}"
            ) from error

    def save(self, *, commit_edit: bool = False) -> bytes:
        """Return the document as .pptx, saved as a copy by the application.

        Args:
            commit_edit: Whether to commit an open text edit first, so that the file contains its
                text.

        Raises:
            ActionError: If a text edit is open and `commit_edit` is not set; the file would contain
                incomplete text.
            MachineOverloadedError: If the application cannot save it, or not in time.
            MachineError: If the machine was lost or does not respond in time.
        """
        self._require_loaded("save")
        try:
            return self._save_impl(commit_edit)
        except ActionError as error:
            if not commit_edit:
                raise
            raise MachineLostError(f"the machine refused to save: {error}") from error

    def saved_file(self) -> bytes:
        """Return the document from the machine's disk without asking the application.

        This is the file that the user finds after the application broke.

        Raises:
            MachineError: If the file does not exist, or the machine was lost or does not respond.
        """
        self._require_loaded("read the disk")
        return self._saved_file_impl()

    def collect(self, names: Sequence[str]) -> Files:
        """Return the files with these names next to the deck; missing files are left out.

        Args:
            names: Names of files in the user's Documents folder, without a path.

        Raises:
            MachineError: If the machine was lost or does not respond in time.
        """
        self._require_loaded("collect files")
        return self._collect_impl(names) if names else NO_FILES

    def checkpoint(self) -> MachineCheckpoint:
        """Save the current state of the machine; the machine is unaffected.

        Raises:
            ConfigError: If this type of machine does not support checkpoints.
            MachineError: If the machine was lost or does not respond in time.
        """
        self.require_checkpoints()
        self._require_loaded("save a checkpoint")
        return self._checkpoint_impl()

    def restore(self, checkpoint: MachineCheckpoint) -> MachineObservation:
        """Restore a saved state and observe; no earlier `load` is required.

        It also works after the machine was lost, and with the checkpoint of another machine of this
        type with the same settings. After a `MachineError` it can be retried.

        Raises:
            ConfigError: If this type of machine does not support checkpoints, or the checkpoint is
                closed or of another type; the machine is unchanged.
            MachineError: If the machine does not start or does not respond in time.
        """
        self.require_restorable(checkpoint)
        self._loaded = False
        observed = self._restore_impl(checkpoint)
        self._require_still_open()
        self._loaded = True
        return observed

    def fork(self, checkpoint: MachineCheckpoint) -> "Machine":
        """Return a new, running machine in a saved state, with the settings of this one.

        This machine is unaffected and need not run. Several threads may fork concurrently.

        Raises:
            ConfigError: As for `restore`.
            MachineError: If the new machine does not start; its resources are freed.
        """
        self.require_restorable(checkpoint)
        machine = self._fork_impl(checkpoint)
        machine._loaded = True
        return machine

    def require_checkpoints(self) -> None:
        """Raise `ConfigError` with the reason if this machine does not support checkpoints."""
        reason = self._checkpoint_problem()
        if reason:
            raise ConfigError(
                f"the {self.kind} machine cannot save a checkpoint of its state: {reason}"
            )

    def require_restorable(self, checkpoint: MachineCheckpoint) -> None:
        """Raise if this machine cannot restore the checkpoint.

        Raises:
            ConfigError: If this type of machine does not support checkpoints, or the checkpoint is
                closed or of another type.
            MachineLostError: If the machine is closed.
        """
        self.require_checkpoints()
        if checkpoint.kind != self.kind:
            raise ConfigError(
                f"expected a checkpoint of kind {self.kind!r}, got one of kind {checkpoint.kind!r}"
            )
        if checkpoint.closed:
            raise ConfigError("the checkpoint is closed; take another one before closing it")
        self._require_open()

    def memory_bytes(self) -> int | None:
        """Return the machine's memory in bytes (proportional set size); None if not running."""
        return self._memory_bytes_impl()

    def cpu_sec(self) -> float | None:
        """Return the CPU time in seconds since the machine was started; None if not running."""
        return self._cpu_sec_impl()

    def close(self) -> None:
        """Stop the machine and free its resources, even while another thread uses it.

        Later calls do nothing.
        """
        if not self._closed:
            self._closed = True
            self._loaded = False
            self._close_impl()

    def _require_open(self) -> None:
        if self._closed:
            raise MachineLostError("the machine is closed; make a new one")

    def _require_still_open(self) -> None:
        """Free a machine that was started after another thread closed it."""
        if self._closed:
            self._close_impl()
            self._require_open()

    def _require_loaded(self, verb: str) -> None:
        if not self._loaded:
            raise MachineLostError(f"cannot {verb}: no deck is loaded; call load first")

    @abstractmethod
    def _application_version_impl(self) -> str: ...

    @abstractmethod
    def _load_impl(self, deck: bytes, name: str, files: Files) -> MachineObservation: ...

    @abstractmethod
    def _perform_impl(self, command: Command) -> MachineObservation: ...

    @abstractmethod
    def _save_impl(self, commit_edit: bool) -> bytes: ...

    @abstractmethod
    def _saved_file_impl(self) -> bytes: ...

    @abstractmethod
    def _collect_impl(self, names: Sequence[str]) -> Files: ...

    def _checkpoint_problem(self) -> str:
        """Return why there are no checkpoints, and what to do instead; "" if there are."""
        return "use machine='qemu' or machine='fake'"

    # Called only if `can_checkpoint` is set, with an open checkpoint of this type.

    def _checkpoint_impl(self) -> MachineCheckpoint:
        raise NotImplementedError

    def _restore_impl(self, checkpoint: MachineCheckpoint) -> MachineObservation:
        raise NotImplementedError

    def _fork_impl(self, checkpoint: MachineCheckpoint) -> "Machine":
        raise NotImplementedError

    @abstractmethod
    def _memory_bytes_impl(self) -> int | None: ...

    def _cpu_sec_impl(self) -> float | None:
        return None  # no process of its own

    @abstractmethod
    def _close_impl(self) -> None: ...


def _require_pptx(deck: bytes, name: str) -> None:
    """Reject files that are not presentations before the application tries to convert them."""
    try:
        with zipfile.ZipFile(BytesIO(deck)) as package:
            names = package.namelist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise DeckError(f"{name} is not a valid .pptx: {error}") from error
    if "[Content_Types].xml" not in names:
        raise DeckError(f"{name} is not a valid .pptx: it has no [Content_Types].xml")
