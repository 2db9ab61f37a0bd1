"""Conversion of stored episodes to demonstrations of their tasks."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.agents.demonstration import DemonstrationAgent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.errors import StoreError, TaskError
from pptarena.rollouts.env import make_env
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.solutions import demonstration_of, write_solution
from pptarena.rollouts.store import read_steps
from pptarena.tasks import Task, get_task

Record = Callable[..., StoredEpisode]
SCREEN = (1280, 720)


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[gym.Env[Any, Any]]:
    """The fake machine with a screen large enough for all menus."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    with closing(make_env("fake")) as env:
        yield env


@pytest.fixture
def record(env: gym.Env[Any, Any], tmp_path: Path) -> Record:
    """Play an episode."""

    def run(agent: Any, task: Task, name: str = "human") -> StoredEpisode:
        return play_into(tmp_path / name, env, agent, task, name)

    return run


def center(env: gym.Env[Any, Any], task: Task, name: str) -> tuple[float, float]:
    _, info = env.reset(options={"task": task})
    left, top, width, height = next(
        node["box"] for node in info["a11y"]["nodes"] if node["name"] == name
    )
    return (left + width / 2) / SCREEN[0], (top + height / 2) / SCREEN[1]


def test_points_and_elements_are_converted_to_targets(
    env: gym.Env[Any, Any], task: Task, script: Callable[..., Any], record: Record
) -> None:
    x, y = center(env, task, "Title 1")
    agent = script(
        actions.click(xy=(x + 0.01, y)),
        actions.click(element=4000),  # refused
        actions.key("ctrl+b"),
        actions.drag(xy=(x, y), end_xy=(x, y)),
        actions.done(),
    )
    episode = record(agent, task)
    click, key, drag = demonstration_of(episode.folder)
    assert (click.kind, click.target) == ("click", {"role": "panel", "name": "Title 1"})
    assert click.at is not None
    assert click.at[0] > 0.5
    assert click.at[1] == pytest.approx(0.5, abs=0.02)
    assert (key.kind, key.keys) == ("key", "ctrl+b")
    assert drag.end_target == click.target
    assert drag.end_at is not None


@pytest.mark.slow
def test_demonstration_repeats_the_episode(
    env: gym.Env[Any, Any], script: Callable[..., Any], record: Record, tmp_path: Path
) -> None:
    """The recorded actions solve a copy of a packaged task at the same points."""
    task = get_task("meridian-hide-backup")
    first = record(DemonstrationAgent(lambda _: task), task, "first")
    assert first.meta.score == 1.0
    points = [
        Action(step.action.kind, xy=_fraction(step.aim.point), keys=step.action.keys,
               text=step.action.text, amount=step.action.amount)
        for step in read_steps(first.folder)
    ]  # fmt: skip
    by_points = record(script(*points), task, "by-points")
    assert by_points.meta.score == 1.0
    for episode in (first, by_points):
        folder = tmp_path / f"{episode.meta.agent}-solution"
        write_solution(task, episode.folder, folder)
        copy = get_task(folder)
        assert copy.instruction == task.instruction
        assert copy.demonstration == demonstration_of(episode.folder)
        repeated = record(DemonstrationAgent({copy.id: copy}.__getitem__), copy, f"{folder.name}-2")
        assert repeated.meta.score == 1.0
        aims = [[step.aim.point for step in read_steps(e.folder)] for e in (episode, repeated)]
        assert aims[0] == aims[1]


def _fraction(point: tuple[int, int] | None) -> tuple[float, float] | None:
    if point is None:
        return None
    return (point[0] + 0.5) / SCREEN[0], (point[1] + 0.5) / SCREEN[1]


def test_task_is_copied_with_its_files(
    env: gym.Env[Any, Any], script: Callable[..., Any], record: Record, tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    task = get_task("meridian-hide-backup")
    folder.mkdir()
    (folder / "My deck.pptx").write_bytes(task.deck_bytes())
    (folder / "notes.txt").write_text("Hide it.")
    (folder / "task.json").write_text(
        '{"version": 2, "id": "own", "deck": "My deck.pptx", "instruction": "Hide nothing.", '
        '"files": ["notes.txt"], "feasible": false, "max_steps": 3}'
    )
    original = get_task(folder)
    waits = [actions.wait(0)] * 3
    episode = record(script(*waits[:1], actions.fail()), original)
    assert episode.meta.score == 1.0
    copied = get_task(write_solution(original, episode.folder, tmp_path / "copy").parent)
    assert copied.file_name == original.file_name == "My deck.pptx"
    assert copied.files_bytes() == {"notes.txt": b"Hide it."}
    assert [step.kind for step in copied.demonstration] == ["wait", "fail"]
    assert copied.max_steps == 3


def test_unsolved_and_unrepeatable_episodes_are_rejected(
    env: gym.Env[Any, Any], task: Task, script: Callable[..., Any], record: Record, tmp_path: Path
) -> None:
    packaged = get_task("meridian-hide-backup")
    episode = record(script(actions.done()), packaged)
    with pytest.raises(StoreError, match=r"expected an episode with score 1\.00"):
        write_solution(packaged, episode.folder, tmp_path / "copy")
    with pytest.raises(TaskError, match="exists: choose a new folder"):
        write_solution(packaged, episode.folder, tmp_path)
    assert not (tmp_path / "copy").exists()
    copying = script(actions.copy_image(xy=(0.1, 0.1), end_xy=(0.2, 0.2)), actions.done())
    with pytest.raises(StoreError, match=r"step 0: .*not of a region"):
        demonstration_of(record(copying, task, "copying").folder)
