import os
from pathlib import Path

import pytest

from pptarena.files import MARK, Folder, lock_file, remove_folder, replacing


def _kept(found: Folder) -> bool:
    return found.is_marked("thing")


def test_a_folder_goes_only_with_our_mark(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    for folder in (mine, other):
        (folder / "inner").mkdir(parents=True)
        (folder / "inner/file").write_text("x")
        (folder / "link").symlink_to(tmp_path)
    with Folder(mine) as found:
        found.mark("thing")
    with Folder(other) as found:
        found.mark("something else")
    assert remove_folder(tmp_path, "mine", _kept)
    assert not remove_folder(tmp_path, "other", _kept)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other"]
    assert (other / "inner/file").exists()


def test_a_link_is_never_gone_through(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    home.mkdir()
    outside.mkdir()
    with Folder(outside) as found:
        found.mark("thing")
    (outside / "file").write_text("precious")
    (home / "link").symlink_to(outside)
    (home / "mark").mkdir()
    (home / "mark/file").touch()
    (home / "mark" / MARK).symlink_to(outside / MARK)
    assert not remove_folder(home, "link", _kept)
    assert not remove_folder(home, "mark", _kept)
    (tmp_path / "home-link").symlink_to(home)
    assert not remove_folder(tmp_path / "home-link", "mark", _kept)
    assert (outside / "file").exists()
    with pytest.raises(OSError, match="it is a link"):
        Folder(home / "link")
    with Folder(home / "link", follow=True) as found:
        assert found.read("file", 100) == b"precious"


def test_what_takes_the_name_meanwhile_stays(tmp_path: Path) -> None:
    """The folder that was looked at is emptied, not the one that has its name by then."""
    (tmp_path / "a").mkdir()
    with Folder(tmp_path / "a") as found:
        found.mark("thing")

    def swap(found: Folder) -> bool:
        (tmp_path / "a").rename(tmp_path / "b")
        (tmp_path / "a").mkdir()
        (tmp_path / "a/precious").touch()
        return True

    assert not remove_folder(tmp_path, "a", swap)
    assert (tmp_path / "a/precious").exists()
    assert list((tmp_path / "b").iterdir()) == []


@pytest.mark.parametrize("name", ["..", ".", "", "a/b", "/etc/hostname", "a\0b", "fifo", "long"])
def test_only_plain_files_of_the_folder_are_read(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "long").write_bytes(bytes(11))
    with Folder(tmp_path) as folder, pytest.raises(OSError, match="expected"):
        folder.read(name, 10)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    precious, link = tmp_path / "precious", tmp_path / "link"
    precious.write_text("precious")
    link.symlink_to(precious)
    with pytest.raises(RuntimeError), replacing(link) as file:
        raise RuntimeError(file.write(b"half"))
    assert link.is_symlink()
    with replacing(link) as file:
        file.write(b"whole")
    assert link.read_bytes() == b"whole"
    assert not link.is_symlink()
    assert precious.read_text() == "precious"
    assert len(list(tmp_path.iterdir())) == 2


def test_a_lock_is_no_link_and_no_pipe(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "made")
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo"):
        with pytest.raises(OSError, match=r"it is a link|expected a plain file"):
            lock_file(tmp_path / name)
    assert not (tmp_path / "made").exists()
    os.close(lock_file(tmp_path / "lock"))


def test_a_folder_whose_mark_was_being_written_goes_too(tmp_path: Path) -> None:
    for name, words in (("begun", ""), ("others", "theirs")):
        (tmp_path / name).mkdir()
        (tmp_path / name / MARK).write_text(words)
    assert remove_folder(tmp_path, "begun", lambda _: False)
    assert not remove_folder(tmp_path, "others", lambda _: False)
    assert (tmp_path / "others" / MARK).read_text() == "theirs"
