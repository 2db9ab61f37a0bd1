"""What a computer needs to run machines, checked one by one."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pptarena.cli.finding import Check, Finding, Status
from pptarena.cli.leftovers import files, processes
from pptarena.cli.vm_checks import disk, kvm, qemu
from pptarena.errors import ImageError, PPTArenaError
from pptarena.paths import cache_home

__all__ = ["check_host"]

MIN_PYTHON = (3, 11)
IMAGE_BYTES = 4 * 2**30
"""Free space that building the image takes at most, with room to spare."""

SHM_BYTES = 64 * 2**20
MEMORY_BYTES = 2**30
BWRAP_TIMEOUT_SEC = 20.0


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
    yield "qemu", qemu
    yield "kvm", kvm
    yield "vm disk", disk
    yield "leftover processes", processes
    yield "leftover files", files
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
    return Finding("system", Status.FAILED, detail, "use Linux; elsewhere only --machine fake runs")


def _bubblewrap() -> Finding:
    if not shutil.which("bwrap"):
        mend = "sudo apt-get install bubblewrap"
        return Finding("bubblewrap", Status.FAILED, "bwrap is not installed", mend)
    code, output = _call("bwrap", "--version")
    status = Status.OK if code == 0 else Status.FAILED
    return Finding("bubblewrap", status, output)


def _namespaces() -> Finding:
    finding = partial(Finding, "user namespaces")
    if not shutil.which("bwrap"):
        return finding(Status.FAILED, "cannot be tried without bwrap")
    command = ("bwrap", "--unshare-all", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    code, output = _call(*command, "true")
    if code == 0:
        return finding(Status.OK, "bwrap can make its own namespaces")
    return finding(Status.FAILED, f"bwrap cannot make its namespaces: {output}", _namespace_mend())


def _namespace_mend() -> str:
    switches = {
        "kernel/unprivileged_userns_clone": ("0", "1"),
        "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
        "user/max_user_namespaces": ("0", "15000"),
    }
    for name, (bad, good) in switches.items():
        if _read(Path("/proc/sys") / name) == bad:
            return f"sudo sysctl -w {name.replace('/', '.')}={good}"
    return "in a container: start it with --security-opt seccomp=unconfined --cap-add SYS_ADMIN"


def _image() -> Finding:
    from pptarena.vm_images.image import find_image, missing_image

    try:
        image = find_image()
    except ImageError as error:
        return Finding("image", Status.FAILED, str(error), "pptarena image build")
    if image is None:
        return Finding("image", Status.FAILED, missing_image(), "pptarena image build")
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
    detail = f"not installed: {', '.join(missing)}; building the image needs it"
    return Finding(
        "build tools", status, detail, f"sudo apt-get install {' '.join(missing.values())}"
    )


def _disk() -> Finding:
    home = cache_home()
    existing = next(path for path in (home, *home.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    detail = f"{free / 2**30:.1f} GiB free for {home}"
    if not os.access(existing, os.W_OK):
        mend = f"make {existing} writable, or set PPTARENA_HOME to a folder that is"
        return Finding("disk space", Status.FAILED, f"{existing} cannot be written", mend)
    if free >= IMAGE_BYTES:
        return Finding("disk space", Status.OK, detail)
    status = Status.WARNING if _image().status is Status.OK else Status.FAILED
    mend = f"free {IMAGE_BYTES // 2**30} GiB there, or set PPTARENA_HOME to a larger disk"
    return Finding("disk space", status, detail, mend)


def _shm() -> Finding:
    try:
        size = shutil.disk_usage("/dev/shm").total
    except OSError as error:
        return Finding("shared memory", Status.WARNING, f"/dev/shm: {error}", _SHM_MEND)
    detail = f"/dev/shm has {size / 2**20:.0f} MiB"
    if size >= SHM_BYTES:
        return Finding("shared memory", Status.OK, detail)
    return Finding("shared memory", Status.WARNING, detail, _SHM_MEND)


_SHM_MEND = "sudo mount -o remount,size=1G /dev/shm (in a container: --shm-size 1g)"


def _memory() -> Finding:
    for line in (_read(Path("/proc/meminfo")) or "").splitlines():
        if line.startswith("MemAvailable:"):
            free = int(line.split()[1]) * 1024
            detail = f"{free / 2**30:.1f} GiB available; a machine takes about 0.5 GiB"
            status = Status.OK if free >= MEMORY_BYTES else Status.WARNING
            mend = "" if status is Status.OK else "stop other programs"
            return Finding("memory", status, detail, mend)
    return Finding("memory", Status.WARNING, "cannot be read from /proc/meminfo")


def _sandbox() -> Finding:
    from pptarena.rollouts.env import make_env
    from pptarena.rollouts.measure import first_reset

    if _image().status is not Status.OK:
        return Finding("sandbox", Status.FAILED, "cannot be started without the image")
    try:
        seconds = first_reset(make_env("sandbox", spare=False))
    except PPTArenaError as error:
        return Finding("sandbox", Status.FAILED, f"did not start: {error}", _SANDBOX_MEND)
    return Finding("sandbox", Status.OK, f"started and opened a deck in {seconds:.1f} s")


_SANDBOX_MEND = "mend the findings above; then: pptarena --debug doctor"


def _call(*command: str) -> tuple[int, str]:
    """Return exit code and the last line of output; code 124 means that it took too long."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BWRAP_TIMEOUT_SEC,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 124, f"no answer in {BWRAP_TIMEOUT_SEC:.0f} s"
    except OSError as error:
        return 126, str(error)
    lines = done.stdout.decode("utf-8", "replace").strip().splitlines()
    return done.returncode, lines[-1] if lines else ""


def _read(file: Path) -> str | None:
    try:
        return file.read_text("utf-8", "replace").strip("\n")
    except OSError:
        return None
