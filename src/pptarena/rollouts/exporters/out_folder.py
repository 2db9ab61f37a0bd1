"""The folder of an export: written atomically, and without following links."""

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pptarena.errors import StoreError

__all__ = ["OutFolder"]

_PICTURES = "images"
_PARTIAL = ".partial-export-"


class OutFolder:
    """The folder that an export writes to, for use in a ``with`` statement.

    Files are written into a temporary folder on the same disk. They are moved to their final
    location when the block ends, pictures first; if it ends with an error, they are removed.

    Args:
        path: The folder; it is created if necessary.

    Attributes:
        path: The folder.
        partial: The temporary folder, within the block.

    Raises:
        StoreError: If it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pictures: set[str] = set()

    def __enter__(self) -> Self:
        self._existed_before = self.path.is_dir()
        parent = self.path if self._existed_before else self.path.absolute().parent
        self.partial = parent.absolute() / f"{_PARTIAL}{secrets.token_hex(6)}"
        with self._convert_errors(self.path):
            parent.mkdir(parents=True, exist_ok=True)
            self.partial.mkdir()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                with self._convert_errors(self.path):
                    self._publish()
        finally:
            shutil.rmtree(self.partial, ignore_errors=True)

    @contextmanager
    def file(self, name: str) -> Iterator[IO[bytes]]:
        """Write a file.

        Raises:
            StoreError: If it cannot be written; nothing is written then.
        """
        with self._convert_errors(self.path / name), (self.partial / name).open("xb") as out:
            yield out

    def add_picture(self, png: bytes) -> str:
        """Store a picture, equal ones once; return its path from the export's root.

        Raises:
            StoreError: If it cannot be written.
        """
        name = f"{_PICTURES}/{hashlib.sha256(png).hexdigest()[:24]}.png"
        if name not in self._pictures:
            with self._convert_errors(self.path / name):
                (self.partial / _PICTURES).mkdir(exist_ok=True)
                (self.partial / name).write_bytes(png)
            self._pictures.add(name)
        return name

    def require_no_links(self, name: str) -> None:
        """Refuse a path with a link in it.

        Raises:
            StoreError: If there is one.
        """
        path = self.path
        for part in Path(name).parts:
            path /= part
            if os.path.islink(path):
                raise StoreError(f"{path}: expected a folder of the export, found a link")

    def _publish(self) -> None:
        """Move the written files to their final location; files of earlier exports are replaced."""
        if not self._existed_before:
            try:
                os.rename(self.partial, self.path)
                return
            except OSError:
                self.path.mkdir(exist_ok=True)  # another process created it meanwhile
        files = [file.relative_to(self.partial) for file in self.partial.rglob("*")]
        regular = [name for name in files if not (self.partial / name).is_dir()]
        for name in sorted(regular, key=lambda name: (-len(name.parts), name)):
            self.require_no_links(str(name.parent))
            (self.path / name.parent).mkdir(parents=True, exist_ok=True)
            os.replace(self.partial / name, self.path / name)

    @contextmanager
    def _convert_errors(self, path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error}") from error
