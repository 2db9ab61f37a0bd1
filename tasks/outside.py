"""Where the files of a task may lie: in the folder of its file, or where the user allows it.

A task may come from anybody, and what it names is shown to an agent. So a path that leads out of
the folder, also through a link, is refused unless the user has allowed the folder it leads to. The
folders are kept in the environment variable ``PPTARENA_ALLOW_OUTSIDE``, so that processes that are
started later have them, too.
"""

import os
from pathlib import Path

from pptarena.errors import TaskError

__all__ = ["VARIABLE", "allow_outside", "require_inside"]

VARIABLE = "PPTARENA_ALLOW_OUTSIDE"
"""Folders that files of tasks may lie in besides their own, joined like those of ``PATH``."""


def allow_outside(*folders: str | Path) -> None:
    """Allow the files of tasks to lie in further folders, in this process and those it starts.

    Args:
        folders: The folders; what is in them may be shown to agents.

    Example:
        >>> allow_outside("decks", "/srv/decks")  # doctest: +SKIP
    """
    known = list(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))
    added = [str(Path(folder).expanduser().resolve()) for folder in folders]
    os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys((*known, *added)))


def require_inside(path: Path, folder: Path, place: str) -> None:
    """Refuse a file that lies neither in the folder of its task nor where the user allows it.

    Args:
        path: The file, with links resolved.
        folder: The folder of the task's file.
        place: The field that names the file, for the error.

    Raises:
        TaskError: If it lies elsewhere; the message says how to allow it.
    """
    allowed = map(Path, filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))
    if not any(path.is_relative_to(each.resolve()) for each in (folder, *allowed)):
        raise TaskError(
            f"{place}: expected a file in the folder of the task, {folder}; {path} is outside, and "
            "a task of somebody else would show it to an agent. Move it there, or allow its folder "
            f"with --allow-outside {path.parent} (in Python: pptarena.tasks.allow_outside)"
        )
