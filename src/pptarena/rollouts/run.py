"""The jobs of a run, and the execution of a job."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena.agents.base import Agent
from pptarena.rollouts.episode import StepRecord, StoredEpisode
from pptarena.rollouts.play import play
from pptarena.rollouts.store import episode_path, read_meta
from pptarena.tasks import Task

__all__ = [
    "INFRA_RETRIES",
    "Job",
    "free_failed_folder",
    "plan_jobs",
    "run_job",
]

INFRA_RETRIES = 2
"""How often an episode is repeated after an infrastructure failure."""


@dataclass(frozen=True)
class Job:
    """One episode to run: the name of an agent, a task and a seed."""

    agent: str
    task: Task
    seed: int


def plan_jobs(
    agents: Sequence[str], tasks: Sequence[Task], episodes: int = 1, seed: int = 0
) -> tuple[Job, ...]:
    """Return one job per agent, task and seed; the seeds are `seed`, `seed + 1` and so on."""
    return tuple(
        Job(agent, task, seed + number)
        for agent in agents
        for task in tasks
        for number in range(episodes)
    )


def run_job(
    job: Job,
    env: gym.Env[Any, Any],
    agent: Agent,
    root: Path,
    infra_retries: int = INFRA_RETRIES,
    on_step: Callable[[StepRecord], None] = lambda step: None,
) -> tuple[StoredEpisode, ...]:
    """Run one job and return its attempts, the last of which counts.

    If the episode is already in the store, the job is skipped. An attempt with an infrastructure
    failure is stored under a separate name, marked, and repeated up to `infra_retries` times.

    Args:
        job: The job.
        env: A pptarena environment; the caller closes it.
        agent: The agent.
        root: Root folder of the store.
        infra_retries: How often a failed attempt is repeated.
        on_step: Called after every step; if it raises, the attempt is not stored.

    Raises:
        StoreError: If an episode cannot be written.
        HostError: If the machine can never start on this computer.
        ImageError: If the machine image is missing or broken.
    """
    folder = episode_path(root, job.agent, job.task.id, job.seed)
    if os.path.lexists(folder):
        return (StoredEpisode(folder, read_meta(folder)),)
    return _attempts(job, env, agent, root, infra_retries, on_step)


def _attempts(
    job: Job,
    env: gym.Env[Any, Any],
    agent: Agent,
    root: Path,
    infra_retries: int,
    on_step: Callable[[StepRecord], None],
) -> tuple[StoredEpisode, ...]:
    attempts: list[StoredEpisode] = []
    while not attempts or (attempts[-1].meta.infra_error and len(attempts) <= infra_retries):
        attempts.append(
            play(
                env,
                agent,
                agent_name=job.agent,
                task=job.task,
                seed=job.seed,
                attempt=len(attempts) + 1,
                folder=episode_path(root, job.agent, job.task.id, job.seed),
                failed_folder=free_failed_folder(root, job),
                on_step=on_step,
            )
        )
    return tuple(attempts)


def free_failed_folder(root: Path, job: Job) -> Path:
    """Return the folder for the next failed attempt of a job."""
    folders = (episode_path(root, job.agent, job.task.id, job.seed, number) for number in count(1))
    return next(folder for folder in folders if not os.path.lexists(folder))
