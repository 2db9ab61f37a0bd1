"""Where a build works until its result is complete."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pptarena.files import Folder, remove_folder
from pptarena.vm_images.image import image_folder, remove_tree

__all__ = ["build_workspace", "install", "is_workspace"]

_PREFIX = ".building-"
_KIND = "build"  # what the mark says


@contextmanager
def build_workspace() -> Iterator[Path]:
    """Yield an empty folder beside the images, which goes away in the end.

    What interrupted builds left is cleared before; so the caller holds the lock of the images.
    """
    for stale in image_folder().glob(f"{_PREFIX}*"):
        remove_folder(stale.parent, stale.name, is_workspace)
    work = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=image_folder()))
    try:
        with Folder(work) as made:
            made.mark(_KIND)
        yield work
    finally:
        remove_tree(work)


def is_workspace(folder: Folder) -> bool:
    """Return whether a folder is what a build worked in."""
    return folder.path.name.startswith(_PREFIX) and folder.is_marked(_KIND)


def install(made: Path, target: Path, work: Path) -> None:
    """Move a finished folder to its place by one rename; what was there goes to the workspace."""
    if target.exists():
        target.rename(work / "replaced")
    made.rename(target)
