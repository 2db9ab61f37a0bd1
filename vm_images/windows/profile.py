"""Restore the user's PowerPoint settings in the registry to their initial state."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["Profile", "run_program"]

_KEY = r"HKCU\Software\Microsoft\Office\16.0\PowerPoint"
_RUN_SEC = 20


def run_program(command: Sequence[str]) -> None:
    """Run a program without output.

    Raises:
        OSError: If it cannot be started.
        subprocess.SubprocessError: If it fails or takes too long.
    """
    subprocess.run(command, check=True, capture_output=True, timeout=_RUN_SEC)


class Profile:
    """A copy of the settings, including recent files, panes and views.

    Args:
        copy: File with the copy; created from the current settings if it does not exist.
        run: Runs a program.
    """

    def __init__(self, backup: Path, run: Callable[[Sequence[str]], None] = run_program) -> None:
        self._backup = backup
        self._run = run
        if not backup.exists():
            backup.parent.mkdir(parents=True, exist_ok=True)
            run(["reg.exe", "export", _KEY, str(backup), "/y"])

    def restore(self) -> None:
        """Restore the settings and remove new ones."""
        self._run(["reg.exe", "delete", _KEY, "/f"])
        self._run(["reg.exe", "import", str(self._backup)])
