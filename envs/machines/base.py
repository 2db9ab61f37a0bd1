"""What every machine can do, whatever it runs on."""

import zipfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pptarena.closing import Closing
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
    "Node",
    "Observed",
    "Tree",
    "Viewer",
]

Files = Mapping[str, bytes]
"""What lies beside a deck in the machine's Documents: contents by name."""

NO_FILES: Files = MappingProxyType({})

MACHINE_PARTS = ("action", "settle", "screenshot", "tree")
"""The parts of `Observed.timing` that a machine's round trip is made of."""


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the accessibility tree.

    Attributes:
        index: Place in the list of nodes, from 0; parents come before their children.
        parent: Index of the parent, -1 for a root.
        role: AT-SPI role name, such as ``"push button"``.
        name: Accessible name, ``""`` if it has none.
        text: Text content of a text object, shortened to a bound; ``""`` for others.
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
    """A bounded accessibility tree; `reason` says which bound cut it when `degraded`."""

    nodes: tuple[Node, ...] = ()
    degraded: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Observed:
    """What one round trip brings back.

    Attributes:
        screenshot: uint8 (height, width, 3), RGB; a fresh array, never a reused buffer.
        tree: The accessibility tree.
        window_titles: Titles of the open windows, the active one first.
        clipboard: Text on the clipboard, shortened to a bound.
        document: State of the document under edit.
        timing: Seconds by part: ``action``, ``settle``, ``screenshot``, ``tree``
            and, as text, ``settled_by``: what ended the settling.
    """

    screenshot: NDArray[np.uint8]
    tree: Tree = field(default_factory=Tree)
    window_titles: tuple[str, ...] = ()
    clipboard: str = ""
    document: DocumentState = field(default_factory=DocumentState)
    timing: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Where a VNC viewer can look at a machine, and use its mouse and keyboard.

    Attributes:
        address: Such as ``"unix:/run/x/vnc.sock"``.
        password: What the viewer must know.
    """

    address: str
    password: str


class Machine(Closing, ABC):
    """One computer with the office application, for one episode at a time.

    The constructor starts nothing. `load` brings the machine up if need be, restores a clean
    desktop and opens a deck; after a `MachineError` the next `load` starts afresh. Public methods
    check the state and call the `_..._impl` of the kind of machine, which says by the first
    attributes what it is and can do; nobody else need know its name.

    Args:
        config: Its settings, of its `config_class`; None, and what a `MachineConfig` leaves open,
            takes the defaults.

    Attributes:
        kind: Name of the kind of machine.
        config_class: Class of its settings.
        can_checkpoint: Whether `checkpoint`, `restore` and `fork` work.
        runs_office: Whether decks are saved by an office application, whose slides can be drawn.
        runs_image: Whether it runs the image of this computer.
        slow_factor: How many times longer than others it may take.
        config: Its settings.
    """

    kind: ClassVar[str]
    config_class: ClassVar[type[MachineConfig]] = MachineConfig
    can_checkpoint: ClassVar[bool] = False
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
        """Return whether this is the machine to take on this computer, and why."""
        return True, "it runs everywhere"

    @property
    def application_version(self) -> str:
        """Name of image and application; decks saved under one name are comparable."""
        return self._application_version_impl()

    @property
    def restore_sec(self) -> float | None:
        """How long the last `load` took until the machine ran again, in seconds.

        It is the part of a reset that comes before the machine's own work; None where a machine
        is not restored from anything.
        """
        return None

    @property
    def details(self) -> dict[str, str]:
        """What else a measurement should say of it, such as ``{"accelerator": "kvm"}``."""
        return {}

    @property
    def watched(self) -> bool:
        """Whether a viewer can look on, at `viewer`."""
        return False

    @property
    def viewer(self) -> Viewer | None:
        """Where a viewer can look on; None if nowhere."""
        return None

    def load(self, deck: bytes, name: str, files: Files = NO_FILES) -> Observed:
        """Restore a clean desktop, open a deck and observe.

        Args:
            deck: The .pptx file.
            name: File name the deck gets inside the machine, such as ``"plan.pptx"``.
            files: What lies beside it in the user's Documents, by name; bounded as those of a task
                are (`pptarena.tasks.task_files`).

        Raises:
            DeckError: If the application cannot open the deck.
            MachineError: If the machine does not come up or does not answer in time.
        """
        self._require_open()
        self._loaded = False
        _require_pptx(deck, name)
        observed = self._load_impl(deck, name, files)
        self._require_still_open()
        self._loaded = True
        return observed

    def expect(self, deck: bytes, name: str, files: Files = NO_FILES) -> None:
        """Say which deck the next `load` is likely to open.

        A machine that prepares ahead opens it in advance; others do nothing. A wrong guess costs
        time, nothing else.
        """
        if not self._closed:
            self._expect_impl(deck, name, files)

    def perform(self, command: Command) -> Observed:
        """Carry out one command, wait until the screen is quiet, observe: one round trip.

        Raises:
            ActionError: If the command cannot be carried out as given; nothing was done.
            MachineOverloadedError: If what runs in the machine broke under what it was told to do.
            MachineError: If the machine went away or does not answer in time.
        """
        self._require_loaded("perform")
        try:
            return self._perform_impl(command)
        except ActionError as error:
            if command.op != "observe":
                raise
            raise MachineLostError(f"the machine refuses to be looked at: {error}") from error

    def save(self, *, commit_edit: bool = False) -> bytes:
        """Return the document as .pptx, saved as a copy by the application.

        Args:
            commit_edit: End an open text edit first, so that its text is in the file.

        Raises:
            ActionError: If a text edit is open and `commit_edit` is not set; a file saved then
                would hold half a text.
            MachineOverloadedError: If the application cannot save it, or not in time.
            MachineError: If the machine went away or does not answer in time.
        """
        self._require_loaded("save")
        try:
            return self._save_impl(commit_edit)
        except ActionError as error:
            if not commit_edit:
                raise
            raise MachineLostError(f"the machine refuses to save: {error}") from error

    def kept(self) -> bytes:
        """Return the document as it lies on the machine's disk; the application is not asked.

        It is what the user finds after the application broke.

        Raises:
            MachineError: If there is no such file, or the machine went away or does not answer.
        """
        self._require_loaded("read the disk")
        return self._kept_impl()

    def collect(self, names: Sequence[str]) -> Files:
        """Return what lies beside the deck under these names; what is not there is left out.

        Args:
            names: Of files in the user's Documents, without a path.

        Raises:
            MachineError: If the machine went away or does not answer in time.
        """
        self._require_loaded("collect files")
        return self._collect_impl(names) if names else NO_FILES

    def checkpoint(self) -> MachineCheckpoint:
        """Keep the state of the machine as it is now; the machine goes on as if nothing were.

        Raises:
            ConfigError: If this kind of machine cannot.
            MachineError: If the machine went away or does not answer in time.
        """
        self.require_checkpoints()
        self._require_loaded("keep a checkpoint")
        return self._checkpoint_impl()

    def restore(self, checkpoint: MachineCheckpoint) -> Observed:
        """Put the machine into a kept state and observe; it need not have loaded a deck before.

        It works after the machine was lost, too, and with the checkpoint of another machine of
        this kind and the same settings. After a `MachineError` it may be tried again.

        Raises:
            ConfigError: If this kind of machine cannot, or the checkpoint is closed or of another
                kind; the machine is left as it was.
            MachineError: If the machine does not come up or does not answer in time.
        """
        self.require_restorable(checkpoint)
        self._loaded = False
        observed = self._restore_impl(checkpoint)
        self._require_still_open()
        self._loaded = True
        return observed

    def fork(self, checkpoint: MachineCheckpoint) -> "Machine":
        """Return a new, running machine in a kept state, with the settings of this one.

        This machine is left as it was, and need not run. Several threads may fork at once.

        Raises:
            ConfigError: As `restore` does.
            MachineError: If the new machine does not come up; nothing is left of it.
        """
        self.require_restorable(checkpoint)
        twin = self._fork_impl(checkpoint)
        twin._loaded = True
        return twin

    def require_checkpoints(self) -> None:
        """Raise `ConfigError` if this kind of machine cannot keep its state."""
        if not self.can_checkpoint:
            raise ConfigError(
                f"the {self.kind} machine cannot keep a checkpoint of its state: use "
                "machine='qemu' or machine='fake'"
            )

    def require_restorable(self, checkpoint: MachineCheckpoint) -> None:
        """Raise if this machine cannot restore the checkpoint.

        Raises:
            ConfigError: If this kind of machine cannot, or the checkpoint is closed or of another
                kind.
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
        """Return the memory the machine takes (proportional set size), None when not running."""
        return self._memory_bytes_impl()

    def cpu_sec(self) -> float | None:
        """Return the processor time it has used since it was started, None when not running."""
        return self._cpu_sec_impl()

    def close(self) -> None:
        """Stop the machine and free all it holds; another thread may be at work with it.

        A second call does nothing.
        """
        if not self._closed:
            self._closed = True
            self._loaded = False
            self._close_impl()

    def _require_open(self) -> None:
        if self._closed:
            raise MachineLostError("the machine is closed; make a new one")

    def _require_still_open(self) -> None:
        """Free what came up after another thread closed the machine."""
        if self._closed:
            self._close_impl()
            self._require_open()

    def _require_loaded(self, verb: str) -> None:
        if not self._loaded:
            raise MachineLostError(f"cannot {verb}: no deck is loaded; call load first")

    @abstractmethod
    def _application_version_impl(self) -> str: ...

    @abstractmethod
    def _load_impl(self, deck: bytes, name: str, files: Files) -> Observed: ...

    def _expect_impl(self, deck: bytes, name: str, files: Files) -> None:
        """Prepare for the next load, where the machine can."""

    @abstractmethod
    def _perform_impl(self, command: Command) -> Observed: ...

    @abstractmethod
    def _save_impl(self, commit_edit: bool) -> bytes: ...

    @abstractmethod
    def _kept_impl(self) -> bytes: ...

    @abstractmethod
    def _collect_impl(self, names: Sequence[str]) -> Files: ...

    # Called only where `can_checkpoint` is set, with a checkpoint of this kind that is not closed.

    def _checkpoint_impl(self) -> MachineCheckpoint:
        raise NotImplementedError

    def _restore_impl(self, checkpoint: MachineCheckpoint) -> Observed:
        raise NotImplementedError

    def _fork_impl(self, checkpoint: MachineCheckpoint) -> "Machine":
        raise NotImplementedError

    @abstractmethod
    def _memory_bytes_impl(self) -> int | None: ...

    def _cpu_sec_impl(self) -> float | None:
        return None  # it has no process of its own

    @abstractmethod
    def _close_impl(self) -> None: ...


def _require_pptx(deck: bytes, name: str) -> None:
    """Refuse what is no presentation before an application makes something of it."""
    try:
        with zipfile.ZipFile(BytesIO(deck)) as package:
            names = package.namelist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise DeckError(f"{name} is not a valid .pptx: {error}") from error
    if "[Content_Types].xml" not in names:
        raise DeckError(f"{name} is not a valid .pptx: it has no [Content_Types].xml")
