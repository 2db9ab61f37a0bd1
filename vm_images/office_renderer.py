"""Pictures of slides, made by the image's office application; kept by content."""

import hashlib
import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path

from pptarena.errors import ConfigError, DeckError, HostError, MachineError, MachineTimeoutError
from pptarena.paths import cache_home
from pptarena.vm_images.image import Image, remove_tree, require_image

__all__ = ["OfficeRenderer"]

_GUEST = Path(__file__).resolve().parent / "guest"
_GUEST_INSIDE = "/opt/pptarena/pptarena/vm_images/guest"
_PROGRAM = "pptarena.vm_images.guest.export_slides"
_REFUSED = 3  # exit status of the program for a deck that cannot be shown
_FORMAT = 1  # counts up when the pictures of equal decks would differ


class OfficeRenderer:
    """Makes a PNG file of every slide in the office application of the machine image.

    It runs without a desktop, in namespaces of its own: no network, none of the host's files. One
    deck takes some seconds the first time; its pictures are kept under ``$PPTARENA_HOME/renders``
    by the hash of deck and image.

    Args:
        width_px: Width of the pictures; their height follows from the slides.
        timeout_sec: Longest time for one deck.
        max_slides: Decks with more slides are refused.
        kept_decks: Of how many decks pictures are kept, those used last.

    Raises:
        ConfigError: If a number is not positive.
    """

    def __init__(
        self,
        width_px: int = 960,
        *,
        timeout_sec: float = 120.0,
        max_slides: int = 300,
        kept_decks: int = 500,
    ) -> None:
        if min(width_px, timeout_sec, max_slides, kept_decks) <= 0:
            raise ConfigError("expected width_px, timeout_sec, max_slides, kept_decks above 0")
        self._width_px = width_px
        self._timeout_sec = timeout_sec
        self._max_slides = max_slides
        self._kept_decks = kept_decks

    def render(self, deck: bytes) -> tuple[bytes, ...]:
        """Return a PNG file of every slide, hidden ones included, in the order of the show.

        Raises:
            DeckError: If the application refuses the deck.
            HostError: If bubblewrap is missing or not allowed to make namespaces.
            ImageError: If there is no image.
            MachineError: If the application fails or takes too long.
        """
        image = require_image()
        folder = self._folder(image, deck)
        found = _read(folder)
        if found is None:
            found = self._make(image, deck)
            self._keep(folder, found)
        return found

    def _folder(self, image: Image, deck: bytes) -> Path:
        whole = hashlib.sha256(f"{_FORMAT} {image.hash} {self._width_px} ".encode() + deck)
        return cache_home() / "renders" / whole.hexdigest()

    def _make(self, image: Image, deck: bytes) -> tuple[bytes, ...]:
        try:
            done = subprocess.run(
                [*_sandbox(image), str(self._width_px), str(self._max_slides)],
                input=deck,
                capture_output=True,
                timeout=self._timeout_sec,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise MachineTimeoutError(
                f"the slides were not rendered within {self._timeout_sec:g} s"
            ) from error
        said = done.stderr.decode("utf-8", "replace").strip()[-500:]
        if done.returncode == _REFUSED:
            raise DeckError(said)
        if said.startswith("bwrap:"):
            raise HostError(f"bubblewrap failed: {said}; see what this host lacks: pptarena doctor")
        if done.returncode != 0:
            raise MachineError(f"the slides could not be rendered: {said or done.returncode}")
        return _split(done.stdout)

    def _keep(self, folder: Path, pictures: tuple[bytes, ...]) -> None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent, prefix="."))
        try:
            for number, picture in enumerate(pictures, start=1):
                (made / f"{number:04}.png").write_bytes(picture)
            made.rename(folder)
        except OSError:  # another process was first, or the disk is full
            remove_tree(made)
        entries = [each for each in folder.parent.iterdir() if not each.name.startswith(".")]
        if len(entries) > self._kept_decks:
            for old in sorted(entries, key=_last_use)[: -self._kept_decks]:
                shutil.rmtree(old, ignore_errors=True)


def _read(folder: Path) -> tuple[bytes, ...] | None:
    try:
        found = tuple(file.read_bytes() for file in sorted(folder.iterdir()))
        os.utime(folder)
    except OSError:
        return None
    return found


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # gone meanwhile
        return 0.0


def _split(stream: bytes) -> tuple[bytes, ...]:
    """Return the pictures of a stream in which the length of each comes first."""
    pictures, at = [], 0
    while at < len(stream):
        (size,) = struct.unpack_from(">I", stream.ljust(at + 4), at)
        picture = stream[at + 4 : at + 4 + size]
        if len(picture) != size:
            raise MachineError("the slides could not be rendered: the pictures broke off")
        pictures.append(picture)
        at += 4 + size
    return tuple(pictures)


def _sandbox(image: Image) -> list[str]:
    program = shutil.which("bwrap")
    if program is None:
        raise HostError("bubblewrap is missing; install it with: sudo apt-get install bubblewrap")
    return [
        *(program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--uid", "1000", "--gid", "1000", "--hostname", "pptarena"),
        *("--ro-bind", str(image.root), "/", "--proc", "/proc", "--dev", "/dev"),
        *("--size", str(2**29), "--tmpfs", "/tmp", "--size", str(2**28), "--tmpfs", "/dev/shm"),
        *("--size", str(2**28), "--tmpfs", "/home", "--dir", "/home/agent"),
        *("--size", str(2**24), "--tmpfs", "/run", "--dir", "/run/user/1000"),
        *("--size", str(2**24), "--tmpfs", "/opt", "--ro-bind", str(_GUEST), _GUEST_INSIDE),
        *("--chdir", "/home/agent", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"),
        *("--setenv", "HOME", "/home/agent", "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "XDG_RUNTIME_DIR", "/run/user/1000", "--setenv", "SAL_USE_VCLPLUGIN", "svp"),
        *("--setenv", "PYTHONPATH", "/opt/pptarena", "--setenv", "PYTHONDONTWRITEBYTECODE", "1"),
        *("python3", "-m", _PROGRAM),
    ]
