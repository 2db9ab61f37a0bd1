"""User-defined tasks as environments: by path, from a folder, in other processes."""

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import gymnasium as gym
import pytest
from tests.envs.title_steps import click_title

from pptarena.envs.actions import done, key
from pptarena.errors import ConfigError, TaskError, UnknownTaskError
from pptarena.rewards.judges.protocol import PythonLeaf, Verdict
from pptarena.tasks import load_task

WriteTask = Callable[..., Path]
FAKE: dict[str, Any] = {"machine": "fake", "width_px": 640, "height_px": 360}


def test_task_is_loaded_from_its_path(write_task: WriteTask) -> None:
    folder = write_task("mine/bold-title")
    for task in (str(folder), str(folder / "task.json"), folder, load_task(folder)):
        env = gym.make("PPTArena-v0", task=task, **FAKE)
        _, info = env.reset(seed=0)
        assert (info["task_id"], info["score"]) == ("bold-title", 0.0)
        env.close()


def test_user_defined_task_is_solved(write_task: WriteTask) -> None:
    env = gym.make("PPTArena-v0", task=str(write_task("bold-title")), **FAKE)
    _, info = env.reset(seed=0)
    click_title(env, info)
    _, reward, _, _, info = env.step(key("ctrl+b"))
    assert (reward, info["score"]) == (1.0, 1.0)
    assert env.step(done())[2]
    env.close()


@pytest.mark.slow
def test_tasks_are_sampled_from_a_folder(write_task: WriteTask, tmp_path: Path) -> None:
    names = {"a-task", "b-task", "c-task"}
    for name in names:
        write_task(f"mine/{name}")
    env = gym.make("PPTArena-v0", suite=str(tmp_path / "mine"), **FAKE)
    sampled = {env.reset(seed=seed)[1]["task_id"] for seed in range(12)}
    assert sampled == names
    assert env.reset(options={"task": "b-task"})[1]["task_id"] == "b-task"
    assert env.reset(options={"task": None, "task_id": "c-task"})[1]["task_id"] == "c-task"
    with pytest.raises(ConfigError, match="task and task_id are the same option; give one"):
        env.reset(options={"task": "a-task", "task_id": "b-task"})
    other_folder = write_task("theirs/d-task")
    assert env.reset(options={"task": str(other_folder)})[1]["task_id"] == "d-task"
    with pytest.raises(UnknownTaskError, match="task 'd-task' not found"):
        env.reset(options={"task": "d-task"})
    env.close()
    env = gym.make("PPTArena-v0", task="c-task", suite=str(tmp_path / "mine"), **FAKE)
    assert env.reset()[1]["task_id"] == "c-task"
    env.close()


def test_unloadable_task_is_rejected_by_make(write_task: WriteTask, tmp_path: Path) -> None:
    folder = write_task("a-task", deck="none.pptx")
    with pytest.raises(TaskError, match=r"expected a \.pptx file, there is none at .*none\.pptx"):
        gym.make("PPTArena-v0", task=str(folder), **FAKE)
    with pytest.raises(UnknownTaskError, match="no such file or folder"):
        gym.make("PPTArena-v0", task=str(tmp_path / "none"), **FAKE)


@pytest.mark.slow
@pytest.mark.parametrize("as_object", [False, True])
def test_task_is_found_in_other_processes(write_task: WriteTask, as_object: bool) -> None:
    folder = write_task("mine/bold-title")
    task = load_task(folder) if as_object else str(folder)
    assert pickle.loads(pickle.dumps(task)) == task
    envs = gym.make_vec(
        "PPTArena-v0", num_envs=1, vectorization_mode="async",
        vector_kwargs={"context": "spawn"}, task=task, **FAKE,
    )  # fmt: skip
    try:
        _, infos = envs.reset(seed=0)
        assert infos["task_id"].tolist() == ["bold-title"]
    finally:
        envs.close()


class Programs:
    """Returns the code of a leaf as its score, and records its arguments."""

    calls: ClassVar[list[tuple[bytes, bytes, object, object]]] = []
    closed: ClassVar[int] = 0

    def __init__(self, original: bytes, current: bytes, model: object, renderer: object) -> None:
        self.calls.append((original, current, model, renderer))

    def __enter__(self) -> "Programs":
        return self

    def __exit__(self, *_: object) -> None:
        type(self).closed += 1

    def run_leaf(self, leaf: PythonLeaf) -> Verdict:
        return Verdict(float(leaf.code), "as coded")


def test_python_leaves_run_whenever_a_deck_is_scored(
    write_task: WriteTask, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaf = {"name": "half", "check": "python", "args": {"code": "0.5"}}
    folder = write_task("a-task", rubric={"version": 1, "root": leaf})
    env: Any = gym.make("PPTArena-v0", task=str(folder), **FAKE).unwrapped
    monkeypatch.setattr(Programs, "calls", [])
    env._grading = replace(env._grading, leaf_runner=Programs)
    _, info = env.reset(seed=0)
    assert info["score"] == 0.5
    ((before, current, model, renderer),) = Programs.calls
    assert before == current
    assert (model, renderer) == (None, None)
    click_title(env, info)
    env.step(key("ctrl+b"))
    assert Programs.calls[-1][0] == before != Programs.calls[-1][1]
    assert Programs.calls[-1][3] is None
    assert env.step(done())[4]["score"] == 0.5
    assert Programs.calls[-1][3] is None  # the deck is unchanged: not run again
    assert Programs.closed == len(Programs.calls) == 2
    env.close()
