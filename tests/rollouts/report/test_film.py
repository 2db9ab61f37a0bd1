"""Films of episodes: frames, animation files and errors."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from PIL import Image
from tests.rollouts.playing import play_into

from pptarena.envs import actions
from pptarena.envs.action import Action
from pptarena.errors import ConfigError, StoreError
from pptarena.rollouts.report.film import FORMATS, film, write_film
from pptarena.tasks import Task

pytestmark = pytest.mark.slow


@pytest.fixture
def episode(
    env: gym.Env[Any, Any],
    task: Task,
    script: Callable[..., Any],
    solution: Sequence[Action],
    tmp_path: Path,
) -> Path:
    """An episode of a click, a refused click, a key and done."""
    click, key, done = solution
    agent = script(click, actions.click(element=4000), key, done)
    return play_into(tmp_path / "run/episode", env, agent, task).folder


def test_film_has_a_frame_for_every_action(episode: Path) -> None:
    frames = list(film(episode))
    long = [image for image, time in frames if time >= 900]
    assert len(long) == 5  # four actions and the end
    assert len(frames) == 5 + 4  # the pointer moves to the click
    assert {image.size for image in long} == {(960, 616)}
    screens = [np.array(image)[76:] for image in long]
    assert (screens[0] != screens[1]).any()  # the mark of the click
    bars = [np.array(image)[53:67, 960 - 214 :] for image in long]
    assert (bars[0] == bars[1]).all()
    assert (bars[2] != bars[3]).any()  # the score has risen


@pytest.mark.parametrize("suffix", FORMATS)
def test_film_is_an_animation(episode: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"film{suffix}"
    assert write_film(episode.parent, out) == episode
    with Image.open(out) as image:
        assert image.size == (960, 616)
        assert getattr(image, "n_frames", 1) >= 5


def test_invalid_files_and_episodes_are_rejected(episode: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"ends in \.gif"):
        write_film(episode, tmp_path / "film.mp4")
    with pytest.raises(StoreError, match="does not exist"):
        write_film(tmp_path / "out", tmp_path / "film.gif")
    lines = episode / "traj.jsonl"
    lines.write_text(lines.read_text().replace('"screenshot_file"', '"other"'))
    with pytest.raises(StoreError):
        write_film(episode, tmp_path / "film.gif")
    assert not (tmp_path / "film.gif").exists()
