from pathlib import Path

import pytest
from tests.unwritable import DISKS, unwritable

from pptarena.file_cache import FileCache

KEY = "ab" * 32
FILES = (b"1" * 1000, b"2" * 1000)


def test_stored_files_are_found_by_key(tmp_path: Path) -> None:
    FileCache(tmp_path, 2).put(KEY, FILES, ".png")
    assert FileCache(tmp_path, 2).get(KEY) == FILES
    assert FileCache(tmp_path, 2).get("cd" * 32) is None


@pytest.mark.parametrize("disk", DISKS)
def test_unwritable_disk_is_not_an_error(disk: str, tmp_path: Path) -> None:
    with unwritable(disk, tmp_path) as folder:
        cache = FileCache(folder, 2)
        cache.put(KEY, FILES, ".png")
        assert cache.get(KEY) is None
    assert [each.name for each in tmp_path.iterdir()] in ([], ["file"])


def test_files_in_read_only_folder_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FileCache(tmp_path, 2).put(KEY, FILES, ".png")

    def raise_read_only(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("os.utime", raise_read_only)  # it records the time of use
    assert FileCache(tmp_path, 2).get(KEY) == FILES
