"""The guest program as a second archive for the kernel, so that changing it needs no build."""

import hashlib
from pathlib import Path

from pptarena.vm_images.disk.cpio import CpioArchive

__all__ = ["guest_archive", "guest_hash"]

_GUEST = Path(__file__).resolve().parents[1] / "guest"


def guest_archive(folder: Path = _GUEST) -> bytes:
    """Return the guest program as an archive to append to a disk's ``initrd``.

    It contains ``guest/``: the Python files and the skeleton of the user's home. Equal files give
    equal bytes, independent of where the package is installed.

    Args:
        folder: The guest program, by default that of this package.
    """
    archive = CpioArchive()
    archive.add_folder("guest")
    added: set[Path] = set()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        path = file.relative_to(folder)
        if "__pycache__" in path.parts:
            continue
        for parent in reversed(path.parents[:-1]):
            if parent not in added:
                archive.add_folder(f"guest/{parent.as_posix()}")
                added.add(parent)
        archive.add_file(f"guest/{path.as_posix()}", file.read_bytes())
    return archive.to_bytes()


def guest_hash(folder: Path = _GUEST) -> str:
    """Return twelve hex digits that change with every file of the guest program."""
    return hashlib.sha256(guest_archive(folder)).hexdigest()[:12]
