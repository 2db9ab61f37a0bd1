import os
from pathlib import Path

import pytest

from pptarena.files import MARK, Folder, atomic_write, lock_file, remove_folder


def _has_mark(folder: Folder) -> bool:
    return folder.is_marked("thing")


def test_only_marked_folder_is_removed(tmp_path: Path) -> None:
    marked, other = tmp_path / "marked", tmp_path / "other"
    for folder in (marked, other):
        (folder / "inner").mkdir(parents=True)
        (folder / "inner/file").write_text("x")
        (folder / "link").symlink_to(tmp_path)
    with Folder(marked) as opened:
        opened.mark("thing")
    with Folder(other) as opened:
        opened.mark("something else")
    assert remove_folder(tmp_path, "marked", _has_mark)
    assert not remove_folder(tmp_path, "other", _has_mark)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other"]
    assert (other / "inner/file").exists()


def test_links_are_not_followed(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    with Folder(outside) as opened:
        opened.mark("thing")
    (outside / "file").write_text("precious")
    (home / "link").symlink_to(outside)
    (home / "mark").mkdir()
    (home / "mark/file").touch()
    (home / "mark" / MARK).symlink_to(outside / MARK)
    assert not remove_folder(home, "link", _has_mark)
    assert not remove_folder(home, "mark", _has_mark)
    (tmp_path / "home-link").symlink_to(home)
    assert not remove_folder(tmp_path / "home-link", "mark", _has_mark)
    assert (outside / "file").exists()
    with pytest.raises(OSError, match="it is a link"):
        Folder(home / "link")
    with Folder(home / "link", follow=True) as opened:
        assert opened.read("file", 100) == b"precious"


def test_replacement_of_folder_survives_removal(tmp_path: Path) -> None:
    """The inspected folder is emptied, not the one that has taken its name since."""
    (tmp_path / "a").mkdir()
    with Folder(tmp_path / "a") as folder:
        folder.mark("thing")

    def swap(folder: Folder) -> bool:
        (tmp_path / "a").rename(tmp_path / "b")
        (tmp_path / "a").mkdir()
        (tmp_path / "a/precious").touch()
        return True

    assert not remove_folder(tmp_path, "a", swap)
    assert (tmp_path / "a/precious").exists()
    assert list((tmp_path / "b").iterdir()) == []


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "/etc/hostname", "a\0b", "fifo", "long"])
def test_only_plain_files_in_folder_are_read(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "long").write_bytes(bytes(11))
    with Folder(tmp_path) as folder, pytest.raises(OSError, match="expected"):
        folder.read(name, 10)


def test_file_is_replaced_completely_or_not_at_all(tmp_path: Path) -> None:
    precious, link = tmp_path / "precious", tmp_path / "link"
    precious.write_text("precious")
    link.symlink_to(precious)
    with pytest.raises(RuntimeError), atomic_write(link) as file:
        raise RuntimeError(file.write(b"half"))
    assert link.is_symlink()
    with atomic_write(link) as file:
        file.write(b"whole")
    assert link.read_bytes() == b"whole"
    assert not link.is_symlink()
    assert precious.read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 2


def test_links_and_pipes_are_rejected_as_locks(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo"):
        with pytest.raises(OSError, match=r"it is a link|expected a plain file"):
            lock_file(tmp_path / name)
    assert not (tmp_path / "target").exists()
    os.close(lock_file(tmp_path / "lock"))


def test_folder_with_unfinished_mark_is_removed(tmp_path: Path) -> None:
    for name, mark in (("unfinished", ""), ("foreign", "theirs")):
        (tmp_path / name).mkdir()
        (tmp_path / name / MARK).write_text(mark)
    assert remove_folder(tmp_path, "unfinished", lambda _: False)
    assert not remove_folder(tmp_path, "foreign", lambda _: False)
    assert (tmp_path / "foreign" / MARK).read_text() == "theirs"
