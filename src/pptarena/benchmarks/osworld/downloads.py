"""The files of OSWorld's tasks, as downloaded by a user."""

import uuid
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from pptarena.benchmarks.osworld.case import Download
from pptarena.benchmarks.outcome import RefusedError
from pptarena.benchmarks.user_copy import UserCopy

__all__ = ["Downloads"]

_HOMES = ("libreoffice_impress/{}", "{}", "cache/{}")


class Downloads:
    """A folder with one folder per task: ``libreoffice_impress/ID``, ``ID`` or ``cache/ID``.

    The benchmark's own runs create the last of these.

    Args:
        root: The folder.

    Raises:
        TaskError: If the folder does not exist.
    """

    def __init__(self, root: Path) -> None:
        self._copy = UserCopy(root)

    def deck(self, id: str, file: Download, place: str) -> bytes:
        """Return a .pptx file of a task.

        Raises:
            RefusedError: If the file is missing or not a deck.
        """
        return self._copy.deck(self._find(id, file, "a deck is missing", place), place)

    def file(self, id: str, file: Download, place: str) -> bytes:
        """Return the bytes of any other file of a task.

        Raises:
            RefusedError: If the file is missing.
        """
        return self._copy.file(self._find(id, file, "a file is missing", place), place)

    def _find(self, id: str, file: Download, cause: str, place: str) -> str:
        names = list(dict.fromkeys(_names(file)))
        for home in _HOMES:
            for name in names:
                words = f"{home.format(id)}/{name}"
                if self._copy.has(words):
                    return words
        where = " or ".join(home.format(id) for home in _HOMES)
        raise RefusedError(cause, f"{place}: expected {' or '.join(names)} in {where}")


def _names(file: Download) -> Iterator[str]:
    """Yield the possible names of a file, starting with its name in the benchmark's cache.

    In the cache, the name that a deck has in the machine may belong to a result.
    """
    if file.name:
        yield f"{uuid.uuid5(uuid.NAMESPACE_URL, file.url)}_{file.name}"
    name = PurePosixPath(unquote(urlsplit(file.url).path)).name
    if "." in name.strip("."):
        yield name
    if file.name:
        yield file.name
