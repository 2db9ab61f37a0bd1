"""The sandbox machine: Linux namespaces over the image, near-native speed, no hypervisor."""

import contextlib
import logging
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from functools import cache, cached_property
from typing import Any, ClassVar

from pptarena.envs.machines.base import Files, Observed
from pptarena.envs.machines.checkpoint import MachineCheckpoint
from pptarena.envs.machines.config import MachineConfig
from pptarena.envs.machines.guest_link import GuestLink
from pptarena.envs.machines.guest_machine import GuestMachine
from pptarena.envs.machines.memory import tree_cpu_sec, tree_memory_bytes
from pptarena.envs.machines.sandbox.config import SandboxConfig
from pptarena.envs.machines.sandbox.process import SandboxProcess
from pptarena.envs.machines.sandbox.reference_observations import ReferenceObservations
from pptarena.envs.machines.sandbox.remains import Remains, remains
from pptarena.envs.machines.sandbox.snapshots import STATE_BYTES, SandboxSnapshots, support
from pptarena.envs.machines.snapshots.scratch import Scratch
from pptarena.errors import (
    HostError,
    ImageError,
    MachineLostError,
    MachineOverloadedError,
    MachineStartError,
    PPTArenaError,
)
from pptarena.vm_images import Image, require_image
from pptarena.vm_images.guest.protocol import Command, Frame

__all__ = ["SandboxMachine"]

_log = logging.getLogger(__name__)

_AGAIN_SEC = 10.0  # a running application opens a deck within half a second, or is stuck


