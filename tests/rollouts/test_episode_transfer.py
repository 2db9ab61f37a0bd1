"""Episodes that are packed on one computer and stored on another."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.agents.registry import make_agent
from pptarena.errors import StoreError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.episode_transfer import PackedEpisode, pack_episode, unpack_episode
from pptarena.rollouts.run import Job, run_job
from pptarena.rollouts.store import find_episodes, remove_partial_episodes
from pptarena.tasks import get_task

JOB = Job("random", get_task("meridian-hide-backup"), 7)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[StoredEpisode, Path]:
    root = tmp_path_factory.mktemp("remote")
    with closing(make_env("fake", max_steps=2)) as env:
        (episode,) = run_job(JOB, env, make_agent("random"), root)
    return episode, root


@pytest.fixture
def packed(played: tuple[StoredEpisode, Path]) -> PackedEpisode:
    episode, root = played
    return pack_episode(episode, JOB, root)


def test_unpacked_episode_equals_the_original(
    played: tuple[StoredEpisode, Path], packed: PackedEpisode, tmp_path: Path
) -> None:
    remote, _ = played
    local = unpack_episode(packed, JOB, tmp_path)
    assert local.meta == remote.meta
    assert local.folder == tmp_path / "random" / JOB.task.id / "seed-7"
    names = sorted(file.name for file in remote.folder.iterdir())
    assert sorted(file.name for file in local.folder.iterdir()) == names
    for name in names:
        assert (local.folder / name).read_bytes() == (remote.folder / name).read_bytes()


def test_episode_is_unpacked_once(packed: PackedEpisode, tmp_path: Path) -> None:
    unpack_episode(packed, JOB, tmp_path)
    with pytest.raises(StoreError, match="cannot be written"):
        unpack_episode(packed, JOB, tmp_path)
    assert len(list(find_episodes(tmp_path))) == 1
    assert not [each for each in tmp_path.rglob(".partial-*")]


def test_failed_attempts_are_stored_alongside(packed: PackedEpisode, tmp_path: Path) -> None:
    failed = replace(packed, failed=True)
    names = [unpack_episode(each, JOB, tmp_path).folder.name for each in (failed, failed, packed)]
    assert names == ["seed-7.failed-1", "seed-7.failed-2", "seed-7"]


@pytest.mark.parametrize("name", ["../out", "a/b", "..", ".hidden/x"])
def test_unexpected_file_names_are_rejected(
    packed: PackedEpisode, tmp_path: Path, name: str
) -> None:
    tampered = replace(packed, files={**packed.files, name: b""})
    with pytest.raises(StoreError, match="expected the files of one episode"):
        unpack_episode(tampered, JOB, tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_incomplete_episode_is_rejected(packed: PackedEpisode, tmp_path: Path) -> None:
    files = {name: data for name, data in packed.files.items() if name != "meta.json"}
    with pytest.raises(StoreError, match="expected the files of one episode"):
        unpack_episode(replace(packed, files=files), JOB, tmp_path)
    broken = replace(packed, files={**packed.files, "meta.json": b"{}"})
    with pytest.raises(StoreError, match=r"meta\.json"):
        unpack_episode(broken, JOB, tmp_path)
    assert list(find_episodes(tmp_path)) == []


def test_partial_episode_of_a_crash_is_replaced(packed: PackedEpisode, tmp_path: Path) -> None:
    local = unpack_episode(packed, JOB, tmp_path)
    partial = local.folder.with_name(".partial-seed-7")
    local.folder.rename(partial)
    assert unpack_episode(packed, JOB, tmp_path).folder == local.folder
    assert not partial.exists()
    local.folder.rename(partial)
    remove_partial_episodes(tmp_path)
    assert not partial.exists()
