import subprocess
import sys
from pathlib import Path

import pytest
from tests.unwritable import DISKS, unwritable

from pptarena.envs.baseline import MEMORY_ENTRIES, Baseline, BaselineStore
from pptarena.errors import MachineError, MachineLostError
from pptarena.paths import cache_home
from pptarena.rewards import diff_decks, read_deck


def same(baseline: Baseline, data: bytes) -> bool:
    return baseline.file == data and not diff_decks(baseline.deck, read_deck(data))


def fail_to_create() -> bytes:
    raise AssertionError("a cached baseline was created again")


def raise_lost() -> bytes:
    raise MachineLostError("gone")


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_baseline_is_created_once_per_deck_and_version(
    tmp_path: Path, deck: bytes, other_deck: bytes
) -> None:
    store = BaselineStore(tmp_path)
    assert same(store.get(deck, "office 1", lambda: deck), deck)
    assert not same(store.get(deck, "office 1", fail_to_create), other_deck)
    assert same(store.get(deck, "office 1", fail_to_create), deck)
    assert same(store.get(deck, "office 2", lambda: other_deck), other_deck)
    assert same(store.get(other_deck, "office 1", lambda: deck), deck)
    assert len(files(tmp_path)) == 3


def test_another_store_reads_it_from_disk(tmp_path: Path, deck: bytes) -> None:
    BaselineStore(tmp_path).get(deck, "office: 1/x", lambda: deck)
    assert same(BaselineStore(tmp_path).get(deck, "office: 1/x", fail_to_create), deck)


def test_damaged_file_is_recreated(tmp_path: Path, deck: bytes) -> None:
    BaselineStore(tmp_path).get(deck, "1", lambda: deck)
    files(tmp_path)[0].write_bytes(deck[:100])
    assert same(BaselineStore(tmp_path).get(deck, "1", lambda: deck), deck)
    assert files(tmp_path)[0].read_bytes() == deck


@pytest.mark.parametrize("disk", DISKS)
def test_unwritable_disk_is_tolerated(
    disk: str, tmp_path: Path, deck: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with unwritable(disk, tmp_path) as folder:
        store = BaselineStore(folder)
        first = store.get(deck, "1", lambda: deck)
        assert same(first, deck)
        assert same(store.get(deck, "1", fail_to_create), deck)
        for version in range(MEMORY_ENTRIES + 1):
            store.get(deck, f"other {version}", lambda: deck)
        assert same(first, deck)  # a running episode needs neither disk nor store
    assert "cannot write the baseline" in caplog.text
    assert "PPTARENA_HOME" in caplog.text
    assert files(tmp_path) in ([], [tmp_path / "file"])


def test_full_disk_still_serves_cached_baselines(tmp_path: Path, deck: bytes) -> None:
    BaselineStore(tmp_path).get(deck, "1", lambda: deck)
    with unwritable("full", tmp_path) as folder:
        assert same(BaselineStore(folder).get(deck, "1", fail_to_create), deck)


def test_unreadable_baseline_is_a_machine_error(tmp_path: Path, deck: bytes) -> None:
    store = BaselineStore(tmp_path)
    with pytest.raises(MachineError, match="cannot be read"):
        store.get(deck, "1", lambda: b"no deck")
    with pytest.raises(MachineLostError, match="gone"):
        store.get(deck, "1", raise_lost)
    assert files(tmp_path) == []


@pytest.mark.slow
def test_concurrent_processes_create_one_file(tmp_path: Path, deck: bytes) -> None:
    path = tmp_path / "deck.pptx"
    path.write_bytes(deck)
    code = (
        "import sys, pathlib\n"
        "from pptarena.envs.baseline import MEMORY_ENTRIES, Baseline, BaselineStore\n"
        "folder, deck = map(pathlib.Path, sys.argv[1:])\n"
        "BaselineStore(folder).get(deck.read_bytes(), '1', deck.read_bytes)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "cache"), str(path)]
    processes = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(timeout=60) for process in processes] == [0] * 4
    baselines = files(tmp_path / "cache")
    assert [file.read_bytes() for file in baselines] == [deck]


def test_cache_folder_is_configurable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    assert cache_home() == tmp_path
    monkeypatch.delenv("PPTARENA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_home() == tmp_path / ".cache" / "pptarena"


def test_removed_file_does_not_affect_a_running_episode(tmp_path: Path, deck: bytes) -> None:
    store = BaselineStore(tmp_path)
    before = store.get(deck, "1", lambda: deck)
    files(tmp_path)[0].unlink()
    assert same(before, deck)
    assert same(store.get(deck, "1", lambda: deck), deck)
    assert files(tmp_path)[0].read_bytes() == deck
