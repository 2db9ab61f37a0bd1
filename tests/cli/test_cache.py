import json
from collections.abc import Callable
from pathlib import Path

import pytest

Here = Callable[..., tuple[object, str, str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder of caches with one file in each."""
    for name in ("saves", "renders", "judges", "images", "snapshots"):
        (tmp_path / "home" / name / "deep").mkdir(parents=True)
        (tmp_path / "home" / name / "deep" / "file").write_bytes(b"x" * 2**20)
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_all_sizes_are_shown(here: Here, home: Path) -> None:
    code, out, _ = here("cache", "info", "--json")
    results = json.loads(out)
    assert (code, results["folder"]) == (0, str(home))
    assert results["size_mb"] == {
        **{"saves": 1.0, "renders": 1.0, "baselines": 0, "suites": 0, "judges": 1.0},
        **{"images": 1.0, "snapshots": 1.0, "scratch": 0},
    }
    code, out, _ = here("cache", "info")
    assert "1.0 MB  renders: pictures of slides" in out


def test_only_caches_are_removed(here: Here, home: Path) -> None:
    code, _, errors = here("cache", "clear")
    assert code == 2
    assert "add --yes to remove these caches" in errors
    assert (home / "saves").exists()
    code, _, errors = here("cache", "clear", "--yes")
    assert code == 0
    assert sorted(path.name for path in home.iterdir()) == ["images", "judges", "snapshots"]
    assert f"removed {home / 'saves'}" in errors
    assert "nothing to remove" in here("cache", "clear", "--yes")[2]


def test_single_cache_is_cleared_by_name(here: Here, home: Path) -> None:
    assert here("cache", "clear", "judges", "renders", "judges", "--yes")[0] == 0
    assert sorted(path.name for path in home.iterdir()) == ["images", "saves", "snapshots"]


@pytest.mark.parametrize("name", ["images", "snapshots", "..", "/", "render"])
def test_other_folders_cannot_be_cleared(here: Here, home: Path, name: str) -> None:
    code, _, errors = here("cache", "clear", name, "--yes")
    assert code == 2
    assert f"cache {name!r} not found" in errors
    assert len(list(home.iterdir())) == 5


def test_links_are_not_followed(here: Here, home: Path, tmp_path: Path) -> None:
    (home / "saves").rename(tmp_path / "elsewhere")
    (home / "saves").symlink_to(tmp_path / "elsewhere")
    assert here("cache", "clear", "saves", "--yes")[0] == 0
    assert (tmp_path / "elsewhere" / "deep" / "file").exists()
