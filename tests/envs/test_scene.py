"""The scene of a task: the state of the screen when an episode starts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.envs.actions import click, done, key
from pptarena.errors import TaskError
from pptarena.rollouts.task_digest import task_digest
from pptarena.tasks import load_task

WriteTask = Callable[..., Path]
SLIDE_TWO = {
    "kind": "click",
    "target": {
        "role": "panel",
        "name": "Orchard",
        "within": {"role": "document frame", "name": "Slides View"},
    },
}
COPY_TEXT = {"kind": "copy_text", "text": "42 sheep"}


@pytest.fixture
def make(write_task: WriteTask) -> Iterator[Callable[..., gym.Env[Any, Any]]]:
    envs: list[gym.Env[Any, Any]] = []

    def make(*scene: Mapping[str, Any], **settings: Any) -> gym.Env[Any, Any]:
        folder = write_task(f"scenes/scene-{len(envs)}", scene=list(scene))
        envs.append(gym.make("PPTArena-v0", task=folder, **{"machine": "fake", **settings}))
        return envs[-1]

    yield make
    for env in envs:
        env.close()


def test_episode_starts_with_the_scene(make: Callable[..., gym.Env[Any, Any]]) -> None:
    env = make(SLIDE_TWO, COPY_TEXT)
    for _ in range(2):  # the first reset also saves the baseline
        _, info = env.reset(seed=0)
        assert info["document"]["slide"] == 2
        assert (info["clipboard"], info["score"], info["command"]) == ("42 sheep", 0.0, {})
        _, _, terminated, _, info = env.step(done())
        assert terminated
        assert info["score"] == 0.0


def test_checkpoint_restores_the_scene(make: Callable[..., gym.Env[Any, Any]]) -> None:
    env = make(SLIDE_TWO)
    env.reset(seed=0)
    with env.unwrapped.checkpoint() as checkpoint:  # type: ignore[attr-defined]
        env.step(key("Home"))
        _, info = env.unwrapped.restore(checkpoint)  # type: ignore[attr-defined]
        assert info["document"]["slide"] == 2
        assert len(info["a11y"]["nodes"]) > 10
        env.step(click(xy=(0.5, 0.5)))


def test_missing_control_is_a_task_error(make: Callable[..., gym.Env[Any, Any]]) -> None:
    env = make(COPY_TEXT, {"kind": "click", "target": {"role": "panel", "name": "Orchid"}})
    with pytest.raises(TaskError, match=r"scene/1: expected panel 'Orchid'.*Orchard"):
        env.reset(seed=0)


def test_scene_must_not_change_the_document(make: Callable[..., gym.Env[Any, Any]]) -> None:
    env = make(SLIDE_TWO, {"kind": "key", "keys": "Delete"})
    with pytest.raises(TaskError, match="scene/1: the action changes the document"):
        env.reset(seed=0)


def test_malformed_scene_is_rejected_with_its_location(write_task: WriteTask) -> None:
    scene = [COPY_TEXT, {"kind": "done"}, {"kind": "click"}, {"kind": "open_program"}]
    with pytest.raises(TaskError) as caught:
        load_task(write_task("scene", scene=scene))
    text = str(caught.value)
    assert "scene/1/kind: expected one of" in text
    assert "scene/2: a step of kind 'click' needs target" in text
    assert "scene/3: a step of kind 'open_program' needs text" in text


def test_scene_is_part_of_the_task_digest(write_task: WriteTask) -> None:
    task = load_task(write_task("scene", scene=[COPY_TEXT, SLIDE_TWO]))
    assert [step.to_json() for step in task.scene] == [COPY_TEXT, SLIDE_TWO]
    scenes = (task.scene, task.scene[:1], task.scene[1:], task.scene[::-1], ())
    assert len({task_digest(replace(task, scene=scene)) for scene in scenes}) == 5


@pytest.mark.image
def test_scene_sets_panel_slide_and_second_program_on_the_desktop(
    make: Callable[..., gym.Env[Any, Any]],
) -> None:
    steps: list[dict[str, Any]] = [
        {"kind": "click", "target": {"role": "toggle button", "within": {"name": "Animation"}}},
        SLIDE_TWO,
        COPY_TEXT,
    ]
    settings = {"machine": "sandbox", "look": "never"}
    env = make(*steps, {"kind": "open_program", "text": "Calc"}, **settings)
    for _ in range(2):
        _, info = env.reset(seed=0)
        assert "Calc" in info["window_titles"][0]
        assert info["clipboard"] == "42 sheep"
        assert (info["document"]["slide"], info["score"]) == (2, 0.0)
    env = make(*steps[:2], **settings)
    _, info = env.reset(seed=0)
    assert any(
        node["name"] == "Animation" and node["role"] == "panel" for node in visible_nodes(info)
    )
    assert info["document"]["slide"] == 2


def visible_nodes(info: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [node for node in info["a11y"]["nodes"] if "showing" in node["states"]]
