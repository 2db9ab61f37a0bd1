"""Decks in folders that other users can write to."""

import os
from pathlib import Path

import pytest

from pptarena.vm_images.guest import files
from pptarena.vm_images.guest.errors import OverloadError
from pptarena.vm_images.guest.files import read_attachments, read_deck, write_file


@pytest.mark.parametrize("obstacle", ["link", "pipe", "folder", "sparse", "nothing"])
def test_obstructed_deck_is_an_overload_error(
    tmp_path: Path, obstacle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_DECK_BYTES", 2**20)
    path = tmp_path / "deck.pptx"
    if obstacle == "link":
        (tmp_path / "other").write_bytes(b"forged")
        path.symlink_to("other")
    elif obstacle == "pipe":
        os.mkfifo(path)
    elif obstacle == "folder":
        path.mkdir()
    elif obstacle == "sparse":
        with open(path, "wb") as file:
            file.truncate(1 << 40)
    with pytest.raises(OverloadError):
        read_deck(path)


@pytest.mark.parametrize(
    "obstacle", ["link", "pipe", "folder", "link for a folder", "closed folder"]
)
def test_write_replaces_obstacles_and_follows_no_link(tmp_path: Path, obstacle: str) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "deck.pptx").write_bytes(b"secret")
    path = tmp_path / "Documents" / "deck.pptx"
    if obstacle == "link for a folder":
        path.parent.symlink_to(secret)
    else:
        path.parent.mkdir()
    if obstacle == "link":
        path.symlink_to(secret / "deck.pptx")
    elif obstacle == "pipe":
        os.mkfifo(path)
    elif obstacle == "folder":
        path.mkdir()
        (path / "more").touch()
    elif obstacle == "closed folder":
        path.parent.chmod(0)
    write_file(path, b"deck")
    assert read_deck(path) == b"deck"
    assert (secret / "deck.pptx").read_bytes() == b"secret"


def test_written_files_have_a_fixed_modification_time(tmp_path: Path) -> None:
    path = tmp_path / "home" / "Documents" / "deck.pptx"
    path.parent.parent.mkdir()
    write_file(path, b"deck")
    assert {each.stat().st_mtime for each in (path, path.parent)} == {1_767_258_000}


def test_attachments_are_regular_files_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "Documents"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(b"secret")
    (folder / "regular.png").write_bytes(b"PNG")
    (folder / "link.png").symlink_to(tmp_path / "secret")
    (folder / "folder.png").mkdir()
    os.mkfifo(folder / "pipe.png")
    names = ("regular.png", "link.png", "folder.png", "pipe.png", "gone.png", "../secret", "..", "")
    assert read_attachments(folder, names) == {"regular.png": b"PNG"}
    (tmp_path / "link").symlink_to(folder)
    assert read_attachments(tmp_path / "link", names) == {}
    assert read_attachments(tmp_path / "gone", names) == {}


def test_attachments_beyond_the_size_limit_are_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pptarena.vm_images.guest.files.MAX_COLLECTED_BYTES", 10)
    for name, size in (("a", 6), ("b", 5), ("c", 4)):
        (tmp_path / name).write_bytes(b"x" * size)
    assert list(read_attachments(tmp_path, ("a", "b", "c"))) == ["a", "c"]
