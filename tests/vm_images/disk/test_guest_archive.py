import shutil
from pathlib import Path

import pytest

from pptarena.vm_images import guest
from pptarena.vm_images.disk import guest_archive, guest_hash

GUEST = Path(guest.__file__).parent


@pytest.fixture
def guest_copy(tmp_path: Path) -> Path:
    """A copy of the guest program, as in another installation."""
    target = tmp_path / "elsewhere"
    shutil.copytree(GUEST, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_archive_is_independent_of_the_installation(guest_copy: Path) -> None:
    (guest_copy / "__pycache__").mkdir()
    (guest_copy / "__pycache__" / "server.cpython-311.pyc").write_bytes(b"\0")
    (guest_copy / "home" / "Empty").mkdir()
    (guest_copy / "server.py").chmod(0o600)
    assert guest_archive(guest_copy) == guest_archive()
    assert guest_hash(guest_copy) == guest_hash()


def test_archive_contains_program_and_home() -> None:
    archive = guest_archive()
    # The kernel drops files that come before their folder.
    names = (b"guest\0", b"guest/home\0", b"guest/home/.config\0", b"guest/home/.config/gtk-3.0\0")
    offsets = [archive.index(name) for name in names]
    assert offsets == sorted(offsets)
    for file in GUEST.rglob("*"):
        if file.is_file() and "__pycache__" not in file.parts:
            assert file.read_bytes() in archive


@pytest.mark.parametrize("change", ["content", "name", "more"])
def test_every_change_of_the_guest_changes_its_hash(guest_copy: Path, change: str) -> None:
    if change == "content":
        (guest_copy / "server.py").write_text("changed")
    elif change == "name":
        (guest_copy / "server.py").rename(guest_copy / "waiter.py")
    else:
        (guest_copy / "home" / "new").touch()
    assert guest_hash(guest_copy) != guest_hash()
