"""Helpers for tests of stored episodes: play one, or make up its facts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena.rollouts.episode import EpisodeMeta, StoredEpisode
from pptarena.rollouts.play import play
from pptarena.tasks import Task

_META = EpisodeMeta(
    agent="a", task="one", suite="tests", difficulty="easy", level="L1", edit_types=("text",),
    feasible=True, instruction="", seed=0, attempt=1, score=1.0, total_reward=1.0, steps=4,
    end="done", infra_error=None, agent_error=None, started_at="", reset_sec=1.0, run_sec=2.0,
    agent_sec=0.5, machine="fake", application="", screen=(640, 360), reward="dense", max_steps=20,
    versions={"pptarena": "1"},
)  # fmt: skip


def episode_meta(**fields: Any) -> EpisodeMeta:
    """Return the facts of a solved episode, with some fields replaced."""
    return replace(_META, **fields)


def play_into(
    folder: Path, env: gym.Env[Any, Any], agent: Any, task: Task, name: str = "agent", seed: int = 0
) -> StoredEpisode:
    """Play an episode into a folder, or into ``<folder>.failed`` if the infrastructure fails."""
    failed = folder.with_name(f"{folder.name}.failed")
    return play(
        env, agent, agent_name=name, task=task, seed=seed, folder=folder, failed_folder=failed
    )
