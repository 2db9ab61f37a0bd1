from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.base import Agent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.machines.fake import FakeMachine
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.run import plan_jobs, run_jobs
from pptarena.rollouts.store import episode_path, find_episodes, read_meta
from pptarena.rollouts.summary import summarise
from pptarena.tasks import Task

Env = gym.Env[Any, Any]


def test_a_plan_has_every_agent_task_and_seed_once(task: Task) -> None:
    other = replace(task, id="other")
    jobs = plan_jobs(("a", "b"), (task, other), episodes=3, seed=10)
    assert len(jobs) == len({(job.agent, job.task.id, job.seed) for job in jobs}) == 12
    assert {job.seed for job in jobs} == {10, 11, 12}


def test_every_job_becomes_an_episode(
    env: Env, task: Task, script: Callable[..., Any], solution: Sequence[Action], tmp_path: Path
) -> None:
    agents = {"good": script(*solution), "idle": script(actions.done())}
    jobs = plan_jobs(tuple(agents), (task,), episodes=2)
    results = list(run_jobs(jobs, env, agents, tmp_path / "out"))
    assert [job for job, _ in results] == list(jobs)
    assert len(list(find_episodes(tmp_path / "out"))) == 4
    assert agents["good"].seeds == [0, 1]
    rows = summarise(episode.meta for _, attempts in results for episode in attempts)
    assert {(row.agent, row.success_rate) for row in rows} == {("good", 1.0), ("idle", 0.0)}


def test_a_finished_job_is_not_run_again(
    env: Env, task: Task, script: Callable[..., Any], tmp_path: Path
) -> None:
    agent = script(actions.done())
    jobs = plan_jobs(("idle",), (task,))
    first = list(run_jobs(jobs, env, {"idle": agent}, tmp_path / "out"))
    assert list(run_jobs(jobs, env, {"idle": agent}, tmp_path / "out")) == first
    assert agent.seeds == [0]


def test_an_attempt_that_the_machine_failed_is_kept_and_run_again(
    env: Env, task: Task, script: Callable[..., Any], machine: FakeMachine, tmp_path: Path
) -> None:
    agents: dict[str, Agent] = {"idle": script(actions.done())}
    machine.fail_next("lost", times=2)
    [(_, attempts)] = run_jobs(plan_jobs(("idle",), (task,)), env, agents, tmp_path)
    assert [episode.meta.infra_error is None for episode in attempts] == [False, False, True]
    assert [episode.meta.attempt for episode in attempts] == [1, 2, 3]
    for number in (1, 2):
        failed = episode_path(tmp_path, "idle", task.id, 0, failed_attempt=number)
        assert attempts[number - 1] == StoredEpisode(failed, read_meta(failed))
    assert attempts[-1].folder == episode_path(tmp_path, "idle", task.id, 0)


@pytest.mark.parametrize("retries", [0, 1])
def test_retries_are_bounded_and_a_later_run_tries_again(
    env: Env,
    task: Task,
    script: Callable[..., Any],
    machine: FakeMachine,
    tmp_path: Path,
    retries: int,
) -> None:
    agents: dict[str, Agent] = {"idle": script(actions.done())}
    jobs = plan_jobs(("idle",), (task,))
    machine.fail_next("lost", times=retries + 1)
    [(_, attempts)] = run_jobs(jobs, env, agents, tmp_path, infra_retries=retries)
    assert len(attempts) == retries + 1
    assert attempts[-1].meta.infra_error is not None
    [(_, again)] = run_jobs(jobs, env, agents, tmp_path, infra_retries=retries)
    assert again[-1].meta.score == 0.0
    assert len(list(find_episodes(tmp_path))) == retries + 2


def test_progress_is_reported_step_by_step(
    env: Env, task: Task, script: Callable[..., Any], tmp_path: Path
) -> None:
    seen = []
    agents: dict[str, Agent] = {"a": script(actions.key("Escape"), actions.done())}
    jobs = plan_jobs(("a",), (task,))
    list(run_jobs(jobs, env, agents, tmp_path, on_step=lambda job, step: seen.append(step.step)))
    assert seen == [0, 1]
