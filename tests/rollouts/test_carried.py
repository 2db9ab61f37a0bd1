"""Episodes that were played elsewhere and are put into a store here."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pptarena.agents.registry import make_agent
from pptarena.errors import StoreError
from pptarena.rollouts.carried import CarriedEpisode, pick_up, put_down
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.run import Job, run_job
from pptarena.rollouts.store import clear_interrupted, find_episodes
from pptarena.tasks import get_task

JOB = Job("random", get_task("meridian-hide-backup"), 7)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[StoredEpisode, Path]:
    root = tmp_path_factory.mktemp("there")
    with closing(make_env("fake", max_steps=2)) as env:
        (episode,) = run_job(JOB, env, make_agent("random"), root)
    return episode, root


@pytest.fixture
def carried(played: tuple[StoredEpisode, Path]) -> CarriedEpisode:
    episode, root = played
    return pick_up(episode, JOB, root)


def test_all_of_an_episode_arrives(
    played: tuple[StoredEpisode, Path], carried: CarriedEpisode, tmp_path: Path
) -> None:
    there, _ = played
    here = put_down(carried, JOB, tmp_path)
    assert here.meta == there.meta
    assert here.folder == tmp_path / "random" / JOB.task.id / "seed-7"
    names = sorted(file.name for file in there.folder.iterdir())
    assert sorted(file.name for file in here.folder.iterdir()) == names
    for name in names:
        assert (here.folder / name).read_bytes() == (there.folder / name).read_bytes()


def test_an_episode_is_put_down_once(carried: CarriedEpisode, tmp_path: Path) -> None:
    put_down(carried, JOB, tmp_path)
    with pytest.raises(StoreError, match="cannot be written"):
        put_down(carried, JOB, tmp_path)
    assert len(list(find_episodes(tmp_path))) == 1
    assert not [each for each in tmp_path.rglob(".partial-*")]


def test_failed_attempts_lie_beside_it(carried: CarriedEpisode, tmp_path: Path) -> None:
    failed = replace(carried, failed=True)
    found = [put_down(each, JOB, tmp_path).folder.name for each in (failed, failed, carried)]
    assert found == ["seed-7.failed-1", "seed-7.failed-2", "seed-7"]


@pytest.mark.parametrize("name", ["../out", "a/b", "..", ".hidden/x"])
def test_files_of_other_names_are_refused(
    carried: CarriedEpisode, tmp_path: Path, name: str
) -> None:
    odd = replace(carried, files={**carried.files, name: b""})
    with pytest.raises(StoreError, match="expected the files of one episode"):
        put_down(odd, JOB, tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_half_an_episode_is_none(carried: CarriedEpisode, tmp_path: Path) -> None:
    half = {name: data for name, data in carried.files.items() if name != "meta.json"}
    with pytest.raises(StoreError, match="expected the files of one episode"):
        put_down(replace(carried, files=half), JOB, tmp_path)
    broken = replace(carried, files={**carried.files, "meta.json": b"{}"})
    with pytest.raises(StoreError, match=r"meta\.json"):
        put_down(broken, JOB, tmp_path)
    assert list(find_episodes(tmp_path)) == []


def test_what_a_crash_left_is_replaced(carried: CarriedEpisode, tmp_path: Path) -> None:
    here = put_down(carried, JOB, tmp_path)
    partial = here.folder.with_name(".partial-seed-7")
    here.folder.rename(partial)
    assert put_down(carried, JOB, tmp_path).folder == here.folder
    assert not partial.exists()
    here.folder.rename(partial)
    clear_interrupted(tmp_path)
    assert not partial.exists()
