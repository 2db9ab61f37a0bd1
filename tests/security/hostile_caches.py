"""Cache folders that contain user files: cleanup must remove only the package's own files."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.security.canaries import differences, fault_of, snapshot

from pptarena.envs.machines.snapshots.scratch import Scratch, clear_stale_scratch
from pptarena.envs.machines.snapshots.store import SnapshotStore
from pptarena.file_cache import FileCache
from pptarena.vm_images import remove_images
from pptarena.vm_images.image import image_folder, lock_images

__all__ = ["cache_faults"]

_HEX = "0123456789ab"


def cache_faults(folder: Path) -> Iterator[tuple[str, str]]:
    """Put user files into every location of a cache, run every cleanup, and compare.

    Yields the name of each case and what went wrong; "" if nothing did.
    """
    for location, make in _LOCATIONS.items():
        for name, clean in _CLEANERS.items():
            home = folder / f"{len(list(folder.glob('*')))}"
            outside = home.with_name(home.name + "-outside")
            outside.mkdir(parents=True)
            (outside / "thesis.txt").write_text("precious")
            make(home, outside)
            before = _user_state(home, outside)
            fault = _run_cleanup(clean, home)
            changed = differences(before, _user_state(home, outside))
            if name == "image build" and location == "images is a link":
                continue  # a linked images folder is used on purpose
            faults = filter(None, (fault, changed and f"touches {changed}"))
            yield f"{name}: {location}", "; ".join(faults)


def _user_state(home: Path, outside: Path) -> dict[str, tuple[int, int, int, str]]:
    """Return the state of the user's files in a cache and of everything outside it."""
    user_files = {
        name: facts for name, facts in snapshot(home).items() if name.endswith("thesis.txt")
    }
    return snapshot(outside) | user_files


def _run_cleanup(clean: Callable[[], object], home: Path) -> str:
    before = os.environ["PPTARENA_HOME"]
    os.environ["PPTARENA_HOME"] = str(home)
    try:
        return fault_of(clean)
    finally:
        os.environ["PPTARENA_HOME"] = before


def _file(place: str, *, old: bool = False, **others: str) -> Callable[[Path, Path], None]:
    """Return a function that creates a folder with a user file, and optionally other files."""

    def make(home: Path, outside: Path) -> None:
        folder = home / place
        folder.mkdir(parents=True)
        (folder / "thesis.txt").write_text("precious")
        for name, text in others.items():
            (folder / name.replace("_", ".")).write_text(text)
        if old:
            os.utime(folder, (0, 0))

    return make


def _link(place: str, target: str = "") -> Callable[[Path, Path], None]:
    def make(home: Path, outside: Path) -> None:
        (home / place).parent.mkdir(parents=True)
        (home / place).symlink_to(outside / target)

    return make


def _link_inside(place: str, name: str, target: str) -> Callable[[Path, Path], None]:
    def make(home: Path, outside: Path) -> None:
        (home / place).mkdir(parents=True)
        (home / place / "thesis.txt").write_text("precious")
        (home / place / name).symlink_to(outside / target)

    return make


def _linked_home(kind: str, name: str) -> Callable[[Path, Path], None]:
    """Return a function that makes a cache subfolder a link to a folder of the user."""

    def make(home: Path, outside: Path) -> None:
        (outside / name).mkdir()
        (outside / name / "lock").touch()
        (outside / name / "thesis.txt").write_text("precious")
        home.mkdir()
        (home / kind).symlink_to(outside)

    return make


def _many_user_folders(home: Path, outside: Path) -> None:
    """Put more user folders among the kept files than the limit of kept files."""
    for number in range(4):
        _file(f"kept/portfolio-{number}", old=True)(home, outside)


def _pipe(home: Path, outside: Path) -> None:
    _file("scratch/vm-thesis01")(home, outside)
    os.mkfifo(home / "scratch/vm-thesis01/lock")


def _linked_locks(home: Path, outside: Path) -> None:
    _file(f"snapshots/{_HEX}-desktop")(home, outside)
    (home / "snapshots/.locks").symlink_to(outside)


_FACTS = json.dumps({"facts": {}, "sizes": {"other.txt": 9}})
_LOCATIONS: dict[str, Callable[[Path, Path], None]] = {
    "scratch/thesis": _file("scratch/thesis"),
    "scratch/vm-thesis01": _file("scratch/vm-thesis01"),
    "scratch/vm-thesis01 with a lock": _file("scratch/vm-thesis01", lock=""),
    "scratch/.new-thesis01": _file("scratch/.new-thesis01", old=True),
    "scratch/vm-thesis01 is a link": _link("scratch/vm-thesis01"),
    "scratch/vm-thesis01/lock is a link": _link_inside("scratch/vm-thesis01", "lock", "made"),
    "scratch/vm-thesis01/lock is a pipe": _pipe,
    "scratch is a link": _linked_home("scratch", "vm-thesis01"),
    "images/holiday": _file("images/holiday"),
    "images/<hash>": _file(f"images/{_HEX}"),
    "images/<hash> with another manifest": _file(f"images/{_HEX}", manifest_json='{"hash": "x"}'),
    "images/.building-thesis01": _file("images/.building-thesis01"),
    "images/<hash> is a link": _link(f"images/{_HEX}"),
    "images/.lock is a link": _link("images/.lock", "thesis.txt"),
    "images/.lock is a link to nothing": _link("images/.lock", "made"),
    "images is a link": _linked_home("images", _HEX),
    "snapshots/mine": _file("snapshots/mine"),
    "snapshots/<hash>-desktop": _file(f"snapshots/{_HEX}-desktop"),
    "snapshots/<hash>-desktop with facts": _file(f"snapshots/{_HEX}-desktop", facts_json=_FACTS),
    "snapshots/.building-x": _file("snapshots/.building-x"),
    "snapshots/.building-<hash>-desktop-thesis01": _file(
        f"snapshots/.building-{_HEX}-desktop-thesis01"
    ),
    "snapshots/<hash>-desktop is a link": _link(f"snapshots/{_HEX}-desktop"),
    "snapshots/.locks is a link": _linked_locks,
    "snapshots is a link": _linked_home("snapshots", f"{_HEX}-desktop"),
    "kept files, many": _many_user_folders,
}  # fmt: skip


def _lock_images() -> None:
    image_folder().mkdir(parents=True, exist_ok=True)  # as at the start of a build
    with lock_images(lambda: None):
        pass


def _remove_snapshots() -> None:
    store = SnapshotStore()
    store.clear_interrupted()
    for stored in store.all():
        store.remove(stored.name)


def _make_space() -> None:
    SnapshotStore(2**20).ensure_space(2**20)


def _cache_pictures() -> None:
    home = Path(os.environ["PPTARENA_HOME"])
    FileCache(home / "kept", 2).put("ab" * 32, [b"1"], ".png")


_CLEANERS: dict[str, Callable[[], object]] = {
    "doctor": clear_stale_scratch,
    "a machine starts and ends": lambda: Scratch().release(),
    "room for a snapshot": _make_space,
    "image rm --snapshots": _remove_snapshots,
    "image rm": remove_images,
    "image rm --old": lambda: remove_images(only_old=True),
    "image build": _lock_images,
    "a row of pictures is kept": _cache_pictures,
}
