"""The built disk of the image: its location and contents."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.errors import ImageError
from pptarena.vm_images.disk.recipe import load_disk_recipe
from pptarena.vm_images.image import MANIFEST, Image, find_image, image_folder, write_manifest

__all__ = [
    "DISK_PREFIX",
    "INITRD",
    "KERNEL",
    "ROOT",
    "Disk",
    "disk_folder",
    "find_disk",
    "require_disk",
    "write_disk_manifest",
]

DISK_PREFIX = "vm-"
ROOT, KERNEL, INITRD = "root.squashfs", "vmlinuz", "initrd.cpio"
_FILES = (ROOT, KERNEL, INITRD)
_BUILD_COMMAND = "pptarena image build --vm"


@dataclass(frozen=True, slots=True)
class Disk:
    """The files that a virtual machine boots: the image as a read-only disk, and a kernel for it.

    Attributes:
        folder: Contains the files and ``manifest.json``.
        hash: Hash of the recipe and the image it was built from.
        digest: Twelve hex digits of the contents of all files. It differs between two builds of one
            recipe if Debian has a newer kernel, so results can refer to the exact disk.
        size_bytes: Size of all files.
        kernel_version: Version reported by the kernel.
        modules: Kernel modules that the boot loads, in this order.
        created: Build time, ISO 8601, UTC.
    """

    folder: Path
    hash: str
    digest: str
    size_bytes: int
    kernel_version: str
    modules: tuple[str, ...]
    created: str

    @property
    def root(self) -> Path:
        """The root filesystem: a raw squashfs, to be attached read-only."""
        return self.folder / ROOT

    @property
    def kernel(self) -> Path:
        """The kernel."""
        return self.folder / KERNEL

    @property
    def initrd(self) -> Path:
        """The initial file system; the boot needs it with `guest_archive` appended."""
        return self.folder / INITRD

    def to_json(self) -> dict[str, Any]:
        """Return the output of ``pptarena image info --json``."""
        return {
            "hash": self.hash,
            "digest": self.digest,
            "folder": str(self.folder),
            "size_mb": round(self.size_bytes / 2**20, 1),
            "kernel_version": self.kernel_version,
            "created": self.created,
        }


def disk_folder(image: Image) -> Path:
    """Return the path of the disk of the current recipe, built or not."""
    return image.folder / (DISK_PREFIX + load_disk_recipe().hash(image.hash))


def find_disk() -> Disk | None:
    """Return the disk of the current recipe and image; None if it is not built.

    Raises:
        ImageError: If it or the image is damaged; the message contains the command that rebuilds
            it.
    """
    image = find_image()
    return None if image is None else _read(disk_folder(image))


def require_disk() -> Disk:
    """Return the disk of the current recipe and image.

    Raises:
        ImageError: If it is not built; the message contains the command that builds it.
    """
    disk = find_disk()
    if disk is None:
        raise ImageError(
            f"no disk for virtual machines in {image_folder()}; build it with: {_BUILD_COMMAND}"
        )
    return disk


def write_disk_manifest(folder: Path, facts: Mapping[str, Any]) -> None:
    """Write the manifest that makes a folder with the three files a disk.

    Args:
        folder: Location of the files.
        facts: ``hash``, ``kernel_version``, ``modules`` and ``created`` of the disk.
    """
    digest = hashlib.sha256()
    for name in _FILES:
        with open(folder / name, "rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    files = {name: (folder / name).stat().st_size for name in _FILES}
    write_manifest(folder, {**facts, "files": files, "digest": digest.hexdigest()[:12]})


def _read(folder: Path) -> Disk | None:
    if not folder.exists():
        return None
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        sizes = {name: int(manifest["files"][name]) for name in _FILES}
        disk = Disk(
            folder=folder,
            hash=str(manifest["hash"]),
            digest=str(manifest["digest"]),
            size_bytes=sum(sizes.values()),
            kernel_version=str(manifest["kernel_version"]),
            modules=tuple(str(name) for name in manifest["modules"]),
            created=str(manifest["created"]),
        )
        actual_sizes = {name: (folder / name).stat().st_size for name in _FILES}
    except KeyError as error:
        raise _damaged(folder, f"no {error} in {MANIFEST}") from error
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise _damaged(folder, f"{MANIFEST} or a file listed in it: {error}") from error
    if DISK_PREFIX + disk.hash != folder.name:
        raise _damaged(folder, f"{MANIFEST} belongs to {disk.hash}")
    if actual_sizes != sizes:
        raise _damaged(folder, f"expected files of {sizes} bytes, got {actual_sizes}")
    return disk


def _damaged(folder: Path, reason: str) -> ImageError:
    return ImageError(
        f"the disk in {folder} is damaged ({reason}); build it again with: {_BUILD_COMMAND}"
    )
