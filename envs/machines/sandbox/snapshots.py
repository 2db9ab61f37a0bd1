"""Snapshots of sandboxes with their desktop ready and with a deck open, each created once.

They are valid until this computer restarts: saved processes depend on its kernel and its clocks.
"""

import hashlib
import json
import logging
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pptarena.envs.machines.base import Files, MachineObservation
from pptarena.envs.machines.guest_machine import guest_settings
from pptarena.envs.machines.sandbox.config import SandboxConfig
from pptarena.envs.machines.sandbox.criu import SavedState, checkpoint_problem
from pptarena.envs.machines.sandbox.process import SandboxProcess
from pptarena.envs.machines.snapshots.naming import deck_digest
from pptarena.envs.machines.snapshots.store import Snapshot, SnapshotStore
from pptarena.errors import HostError, MachineStartError, PPTArenaError
from pptarena.vm_images import Image
from pptarena.vm_images.disk import guest_hash

__all__ = ["STATE_BYTES", "SandboxSnapshots", "SnapshotSupport", "snapshot_support"]

_log = logging.getLogger(__name__)

_FORMAT = "2"  # increment when the contents or format of a snapshot change
_FAILURES_MAX = 3  # a damaged snapshot is no reason to give up
STATE_BYTES = 2**30
"""Most disk space that the state of a sandbox in normal use takes."""

_DECKS_OPENED_ONCE: set[str] = set()  # snapshots of decks that this process has opened once


class SnapshotSupport:
    """Whether this computer can save and restore sandboxes.

    Attributes:
        reason: Why it cannot; "" if it can, as far as is known.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        self._failure_count = 0
        if reason:
            _log.info("every episode starts a new sandbox: %s", reason)

    def record_failure(self, error: PPTArenaError) -> None:
        """Record a failure; after a few, new sandboxes are started."""
        _log.warning("starting a new sandbox instead of restoring one: %s", error)
        self._failure_count += 1
        if self._failure_count >= _FAILURES_MAX:
            self.reason = str(error)


@cache
def snapshot_support(image: Path) -> SnapshotSupport:
    """Return what this process knows about sandboxes of an image.

    Args:
        image: Folder of the root filesystem.
    """
    return SnapshotSupport("; fix: ".join(filter(None, checkpoint_problem(image))))


class SandboxSnapshots:
    """Creates, finds and restores the snapshots of sandboxes with the same settings.

    Args:
        image: Their image.
        config: Their settings.
    """

    def __init__(self, image: Image, config: SandboxConfig) -> None:
        self._image = image
        self._config = config
        self.store = SnapshotStore(config.snapshot_limit_bytes, durable=False)

    def resume(
        self, deck: bytes, name: str, files: Files
    ) -> tuple[SandboxProcess, MachineObservation]:
        """Return a sandbox with this deck open, and what it shows.

        The first use of a deck in this process opens it in a restored desktop; the second one
        creates the snapshot. So decks that are used once take no disk space.

        Raises:
            DeckError: If the application cannot open the deck.
            HostError: If this computer lacks space or cannot save sandboxes.
            MachineError: If a sandbox does not start.
        """
        snapshot = f"{self._key}-{deck_digest(deck, name, files)}"
        if snapshot not in _DECKS_OPENED_ONCE and not self.store.has(snapshot):
            _DECKS_OPENED_ONCE.add(snapshot)
            return self._open(deck, name, files)

        def build(folder: Path) -> dict[str, Any]:
            _log.info("creating the snapshot of %s", name)
            process, _ = self._open(deck, name, files)
            try:
                state = process.save_state(folder, self._config.start_timeout_sec)
                return {**_facts(state), "deck": name}
            finally:
                process.stop()

        with self._use(snapshot, build) as state:
            return SandboxProcess.resume(self._image, self._config, state)

    def _open(
        self, deck: bytes, name: str, files: Files
    ) -> tuple[SandboxProcess, MachineObservation]:
        """Open a deck in a restored desktop."""
        with self._use(f"{self._key}-desktop", self._start) as state:
            process, _ = SandboxProcess.resume(self._image, self._config, state)
        try:
            limit_sec = self._config.start_timeout_sec
            return process, process.link.load(deck, name, files, limit_sec, self._config)
        except BaseException:
            process.stop()
            raise

    @contextmanager
    def _use(self, name: str, build: Callable[[Path], dict[str, Any]]) -> Iterator[SavedState]:
        # Another process may be creating the desktop's snapshot first: allow time for two.
        wait_sec = 2 * self._config.start_timeout_sec
        try:
            with self.store.use(name, build, STATE_BYTES, wait_sec) as snapshot:
                yield _state(snapshot)
        except MachineStartError:
            self.store.remove(name)  # it may be damaged; the next attempt creates it again
            raise

    @cached_property
    def _key(self) -> str:
        """Return a name that covers everything the state of a fresh desktop depends on."""
        boot = Path("/proc/sys/kernel/random/boot_id").read_text()
        # Containers of one computer mount devices with other flags.
        container = f"{Path('/').stat().st_dev} {Path('/dev').stat().st_dev}"
        settings = json.dumps(guest_settings(self._config), sort_keys=True)
        parts = _FORMAT, "sandbox", boot, container, self._image.hash, guest_hash(), settings
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    def _start(self, folder: Path) -> dict[str, Any]:
        """Start a sandbox and save its state when the desktop is ready."""
        _log.info("starting a sandbox for a snapshot of its desktop")
        process = SandboxProcess.start(self._image, self._config)
        try:
            return _facts(process.save_state(folder, self._config.start_timeout_sec))
        finally:
            process.stop()


def _facts(state: SavedState) -> dict[str, Any]:
    return {"pipes": list(state.pipes)}


def _state(snapshot: Snapshot) -> SavedState:
    """Return the state of a snapshot that no other user can have changed.

    Raises:
        HostError: If another user can write to its folder.
    """
    status = snapshot.folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != 0 or status.st_mode & 0o077:
        raise HostError(
            f"expected {snapshot.folder} to be a folder that only root can enter; remove it with: "
            "pptarena image rm --snapshots"
        )
    reading, writing = (int(inode) for inode in snapshot.facts["pipes"])
    return SavedState(snapshot.folder, (reading, writing))
