"""Snapshots of a machine with its desktop ready and with a deck open, each created once."""

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pptarena.envs.machines.base import NO_FILES, Files
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.guest_machine import guest_settings
from pptarena.envs.machines.guest_reply import parse_application, parse_deck
from pptarena.envs.machines.qemu.hardware import Hardware
from pptarena.envs.machines.qemu.memory_file import new_memory
from pptarena.envs.machines.qemu.process import VirtualMachine
from pptarena.envs.machines.qemu.program import qemu_version
from pptarena.envs.machines.qemu.vm_state import VmState
from pptarena.envs.machines.snapshots.naming import deck_digest
from pptarena.envs.machines.snapshots.store import Snapshot, SnapshotStore
from pptarena.errors import MachineError, MachineStartError
from pptarena.vm_images.disk import Disk, guest_archive, guest_hash
from pptarena.vm_images.guest.protocol import PROTOCOL_VERSION, Command

__all__ = ["SnapshotMaker"]

_log = logging.getLogger(__name__)

_FORMAT = "1"  # increment when the contents or format of a snapshot change
_CONSOLE_BYTES = 2000
_BASELINE = "baseline.pptx"


@dataclass(frozen=True)  # no slots: caches its key, which every reset needs
class SnapshotMaker:
    """Creates and finds the snapshots of one virtual machine configuration.

    Attributes:
        hardware: The hardware of the machines.
        disk: Their boot disk.
        config: Settings of the guest program and start deadline.
        store: Storage of the snapshots.
    """

    hardware: Hardware
    disk: Disk
    config: MachineConfig
    store: SnapshotStore

    @contextmanager
    def deck(self, deck: bytes, name: str, files: Files = NO_FILES) -> Iterator[Snapshot]:
        """Provide the snapshot with this deck open and files next to it for the block.

        Raises:
            DeckError: If the application cannot open the deck.
            HostError: If this host lacks space.
            MachineError: If a machine does not start.
        """

        def build(folder: Path) -> dict[str, Any]:
            return self._open(deck, name, files, folder)

        with self._use(f"{self._key}-{deck_digest(deck, name, files)}", build) as snapshot:
            yield snapshot

    @staticmethod
    def baseline(snapshot: Snapshot) -> bytes:
        """Return the deck of a snapshot as the application saved it unchanged."""
        return (snapshot.folder / _BASELINE).read_bytes()

    @contextmanager
    def _use(self, name: str, build: Callable[[Path], dict[str, Any]]) -> Iterator[Snapshot]:
        # Another process may be creating the parent snapshot first: allow time for two.
        wait_sec = 2 * self.config.start_timeout_sec
        try:
            with self.store.use(name, build, self.hardware.memory_bytes, wait_sec) as snapshot:
                yield snapshot
        except MachineStartError:
            self.store.remove(name)  # it may be damaged; the next attempt creates it again
            raise

    @cached_property
    def _key(self) -> str:
        """Return a name that covers everything the state of a fresh desktop depends on."""
        parts = (
            *(_FORMAT, *self.hardware.state_dependencies(), self.disk.digest, guest_hash()),
            *map(str, qemu_version(self.hardware.program)),
            json.dumps(guest_settings(self.config), sort_keys=True),
            _cpu_model() if self.hardware.accelerator == "kvm" else "",
        )
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    def _open(self, deck: bytes, name: str, files: Files, folder: Path) -> dict[str, Any]:
        """Resume a fresh desktop, open and save a deck, and save the state."""
        with self._use(f"{self._key}-desktop", self._boot) as desktop:
            _log.info("creating the snapshot of %s", name)
            state = VmState(desktop.folder)
            machine = VirtualMachine.resume(self.hardware, state, self.config.start_timeout_sec)
        try:
            limit_sec = self.config.start_timeout_sec
            params = {"name": name, "files": list(files)}
            machine.link.request("load", params, limit_sec, deck, *files.values())
            saved = parse_deck(machine.link.request("save", {"commit": True}, limit_sec))
            (folder / _BASELINE).write_bytes(saved)
            # Saving moves the screen; the saved state must be idle.
            observe = {"command": Command("observe").to_json()}
            machine.link.request("perform", observe, limit_sec)
            machine.pause()
            machine.save_state(folder)
        finally:
            machine.stop()
        return {**desktop.facts, "deck": name}

    def _boot(self, folder: Path) -> dict[str, Any]:
        """Boot a machine and save its state when the desktop is ready."""
        _log.info("booting a virtual machine (%s)", self.hardware.accelerator)
        memory, initrd, console = (folder / name for name in ("memory", "initrd", "console"))
        new_memory(memory, self.hardware.memory_bytes)
        initrd.write_bytes(self.disk.initrd.read_bytes() + guest_archive())
        boot = self.hardware.boot(self.disk.kernel, initrd, console)
        machine = VirtualMachine(self.hardware, memory, boot, self.config.start_timeout_sec)
        try:
            settings = guest_settings(self.config)
            hello = {"version": PROTOCOL_VERSION, "settings": settings}
            reply = machine.link.request("hello", hello, self.config.start_timeout_sec)
            machine.pause()
            machine.save_state(folder)
        except MachineError as error:
            output = console.read_bytes()[-_CONSOLE_BYTES:].decode("utf-8", "replace").strip()
            raise MachineStartError(
                f"the virtual machine did not start: {error}; console output: {output}"
            ) from error
        finally:
            machine.stop()
        initrd.unlink()
        return {
            "application": parse_application(reply),
            "settings": asdict(self.config),
            "accelerator": self.hardware.accelerator,
            "disk": self.disk.digest,
            "guest": guest_hash(),
        }


def _cpu_model() -> str:
    """Return the CPU model and features, which a state saved under KVM depends on."""
    lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    prefixes = ("model name", "microcode", "flags")
    return "\n".join(line for line in lines if line.startswith(prefixes))
