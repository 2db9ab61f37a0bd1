"""Build the disk of a virtual machine from the built image, without root.

The finished disk appears by one rename, so an interrupted build leaves none.
"""

import platform
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from pptarena.errors import HostError, ImageError
from pptarena.vm_images.children import ChildGroup
from pptarena.vm_images.debian import DEBIAN_TOOLS, require_space, require_tools, unpack_debian
from pptarena.vm_images.disk.cpio import CpioArchive
from pptarena.vm_images.disk.disk import (
    INITRD,
    KERNEL,
    ROOT,
    Disk,
    disk_folder,
    find_disk,
    require_disk,
    write_disk_manifest,
)
from pptarena.vm_images.disk.modules import KernelModule, resolve_modules
from pptarena.vm_images.disk.recipe import DiskRecipe, load_disk_recipe
from pptarena.vm_images.image import (
    Image,
    image_folder,
    lock_images,
    require_image,
)
from pptarena.vm_images.pipeline import Job, Progress, Stage, run_pipeline
from pptarena.vm_images.recipe import load_recipe
from pptarena.vm_images.workspace import build_workspace, install

__all__ = ["build_disk"]

DISK_BYTES = 512 * 2**20
SCRATCH_BYTES = 768 * 2**20
_TOOLS = {**DEBIAN_TOOLS, "mksquashfs": "squashfs-tools"}
# Contents of folders that the virtual machine creates at each boot.
_EMPTIED = ("dev", "proc", "sys", "run", "tmp", "home", "opt")
_ALL = ("*", ".*")
_BUSYBOX = "usr/bin/busybox"
_INITRD_FOLDERS = ("bin", "dev", "image", "modules", "proc", "sys")
_CONSOLE = (5, 1)  # major and minor number
_MODULES = "usr/lib/modules"
# The sandbox shows the image's files as the agent's own, so all of them are readable. On the disk
# they belong to root, and files that only root can read (the application's first profile) must be
# opened.
_READABLE = ("-action", "chmod(a+rX)@true")
# lz4 with small blocks: a read under pure emulation costs mostly its decompression.
_SQUASHFS = ("-comp", "lz4", "-b", "128K", "-all-root", "-no-xattrs", "-mkfs-time", "0")


def build_disk(progress: Progress, *, force: bool = False) -> Disk:
    """Build the disk of the current recipe and image unless it exists.

    Args:
        progress: Called with one line for each stage.
        force: Build it even if it exists.

    Raises:
        HostError: If a tool or disk space is missing; the message explains what to do.
        ImageError: If there is no image, or a stage fails; the message contains the end of its
            output.
    """
    if platform.machine() != "x86_64":
        raise HostError(
            f"virtual machines require an x86-64 host, this is {platform.machine()}; "
            "use the machine 'sandbox'"
        )
    image = require_image()
    if image.folder.parent != image_folder():
        return _shared_disk(image, force)
    require_tools(_TOOLS, "disk")
    try:
        with lock_images(lambda: progress("waiting for another build to end")) as lock:
            return _existing_disk(force, progress) or _build(image, lock, progress)
    except OSError as error:
        raise ImageError(f"cannot write the disk to {image.folder}: {error}") from error


def _shared_disk(image: Image, force: bool) -> Disk:
    """Return the disk of an image that another user shares; nothing is written there."""
    disk = None if force else find_disk()
    if disk is None:
        raise ImageError(
            f"the image {image.folder} is shared, so no disk is built in it: ask the user who "
            "built it for a disk, or build your own image first: pptarena image build --force"
        )
    return disk


def _existing_disk(force: bool, progress: Progress) -> Disk | None:
    if force:
        return None
    try:
        return find_disk()
    except ImageError:
        progress("the existing disk is damaged and is built again")
        return None


def _build(image: Image, lock: int, progress: Progress) -> Disk:
    recipe = load_disk_recipe()
    with build_workspace() as work:
        require_space(image_folder(), DISK_BYTES, SCRATCH_BYTES, "disk")
        packages, staging = work / "fetched", work / "disk"
        packages.mkdir()
        staging.mkdir()
        with ChildGroup() as group:
            job = Job("disk", group, lock, progress)
            _fetch(recipe, packages, work, job)
            version, modules = _install_kernel(recipe, packages, staging)
            progress("packing the root filesystem")
            run_pipeline([Stage("mksquashfs", _mksquashfs(image, staging))], job, {})
        facts = {
            "hash": recipe.hash(image.hash),
            "kernel_version": version,
            "modules": [module.name for module in modules],
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        write_disk_manifest(staging, facts)
        install(staging, disk_folder(image), work)
    return require_disk()


def _fetch(recipe: DiskRecipe, target: Path, work: Path, job: Job) -> None:
    """Unpack the kernel, its modules and busybox; no program of the packages is run."""
    options = [
        "--variant=extract",
        '--aptopt=Apt::Install-Recommends "false"',
        f"--include={','.join(recipe.packages)}",
    ]
    selection = ["--wildcards", "./boot/vmlinuz-*", "./usr/lib/modules/*", f"./{_BUSYBOX}"]
    unpack_debian(load_recipe().suite, options, target, selection, work, job)


def _install_kernel(
    recipe: DiskRecipe, packages: Path, target: Path
) -> tuple[str, list[KernelModule]]:
    """Write kernel and initial file system; return the kernel's version and its modules."""
    versions = sorted(folder.name for folder in (packages / _MODULES).glob("*"))
    if len(versions) != 1:
        raise ImageError(f"expected the modules of one kernel, got {versions}")
    version = versions[0]
    modules = resolve_modules(recipe.modules, packages / _MODULES / version)
    shutil.copyfile(packages / "boot" / f"vmlinuz-{version}", target / KERNEL)
    initrd = _make_initrd((packages / _BUSYBOX).read_bytes(), modules, recipe.init)
    (target / INITRD).write_bytes(initrd)
    return version, modules


def _make_initrd(busybox: bytes, modules: Sequence[KernelModule], init: str) -> bytes:
    """Return the initial file system: busybox, kernel modules and the boot script.

    The archive is not compressed, because unpacking costs more under emulation.

    Args:
        busybox: The statically linked program.
        modules: Loaded in this order.
        init: The script that is process 1.
    """
    archive = CpioArchive()
    for name in _INITRD_FOLDERS:
        archive.add_folder(name)
    # The kernel opens it for process 1 before anything is mounted.
    archive.add_character_device("dev/console", *_CONSOLE)
    archive.add_file("bin/busybox", busybox, 0o755)
    archive.add_link("bin/sh", "busybox")
    for number, module in enumerate(modules):
        archive.add_file(f"modules/{number:02}-{module.name}.ko", module.content)
    archive.add_file("init", init.encode(), 0o755)
    return archive.to_bytes()


def _mksquashfs(image: Image, target: Path) -> list[str]:
    return [
        *("mksquashfs", str(image.root), str(target / ROOT), *_SQUASHFS, *_READABLE),
        *("-noappend", "-no-progress", "-quiet", "-exit-on-error"),
        *("-wildcards", "-e", *(f"{name}/{glob}" for name in _EMPTIED for glob in _ALL)),
    ]
