import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.base import Agent
from pptarena.envs import actions
from pptarena.envs.actions import Action
from pptarena.envs.machines.fake import FakeMachine
from pptarena.rollouts import run_jobs
from pptarena.rollouts.collect import collect
from pptarena.rollouts.episode import StepRecord, StoredEpisode
from pptarena.rollouts.run import Job, plan_jobs, run_job
from pptarena.rollouts.store import episode_path, find_episodes, read_meta
from pptarena.rollouts.summary import summarise
from pptarena.tasks import Task

Env = gym.Env[Any, Any]


def test_plan_has_every_agent_task_and_seed_once(task: Task) -> None:
    other = replace(task, id="other")
    jobs = plan_jobs(("a", "b"), (task, other), episodes=3, seed=10)
    assert len(jobs) == len({(job.agent, job.task.id, job.seed) for job in jobs}) == 12
    assert {job.seed for job in jobs} == {10, 11, 12}


@pytest.mark.slow
def test_every_job_is_stored_as_an_episode(
    env: Env, task: Task, script: Callable[..., Any], solution: Sequence[Action], tmp_path: Path
) -> None:
    agents = {"good": script(*solution), "idle": script(actions.done())}
    jobs = plan_jobs(tuple(agents), (task,), episodes=2)
    results = list(collect(jobs, lambda: env, agents.__getitem__, tmp_path / "out"))
    assert [job for job, _ in results] == list(jobs)
    assert len(list(find_episodes(tmp_path / "out"))) == 4
    assert agents["good"].seeds == [0, 1]
    rows = summarise(episode.meta for _, attempts in results for episode in attempts)
    assert {(row.agent, row.success_rate) for row in rows} == {("good", 1.0), ("idle", 0.0)}


def test_finished_job_is_not_repeated(
    env: Env, task: Task, script: Callable[..., Any], tmp_path: Path
) -> None:
    agent = script(actions.done())
    jobs = plan_jobs(("idle",), (task,))
    first = list(collect(jobs, lambda: env, lambda name: agent, tmp_path / "out"))
    assert list(collect(jobs, lambda: env, lambda name: agent, tmp_path / "out")) == first
    assert agent.seeds == [0]


def test_failed_attempts_are_stored_and_retried(
    env: Env, task: Task, script: Callable[..., Any], machine: FakeMachine, tmp_path: Path
) -> None:
    agents: dict[str, Agent] = {"idle": script(actions.done())}
    machine.fail_next("lost", times=2)
    jobs = plan_jobs(("idle",), (task,))
    [(_, attempts)] = collect(jobs, lambda: env, agents.__getitem__, tmp_path)
    assert [episode.meta.infra_error is None for episode in attempts] == [False, False, True]
    assert [episode.meta.attempt for episode in attempts] == [1, 2, 3]
    for number in (1, 2):
        failed = episode_path(tmp_path, "idle", task.id, 0, failed_attempt=number)
        assert attempts[number - 1] == StoredEpisode(failed, read_meta(failed))
    assert attempts[-1].folder == episode_path(tmp_path, "idle", task.id, 0)


@pytest.mark.parametrize("retries", [0, 1])
def test_retries_are_limited_and_a_later_run_retries(
    env: Env,
    task: Task,
    script: Callable[..., Any],
    machine: FakeMachine,
    tmp_path: Path,
    retries: int,
) -> None:
    [job] = plan_jobs(("idle",), (task,))
    machine.fail_next("lost", times=retries + 1)
    run = partial(run_job, job, env, script(actions.done()), tmp_path, retries)
    attempts = run()
    assert len(attempts) == retries + 1
    assert attempts[-1].meta.infra_error is not None
    later_attempts = run()
    assert later_attempts[-1].meta.score == 0.0
    assert len(list(find_episodes(tmp_path))) == retries + 2


def test_progress_is_reported_for_each_step(
    env: Env, task: Task, script: Callable[..., Any], tmp_path: Path
) -> None:
    reported = []
    agents: dict[str, Agent] = {"a": script(actions.key("Escape"), actions.done())}
    jobs = plan_jobs(("a",), (task,))

    def on_step(worker: int, job: Job, step: StepRecord) -> None:
        reported.append((worker, job, step.step))

    list(collect(jobs, lambda: env, agents.__getitem__, tmp_path, on_step=on_step))
    assert reported == [(0, jobs[0], 0), (0, jobs[0], 1)]


def test_single_worker_runs_in_the_thread_of_the_caller(
    env: Env, task: Task, script: Callable[..., Any], tmp_path: Path, monkeypatch: Any
) -> None:
    threads = []

    def run(*arguments: Any) -> tuple[StoredEpisode, ...]:
        threads.append(threading.current_thread())
        return run_job(*arguments)

    # The package has a function of the same name as the module.
    monkeypatch.setattr(import_module("pptarena.rollouts.collect"), "run_job", run)
    other = replace(task, id="other")
    jobs = plan_jobs(("a",), (task, other))
    for job, _ in collect(jobs, lambda: env, lambda name: script(actions.done()), tmp_path):
        assert job.task in (task, other)
    assert threads == [threading.current_thread()] * 2


def test_deprecated_function_leaves_the_environment_open(
    env: Env, task: Task, script: Callable[..., Any], tmp_path: Path, monkeypatch: Any
) -> None:
    jobs = plan_jobs(("a",), (task,), episodes=2)
    seeds: list[int] = []
    closed: list[bool] = []
    monkeypatch.setattr(env.unwrapped, "close", lambda: closed.append(True))
    with pytest.warns(DeprecationWarning, match="run_jobs is now collect"):
        results = run_jobs(
            jobs,
            env,
            {"a": script(actions.done())},
            tmp_path,
            on_step=lambda job, step: seeds.append(job.seed),
        )
    assert [job for job, _ in results] == list(jobs)
    assert seeds == [0, 1]
    assert closed == []
