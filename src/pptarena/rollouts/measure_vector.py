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
from pptarena.envs.machines.process_tree import ProcessTreeCpu, tree_memory_bytes
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
        wall_sec: Wall-clock time after the cold start, including later resets.
        host_cpu_sec: CPU time of this process (all threads) in that time, without the machines.
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
        """Agent steps per second over all machines; NaN if none was measured."""
        return self.steps / self.wall_sec if self.wall_sec else math.nan

    @property
    def trajectories_per_min(self) -> float:
        """Trajectories per minute over all machines, computed from the number of steps."""
        return 60 * self.steps_per_sec / self.steps_per_trajectory if self.wall_sec else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the figures as a JSON object."""
        p50, p95 = np.quantile(self.call_sec, (0.5, 0.95)) if self.call_sec else (0.0, 0.0)
        per_machine = self.trajectories_per_min / self.machines
        return {
            "machines": self.machines,
            "machine": self.kind,
            "steps_per_trajectory": self.steps_per_trajectory,
            "steps": self.steps,
            "trajectories": self.trajectories,
            "steps_per_sec": round(self.steps_per_sec, 3) if self.wall_sec else None,
            "trajectories_per_min": round(self.trajectories_per_min, 2),
            "trajectories_per_min_and_machine": round(per_machine, 2),
            "times_published": round(per_machine / PUBLISHED_TRAJECTORIES_PER_MIN, 2),
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

    Machines do not wait for each other. The measurement ends when the total number of steps is
    reached, so some machines are then in the middle of a trajectory.

    Args:
        envs: A vector whose step budget is `steps_per_trajectory`.
        agents: One per environment; they should not end episodes.
        episodes: Trajectories per environment.
        steps_per_trajectory: Length of a trajectory.
        seed: Seed of the first environment's tasks and actions, incremented for each of the others.
        on_step: Called after every step of an agent.
        kind: Type of machine, for the report.

    Raises:
        MachineError: If no machine starts.
    """
    load = os.getloadavg()[0]
    result = VectorMeasurement(envs.num_envs, kind, steps_per_trajectory, load)
    start_sec = time.perf_counter()
    state = envs.reset(seed=seed)
    rows = [_row(state, number) for number in range(envs.num_envs)]
    result.cold_start_sec = time.perf_counter() - start_sec
    for number, row in enumerate(rows):
        agents[number].reset(row[1], seed + number)
    sent_at, steps_taken = [0.0] * envs.num_envs, [0] * envs.num_envs
    start_sec, start_cpu_sec = time.perf_counter(), time.process_time()
    tree_cpu = ProcessTreeCpu(os.getpid())

    is_over = [False] * envs.num_envs

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
            was_step, has_ended = not is_over[number], terminated or truncated
            _count(result, info["infra_error"], was_step=was_step, ended=has_ended)
            steps_taken[number] = 0 if has_ended else steps_taken[number] + was_step
            if steps_taken[number] == steps_per_trajectory - 2:
                tree_cpu.sec()  # machines may exit in the next step
            if was_step:
                on_step()
            elif not has_ended:  # an action after the end of an episode starts the next one
                agents[number].reset(info, seed + number + 1000 * len(result.call_sec))
            is_over[number] = has_ended
        for number, (observation, _, _, _, info) in replies.items():
            send(number, (observation, info))
    result.wall_sec = time.perf_counter() - start_sec
    result.host_cpu_sec = time.process_time() - start_cpu_sec
    result.cpu_sec = tree_cpu.sec()
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
    return {name: value[number] for name, value in observation.items()}, _info_at(infos, number)


def _info_at(infos: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        name: _info_at(value, number) if isinstance(value, dict) else value[number]
        for name, value in infos.items()
        if not name.startswith("_") and infos[f"_{name}"][number]
    }
