"""What is left in a sandbox of what ran there, to compare a used one with itself when fresh."""

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
_CLOCK = "tmp/.X11-unix/clock"  # the guest program's, which the desktop cannot write
_TEMPORARY = "tmp/lu"  # the application's own, named anew for every deck
# Made empty by the first typed word that might be mended.
_BY_ITSELF = {"home/agent/.config/libreoffice/4/user/autocorr": "folder"}
_SETTINGS = "registrymodifications.xcu"
# Settings that follow of themselves from what is selected: where windows, bars and panels are, and
# that no colour was picked. What is there to be seen of them is compared by the pixels.
_FOLLOW = tuple(
    f'<item oor:path="/org.openoffice.{path}'.encode()
    for path in (
        "Setup/Office/Factories/org.openoffice.Setup:Factory["
        "'com.sun.star.presentation.PresentationDocument']\"><prop oor:name=\"ooSetupFactoryWindow",
        "Office.UI.ImpressWindowState/",
        "Office.UI.Sidebar/Content/PanelList/",
        "Office.Views/Windows",
        'Office.Common/UserColors"><prop oor:name="RecentColor" oor:op="fuse"><value>-1<',
        'Office.Common/UserColors"><prop oor:name="RecentColorName" oor:op="fuse"><value>'
        "<it>Automatic<",
    )
)
_MOST_BYTES = 1 << 20  # more than any file of a fresh machine has


@dataclass(frozen=True, slots=True)
class Remains:
    """Processes and files of a sandbox.

    Attributes:
        programs: Every process with the moment it started; ids of this computer.
        files: What every file is that the desktop's user may have made or changed, by path: its
            kind, length and contents. The settings of the application are among them.
    """

    programs: frozenset[tuple[int, str]]
    files: Mapping[str, str]

    def new_since(self, fresh: "Remains") -> str:
        """Return in words what is not as it was, "" if nothing is."""
        programs = self.programs ^ fresh.programs
        if programs:
            return f"{len(programs)} processes came or went"
        files = dict(self.files.items() ^ fresh.files.items()).keys()
        return f"files are not as they were, such as {min(files)}" if files else ""


def remains(pid: int) -> Remains:
    """Look at a sandbox.

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
        for folder, folders, files in os.walk(root / name):  # never through a link
            for file in (*folders, *files):
                place = os.path.join(folder, file)
                path = os.path.relpath(place, root)
                if not path.startswith((_DOCUMENTS, _TEMPORARY, _CLOCK)):
                    try:
                        found[path] = _what_is(place)
                    except OSError as error:  # it went meanwhile, or is nobody's to read
                        found[path] = f"error {error.errno}"
    return dict(found.items() - _BY_ITSELF.items())


def _what_is(place: str) -> str:
    """Describe a file so that it is equal only to itself; it is read only if it is a plain one."""
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
