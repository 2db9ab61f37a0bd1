"""Measure the speed of an environment, part by part."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import gymnasium as gym
import numpy as np

from pptarena.agents.base import Agent
from pptarena.envs.machines.base import MACHINE_PARTS
from pptarena.envs.ppt_arena import base_env
from pptarena.rollouts.env import env_facts
from pptarena.tasks import Task

__all__ = ["Measurement", "first_reset", "measure"]

STEPS_PER_EPISODE = 20
_CPU_PARTS = ("step", "scored_step", "reset")
MIN_RESETS = 5
State = tuple[Any, dict[str, Any]]


@dataclass
class Measurement:
    """Durations in seconds, in the order of measurement.

    Attributes:
        machine: Type of machine.
        application: Its image and application.
        cold_start_sec: The first reset, which starts the machine; not included in `reset`.
        reset: All later resets.
        restore: Time of the later resets until the machine ran; empty if nothing is restored.
        step: Complete steps, as the agent experiences them.
        step_without_score: Complete steps without saving and scoring: act, settle, pixels and tree.
        action, settle, screenshot, tree: Parts of the steps inside the machine.
        score: Saving and scoring, for the steps that changed the document.
        step_cpu, scored_step_cpu: CPU time of steps without and with scoring, of this process and
            the machine together.
        reset_cpu: CPU time of resets: of this process, and of the new machine so far, even if it
            was prepared in the background.
        wall_sec: All steps and later resets together.
        memory_bytes: Peak memory of the machine; None if it has no separate process.
        action_errors: Number of refused actions.
        infra_errors: Infrastructure failures.
    """

    machine: str = ""
    application: str = ""
    cold_start_sec: float = 0.0
    reset: list[float] = field(default_factory=list)
    restore: list[float] = field(default_factory=list)
    step: list[float] = field(default_factory=list)
    step_without_score: list[float] = field(default_factory=list)
    action: list[float] = field(default_factory=list)
    settle: list[float] = field(default_factory=list)
    screenshot: list[float] = field(default_factory=list)
    tree: list[float] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    step_cpu: list[float] = field(default_factory=list)
    scored_step_cpu: list[float] = field(default_factory=list)
    reset_cpu: list[float] = field(default_factory=list)
    wall_sec: float = 0.0
    memory_bytes: int | None = None
    action_errors: int = 0
    infra_errors: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the figures: quantiles of every part, steps per second, memory."""
        parts = ("reset", "restore", "step", "step_without_score", *MACHINE_PARTS, "score")
        memory = self.memory_bytes
        return {
            "machine": self.machine,
            "application": self.application,
            "steps": len(self.step),
            **{f"{part}_sec": _quantiles(getattr(self, part)) for part in parts},
            "cpu_sec": {part: _mean(getattr(self, f"{part}_cpu")) for part in _CPU_PARTS},
            "steps_per_sec": _rate(len(self.step), sum(self.step)),
            "steps_per_sec_with_resets": _rate(len(self.step), self.wall_sec),
            "memory_mb": None if memory is None else round(memory / 2**20, 1),
            "cold_start_sec": round(self.cold_start_sec, 4),
            "samples": {part: len(getattr(self, part)) for part in parts},
            "action_errors": self.action_errors,
            "infra_errors": self.infra_errors,
        }


def first_reset(env: gym.Env[Any, Any]) -> float:
    """Return the duration of a first reset, which starts the machine; closes the environment.

    Raises:
        PPTArenaError: If the machine does not start.
    """
    with closing(env):
        start_sec = time.perf_counter()
        env.reset(seed=0)
        return time.perf_counter() - start_sec


