"""Environments on the fake machine; nothing is shown to the user's own folder."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

Make = Callable[..., gym.Env[Any, Any]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PPTARENA_HOME of this test's own."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def make() -> Iterator[Make]:
    """Make environments on the fake machine; they are closed in the end."""
    made: list[gym.Env[Any, Any]] = []

    def new(**arguments: Any) -> gym.Env[Any, Any]:
        defaults = {"machine": "fake", "width_px": 640, "height_px": 360}
        arguments = {**defaults, **arguments}
        made.append(gym.make("pptarena:PPTArena-v0", disable_env_checker=True, **arguments))
        return made[-1]

    yield new
    for env in made:
        env.close()
