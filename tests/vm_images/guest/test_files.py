"""Decks where somebody else may have put anything."""

import os
from pathlib import Path

import pytest

from pptarena.vm_images.guest import files
from pptarena.vm_images.guest.errors import OverloadError
from pptarena.vm_images.guest.files import read_deck, write_file


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