class SandboxMachine(GuestMachine):
    """A desktop in namespaces: no network, none of the host's files, its own processes.

    Every `load` uses a fresh sandbox, unless ``config.reuse`` allows the running one to be reused
    and it matches a fresh one. Where this computer can save and restore sandboxes, a fresh one is
    restored from a snapshot in which the deck is open; the snapshot is created when the deck is
    first opened. Elsewhere it is started; with ``config.spare`` that happens in the
    background, with the expected deck already open.

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
        self._spare: _Spare | None = None
        self._restored: Observed | None = None  # the first observation of a fork
        self._restore_sec: float | None = None
        self._served = 0
        self._windows = 0
        self._fresh: Remains | None = None

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

    def _why_no_checkpoints(self) -> str:
        try:
            reason = support(self._require_image().root).reason
        except ImageError as error:
            reason = str(error)
        return f"{reason}; or use machine='qemu' or machine='fake'" if reason else ""

    def _application_version_impl(self) -> str:
        image = self._require_image()
        return f"{image.versions['libreoffice-impress']} image {image.hash}"

    def _link(self) -> GuestLink | None:
        return self._process.link if self._process is not None else None

    def _load_impl(self, deck: bytes, name: str, files: Files) -> Observed:
        observed = self._load_again(deck, name, files)
        if observed is not None:
            return observed
        self._stop_current()
        image = self._require_image()
        prepared = self._load_snapshot(deck, name, files)
        if prepared is None:
            spare, self._spare = self._spare, None
            prepared = spare.take(deck, name, files) if spare is not None else None
            if prepared is None:
                prepared = _prepare(image, self.config, deck, name, files)
            if self.config.spare and self._spare is None:
                self._spare = _Spare(image, self.config, deck, name, files)
        self._process, observed = prepared
        self._served, self._windows = 0, len(observed.window_titles)
        if self.config.reuse:
            self._fresh = remains(self._process.pid)
            _looks_of(image.hash, self.config).keep(deck, name, observed)
        return observed

    def _load_snapshot(
        self, deck: bytes, name: str, files: Files
    ) -> tuple[SandboxProcess, Observed] | None:
        """Restore a sandbox with a deck open; None if that does not work on this computer."""
        self._restore_sec = None
        supported = support(self._require_image().root)
        if supported.reason or not self.config.snapshots:
            return None
        started = time.monotonic()
        try:
            prepared = self._snapshots.resume(deck, name, files)
        except (HostError, MachineStartError) as error:
            supported.failed(error)
            return None
        self._restore_sec = time.monotonic() - started
        return prepared

    def _load_again(self, deck: bytes, name: str, files: Files) -> Observed | None:
        """Open a deck in the running application; None if it differs from a fresh sandbox."""
        process = self._process
        usable = process is not None and process.alive() and self._windows == 1
        if not usable or process is None or self._served >= self.config.reuse:
            return None
        image = self._require_image()
        looks = _looks_of(image.hash, self.config)
        if not looks.knows(deck, name):
            return None
        try:
            observed = process.link.load(deck, name, files, _AGAIN_SEC, self.config)
        except PPTArenaError as error:
            _log.info("the running sandbox is not used again: %s", error)
            return None
        if not looks.same(deck, name, observed):
            _log.info("the running sandbox is not used again: it looks unlike a fresh one")
            return None
        left = "" if self._fresh is None else remains(process.pid).new_since(self._fresh)
        if left:
            _log.info("the running sandbox is not used again: %s", left)
            return None
        self._served += 1
        self._windows = 1
        return observed

    def _request(self, method: str, params: Mapping[str, Any], *blobs: bytes) -> Frame:
        try:
            return super()._request(method, params, *blobs)
        except MachineLostError as error:
            if self._process is not None and self._process.overload:
                raise MachineOverloadedError(
                    f"the sandbox was ended: {self._process.overload}"
                ) from error
            raise

    def _perform_impl(self, command: Command) -> Observed:
        restored, self._restored = self._restored, None
        if restored is not None and command.op == "observe":
            return restored  # performing it would let time pass
        observed = super()._perform_impl(command)
        # Settings changed in a dialog may persist in the application's memory only.
        self._windows = max(self._windows, len(observed.window_titles))
        return observed

    def _expect_impl(self, deck: bytes, name: str, files: Files) -> None:
        if self._spare is not None:
            self._spare.expect(deck, name, files)

    def _checkpoint_impl(self) -> MachineCheckpoint:
        process = self._require_process()
        need_bytes = max(STATE_BYTES, 2 * tree_memory_bytes(process.pid))
        self._snapshots.store.make_room(need_bytes)
        scratch = Scratch()
        try:
            state = process.keep(scratch.folder, self.config.step_timeout_sec)
            return MachineCheckpoint(self.kind, scratch.release, state)
        except BaseException:
            scratch.release()
            raise

    def _restore_impl(self, checkpoint: MachineCheckpoint) -> Observed:
        self._stop_current()
        return self._resume(checkpoint)

    def _fork_impl(self, checkpoint: MachineCheckpoint) -> "SandboxMachine":
        twin = SandboxMachine(self.config)
        twin._restored = twin._resume(checkpoint)
        return twin

    def _resume(self, checkpoint: MachineCheckpoint) -> Observed:
        state = checkpoint.state()
        self._process, observed = SandboxProcess.resume(self._require_image(), self.config, state)
        self._served = self.config.reuse  # its state is not that of a fresh one
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
        self._restored = None
        if process is not None:
            process.stop()

    def _close_impl(self) -> None:
        spare, self._spare = self._spare, None
        self._stop_current()
        if spare is not None:
            spare.discard()


@cache
def _looks_of(image_hash: str, config: MachineConfig) -> ReferenceObservations:
    """Return the reference observations shared by equal machines of this process."""
    return ReferenceObservations()


def _prepare(
    image: Image, config: MachineConfig, deck: bytes, name: str, files: Files
) -> tuple[SandboxProcess, Observed]:
    """Start a sandbox and open a deck in it."""
    process = SandboxProcess.start(image, config)
    try:
        return process, _open(process, config, deck, name, files)
    except BaseException:
        process.stop()
        raise


def _open(
    process: SandboxProcess, config: MachineConfig, deck: bytes, name: str, files: Files
) -> Observed:
    return process.link.load(deck, name, files, config.start_timeout_sec, config)


class _Spare:
    """A sandbox started in the background with the expected next deck open."""

    def __init__(
        self, image: Image, config: MachineConfig, deck: bytes, name: str, files: Files
    ) -> None:
        self._config = config
        self._wanted = (deck, name, dict(files))
        self._opened: tuple[bytes, str, Files] | None = None
        self._future: Future[tuple[SandboxProcess, Observed]] = Future()
        self._discarded = threading.Event()

        def work() -> None:
            try:
                prepared = self._bring_up(image)
            except BaseException as error:  # noqa: BLE001 - `take` decides what to do
                self._future.set_exception(error)
                return
            self._future.set_result(prepared)
            if self._discarded.is_set():
                prepared[0].stop()

        self._thread = threading.Thread(target=work, name="pptarena-spare", daemon=True)
        self._thread.start()

    def _bring_up(self, image: Image) -> tuple[SandboxProcess, Observed]:
        process = SandboxProcess.start(image, self._config)
        try:
            while True:  # repeat if another deck is expected meanwhile
                self._opened = self._wanted
                observed = _open(process, self._config, *self._opened)
                if self._wanted == self._opened:
                    return process, observed
        except BaseException:
            process.stop()
            raise

    def expect(self, deck: bytes, name: str, files: Files) -> None:
        """Prepare this deck instead; no effect once the sandbox is ready."""
        self._wanted = (deck, name, dict(files))

    def take(self, deck: bytes, name: str, files: Files) -> tuple[SandboxProcess, Observed] | None:
        """Return the sandbox with this deck open; None if it did not start or has died."""
        try:
            process, observed = self._future.result(self._config.start_timeout_sec)
        except (PPTArenaError, TimeoutError, OSError) as error:
            _log.warning("the spare sandbox did not come up: %s", error)
            self.discard(wait=False)
            return None
        if not process.alive():
            process.stop()
            return None
        if (deck, name, files) == self._opened:
            return process, observed
        try:
            return process, _open(process, self._config, deck, name, files)
        except BaseException:
            process.stop()
            raise

    def discard(self, *, wait: bool = True) -> None:
        """Stop the sandbox, even while it is starting."""
        self._discarded.set()
        if wait:
            self._thread.join(self._config.start_timeout_sec)
        if self._future.done():
            with contextlib.suppress(BaseException):
                self._future.result()[0].stop()
