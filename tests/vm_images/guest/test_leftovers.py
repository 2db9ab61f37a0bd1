from pathlib import Path

import pytest

from pptarena.vm_images.guest.leftovers import Leftovers
from pptarena.vm_images.guest.window_titles import find_title


def test_only_new_entries_are_removed(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old.txt").write_text("old")
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "file").touch()
    leftovers = Leftovers([tmp_path, tmp_path / "created later"])
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "within").touch()
    (tmp_path / "old" / "within").touch()
    (tmp_path / "link").symlink_to(outside)
    (tmp_path / "created later").mkdir()
    leftovers.remove()
    leftovers.remove()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old", "old.txt"]
    assert (outside / "file").exists(), "a link was followed"


@pytest.mark.parametrize(
    ("title", "index"), [("plan", 1), ("PLAN", 1), ("lan b", 0), ("", 0), ("letter", None)]
)
def test_window_is_found_by_title(title: str, index: int | None) -> None:
    assert find_title(["Plan B", "plan"], title) == index
