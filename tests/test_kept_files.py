from pathlib import Path

import pytest
from tests.unwritable import DISKS, unwritable

from pptarena.kept_files import KeptFiles

KEY = "ab" * 32
FILES = (b"1" * 1000, b"2" * 1000)


def test_what_was_kept_is_found_by_its_key(tmp_path: Path) -> None:
    KeptFiles(tmp_path, 2).keep(KEY, FILES, ".png")
    assert KeptFiles(tmp_path, 2).get(KEY) == FILES
    assert KeptFiles(tmp_path, 2).get("cd" * 32) is None


@pytest.mark.parametrize("disk", DISKS)
def test_a_disk_that_cannot_be_written_is_no_error(disk: str, tmp_path: Path) -> None:
    with unwritable(disk, tmp_path) as folder:
        kept = KeptFiles(folder, 2)
        kept.keep(KEY, FILES, ".png")
        assert kept.get(KEY) is None
    assert [each.name for each in tmp_path.iterdir()] in ([], ["file"])


def test_files_of_a_read_only_folder_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    KeptFiles(tmp_path, 2).keep(KEY, FILES, ".png")

    def refused(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("os.utime", refused)  # what notes the time of use
    assert KeptFiles(tmp_path, 2).get(KEY) == FILES
