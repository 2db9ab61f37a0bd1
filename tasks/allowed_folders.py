"""Folders that a task may read files from: its own, and those that the user allows.

Tasks are untrusted, and agents see the files that a task names. A path out of the task's folder,
directly or through a link, is therefore rejected unless the user has allowed its target's folder.
The environment variable ``PPTARENA_ALLOW_OUTSIDE`` holds these folders, so processes that start
later inherit them.
"""

import os
from pathlib import Path

from pptarena.errors import TaskError

__all__ = ["VARIABLE", "allow_outside", "require_inside"]

VARIABLE = "PPTARENA_ALLOW_OUTSIDE"
"""Environment variable with the further folders that tasks may read, separated as in ``PATH``."""


def allow_outside(*folders: str | Path) -> None:
    """Allow tasks to read files from further folders, in this process and those it starts.

    Args:
        folders: The folders; agents may see any file in them.

    Example:
        >>> allow_outside("decks", "/srv/decks")  # doctest: +SKIP
    """
    existing = list(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))
    added = [str(Path(folder).expanduser().resolve()) for folder in folders]
    os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys((*existing, *added)))


def require_inside(path: Path, folder: Path, location: str) -> None:
    """Check that a file is in the folder of its task or in one that the user allows.

    Args:
        path: The file, with links resolved.
        folder: The folder of the task's file.
        location: The field that names the file, for the error.

    Raises:
        TaskError: If the file is elsewhere; the message explains how to allow it.
    """
    allowed = map(Path, filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))
    if not any(path.is_relative_to(each.resolve()) for each in (folder, *allowed)):
        raise TaskError(
            f"{location}: expected a file in the folder of the task, {folder}; {path} is outside, "
            "and a downloaded task could show it to an agent. Move it there, or allow its folder "
            f"with --allow-outside {path.parent} (in Python: pptarena.tasks.allow_outside)"
        )
