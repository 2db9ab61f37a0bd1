"""The files of OSWorld's tasks, as a user has downloaded them."""

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
    """A folder with a folder for each task: ``libreoffice_impress/ID``, ``ID`` or ``cache/ID``.

    The last is what the benchmark's own runs leave behind.

    Args:
        root: The folder.

    Raises:
        TaskError: If it is none.
    """

    def __init__(self, root: Path) -> None:
        self._copy = UserCopy(root)

    def deck(self, id: str, file: Download, place: str) -> bytes:
        """Return a .pptx file of a task.

        Raises:
            RefusedError: If it is not there, or no deck.
        """
        return self._copy.deck(self._find(id, file, "a deck is missing", place), place)

    def file(self, id: str, file: Download, place: str) -> bytes:
        """Return the bytes of any other file of a task.

        Raises:
            RefusedError: If it is not there.
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
    """Yield what a file may be called: first as the benchmark's own cache has it.

    There the name that a deck has in the machine may be that of a result.
    """
    if file.name:
        yield f"{uuid.uuid5(uuid.NAMESPACE_URL, file.url)}_{file.name}"
    name = PurePosixPath(unquote(urlsplit(file.url).path)).name
    if "." in name.strip("."):
        yield name
    if file.name:
        yield file.name
