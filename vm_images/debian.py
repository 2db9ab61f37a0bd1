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


def require_tools(package_by_tool: Mapping[str, str], product: str) -> None:
    """Check that programs are installed.

    Args:
        package_by_tool: Debian package by program.
        product: The product of the build, for the message.

    Raises:
        HostError: If some are missing; the message contains the command that installs them.
    """
    as_root = os.geteuid() == 0
    missing = [
        package
        for tool, package in package_by_tool.items()
        if shutil.which(tool) is None and not (as_root and tool == "newuidmap")
    ]
    if missing:
        raise HostError(
            f"missing programs for the {product} build; install them with: "
            f"sudo apt-get install {' '.join(missing)}"
        )


def require_space(folder: Path, result_bytes: int, scratch_bytes: int, product: str) -> None:
    """Check that there is enough disk space for a build.

    Args:
        folder: Destination of the result.
        result_bytes: Size of the result.
        scratch_bytes: Additional temporary space of the build.
        product: The product of the build, for the message.

    Raises:
        HostError: If there is too little; the message names the variable that changes the location.
    """
    scratch = scratch_folder(folder)
    if folder.stat().st_dev == scratch.stat().st_dev:
        requirements = {folder: (result_bytes + scratch_bytes, "PPTARENA_HOME")}
    else:
        requirements = {folder: (result_bytes, "PPTARENA_HOME"), scratch: (scratch_bytes, "TMPDIR")}
    for location, (needed, variable) in requirements.items():
        free = shutil.disk_usage(location).free
        if free < needed:
            raise HostError(
                f"the {product} build needs {needed / 2**30:.1f} GiB free in {location}, "
                f"there are {free / 2**30:.1f}; free some or set {variable} to another disk"
            )


def scratch_folder(work: Path) -> Path:
    """Return the folder for mmdebstrap's temporary files.

    For root it is the build's own folder, which the next build cleans up. Without root it must be
    accessible to the user ids of the namespace.
    """
    return work if os.geteuid() == 0 else Path(tempfile.gettempdir())


def unpack_debian(
    suite: str, options: Sequence[str], target: Path, selection: Sequence[str], work: Path, job: Job
) -> None:
    """Run mmdebstrap and unpack its tar stream as the calling user.

    Args:
        suite: Debian release.
        options: Options of mmdebstrap.
        target: Folder to unpack into; as root the files keep their owners.
        selection: Options and members for tar that select what to unpack.
        work: The build's own folder, for intermediate files of mmdebstrap.
        job: The build this is part of.

    Raises:
        ImageError: If either fails.
    """
    as_root = os.geteuid() == 0
    mmdebstrap = [
        *(*_own_mounts(), "mmdebstrap", "--format=tar"),
        *(f"--mode={'root' if as_root else 'unshare'}", *options, suite, "-"),
    ]
    owner = [] if as_root else ["--no-same-owner"]
    # --ignore-zeros: a tar that stops at the archive's end mark leaves the padding unread, and
    # mmdebstrap, which is still writing it, fails with a broken pipe.
    tar = ["tar", "-x", "--ignore-zeros", "-C", str(target), "-p", *owner, *selection]
    variables = {"TMPDIR": str(scratch_folder(work))}
    run_pipeline((Stage("mmdebstrap", mmdebstrap), Stage("tar", tar)), job, variables)


def _own_mounts() -> list[str]:
    """Return a command prefix that confines root's mounts to a namespace, if possible."""
    prefix = ["unshare", "--mount", "--"]
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return []
    probe = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    return prefix if probe.returncode == 0 else []
