"""Canary files outside a hostile folder, and checks whether they were read or changed."""

import hashlib
import os
import re
import signal
import zlib
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from pptarena.errors import PPTArenaError

__all__ = [
    "COLOUR",
    "SIZE",
    "TOKEN",
    "Facts",
    "differences",
    "fault_of",
    "shows_canary",
    "snapshot",
]

TOKEN = "canary-7f3e9a51d2"
"""Marker text in the files outside the hostile folder; must never appear in any output."""

COLOUR, SIZE = (13, 213, 97), (61, 37)
"""RGB color and size in pixels of the canary picture."""

LIMIT_SEC = 20

Facts = dict[str, tuple[int, int, int, str]]
"""Mode, size in bytes, modification time in ns and SHA-256 by relative path."""


class _HungError(Exception):
    """The call exceeded `LIMIT_SEC`."""


def fault_of(run: Callable[[], object]) -> str:
    """Run a function that may fail with a `PPTArenaError`; return a description of any other fault.

    Returns:
        "" if the function returned or raised a `PPTArenaError` that does not contain the canary.
    """

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _HungError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT_SEC)
    try:
        run()
    except PPTArenaError as error:
        return "shows outside content in its error" if TOKEN in str(error) else ""
    except _HungError:
        return f"hangs for {LIMIT_SEC} s"
    except Exception as error:  # noqa: BLE001 (unexpected exceptions are the finding)
        return f"raises {error!r}"[:160]
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return ""


def snapshot(folder: Path) -> Facts:
    """Return mode, size, modification time and hash of everything below a folder."""
    entries: Facts = {}
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(parent, name)
            stat = path.lstat()
            is_plain = path.is_file() and not path.is_symlink()
            contents = hashlib.sha256(path.read_bytes()).hexdigest() if is_plain else ""
            key = str(path.relative_to(folder))
            entries[key] = stat.st_mode, stat.st_size, stat.st_mtime_ns, contents
    return entries


def differences(before: Facts, after: Facts) -> str:
    """Return the names of entries that were added, removed or changed."""
    names = {*before, *after}
    return ", ".join(sorted(name for name in names if before.get(name) != after.get(name)))


def shows_canary(folder: Path) -> bool:
    """Return whether any file in a folder contains the canary."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return any(_contains_canary(path) for path in files)


def _contains_canary(file: Path) -> bool:
    data = file.read_bytes()
    if TOKEN.encode() in data:
        return True
    if file.suffix == ".hdf5":
        return _shows_canary_picture(file)
    if file.suffix == ".html":
        packed = re.findall(rb'id="episode-\d+">([^<]*)<', data)
        text = b"".join(zlib.decompress(b64decode(part)) for part in packed)
        size = f'"width":{SIZE[0]},"height":{SIZE[1]}'.encode()
        return TOKEN.encode() in text or size in text
    return False


def _shows_canary_picture(file: Path) -> bool:
    import h5py  # type: ignore[import-untyped, unused-ignore]

    matches = []

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset) and name.endswith("screenshot"):
            matches.append(bool((item[:] == COLOUR).all(-1).any()))

    with h5py.File(file) as data:
        data.visititems(visit)
    return any(matches)