def measure(
    env: gym.Env[Any, Any],
    agent: Agent,
    tasks: Sequence[Task],
    steps: int,
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> Measurement:
    """Run an agent and measure the duration of every part.

    The first reset, which starts the machine, is measured separately. The steps are then split into
    at least five blocks of about 20 steps, each followed by a reset that counts.

    Args:
        env: A pptarena environment whose step budget is above the number of steps.
        agent: The agent; it should not end episodes.
        tasks: Tasks, used in turn.
        steps: Number of steps to measure.
        seed: Seed of the first episode; increased by one for each further episode.
        on_step: Called after every step.

    Raises:
        MachineError: If the machine does not start.
    """
    result = Measurement()
    blocks = max(MIN_RESETS, -(-steps // STEPS_PER_EPISODE))
    start_sec = time.perf_counter()
    state = env.reset(seed=seed, options={"task": tasks[0]})
    result.cold_start_sec = time.perf_counter() - start_sec
    result.machine = env_facts(env).machine
    result.application = env_facts(env).application
    start_sec = time.perf_counter()
    for number in range(blocks):
        block_steps = steps * (number + 1) // blocks - steps * number // blocks  # evenly
        agent.reset(state[1], seed + number)
        _run_block(env, agent, state, block_steps, result, on_step)
        _record_memory(env, result)
        state = _reset(env, tasks[(number + 1) % len(tasks)], seed + number + 1, result)
    result.wall_sec = time.perf_counter() - start_sec
    return result


def _run_block(
    env: gym.Env[Any, Any],
    agent: Agent,
    state: State,
    steps: int,
    result: Measurement,
    on_step: Callable[[], None],
) -> None:
    observation, info = state
    is_over = False
    for _ in range(steps):
        if is_over:  # the machine failed; run the remaining steps on a new one
            observation, info = env.reset(options={"task": base_env(env).task})
        action = agent.act(observation, info)
        cpu_sec, start_sec = _cpu_sec(env), time.perf_counter()
        observation, _, terminated, truncated, info = env.step(action)
        result.step.append(time.perf_counter() - start_sec)
        cpu_samples = result.scored_step_cpu if info["timing"]["save"] > 0 else result.step_cpu
        cpu_samples.append(max(0.0, _cpu_sec(env) - cpu_sec))
        scoring = info["timing"]["save"] + info["timing"]["score"]
        result.step_without_score.append(result.step[-1] - scoring)
        is_over = terminated or truncated
        _record_step(info, result)
        on_step()


def _reset(env: gym.Env[Any, Any], task: Task, seed: int, result: Measurement) -> State:
    cpu_sec, start_sec = time.process_time(), time.perf_counter()
    state = env.reset(seed=seed, options={"task": task})
    result.reset.append(time.perf_counter() - start_sec)
    result.reset_cpu.append(_cpu_sec(env) - cpu_sec)
    restored_sec = base_env(env).machine.restore_sec
    if restored_sec is not None:
        result.restore.append(restored_sec)
    return state


def _record_step(info: dict[str, Any], result: Measurement) -> None:
    timing = info["timing"]
    if info["infra_error"]:
        result.infra_errors.append(info["infra_error"])
    elif info["action_error"]:
        result.action_errors += 1
    else:
        for part in MACHINE_PARTS:
            getattr(result, part).append(timing[part])
    if timing["save"] > 0:
        result.score.append(timing["save"] + timing["score"])


def _cpu_sec(env: gym.Env[Any, Any]) -> float:
    return time.process_time() + (base_env(env).machine.cpu_sec() or 0.0)


def _record_memory(env: gym.Env[Any, Any], result: Measurement) -> None:
    memory = base_env(env).machine.memory_bytes()
    if memory is not None:
        result.memory_bytes = max(memory, result.memory_bytes or 0)


def _quantiles(values: Sequence[float]) -> dict[str, float | None]:
    if not values:
        return {"p50": None, "p95": None}
    p50, p95 = np.quantile(values, (0.5, 0.95))
    return {"p50": round(float(p50), 5), "p95": round(float(p95), 5)}


def _mean(values: Sequence[float]) -> float | None:
    return round(float(np.mean(values)), 4) if values else None


def _rate(count: int, seconds: float) -> float | None:
    return round(count / seconds, 3) if seconds > 0 else None
