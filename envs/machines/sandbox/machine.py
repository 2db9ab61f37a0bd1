"""The sandbox machine: Linux namespaces over the image, near-native speed, no hypervisor."""

import logging
import time
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from pptarena.envs.machines.base import Files, MachineObservation
from pptarena.envs.machines.checkpoint import MachineCheckpoint
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import GuestMachine
from pptarena.envs.machines.process_tree import tree_cpu_sec, tree_memory_bytes
from pptarena.envs.machines.sandbox.config import SandboxConfig
from pptarena.envs.machines.sandbox.process import SandboxProcess
from pptarena.envs.machines.sandbox.snapshots import STATE_BYTES, SandboxSnapshots, snapshot_support
from pptarena.envs.machines.snapshots.scratch import Scratch
from pptarena.errors import (
    HostError,
    ImageError,
    MachineLostError,
    MachineOverloadedError,
    MachineStartError,
)
from pptarena.vm_images import Image, require_image
from pptarena.vm_images.guest.protocol import Command, Frame

__all__ = ["SandboxMachine"]

_log = logging.getLogger(__name__)


class SandboxMachine(GuestMachine):
    """A desktop in namespaces: no network, none of the host's files, its own processes.

    Every `load` uses a fresh sandbox. Where this computer can save and restore sandboxes, it is
    restored from a snapshot in which the deck is open; elsewhere it is started.

    Args:
        config: Its settings.
    """

    kind: ClassVar[str] = "sandbox"
    config_class: ClassVar[type[MachineConfig]] = SandboxConfig
    runs_image: ClassVar[bool] = True
    config: SandboxConfig

    def __init__(self, config: MachineConfig | None = None) -> None:
        super().__init__(config)
        self._image: Image | None = None
        self._process: SandboxProcess | None = None
        self._first_observation: MachineObservation | None = None  # of a fork
        self._restore_sec: float | None = None

    @property
    def pid(self) -> int | None:
        """Process id of the current sandbox on the host; None if there is none."""
        return None if self._process is None else self._process.pid

    @property
    def restore_sec(self) -> float | None:
        """Seconds that the last `load` took to restore a sandbox; None if it started one."""
        return self._restore_sec

    @cached_property
    def _snapshots(self) -> SandboxSnapshots:
        return SandboxSnapshots(self._require_image(), self.config)

    def _require_image(self) -> Image:
        image = self._image = self._image or require_image()
        return image

    def _checkpoint_problem(self) -> str:
        try:
            reason = snapshot_support(self._require_image().root).reason
        except ImageError as error:
            reason = str(error)
        return f"{reason}; or use machine='qemu' or machine='fake'" if reason else ""

    def _application_version_impl(self) -> str:
        image = self._require_image()
        return f"{image.versions['libreoffice-impress']} image {image.hash}"

    def _link(self) -> GuestLink | None:
        return self._process.link if self._process is not None else None

    def _load_impl(self, deck: bytes, name: str, files: Files) -> MachineObservation:
        self._stop_current()
        loaded = self._load_snapshot(deck, name, files) or self._start(deck, name, files)
        self._process, observed = loaded
        return observed

    def _start(
        self, deck: bytes, name: str, files: Files
    ) -> tuple[SandboxProcess, MachineObservation]:
        """Start a sandbox and open a deck in it."""
        process = SandboxProcess.start(self._require_image(), self.config)
        try:
            limit_sec = self.config.start_timeout_sec
            return process, process.link.load(deck, name, files, limit_sec, self.config)
        except BaseException:
            process.stop()
            raise

    def _load_snapshot(
        self, deck: bytes, name: str, files: Files
    ) -> tuple[SandboxProcess, MachineObservation] | None:
        """Restore a sandbox with a deck open; None if that does not work on this computer."""
        self._restore_sec = None
        support = snapshot_support(self._require_image().root)
        if support.reason or not self.config.snapshots:
            return None
        started = time.monotonic()
        try:
            loaded = self._snapshots.resume(deck, name, files)
        except (HostError, MachineStartError) as error:
            support.record_failure(error)
            return None
        self._restore_sec = time.monotonic() - started
        return loaded

    def _request(self, method: str, params: Mapping[str, Any], *blobs: bytes) -> Frame:
        try:
            return super()._request(method, params, *blobs)
        except MachineLostError as error:
            if self._process is not None and self._process.overload:
                raise MachineOverloadedError(
                    f"the sandbox was ended: {self._process.overload}"
                ) from error
            raise

    def _perform_impl(self, command: Command) -> MachineObservation:
        observed, self._first_observation = self._first_observation, None
        if observed is not None and command.op == "observe":
            return observed  # performing it would let time pass
        return super()._perform_impl(command)

    def _checkpoint_impl(self) -> MachineCheckpoint:
        process = self._require_process()
        need_bytes = max(STATE_BYTES, 2 * tree_memory_bytes(process.pid))
        self._snapshots.store.ensure_space(need_bytes)
        scratch = Scratch()
        try:
            state = process.save_state(scratch.folder, self.config.step_timeout_sec)
            return MachineCheckpoint(self.kind, scratch.release, state)
        except BaseException:
            scratch.release()
            raise

    def _restore_impl(self, checkpoint: MachineCheckpoint) -> MachineObservation:
        self._stop_current()
        return self._resume(checkpoint)

    def _fork_impl(self, checkpoint: MachineCheckpoint) -> "SandboxMachine":
        machine = SandboxMachine(self.config)
        machine._first_observation = machine._resume(checkpoint)
        return machine

    def _resume(self, checkpoint: MachineCheckpoint) -> MachineObservation:
        state = checkpoint.state()
        self._process, observed = SandboxProcess.resume(self._require_image(), self.config, state)
        return observed

    def _require_process(self) -> SandboxProcess:
        if self._process is None:
            raise MachineLostError("the machine does not run; reset the environment")
        return self._process

    def _memory_bytes_impl(self) -> int | None:
        if self._process is None or not self._process.alive():
            return None
        return tree_memory_bytes(self._process.pid)

    def _cpu_sec_impl(self) -> float | None:
        if self._process is None or not self._process.alive():
            return None
        return tree_cpu_sec(self._process.pid)

    def _stop_current(self) -> None:
        process, self._process = self._process, None
        self._first_observation = None
        if process is not None:
            process.stop()

    def _close_impl(self) -> None:
        self._stop_current()
