"""Checks of ``pptarena doctor``: requirements of machines, and leftovers of crashes."""

import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from pptarena.errors import HostError, ImageError, PPTArenaError
from pptarena.paths import cache_home

__all__ = ["Check", "Finding", "Status", "check_host"]

MIN_PYTHON = (3, 11)
IMAGE_BYTES = 4 * 2**30
"""Free space needed to build the image, with a margin."""

SHM_BYTES = 64 * 2**20
MEMORY_BYTES = 2**30
BWRAP_TIMEOUT_SEC = 20.0

_MACHINES = ("bwrap", "qemu-system-x86_64")
_BUILD_IMAGE = "pptarena image build"
_BUILD_DISK = "pptarena image build --vm"


class Status(StrEnum):
    """Severity of a finding; only FAILED prevents machines from running."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True)
class Finding:
    """The result of one check.

    Attributes:
        name: Name of the check.
        status: Severity.
        detail: Description of the result.
        fix: The command that fixes the problem; ``""`` if there is none.
    """

    name: str
    status: Status
    detail: str
    fix: str = ""


Check = Callable[[], Finding]


def check_host(*, start: bool = True) -> Iterator[tuple[str, Check]]:
    """Yield the checks by name, to be called in this order.

    Args:
        start: Whether to start a machine at the end, if there is an image.
    """
    yield "python", _python
    yield "system", _system
    yield "bubblewrap", _bubblewrap
    yield "user namespaces", _namespaces
    yield "image", _image
    yield "build tools", _build_tools
    yield "disk space", _disk
    yield "shared memory", _shm
    yield "memory", _memory
    yield "qemu", _qemu
    yield "kvm", _kvm
    yield "vm disk", _vm_disk
    yield "leftover processes", _leftover_processes
    yield "leftover files", _leftover_files
    yield "sandbox checkpoints", partial(_checkpoints, start=start)
    if start:
        yield "sandbox", _sandbox


def _python() -> Finding:
    version = platform.python_version()
    if sys.version_info[:2] >= MIN_PYTHON:
        return Finding("python", Status.OK, version)
    return Finding("python", Status.FAILED, version, "install Python 3.11 or later")


def _system() -> Finding:
    detail = f"{platform.system()} {platform.release()} {platform.machine()}"
    if platform.system() == "Linux":
        return Finding("system", Status.OK, detail)
    return Finding(
        "system", Status.FAILED, detail, "use Linux; other systems only run --machine fake"
    )


def _bubblewrap() -> Finding:
    if not shutil.which("bwrap"):
        fix = "sudo apt-get install bubblewrap"
        return Finding("bubblewrap", Status.FAILED, "bwrap is not installed", fix)
    code, output = _call("bwrap", "--version")
    status = Status.OK if code == 0 else Status.FAILED
    return Finding("bubblewrap", status, output)


def _namespaces() -> Finding:
    finding = partial(Finding, "user namespaces")
    if not shutil.which("bwrap"):
        return finding(Status.FAILED, "cannot be checked without bwrap")
    command = ("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    code, output = _call(*command, "true")
    if code == 0:
        return finding(Status.OK, "bwrap can create namespaces")
    return finding(Status.FAILED, f"bwrap cannot create namespaces: {output}", _namespace_fix())


def _namespace_fix() -> str:
    settings = {
        "kernel/unprivileged_userns_clone": ("0", "1"),
        "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
        "user/max_user_namespaces": ("0", "15000"),
    }
    for name, (current, good) in settings.items():
        if _read(Path("/proc/sys") / name) == current:
            return f"sudo sysctl -w {name.replace('/', '.')}={good}"
    return "in a container: start it with --security-opt seccomp=unconfined --cap-add SYS_ADMIN"


def _image() -> Finding:
    from pptarena.vm_images.image import find_image, missing_image

    try:
        image = find_image()
    except ImageError as error:
        return Finding("image", Status.FAILED, str(error), _BUILD_IMAGE)
    if image is None:
        return Finding("image", Status.FAILED, missing_image(), _BUILD_IMAGE)
    detail = f"{image.hash}, {image.size_bytes / 2**20:.0f} MiB, built {image.created}"
    return Finding("image", Status.OK, detail)


def _build_tools() -> Finding:
    tools = {"mmdebstrap": "mmdebstrap", "tar": "tar"}
    if os.geteuid() != 0:
        tools["newuidmap"] = "uidmap"
    missing = {tool: package for tool, package in tools.items() if not shutil.which(tool)}
    if not missing:
        return Finding("build tools", Status.OK, ", ".join(tools))
    status = Status.WARNING if _image().status is Status.OK else Status.FAILED
    detail = f"not installed: {', '.join(missing)}; needed to build the image"
    return Finding(
        "build tools", status, detail, f"sudo apt-get install {' '.join(missing.values())}"
    )


def _disk() -> Finding:
    home = cache_home()
    existing = next(path for path in (home, *home.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    detail = f"{free / 2**30:.1f} GiB free for {home}"
    if not os.access(existing, os.W_OK):
        fix = f"make {existing} writable, or set PPTARENA_HOME to a writable folder"
        return Finding("disk space", Status.FAILED, f"{existing} cannot be written", fix)
    if free >= IMAGE_BYTES:
        return Finding("disk space", Status.OK, detail)
    status = Status.WARNING if _image().status is Status.OK else Status.FAILED
    fix = f"free {IMAGE_BYTES // 2**30} GiB there, or set PPTARENA_HOME to a larger disk"
    return Finding("disk space", status, detail, fix)


def _shm() -> Finding:
    try:
        size = shutil.disk_usage("/dev/shm").total
    except OSError as error:
        return Finding("shared memory", Status.WARNING, f"/dev/shm: {error}", _SHM_FIX)
    detail = f"/dev/shm has {size / 2**20:.0f} MiB"
    if size >= SHM_BYTES:
        return Finding("shared memory", Status.OK, detail)
    return Finding("shared memory", Status.WARNING, detail, _SHM_FIX)


_SHM_FIX = "sudo mount -o remount,size=1G /dev/shm (in a container: --shm-size 1g)"


def _memory() -> Finding:
    for line in (_read(Path("/proc/meminfo")) or "").splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
            detail = f"{free / 2**30:.1f} GiB available; a machine needs about 0.5 GiB"
            status = Status.OK if free >= MEMORY_BYTES else Status.WARNING
            fix = "" if status is Status.OK else "stop other programs"
            return Finding("memory", status, detail, fix)
    return Finding("memory", Status.WARNING, "cannot be read from /proc/meminfo")


def _qemu() -> Finding:
    """Look for a recent QEMU."""
    from pptarena.envs.machines.qemu.program import INSTALL_QEMU, find_qemu, qemu_version

    try:
        program = find_qemu()
        version = ".".join(map(str, qemu_version(program)))
    except HostError as error:
        return Finding("qemu", Status.WARNING, f"no virtual machines: {error}", INSTALL_QEMU)
    return Finding("qemu", Status.OK, f"{version}, {program}")


def _kvm() -> Finding:
    """Run a minimal guest under KVM."""
    from pptarena.envs.machines.qemu.program import INSTALL_QEMU, find_qemu, kvm_works

    try:
        is_usable, reason = kvm_works(find_qemu())
    except HostError:
        return Finding("kvm", Status.WARNING, "cannot be checked without QEMU", INSTALL_QEMU)
    if is_usable:
        return Finding("kvm", Status.OK, reason)
    detail = f"{reason}; virtual machines are emulated: a step takes about ten times as long"
    return Finding("kvm", Status.WARNING, detail)


def _vm_disk() -> Finding:
    """Look for the disk that virtual machines boot."""
    from pptarena.vm_images.disk import find_disk

    try:
        disk = find_disk()
    except ImageError as error:
        return Finding("vm disk", Status.WARNING, str(error), _BUILD_DISK)
    if disk is None:
        return Finding("vm disk", Status.WARNING, "not built", _BUILD_DISK)
    detail = f"{disk.hash}, {disk.size_bytes / 2**20:.0f} MiB, Linux {disk.kernel_version}"
    return Finding("vm disk", Status.OK, detail)


def _leftover_processes() -> Finding:
    """Look for machines whose owner process has ended.

    They are reported, not killed: if the owner is process 1, as in a container, its machines look
    the same.
    """
    orphans = _orphans()
    if not orphans:
        return Finding("leftover processes", Status.OK, "none")
    names = ", ".join(f"{pid} ({name})" for pid, name in orphans)
    fix = f"kill {' '.join(str(pid) for pid, _ in orphans)}"
    return Finding("leftover processes", Status.WARNING, names, fix)


def _leftover_files() -> Finding:
    """Remove checkpoints and incomplete snapshots whose owner process has ended."""
    from pptarena.envs.machines.snapshots.scratch import clear_stale_scratch
    from pptarena.envs.machines.snapshots.store import SnapshotStore

    removed = [*clear_stale_scratch(), *SnapshotStore().clear_interrupted()]
    if not removed:
        return Finding("leftover files", Status.OK, "none")
    names = ", ".join(folder.name for folder in removed)
    return Finding("leftover files", Status.OK, f"removed leftovers of a crash: {names}")


def _orphans() -> list[tuple[int, str]]:
    """Return pid and name of machines whose parent process has ended."""
    orphans = []
    for folder in Path("/proc").glob("[0-9]*"):
        command = (_read(folder / "cmdline") or "").split("\0")
        status = (_read(folder / "status") or "").splitlines()
        parent = next((line.split()[1] for line in status if line.startswith("PPid:")), "")
        name = Path(command[0]).name
        if (
            parent == "1"
            and name in _MACHINES
            and any("pptarena" in argument for argument in command)
        ):
            orphans.append((int(folder.name), name))
    return orphans


def _sandbox() -> Finding:
    from pptarena.rollouts.env import make_env
    from pptarena.rollouts.measure import first_reset

    if _image().status is not Status.OK:
        return Finding("sandbox", Status.FAILED, "cannot start without the image")
    try:
        seconds = first_reset(make_env("sandbox"))
    except PPTArenaError as error:
        return Finding("sandbox", Status.FAILED, f"did not start: {error}", _SANDBOX_FIX)
    return Finding("sandbox", Status.OK, f"started and opened a deck in {seconds:.1f} s")


def _checkpoints(*, start: bool) -> Finding:
    """Check whether sandboxes can be saved and restored; with `start`, do both."""
    from pptarena.envs.machines.sandbox import SandboxMachine
    from pptarena.envs.machines.sandbox.criu import checkpoint_problem, missing_features
    from pptarena.tasks import list_tasks
    from pptarena.vm_images.image import find_image

    finding = partial(Finding, "sandbox checkpoints")
    image = find_image() if _image().status is Status.OK else None
    if image is None:
        return finding(Status.WARNING, "cannot be checked without the image", _BUILD_IMAGE)
    reason, fix = checkpoint_problem(image.root)
    if not reason:
        reason, fix = missing_features(image), _KERNEL_FIX
    if reason:
        return finding(Status.WARNING, f"none; each episode starts a sandbox: {reason}", fix)
    if not start:
        return finding(Status.OK, "CRIU has all required features")
    task = list_tasks("starter")[0]
    try:
        with SandboxMachine() as machine:
            machine.load(task.deck_bytes(), task.file_name, task.files_bytes())
            with machine.checkpoint() as checkpoint:
                start_sec = time.monotonic()
                machine.restore(checkpoint)
    except PPTArenaError as error:
        return finding(Status.WARNING, f"none; each episode starts a sandbox: {error}", _KERNEL_FIX)
    return finding(Status.OK, f"saved and restored one in {time.monotonic() - start_sec:.1f} s")


_KERNEL_FIX = "use a kernel with CONFIG_CHECKPOINT_RESTORE; in a container: --privileged"
_SANDBOX_FIX = "fix the problems above, then run: pptarena --debug doctor"


def _call(*command: str) -> tuple[int, str]:
    """Return the exit code and the last line of output; code 124 is a timeout."""
    try:
        process = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BWRAP_TIMEOUT_SEC,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, f"no reply in {BWRAP_TIMEOUT_SEC:.0f} s"
    except OSError as error:
        return 126, str(error)
    lines = process.stdout.decode("utf-8", "replace").strip().splitlines()
    return process.returncode, lines[-1] if lines else ""


def _read(file: Path) -> str | None:
    try:
        return file.read_text("utf-8", "replace").strip("\n")
    except OSError:
        return None
