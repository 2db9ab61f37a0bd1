"""The `qemu` machine: every episode runs in a fork of a snapshot with its deck open."""

import dataclasses
import logging
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from pptarena.envs.machines.base import Files, MachineObservation
from pptarena.envs.machines.checkpoint import MachineCheckpoint
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import GuestMachine
from pptarena.envs.machines.process_tree import tree_cpu_sec, tree_memory_bytes
from pptarena.envs.machines.qemu.config import QemuConfig
from pptarena.envs.machines.qemu.hardware import Hardware
from pptarena.envs.machines.qemu.monitor import require_library
from pptarena.envs.machines.qemu.process import VirtualMachine
from pptarena.envs.machines.qemu.program import Accelerator, choose_accelerator, find_qemu
from pptarena.envs.machines.qemu.snapshots import SnapshotMaker
from pptarena.envs.machines.qemu.vm_state import VmState
from pptarena.envs.machines.snapshots.scratch import Scratch
from pptarena.envs.machines.snapshots.store import SnapshotStore
from pptarena.errors import MachineLostError, PPTArenaError
from pptarena.vm_images import require_image
from pptarena.vm_images.disk import find_disk, require_disk
from pptarena.vm_images.guest.protocol import Command, Frame

__all__ = ["QemuMachine"]

_log = logging.getLogger(__name__)

# Emulation is 20 to 35 times slower than hardware: wall-clock limits are stretched.
_TCG_TIME_FACTOR = 3.0


