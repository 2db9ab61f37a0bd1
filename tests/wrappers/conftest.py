"""Environments on the fake machine, with a PPTARENA_HOME for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

Make = Callable[..., gym.Env[Any, Any]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set PPTARENA_HOME to a temporary folder."""
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def make() -> Iterator[Make]:
    """Make environments on the fake machine; all are closed after the test."""
    envs: list[gym.Env[Any, Any]] = []

    def make_env(**arguments: Any) -> gym.Env[Any, Any]:
        defaults = {"machine": "fake", "width_px": 640, "height_px": 360}
        arguments = {**defaults, **arguments}
        envs.append(gym.make("pptarena:PPTArena-v0", disable_env_checker=True, **arguments))
        return envs[-1]

    yield make_env
    for env in envs:
        env.close()
