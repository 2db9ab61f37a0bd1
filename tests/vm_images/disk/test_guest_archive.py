import shutil
from pathlib import Path

import pytest

from pptarena.vm_images import guest
from pptarena.vm_images.disk import guest_archive, guest_hash

GUEST = Path(guest.__file__).parent


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The guest program as another installation has it."""
    target = tmp_path / "elsewhere"
    shutil.copytree(GUEST, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_the_same_program_gives_the_same_bytes_everywhere(copied: Path) -> None:
    (copied / "__pycache__").mkdir()
    (copied / "__pycache__" / "server.cpython-311.pyc").write_bytes(b"\0")
    (copied / "home" / "Empty").mkdir()
    (copied / "server.py").chmod(0o600)
    assert guest_archive(copied) == guest_archive()
    assert guest_hash(copied) == guest_hash()


def test_it_holds_program_and_home() -> None:
    archive = guest_archive()
    # Folders come before what is in them, or the kernel drops it.
    names = (b"guest\0", b"guest/home\0", b"guest/home/.config\0", b"guest/home/.config/gtk-3.0\0")
    places = [archive.index(name) for name in names]
    assert places == sorted(places)
    for file in GUEST.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert file.read_bytes() in archive


@pytest.mark.parametrize("change", ["content", "name", "more"])
def test_every_change_changes_the_hash(copied: Path, change: str) -> None:
    if change == "content":
        (copied / "server.py").write_text("changed")
    elif change == "name":
        (copied / "server.py").rename(copied / "waiter.py")
    else:
        (copied / "home" / "new").touch()
    assert guest_hash(copied) != guest_hash()
