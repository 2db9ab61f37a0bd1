"""Decks in folders that other users can write."""

import os
from pathlib import Path

import pytest

from pptarena.vm_images.guest import files
from pptarena.vm_images.guest.errors import OverloadError
from pptarena.vm_images.guest.files import read_beside, read_deck, write_file


@pytest.mark.parametrize("trick", ["link", "pipe", "folder", "sparse", "nothing"])
def test_what_is_no_deck_is_refused_at_once(
    tmp_path: Path, trick: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_DECK_BYTES", 2**20)
    path = tmp_path / "deck.pptx"
    if trick == "link":
        (tmp_path / "other").write_bytes(b"forged")
        path.symlink_to("other")
    elif trick == "pipe":
        os.mkfifo(path)
    elif trick == "folder":
        path.mkdir()
    elif trick == "sparse":
        with open(path, "wb") as file:
            file.truncate(1 << 40)
    with pytest.raises(OverloadError):
        read_deck(path)


@pytest.mark.parametrize("trick", ["link", "pipe", "folder", "link for a folder", "closed folder"])
def test_a_deck_is_written_whatever_lies_in_the_way(tmp_path: Path, trick: str) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "deck.pptx").write_bytes(b"kept")
    path = tmp_path / "Documents" / "deck.pptx"
    if trick == "link for a folder":
        path.parent.symlink_to(secret)
    else:
        path.parent.mkdir()
    if trick == "link":
        path.symlink_to(secret / "deck.pptx")
    elif trick == "pipe":
        os.mkfifo(path)
    elif trick == "folder":
        path.mkdir()
        (path / "more").touch()
    elif trick == "closed folder":
        path.parent.chmod(0)
    write_file(path, b"deck")
    assert read_deck(path) == b"deck"
    assert (secret / "deck.pptx").read_bytes() == b"kept"


def test_a_deck_looks_as_old_on_every_computer(tmp_path: Path) -> None:
    path = tmp_path / "home" / "Documents" / "deck.pptx"
    path.parent.parent.mkdir()
    write_file(path, b"deck")
    assert {each.stat().st_mtime for each in (path, path.parent)} == {1_767_258_000}


def test_of_a_folder_only_files_are_read_and_no_links(tmp_path: Path) -> None:
    folder = tmp_path / "Documents"
    folder.mkdir()
    (tmp_path / "secret").write_bytes(b"secret")
    (folder / "here.png").write_bytes(b"PNG")
    (folder / "link.png").symlink_to(tmp_path / "secret")
    (folder / "folder.png").mkdir()
    os.mkfifo(folder / "pipe.png")
    names = ("here.png", "link.png", "folder.png", "pipe.png", "gone.png", "../secret", "..", "")
    assert read_beside(folder, names) == {"here.png": b"PNG"}
    (tmp_path / "link").symlink_to(folder)
    assert read_beside(tmp_path / "link", names) == {}
    assert read_beside(tmp_path / "gone", names) == {}


def test_files_that_are_too_large_together_are_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pptarena.vm_images.guest.files.MAX_COLLECTED_BYTES", 10)
    for name, size in (("a", 6), ("b", 5), ("c", 4)):
        (tmp_path / name).write_bytes(b"x" * size)
    assert list(read_beside(tmp_path, ("a", "b", "c"))) == ["a", "c"]
