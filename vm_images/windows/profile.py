"""PowerPoint's settings of the user, kept in the registry, as they were at the start."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["Profile", "run_program"]

_KEY = r"HKCU\Software\Microsoft\Office\16.0\PowerPoint"
_RUN_SEC = 20


def run_program(command: Sequence[str]) -> None:
    """Run a program quietly.

    Raises:
        OSError: If it cannot be started.
        subprocess.SubprocessError: If it fails or takes too long.
    """
    subprocess.run(command, check=True, capture_output=True, timeout=_RUN_SEC)


class Profile:
    """A copy of the settings; recent files, panes, views and so on are among them.

    Args:
        copy: File that holds the copy; made from the present settings if it is not there yet.
        run: Runs a program.
    """

    def __init__(self, copy: Path, run: Callable[[Sequence[str]], None] = run_program) -> None:
        self._copy = copy
        self._run = run
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            run(["reg.exe", "export", _KEY, str(copy), "/y"])

    def restore(self) -> None:
        """Put the settings back; those that are new go away."""
        self._run(["reg.exe", "delete", _KEY, "/f"])
        self._run(["reg.exe", "import", str(self._copy)])
