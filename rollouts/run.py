"""Run agents on tasks, one episode after the other, into an episode store."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import gymnasium as gym

from pptarena.agents.base import Agent
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.errors import ConfigError
from pptarena.rollouts.env_options import recorded_options
from pptarena.rollouts.episode import StepRecord, StoredEpisode
from pptarena.rollouts.play import play
from pptarena.rollouts.play_document import play_document
from pptarena.rollouts.store import episode_path, read_meta
from pptarena.tasks import Task

__all__ = [
    "INFRA_RETRIES",
    "Job",
    "free_failed_place",
    "plan_jobs",
    "require_same_options",
    "run_job",
    "run_jobs",
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


def require_same_options(jobs: Iterable[Job], env: gym.Env[Any, Any], root: Path) -> None:
    """Refuse to resume a run in an environment with other options.

    Args:
        jobs: The jobs.
        env: The environment.
        root: Root folder of the store.

    Raises:
        ConfigError: If an episode of the jobs was recorded with other options.
        StoreError: If an episode cannot be read.
    """
    now = recorded_options(env)
    for job in jobs:
        place = episode_path(root, job.agent, job.task.id, job.seed)
        if os.path.lexists(place) and (before := read_meta(place).env_options) != now:
            raise ConfigError(
                f"{place} was recorded with other options of the environment "
                f"({json.dumps(before)}, now {json.dumps(now)}); give the same --env-option, or "
                "another --out"
            )


def run_jobs(
    jobs: Sequence[Job],
    env: gym.Env[Any, Any],
    agents: Mapping[str, Agent],
    root: Path,
    infra_retries: int = INFRA_RETRIES,
    on_step: Callable[[Job, StepRecord], None] = lambda job, step: None,
) -> Iterator[tuple[Job, tuple[StoredEpisode, ...]]]:
    """Run jobs and yield each with its attempts, the last of which counts, when it is finished.

    A job whose episode is already in the store is skipped. An attempt with an infrastructure
    failure is stored under a separate name, marked, and repeated up to `infra_retries` times.

    Args:
        jobs: The jobs, in this order.
        env: A pptarena environment; the caller closes it.
        agents: The agents by the names that the jobs use.
        root: Root folder of the store.
        infra_retries: How often a failed attempt is repeated.
        on_step: Called after every step.

    Raises:
        StoreError: If an episode cannot be written.
        HostError: If the machine can never start on this computer.
        ImageError: If the machine image is missing or broken.
    """
    following = [*(job.task for job in jobs[1:]), None]
    for job, next_task in zip(jobs, following, strict=True):
        report = partial(on_step, job)
        yield job, run_job(job, env, agents[job.agent], root, infra_retries, next_task, report)


def run_job(
    job: Job,
    env: gym.Env[Any, Any],
    agent: Agent,
    root: Path,
    infra_retries: int = INFRA_RETRIES,
    next_task: Task | None = None,
    on_step: Callable[[StepRecord], None] = lambda step: None,
) -> tuple[StoredEpisode, ...]:
    """Run one job and return its attempts, the last of which counts; see `run_jobs`.

    Args:
        job: The job.
        env: A pptarena environment; the caller closes it.
        agent: The agent.
        root: Root folder of the store.
        infra_retries: How often a failed attempt is repeated.
        next_task: The task of the next episode, if known.
        on_step: Called after every step; if it raises, nothing is stored of the attempt.
    """
    place = episode_path(root, job.agent, job.task.id, job.seed)
    if os.path.lexists(place):
        return (StoredEpisode(place, read_meta(place)),)
    return _attempts(job, env, agent, root, infra_retries, next_task, on_step)


def _attempts(
    job: Job,
    env: gym.Env[Any, Any],
    agent: Agent,
    root: Path,
    infra_retries: int,
    next_task: Task | None,
    on_step: Callable[[StepRecord], None],
) -> tuple[StoredEpisode, ...]:
    attempts: list[StoredEpisode] = []
    on_document = isinstance(env.unwrapped, PPTArenaDocEnv)
    player = play_document if on_document else partial(play, next_task=next_task)
    while not attempts or (attempts[-1].meta.infra_error and len(attempts) <= infra_retries):
        attempts.append(
            player(
                env,
                agent,
                agent_name=job.agent,
                task=job.task,
                seed=job.seed,
                attempt=len(attempts) + 1,
                place=episode_path(root, job.agent, job.task.id, job.seed),
                failed_place=free_failed_place(root, job),
                on_step=on_step,
            )
        )
    return tuple(attempts)


def free_failed_place(root: Path, job: Job) -> Path:
    """Return the folder for the next failed attempt of a job."""
    places = (episode_path(root, job.agent, job.task.id, job.seed, number) for number in count(1))
    return next(place for place in places if not os.path.lexists(place))