class QemuMachine(GuestMachine):
    """A virtual machine without network: strong isolation, snapshots, and forks during an episode.

    `load` forks a snapshot in which the application runs and the deck is open; the snapshot is
    created when the deck is first opened on this computer. Between steps the machine is paused,
    including its clocks, unless ``config.realtime`` is set.

    Under emulation (TCG) the deadlines of `config` and the time for the tree are three times as
    long.

    Args:
        config: Its settings.
    """

    kind: ClassVar[str] = "qemu"
    config_class: ClassVar[type[MachineConfig]] = QemuConfig
    runs_image: ClassVar[bool] = True
    slow_factor: ClassVar[float] = 4.0  # under emulation its own deadlines are longer, too
    config: QemuConfig

    def __init__(self, config: MachineConfig | None = None) -> None:
        require_library()
        super().__init__(config)
        self._requested_config = self.config
        self._vm: VirtualMachine | None = None
        self._baseline: bytes | None = None  # the saved deck, until the first action
        self._is_resumed_state = False  # unchanged since a saved state was resumed

    @classmethod
    def suits(cls, config: QemuConfig) -> tuple[bool, str]:
        """Return whether virtual machines are available and run with KVM here, and why."""
        if config.accelerator == "tcg":
            return False, "emulation is requested, which is slower than the sandbox"
        try:
            if find_disk() is None:
                no_disk = "no disk for virtual machines is built (pptarena image build --vm)"
                return False, no_disk
            accelerator = choose_accelerator("auto", find_qemu())
            require_library()
        except PPTArenaError as error:
            return False, str(error)
        if accelerator.name != "kvm":
            return False, f"virtual machines would be emulated: {accelerator.reason}"
        return True, accelerator.reason

    @property
    def restore_sec(self) -> float | None:
        """Seconds from spawning the current virtual machine until it ran."""
        return None if self._vm is None else self._vm.restore_sec

    @property
    def pid(self) -> int | None:
        """Process id of the current virtual machine on the host; None if there is none."""
        return None if self._vm is None else self._vm.pid

    @property
    def details(self) -> dict[str, str]:
        """The accelerator of the guest, ``"kvm"`` or ``"tcg"``."""
        return {"accelerator": self.accelerator.name}

    @cached_property
    def accelerator(self) -> Accelerator:
        """The accelerator of guests on this computer, and why it was selected.

        Raises:
            HostError: If QEMU is missing, or KVM is requested and does not work.
        """
        return choose_accelerator(self._requested_config.accelerator, find_qemu())

    @cached_property
    def _snapshots(self) -> SnapshotMaker:
        disk = require_disk()
        _log.info(
            "virtual machines run with %s: %s", self.accelerator.name, self.accelerator.reason
        )
        if self.accelerator.name == "tcg":
            self.config = _with_longer_deadlines(self._requested_config)
        hardware = Hardware(
            find_qemu(),
            self.accelerator.name,
            disk.root,
            self.config.vm_memory_bytes,
            self.config.vm_cpus,
        )
        store = SnapshotStore(self.config.snapshot_limit_bytes)
        return SnapshotMaker(hardware, disk, self.config, store)

    def _checkpoint_problem(self) -> str:
        return ""

    def _application_version_impl(self) -> str:
        # As in the sandbox: one image, one application, comparable decks.
        image = require_image()
        return f"{image.versions['libreoffice-impress']} image {image.hash}"

    def _link(self) -> GuestLink | None:
        return self._vm.link if self._vm is not None else None

    def _load_impl(self, deck: bytes, name: str, files: Files) -> MachineObservation:
        self._stop_current()
        with self._snapshots.deck(deck, name, files) as snapshot:
            self._baseline = self._snapshots.baseline(snapshot)
            self._resume(VmState(snapshot.folder))
        return self._observe()

    def _resume(self, state: VmState) -> None:
        self._is_resumed_state = True
        hardware, limit_sec = self._snapshots.hardware, self.config.start_timeout_sec
        self._vm = VirtualMachine.resume(hardware, state, limit_sec)
        if self.config.realtime:
            self._vm.link.request("run_on", {}, limit_sec)

    def _observe(self) -> MachineObservation:
        """Observe a machine that was saved while idle and has run since it was resumed."""
        vm = self._require_vm()
        try:
            observed = vm.link.observe("look", {}, self.config.start_timeout_sec, self.config)
            self._pause(vm)
        except BaseException:
            self._stop_current()
            raise
        return observed

    def _perform_impl(self, command: Command) -> MachineObservation:
        self._baseline = None
        if command.op == "observe" and self._is_resumed_state and not self.config.realtime:
            # The machine is idle, or was saved in its current state.
            return self._request_observation("look", {})
        self._is_resumed_state = False
        return super()._perform_impl(command)

    def _save_impl(self, commit_edit: bool) -> bytes:
        if self._baseline is not None:
            return self._baseline
        self._is_resumed_state = False
        return super()._save_impl(commit_edit)

    def _saved_file_impl(self) -> bytes:
        self._is_resumed_state = False
        return super()._saved_file_impl()

    def _collect_impl(self, names: Sequence[str]) -> Files:
        self._is_resumed_state = False
        return super()._collect_impl(names)

    def _request(self, method: str, params: Mapping[str, Any], *blobs: bytes) -> Frame:
        vm = self._require_vm()
        if not self.config.realtime:
            vm.unpause()
        try:
            return super()._request(method, params, *blobs)
        finally:
            self._pause(vm)

    def _pause(self, vm: VirtualMachine) -> None:
        if not self.config.realtime and vm.alive():
            vm.pause()

    def _require_vm(self) -> VirtualMachine:
        if self._vm is None:
            raise MachineLostError("the machine does not run; reset the environment")
        return self._vm

    def _checkpoint_impl(self) -> MachineCheckpoint:
        vm = self._require_vm()
        self._snapshots.store.ensure_space(self.config.vm_memory_bytes)
        scratch = Scratch()
        try:
            vm.pause()
            vm.save_state(scratch.folder)
            return MachineCheckpoint(self.kind, scratch.release, VmState(scratch.folder))
        except BaseException:
            scratch.release()
            raise
        finally:
            if self.config.realtime and vm.alive():
                vm.unpause()

    def _restore_impl(self, checkpoint: MachineCheckpoint) -> MachineObservation:
        self._stop_current()
        self._resume(checkpoint.state())
        return self._observe()

    def _fork_impl(self, checkpoint: MachineCheckpoint) -> "QemuMachine":
        machine = QemuMachine(self._requested_config)
        try:
            machine._resume(checkpoint.state())
            machine._pause(machine._require_vm())
        except BaseException:
            machine.close()
            raise
        return machine

    def _memory_bytes_impl(self) -> int | None:
        if self._vm is None or not self._vm.alive():
            return None
        return tree_memory_bytes(self._vm.pid)

    def _cpu_sec_impl(self) -> float | None:
        if self._vm is None or not self._vm.alive():
            return None
        return tree_cpu_sec(self._vm.pid)

    def _stop_current(self) -> None:
        vm, self._vm = self._vm, None
        self._baseline = None
        if vm is not None:
            vm.stop()

    def _close_impl(self) -> None:
        self._stop_current()


def _with_longer_deadlines(config: QemuConfig) -> QemuConfig:
    return dataclasses.replace(
        config,
        tree_time_sec=config.tree_time_sec * _TCG_TIME_FACTOR,
        step_timeout_sec=config.step_timeout_sec * _TCG_TIME_FACTOR,
        start_timeout_sec=config.start_timeout_sec * _TCG_TIME_FACTOR,
    )
