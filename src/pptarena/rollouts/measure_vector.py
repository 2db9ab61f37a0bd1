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
from pptarena.rollouts.vector_rows import VECTORS, Played, Row, VectorRows

__all__ = ["PUBLISHED_TRAJECTORIES_PER_MIN", "VectorMeasurement", "faster", "measure_vector"]

PUBLISHED_TRAJECTORIES_PER_MIN = 1.4
"""Trajectories per minute and replica of the largest published gym of desktops."""


@dataclass(slots=True)
class VectorMeasurement:
    """The throughput of a number of machines.

    Attributes:
        machines: Number of machines.
        kind: Type of machine.
        steps_per_trajectory: Length of every trajectory.
        load: Load average of the minute before the measurement; other work slows it down.
        vector: The vector environment, one of `VECTORS`.
        cold_start_sec: The first reset, which starts all machines; not included in the other
            figures.
        wall_sec: Wall-clock time of the rest, including later resets.
        host_cpu_sec: CPU time of this process meanwhile, all threads, without the machines.
        cpu_sec: CPU time of this process and its descendants, including machines.
        steps: Number of agent steps.
        trajectories: Number of complete trajectories, without those whose machine failed.
        call_sec: Seconds from every action to its result, resets included; in lockstep, to the
            results of all machines.
        memory_bytes: Memory of this process and its descendants at the end (proportional set
            size), including workers and machines.
        infra_errors: Infrastructure failures.
    """

    machines: int
    kind: str
    steps_per_trajectory: int
    load: float
    vector: str = VECTORS[0]
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
            "vector": self.vector,
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
    envs: VectorRows,
    agents: Sequence[Agent],
    episodes: int,
    steps_per_trajectory: int,
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
    kind: str = "",
    vector: str = VECTORS[0],
) -> VectorMeasurement:
    """Run one agent per machine and measure the throughput.

    It ends when the machines together have taken the steps of all trajectories; those that do not
    run in lockstep are then in the middle of one.

    Args:
        envs: A vector of pptarena environments whose step budget is `steps_per_trajectory`.
        agents: One per environment; they should not end episodes.
        episodes: Trajectories per environment.
        steps_per_trajectory: Their length.
        seed: Seed of the first environment's tasks and actions, incremented for each of the others.
        on_step: Called after every step of an agent.
        kind: Type of machine, for the report.
        vector: The vector environment, one of `VECTORS`, for the report.

    Raises:
        MachineError: If no machine starts.
    """
    load = os.getloadavg()[0]
    result = VectorMeasurement(envs.num_envs, kind, steps_per_trajectory, load, vector)
    begin = time.perf_counter()
    rows = envs.reset(seed)
    result.cold_start_sec = time.perf_counter() - begin
    for number, row in enumerate(rows):
        agents[number].reset(row[1], seed + number)
    sent_at, taken = [0.0] * envs.num_envs, [0] * envs.num_envs
    begin, cpu = time.perf_counter(), time.process_time()
    all_cpu = TreeCpu(os.getpid())

    def send(number: int, row: Row) -> None:
        action = _act(agents[number], row)
        sent_at[number] = time.perf_counter()
        envs.send(number, action)

    for number, row in enumerate(rows):
        send(number, row)
    while result.steps < episodes * steps_per_trajectory * envs.num_envs:
        replies = envs.recv()
        now = time.perf_counter()
        for number, played in replies.items():
            result.call_sec.append(now - sent_at[number])
            _count(result, played)
            taken[number] = 0 if played.ended else taken[number] + played.was_step
            if taken[number] == steps_per_trajectory - 2:
                all_cpu.sec()  # machines may exit in the next step
            if played.begun:
                agents[number].reset(played.row[1], seed + number + 1000 * len(result.call_sec))
            if played.was_step:
                on_step()
        for number, played in replies.items():
            send(number, played.row)
    result.wall_sec = time.perf_counter() - begin
    result.host_cpu_sec = time.process_time() - cpu
    result.cpu_sec = all_cpu.sec()
    result.memory_bytes = tree_memory_bytes(os.getpid())
    return result


def faster(measured: Sequence[VectorMeasurement]) -> dict[str, dict[int, float]]:
    """Return the speedup in steps per second of pptarena's vector over the others.

    Args:
        measured: Measurements of pptarena's and other vectors, possibly several rounds.

    Returns:
        For every other vector, by the number of machines, the median over the rounds.
    """
    found: dict[str, dict[int, float]] = {}
    ours = [m for m in measured if m.vector == VECTORS[0]]
    for other in dict.fromkeys(m.vector for m in measured if m.vector != VECTORS[0]):
        for count in dict.fromkeys(m.machines for m in ours):
            pairs = zip(
                [m for m in ours if m.machines == count],
                [m for m in measured if (m.vector, m.machines) == (other, count)],
                strict=True,
            )
            ratios = [mine.steps_per_sec / its.steps_per_sec for mine, its in pairs]
            found.setdefault(other, {})[count] = round(float(np.median(ratios)), 3)
    return found


def _act(agent: Agent, row: Row) -> Action:
    if "a11y" not in row[1]:  # its machine never started
        return wait(0)
    return agent.act(*row)


def _count(result: VectorMeasurement, played: Played) -> None:
    if played.infra_error is not None:
        result.infra_errors.append(str(played.infra_error))
    elif played.was_step:
        result.steps += 1
        result.trajectories += played.ended
