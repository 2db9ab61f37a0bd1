"""A part of the audit of files that others wrote; all of it: ``pptarena audit files``."""

from pathlib import Path

import pytest

from pptarena.audits.files import record_honest, run_row
from pptarena.audits.hostile_homes import home_rows
from pptarena.audits.hostile_runs import cases

QUICK = (
    "traj.jsonl screenshot_file = upwards",
    "meta.json agent = new file",
    "step_000.json: link",
    "step_000.png: pipe",
    "half-made episode of somebody else",
    "folder of the task is a link",
)


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with one episode."""
    root = tmp_path_factory.mktemp("honest")
    record_honest(root)
    return root


@pytest.mark.parametrize("name", QUICK)
def test_a_hostile_run_harms_nobody(
    honest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    case = next(case for case in cases(honest) if case.name == name)
    row = run_row(case, honest, tmp_path / "world")
    assert row.held, row.found


def test_an_honest_run_is_read_by_all(
    honest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the audit would show nothing: refusing everything is no art."""
    from pptarena.audits.files import _READERS
    from pptarena.audits.hostile_runs import World

    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    for name, read in _READERS.items():
        world = World(tmp_path / name)
        world.prepare(honest)
        read(world)


@pytest.mark.slow
def test_clean_up_leaves_what_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    rows = list(home_rows(tmp_path / "homes"))
    assert [row for row in rows if not row.held] == []
    assert len(rows) > 100
