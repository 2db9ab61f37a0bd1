"""Attachments: files next to the deck in the machine's Documents, such as pictures and tables."""

import errno
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pptarena.errors import TaskError
from pptarena.files import read_file
from pptarena.problems import Problems
from pptarena.tasks.allowed_folders import require_inside

__all__ = [
    "MAX_FILES",
    "MAX_FILES_BYTES",
    "TaskFile",
    "find_files",
    "packaged_file",
    "read_files",
    "require_collected",
    "require_files",
]

MAX_FILES = 16
"""Maximum number of attachments of a task."""

MAX_FILES_BYTES = 64 * 2**20
"""Maximum total size of a task's attachments, in bytes."""

_FOLDER = Path(__file__).parent / "decks" / "files"
# Characters that every file system, file dialog and window title supports.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,78}[A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class TaskFile:
    """One attachment.

    Attributes:
        name: File name in the machine.
        source: Path or contents.
    """

    name: str
    source: Path | bytes


def find_files(paths: Sequence[object], folder: Path) -> tuple[TaskFile, ...]:
    """Return the attachments that a task file names.

    Args:
        paths: Paths relative to the folder of the task file, or packaged files such as
            ``"harbor/costs.csv"``.
        folder: Folder of the task file. Paths outside it are rejected unless they are allowed
            (`pptarena.tasks.allowed_folders`).

    Raises:
        TaskError: If a file does not exist, or is outside the folder.
    """
    problems = Problems(TaskError)
    files = problems.read_each(paths, lambda index, each: _find(each, folder, f"files/{index}"))
    problems.finish()
    return files


def _find(name: object, folder: Path, location: str) -> TaskFile:
    if not isinstance(name, str) or not name:
        raise TaskError(f"{location}: expected the path of a file, got {name!r}")
    for base in (folder.resolve(), _FOLDER.resolve()):
        try:
            path = (base / name).resolve()
            if not path.is_file():
                continue
        except (OSError, ValueError, RuntimeError):  # an invalid path, or a cycle of links
            continue
        require_inside(path, base, location)
        return TaskFile(path.name, path)
    raise TaskError(
        f"{location}: expected a file in the folder of the task, there is no {name!r} in {folder}"
    )


def packaged_file(name: str) -> bytes:
    """Return a packaged file, such as ``"harbor/costs.csv"``.

    Raises:
        TaskError: If no packaged file has that name.
    """
    (file,) = find_files([name], _FOLDER)
    return _read(file, MAX_FILES_BYTES)


def require_files(files: Sequence[TaskFile], deck: str) -> None:
    """Validate the names of attachments.

    Args:
        files: The attachments of a task.
        deck: File name of the deck.

    Raises:
        TaskError: If there are too many files, a name contains a path or unsupported characters, or
            two names are equal.
    """
    if len(files) > MAX_FILES:
        raise TaskError(f"files: expected at most {MAX_FILES}, got {len(files)}")
    used_names = {deck.casefold(): "the deck"}  # some file systems are case-insensitive
    for index, file in enumerate(files):
        if not _NAME.fullmatch(file.name):
            raise TaskError(
                f"files/{index}: expected a name of at most 80 letters A-Z, digits, spaces, dots, "
                f"hyphens and underscores, got {file.name!r}"
            )
        if other := used_names.get(file.name.casefold()):
            raise TaskError(f"files/{index}: {file.name!r} is the name of {other}, too")
        used_names[file.name.casefold()] = f"files/{index}"


def require_collected(names: Sequence[str], deck: str) -> None:
    """Validate the names of files to collect.

    Args:
        names: Names of the files that leaves check.
        deck: File name of the deck.

    Raises:
        TaskError: If there are too many, or a name contains a path or unsupported characters, or is
            the deck's.
    """
    if len(names) > MAX_FILES:
        raise TaskError(
            f"rubric: expected leaves about at most {MAX_FILES} files, got {len(names)}"
        )
    for name in names:
        if not _NAME.fullmatch(name) or name.casefold() == deck.casefold():
            raise TaskError(
                f"rubric: a leaf is about the file {name!r}; expected a name of at most 80 letters "
                "A-Z, digits, spaces, dots, hyphens and underscores that is not the deck's"
            )


def read_files(files: Sequence[TaskFile]) -> Mapping[str, bytes]:
    """Return the contents of attachments by name.

    Raises:
        TaskError: If one cannot be read, or the total size is too large.
    """
    contents: dict[str, bytes] = {}
    remaining_bytes = MAX_FILES_BYTES
    for file in files:
        contents[file.name] = content = _read(file, remaining_bytes)
        remaining_bytes -= len(content)
        if remaining_bytes < 0:
            raise TaskError(f"files: expected at most {MAX_FILES_BYTES} bytes together")
    return contents


def _read(file: TaskFile, max_bytes: int) -> bytes:
    if isinstance(file.source, bytes):
        return file.source
    try:
        return read_file(file.source, max_bytes)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise TaskError(f"files: expected at most {MAX_FILES_BYTES} bytes together") from error
        raise TaskError(f"files: {file.name} cannot be read: {error}") from error
