"""Leftover state of a sandbox, to compare a used sandbox with its fresh state."""

import contextlib
import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pptarena.envs.machines.memory import process_tree
from pptarena.envs.machines.sandbox.guard import DESKTOP, WRITABLE

__all__ = ["Remains", "remains"]

_DOCUMENTS = "home/agent/Documents/"  # emptied by the guest program before a deck is opened
_CLOCK = "tmp/.X11-unix/clock"  # written by the guest program; read-only for the desktop
_TEMPORARY = "tmp/lu"  # created by the application with a new name for every deck
# Created empty when the first typed word is considered for autocorrection.
_BY_ITSELF = {"home/agent/.config/libreoffice/4/user/autocorr": "folder"}
_SETTINGS = "registrymodifications.xcu"
# Settings that change with the selection: positions of bars and panels, and that no color was
# picked. Their visible effects are covered by the pixel comparison.
_FOLLOW = tuple(
    f'<item oor:path="/org.openoffice.Office.{path}'.encode()
    for path in (
        "UI.ImpressWindowState/",
        "UI.Sidebar/Content/PanelList/",
        "Views/Windows",
        'Common/UserColors"><prop oor:name="RecentColor" oor:op="fuse"><value>-1<',
        'Common/UserColors"><prop oor:name="RecentColorName" oor:op="fuse"><value><it>Automatic<',
    )
)
_MOST_BYTES = 1 << 20  # larger than any file of a fresh machine


@dataclass(frozen=True, slots=True)
class Remains:
    """Processes and files of a sandbox.

    Attributes:
        programs: Every process with its start time; pids of the host.
        files: Type, length and contents by path of every file that the desktop's user could have
            created or changed, including the application's settings.
    """

    programs: frozenset[tuple[int, str]]
    files: Mapping[str, str]

    def new_since(self, fresh: "Remains") -> str:
        """Describe what differs from the fresh state; "" if nothing does."""
        programs = self.programs ^ fresh.programs
        if programs:
            return f"{len(programs)} processes came or went"
        files = dict(self.files.items() ^ fresh.files.items()).keys()
        return f"files are not as they were, such as {min(files)}" if files else ""


def remains(pid: int) -> Remains:
    """Return the current processes and files of a sandbox.

    Args:
        pid: Its first process.
    """
    programs, files = set(), dict[str, str]()
    for process in process_tree(pid):
        with contextlib.suppress(OSError):
            name, _, rest = Path(f"/proc/{process}/stat").read_text().rpartition(")")
            programs.add((process, rest.split()[19]))
            if name.endswith(f"({DESKTOP}"):
                files |= _files(Path(f"/proc/{process}/root"))
    return Remains(frozenset(programs), files)


def _files(root: Path) -> dict[str, str]:
    found = {}
    for name in WRITABLE:
        for folder, folders, files in os.walk(root / name):  # does not follow symbolic links
            for file in (*folders, *files):
                place = os.path.join(folder, file)
                path = os.path.relpath(place, root)
                if not path.startswith((_DOCUMENTS, _TEMPORARY, _CLOCK)):
                    try:
                        found[path] = _what_is(place)
                    except OSError as error:  # deleted meanwhile, or unreadable
                        found[path] = f"error {error.errno}"
    return dict(found.items() - _BY_ITSELF.items())


def _what_is(place: str) -> str:
    """Return a description that identifies a file's contents; only regular files are read."""
    mode = os.lstat(place).st_mode
    if stat.S_ISDIR(mode):
        return "folder"
    if stat.S_ISLNK(mode):
        return f"link to {os.readlink(place)}"
    if not stat.S_ISREG(mode):
        return f"kind {stat.S_IFMT(mode)}"
    with open(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        contents = file.read(_MOST_BYTES)
        length = os.fstat(file.fileno()).st_size
    if place.endswith(_SETTINGS) and length == len(contents):
        contents = b"\n".join(x for x in contents.split(b"\n") if not x.startswith(_FOLLOW))
        length = len(contents)
    return f"{length} bytes {hashlib.sha256(contents).hexdigest()}"
