"""Readers of hostile runs and caches do not read, write or delete anything outside."""

from pathlib import Path

import pytest
from tests.security.hostile_caches import cache_faults
from tests.security.hostile_runs import CaseFolders, cases
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
def test_hostile_run_is_handled(honest: Path, tmp_path: Path, name: str) -> None:
    case = next(case for case in cases(honest) if case.name == name)
    assert faults_of(case, honest, tmp_path / "world") == []


@pytest.mark.nightly
def test_all_hostile_runs_are_handled(honest: Path, tmp_path: Path) -> None:
    all_cases = list(cases(honest))
    faults_by_case = {
        case.name: faults_of(case, honest, tmp_path / f"world-{number}")
        for number, case in enumerate(all_cases)
    }
    assert len(faults_by_case) > 500
    assert {name: faults for name, faults in faults_by_case.items() if faults} == {}


def test_all_readers_accept_honest_run(honest: Path, tmp_path: Path) -> None:
    """Otherwise a reader that refuses everything would pass."""
    for name, read in READERS.items():
        folders = CaseFolders(tmp_path / name)
        folders.prepare(honest)
        read(folders)


def test_cleanup_keeps_user_files(tmp_path: Path) -> None:
    faults_by_case = dict(cache_faults(tmp_path / "homes"))
    assert len(faults_by_case) > 100
    assert {name: faults for name, faults in faults_by_case.items() if faults} == {}
