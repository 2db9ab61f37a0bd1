"""The folder that a build works in until its result is complete."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pptarena.files import Folder, remove_folder
from pptarena.vm_images.image import image_folder, remove_tree

__all__ = ["build_workspace", "install", "is_workspace"]

_PREFIX = ".building-"
_KIND = "build"  # contents of the mark


@contextmanager
def build_workspace() -> Iterator[Path]:
    """Yield an empty folder next to the images, which is removed at the end.

    Leftovers of interrupted builds are removed first; the caller must hold the lock of the images.
    """
    for stale in image_folder().glob(f"{_PREFIX}*"):
        remove_folder(stale.parent, stale.name, is_workspace)
    work = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=image_folder()))
    try:
        with Folder(work) as folder:
            folder.mark(_KIND)
        yield work
    finally:
        remove_tree(work)


def is_workspace(folder: Folder) -> bool:
    """Return whether a folder is the workspace of a build."""
    return folder.path.name.startswith(_PREFIX) and folder.is_marked(_KIND)


def install(finished: Path, target: Path, work: Path) -> None:
    """Rename a finished folder to its final path; an existing one goes to the workspace."""
    if target.exists():
        target.rename(work / "replaced")
    finished.rename(target)
