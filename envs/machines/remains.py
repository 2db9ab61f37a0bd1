"""What is left in a sandbox of what ran there, to compare a used one with itself when fresh."""

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

from pptarena.envs.machines.memory import descendants

__all__ = ["Remains", "remains"]

_FOLDERS = ("tmp", "home", "run", "dev/shm")
_DESKTOP = "soffice.bin"
_DOCUMENTS = "home/agent/Documents/"
_TEMPORARY = "tmp/lu"  # the application's own, named anew for every deck


@dataclass(frozen=True, slots=True)
class Remains:
    """Processes and files of a sandbox.

    Attributes:
        programs: Every process with the moment it started; ids of this computer.
        files: Every file that the desktop's user may have made, by path; no contents.
    """

    programs: frozenset[tuple[int, str]]
    files: frozenset[str]

    def new_since(self, fresh: "Remains") -> str:
        """Return in words what is there that was not, "" if there is nothing."""
        programs, files = self.programs ^ fresh.programs, self.files - fresh.files
        if programs:
            return f"{len(programs)} processes came or went"
        return f"there are new files, such as {sorted(files)[0]}" if files else ""


def remains(pid: int) -> Remains:
    """Look at a sandbox.

    Args:
        pid: Its first process.
    """
    programs, files = set(), set()
    for process in descendants(pid):
        with contextlib.suppress(OSError):
            name, _, rest = Path(f"/proc/{process}/stat").read_text().rpartition(")")
            programs.add((process, rest.split()[19]))
            if name.endswith(f"({_DESKTOP}"):
                files |= _files(Path(f"/proc/{process}/root"))
    return Remains(frozenset(programs), frozenset(files))


def _files(root: Path) -> set[str]:
    found = set()
    for name in _FOLDERS:
        for folder, folders, files in os.walk(root / name):  # never through a link
            for file in (*folders, *files):
                path = os.path.relpath(os.path.join(folder, file), root)
                if not path.startswith((_DOCUMENTS, _TEMPORARY)):
                    found.add(path)
    return found
