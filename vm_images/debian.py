"""Fetch Debian packages with mmdebstrap, as root or as an ordinary user, and unpack them."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from pptarena.errors import HostError
from pptarena.vm_images.pipeline import Job, Stage, run_pipeline

__all__ = ["DEBIAN_TOOLS", "require_space", "require_tools", "scratch_folder", "unpack_debian"]

DEBIAN_TOOLS = {"mmdebstrap": "mmdebstrap", "tar": "tar", "newuidmap": "uidmap"}


def require_tools(needed: Mapping[str, str], what: str) -> None:
    """Check that programs are installed.

    Args:
        needed: Debian package by program.
        what: The purpose of the programs, for the message.

    Raises:
        HostError: If some are missing; the message contains the command that installs them.
    """
    as_root = os.geteuid() == 0
    missing = [
        package
        for tool, package in needed.items()
        if shutil.which(tool) is None and not (as_root and tool == "newuidmap")
    ]
    if missing:
        raise HostError(
            f"missing programs for the {what} build; install them with: "
            f"sudo apt-get install {' '.join(missing)}"
        )


def require_space(folder: Path, kept_bytes: int, scratch_bytes: int, what: str) -> None:
    """Check that there is enough disk space for a build.

    Args:
        folder: Destination of the result.
        kept_bytes: Size of the result.
        scratch_bytes: Additional temporary space of the build.
        what: What is being built, for the message.

    Raises:
        HostError: If there is too little; the message names the variable that changes the location.
    """
    scratch = scratch_folder(folder)
    if folder.stat().st_dev == scratch.stat().st_dev:
        needs = {folder: (kept_bytes + scratch_bytes, "PPTARENA_HOME")}
    else:
        needs = {folder: (kept_bytes, "PPTARENA_HOME"), scratch: (scratch_bytes, "TMPDIR")}
    for place, (needed, variable) in needs.items():
        free = shutil.disk_usage(place).free
        if free < needed:
            raise HostError(
                f"the {what} build needs {needed / 2**30:.1f} GiB free in {place}, "
                f"there are {free / 2**30:.1f}; free some or set {variable} to another disk"
            )


def scratch_folder(work: Path) -> Path:
    """Return where mmdebstrap works: for root, where the next build removes leftovers."""
    # Without root it must be a folder that the user ids of the namespace can enter.
    return work if os.geteuid() == 0 else Path(tempfile.gettempdir())


def unpack_debian(
    suite: str, options: Sequence[str], target: Path, chosen: Sequence[str], work: Path, job: Job
) -> None:
    """Run mmdebstrap and unpack its tar stream as the calling user.

    Args:
        suite: Debian release.
        options: Options of mmdebstrap.
        target: Folder to unpack into; as root the files keep their owners.
        chosen: Options and members for tar that select what to unpack.
        work: The build's own folder, for intermediate files of mmdebstrap.
        job: The build this is part of.

    Raises:
        ImageError: If either fails.
    """
    as_root = os.geteuid() == 0
    maker = [
        *(*_own_mounts(), "mmdebstrap", "--format=tar"),
        *(f"--mode={'root' if as_root else 'unshare'}", *options, suite, "-"),
    ]
    owner = [] if as_root else ["--no-same-owner"]
    # --ignore-zeros: a tar that stops at the archive's end mark leaves the padding unread, and
    # mmdebstrap, which is still writing it, fails with a broken pipe.
    unpack = ["tar", "-x", "--ignore-zeros", "-C", str(target), "-p", *owner, *chosen]
    variables = {"TMPDIR": str(scratch_folder(work))}
    run_pipeline((Stage("mmdebstrap", maker), Stage("tar", unpack)), job, variables)


def _own_mounts() -> list[str]:
    """Return a command prefix that confines root's mounts to a namespace, if possible."""
    prefix = ["unshare", "--mount", "--"]
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return []
    tried = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    return prefix if tried.returncode == 0 else []
