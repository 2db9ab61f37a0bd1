"""Where a build works until its result is complete."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pptarena.vm_images.image import image_folder, remove_tree

__all__ = ["build_workspace", "install"]

_PREFIX = ".building-"


@contextmanager
def build_workspace() -> Iterator[Path]:
    """Yield an empty folder beside the images, which goes away in the end.

    What interrupted builds left is cleared before; so the caller holds the lock of the images.
    """
    for stale in image_folder().glob(f"{_PREFIX}*"):
        remove_tree(stale)
    work = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=image_folder()))
    try:
        yield work
    finally:
        remove_tree(work)


def install(made: Path, target: Path, work: Path) -> None:
    """Move a finished folder to its place by one rename; what was there goes to the workspace."""
    if target.exists():
        target.rename(work / "replaced")
    made.rename(target)
