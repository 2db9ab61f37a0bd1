"""Pictures of an export: one file for equal pictures, named by content."""

import hashlib
import shutil
from pathlib import Path

from pptarena.errors import StoreError

__all__ = ["PictureFolder"]


class PictureFolder:
    """Copies screenshots as they are, without loss.

    Args:
        root: The export; pictures go into its folder ``images``.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        (root / "images").mkdir(parents=True, exist_ok=True)

    def add(self, file: Path) -> str:
        """Copy a picture unless it is there; return its path from the export's root.

        Raises:
            StoreError: If it cannot be copied.
        """
        try:
            name = f"images/{hashlib.sha256(file.read_bytes()).hexdigest()[:24]}.png"
            target = self._root / name
            if not target.exists():
                shutil.copyfile(file, target)
        except OSError as error:
            raise StoreError(f"{file} cannot be copied: {error}") from error
        return name
