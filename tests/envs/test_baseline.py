import subprocess
import sys
from pathlib import Path

import pytest
from tests.unwritable import DISKS, unwritable

from pptarena.envs.baseline import MEMORY_ENTRIES, Baseline, BaselineStore
from pptarena.errors import MachineError, MachineLostError
from pptarena.paths import cache_home
from pptarena.rewards import diff_decks, read_deck


def same(kept: Baseline, data: bytes) -> bool:
    return kept.file == data and not diff_decks(kept.deck, read_deck(data))


def never() -> bytes:
    raise AssertionError("a kept baseline was made again")


def lost() -> bytes:
    raise MachineLostError("gone")


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_it_is_made_once_per_deck_and_version(
    tmp_path: Path, deck: bytes, other_deck: bytes
) -> None:
    store = BaselineStore(tmp_path)
    assert same(store.get(deck, "office 1", lambda: deck), deck)
    assert not same(store.get(deck, "office 1", never), other_deck)
    assert same(store.get(deck, "office 1", never), deck)
    assert same(store.get(deck, "office 2", lambda: other_deck), other_deck)
    assert same(store.get(other_deck, "office 1", lambda: deck), deck)
    assert len(files(tmp_path)) == 3


def test_another_process_finds_it_on_disk(tmp_path: Path, deck: bytes) -> None:
    BaselineStore(tmp_path).get(deck, "office: 1/x", lambda: deck)
    assert same(BaselineStore(tmp_path).get(deck, "office: 1/x", never), deck)


def test_a_damaged_file_is_made_again(tmp_path: Path, deck: bytes) -> None:
    BaselineStore(tmp_path).get(deck, "1", lambda: deck)
    files(tmp_path)[0].write_bytes(deck[:100])
    assert same(BaselineStore(tmp_path).get(deck, "1", lambda: deck), deck)
    assert files(tmp_path)[0].read_bytes() == deck


@pytest.mark.parametrize("disk", DISKS)
def test_a_disk_that_cannot_be_written_costs_only_time(
    disk: str, tmp_path: Path, deck: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with unwritable(disk, tmp_path) as folder:
        store = BaselineStore(folder)
        first = store.get(deck, "1", lambda: deck)
        assert same(first, deck)
        assert same(store.get(deck, "1", never), deck)
        for version in range(MEMORY_ENTRIES + 1):
            store.get(deck, f"other {version}", lambda: deck)
        assert same(first, deck)  # an episode that still runs needs neither disk nor store
    assert "cannot write the baseline" in caplog.text
    assert "PPTARENA_HOME" in caplog.text
    assert files(tmp_path) in ([], [tmp_path / "file"])


def test_a_folder_that_is_only_read_serves_what_it_has(tmp_path: Path, deck: bytes) -> None:
    BaselineStore(tmp_path).get(deck, "1", lambda: deck)
    with unwritable("full", tmp_path) as folder:
        assert same(BaselineStore(folder).get(deck, "1", never), deck)


def test_an_unreadable_deck_is_the_machines_fault(tmp_path: Path, deck: bytes) -> None:
    store = BaselineStore(tmp_path)
    with pytest.raises(MachineError, match="cannot be read"):
        store.get(deck, "1", lambda: b"no deck")
    with pytest.raises(MachineLostError, match="gone"):
        store.get(deck, "1", lost)
    assert files(tmp_path) == []


@pytest.mark.slow
def test_several_processes_at_once(tmp_path: Path, deck: bytes) -> None:
    path = tmp_path / "deck.pptx"
    path.write_bytes(deck)
    code = (
        "import sys, pathlib\n"
        "from pptarena.envs.baseline import MEMORY_ENTRIES, Baseline, BaselineStore\n"
        "folder, deck = map(pathlib.Path, sys.argv[1:])\n"
        "BaselineStore(folder).get(deck.read_bytes(), '1', deck.read_bytes)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "kept"), str(path)]
    running = [subprocess.Popen(command) for _ in range(4)]
    assert [process.wait(timeout=60) for process in running] == [0] * 4
    kept = files(tmp_path / "kept")
    assert [file.read_bytes() for file in kept] == [deck]


def test_the_cache_folder_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    assert cache_home() == tmp_path
    monkeypatch.delenv("PPTARENA_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_home() == tmp_path / ".cache" / "pptarena"


def test_a_running_episode_does_without_a_file_that_was_removed(
    tmp_path: Path, deck: bytes
) -> None:
    store = BaselineStore(tmp_path)
    before = store.get(deck, "1", lambda: deck)
    files(tmp_path)[0].unlink()
    assert same(before, deck)
    assert same(store.get(deck, "1", lambda: deck), deck)
    assert files(tmp_path)[0].read_bytes() == deck
