"""Measure the throughput of several machines together."""

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pptarena.agents.base import Agent
from pptarena.envs.actions import Action, wait
from pptarena.envs.machines.memory import TreeCpu, tree_memory_bytes
from pptarena.envs.vector import PPTArenaVectorEnv

__all__ = ["PUBLISHED_TRAJECTORIES_PER_MIN", "VectorMeasurement", "measure_vector"]

PUBLISHED_TRAJECTORIES_PER_MIN = 1.4
"""Trajectories per minute and replica of the largest published gym of desktops."""

_Row = tuple[dict[str, Any], dict[str, Any]]


@dataclass(slots=True)
class VectorMeasurement:
    """The throughput of a number of machines.

    Attributes:
        machines: Number of machines.
        kind: Type of machine.
        steps_per_trajectory: Length of every trajectory.
        load: Load average of the minute before the measurement; other work slows it down.
        cold_start_sec: The first reset, which starts all machines; not included in the other
            figures.
        wall_sec: Wall-clock time of the rest, including later resets.
        host_cpu_sec: CPU time of this process meanwhile, all threads, without the machines.
        cpu_sec: CPU time of this process and its descendants, including machines.
        steps: Number of agent steps.
        trajectories: Number of complete trajectories, without those whose machine failed.
        call_sec: Seconds from every action to its result, resets included.
        memory_bytes: Memory of this process and its descendants at the end (proportional set
            size), including workers and machines.
        infra_errors: Infrastructure failures.
    """

    machines: int
    kind: str
    steps_per_trajectory: int
    load: float
    cold_start_sec: float = 0.0
    wall_sec: float = 0.0
    host_cpu_sec: float = 0.0
    cpu_sec: float = 0.0
    steps: int = 0
    trajectories: int = 0
    call_sec: list[float] = field(default_factory=list)
    memory_bytes: int = 0
    infra_errors: list[str] = field(default_factory=list)

    @property
    def steps_per_sec(self) -> float:
        """Agent steps per second of all machines together; NaN if none was measured."""
        return self.steps / self.wall_sec if self.wall_sec else math.nan

    @property
    def trajectories_per_min(self) -> float:
        """Trajectories per minute, of all machines together: their steps, by the steps of one."""
        return 60 * self.steps_per_sec / self.steps_per_trajectory if self.wall_sec else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        p50, p95 = np.quantile(self.call_sec, (0.5, 0.95)) if self.call_sec else (0.0, 0.0)
        each = self.trajectories_per_min / self.machines
        return {
            "machines": self.machines,
            "machine": self.kind,
            "steps_per_trajectory": self.steps_per_trajectory,
            "steps": self.steps,
            "trajectories": self.trajectories,
            "steps_per_sec": round(self.steps_per_sec, 3) if self.wall_sec else None,
            "trajectories_per_min": round(self.trajectories_per_min, 2),
            "trajectories_per_min_and_machine": round(each, 2),
            "times_published": round(each / PUBLISHED_TRAJECTORIES_PER_MIN, 2),
            "step_sec": {"p50": round(float(p50), 5), "p95": round(float(p95), 5)},
            "host_cpu_sec_per_step": round(self.host_cpu_sec / max(1, self.steps), 5),
            "cpu_sec_per_step": round(self.cpu_sec / max(1, self.steps), 5),
            "cold_start_sec": round(self.cold_start_sec, 3),
            "wall_sec": round(self.wall_sec, 3),
            "memory_mb": round(self.memory_bytes / 2**20, 1),
            "load_before": round(self.load, 2),
            "infra_errors": self.infra_errors,
        }


def measure_vector(
    envs: PPTArenaVectorEnv,
    agents: Sequence[Agent],
    episodes: int,
    steps_per_trajectory: int,
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
    kind: str = "",
) -> VectorMeasurement:
    """Run one agent per machine and measure the throughput.

    Machines do not wait for each other. It ends when the machines together have taken the steps of
    all trajectories; some are then in the middle of one.

    Args:
        envs: A vector whose step budget is `steps_per_trajectory`.
        agents: One per environment; they should not end episodes.
        episodes: Trajectories per environment.
        steps_per_trajectory: Their length.
        seed: Seed of the first environment's tasks and actions, incremented for each of the others.
        on_step: Called after every step of an agent.
        kind: Type of machine, for the report.

    Raises:
        MachineError: If no machine starts.
    """
    load = os.getloadavg()[0]
    result = VectorMeasurement(envs.num_envs, kind, steps_per_trajectory, load)
    begin = time.perf_counter()
    state = envs.reset(seed=seed)
    rows = [_row(state, number) for number in range(envs.num_envs)]
    result.cold_start_sec = time.perf_counter() - begin
    for number, row in enumerate(rows):
        agents[number].reset(row[1], seed + number)
    sent_at, taken = [0.0] * envs.num_envs, [0] * envs.num_envs
    begin, cpu = time.perf_counter(), time.process_time()
    all_cpu = TreeCpu(os.getpid())

    over = [False] * envs.num_envs

    def send(number: int, row: _Row) -> None:
        action = _act(agents[number], row)
        sent_at[number] = time.perf_counter()
        envs.send({number: action})

    for number, row in enumerate(rows):
        send(number, row)
    while result.steps < episodes * steps_per_trajectory * envs.num_envs:
        replies = envs.recv()
        now = time.perf_counter()
        for number, (_, _, terminated, truncated, info) in replies.items():
            result.call_sec.append(now - sent_at[number])
            was_step, ended = not over[number], terminated or truncated
            _count(result, info["infra_error"], was_step=was_step, ended=ended)
            taken[number] = 0 if ended else taken[number] + was_step
            if taken[number] == steps_per_trajectory - 2:
                all_cpu.sec()  # machines may exit in the next step
            if was_step:
                on_step()
            elif not ended:  # an action after the end of an episode starts the next one
                agents[number].reset(info, seed + number + 1000 * len(result.call_sec))
            over[number] = ended
        for number, (observation, _, _, _, info) in replies.items():
            send(number, (observation, info))
    result.wall_sec = time.perf_counter() - begin
    result.host_cpu_sec = time.process_time() - cpu
    result.cpu_sec = all_cpu.sec()
    result.memory_bytes = tree_memory_bytes(os.getpid())
    return result


def _act(agent: Agent, row: _Row) -> Action:
    if "a11y" not in row[1]:  # its machine never started
        return wait(0)
    return agent.act(*row)


def _count(
    result: VectorMeasurement, infra_error: str | None, *, was_step: bool, ended: bool
) -> None:
    if infra_error is not None:
        result.infra_errors.append(str(infra_error))
    elif was_step:
        result.steps += 1
        result.trajectories += ended


def _row(state: tuple[dict[str, Any], dict[str, Any]], number: int) -> _Row:
    observation, infos = state
    return {name: value[number] for name, value in observation.items()}, _one(infos, number)


def _one(infos: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        name: _one(value, number) if isinstance(value, dict) else value[number]
        for name, value in infos.items()
        if not name.startswith("_") and infos[f"_{name}"][number]
    }
