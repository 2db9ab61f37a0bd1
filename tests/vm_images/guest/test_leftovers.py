from pathlib import Path

import pytest

from pptarena.vm_images.guest.leftovers import Leftovers
from pptarena.vm_images.guest.window_titles import find_title


def test_only_what_is_new_goes(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old.txt").write_text("old")
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "kept").touch()
    leftovers = Leftovers([tmp_path, tmp_path / "not there yet"])
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "within").touch()
    (tmp_path / "old" / "within").touch()
    (tmp_path / "link").symlink_to(outside)
    (tmp_path / "not there yet").mkdir()
    leftovers.remove()
    leftovers.remove()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old", "old.txt"]
    assert (outside / "kept").exists(), "a link was followed"


@pytest.mark.parametrize(
    ("wanted", "place"), [("plan", 1), ("PLAN", 1), ("lan b", 0), ("", 0), ("letter", None)]
)
def test_titles_are_found(wanted: str, place: int | None) -> None:
    assert find_title(["Plan B", "plan"], wanted) == place
