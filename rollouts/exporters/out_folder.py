"""Where an export goes: files that are whole or not there; no link in the folder is followed."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pptarena.errors import StoreError
from pptarena.files import Folder, replacing

__all__ = ["OutFolder"]

_PICTURES = "images"


class OutFolder:
    """The folder that an export writes to.

    Args:
        path: The folder; it is made if need be.

    Raises:
        StoreError: If it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: set[str] = set()
        with self._written(path):
            path.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def file(self, name: str) -> Iterator[IO[bytes]]:
        """Write a file.

        Raises:
            StoreError: If it cannot be written; nothing is written then.
        """
        with self._written(self.path / name), replacing(self.path / name) as out:
            yield out

    def add_picture(self, png: bytes) -> str:
        """Keep a picture, equal ones once; return its path from the export's root.

        Raises:
            StoreError: If it cannot be written.
        """
        name = f"{_PICTURES}/{hashlib.sha256(png).hexdigest()[:24]}.png"
        if name not in self._kept:
            folder = self.path / _PICTURES
            with self._written(folder):
                folder.mkdir(exist_ok=True)
                with Folder(folder), replacing(self.path / name) as out:
                    out.write(png)
            self._kept.add(name)
        return name

    def require_no_links(self, name: str) -> None:
        """Refuse a place of which a part is a link.

        Raises:
            StoreError: If one is.
        """
        place = self.path
        for part in Path(name).parts:
            place /= part
            if os.path.islink(place):
                raise StoreError(f"{place}: expected a folder of the export, found a link")

    @contextmanager
    def _written(self, path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error}") from error
