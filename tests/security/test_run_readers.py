"""Runs and caches that an attacker wrote: nothing outside is read, written or deleted."""

from pathlib import Path

import pytest
from tests.security.hostile_homes import home_faults
from tests.security.hostile_runs import World, cases
from tests.security.run_readers import READERS, faults_of, record_honest

pytestmark = pytest.mark.slow

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


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("name", QUICK)
def test_a_hostile_run_harms_nobody(honest: Path, tmp_path: Path, name: str) -> None:
    case = next(case for case in cases(honest) if case.name == name)
    assert faults_of(case, honest, tmp_path / "world") == []


@pytest.mark.nightly
@pytest.mark.timeout(4 * 3600)
def test_no_hostile_run_harms_anybody(honest: Path, tmp_path: Path) -> None:
    every = list(cases(honest))
    found = {
        case.name: faults_of(case, honest, tmp_path / f"world-{number}")
        for number, case in enumerate(every)
    }
    assert len(found) > 500
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_all_readers_accept_an_honest_run(honest: Path, tmp_path: Path) -> None:
    """Otherwise a reader that refuses everything would pass."""
    for name, read in READERS.items():
        world = World(tmp_path / name)
        world.prepare(honest)
        read(world)


@pytest.mark.slow
def test_cleanups_leave_files_of_the_user(tmp_path: Path) -> None:
    found = dict(home_faults(tmp_path / "homes"))
    assert len(found) > 100
    assert {name: faults for name, faults in found.items() if faults} == {}
