"""How much several machines get done together."""

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pptarena.agents.base import Agent
from pptarena.envs.actions import Action, wait
from pptarena.envs.machines.memory import TreeCpu
from pptarena.rollouts.vector_rows import VECTORS, Played, Row, VectorRows

__all__ = ["PUBLISHED_TRAJECTORIES_PER_MIN", "VectorMeasurement", "faster", "measure_vector"]

PUBLISHED_TRAJECTORIES_PER_MIN = 1.4
"""Trajectories per minute and replica of the largest published gym of desktops."""


@dataclass(slots=True)
class VectorMeasurement:
    """What a number of machines got done.

    Attributes:
        machines: How many.
        kind: Their kind.
        steps_per_trajectory: Length of every trajectory.
        load: Load average of the last minute before it began; other work makes it slower.
        vector: Which of `VECTORS` held them.
        cold_start_sec: The first reset, which brings all machines up; not among the rest.
        wall_sec: The rest, resets of all later episodes included.
        host_cpu_sec: Processor time of this process in it, all threads; the machines' is not in it.
        cpu_sec: That of this process and of all below it, machines and spares included.
        steps: Steps of agents.
        trajectories: Complete trajectories, none with a failed machine.
        call_sec: Durations of the vector environment's `step`, those with resets included.
        memory_bytes: What the machines took at the end, spares not counted; None if unknown.
        infra_errors: What went wrong below the agents.
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
    memory_bytes: int | None = None
    infra_errors: list[str] = field(default_factory=list)

    @property
    def steps_per_sec(self) -> float:
        """Steps of agents per second, of all machines together; NaN if none was measured."""
        return self.steps / self.wall_sec if self.wall_sec else math.nan

    @property
    def trajectories_per_min(self) -> float:
        """Complete trajectories per minute, of all machines together."""
        return 60 * self.trajectories / self.wall_sec if self.wall_sec else 0.0

    def to_json(self) -> dict[str, Any]:
        """Return the figures."""
        p50, p95 = np.quantile(self.call_sec, (0.5, 0.95)) if self.call_sec else (0.0, 0.0)
        each = self.trajectories_per_min / self.machines
        memory = self.memory_bytes
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
            "vector_step_sec": {"p50": round(float(p50), 5), "p95": round(float(p95), 5)},
            "host_cpu_sec_per_step": round(self.host_cpu_sec / max(1, self.steps), 5),
            "cpu_sec_per_step": round(self.cpu_sec / max(1, self.steps), 5),
            "cold_start_sec": round(self.cold_start_sec, 3),
            "wall_sec": round(self.wall_sec, 3),
            "memory_mb": None if memory is None else round(memory / 2**20, 1),
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
    """Let one agent work on each machine, in step, and count.

    Args:
        envs: A vector of pptarena environments whose step budget is `steps_per_trajectory`.
        agents: One for each; they should not end episodes.
        episodes: Trajectories of each.
        steps_per_trajectory: Their length.
        seed: Seed of the first one's tasks and actions; every other has one more.
        on_step: Called after every step of the vector.
        kind: Kind of the machines, for the report.
        vector: Which of `VECTORS` it is, for the report.

    Raises:
        MachineError: If no machine comes up.
    """
    load = os.getloadavg()[0]
    result = VectorMeasurement(envs.num_envs, kind, steps_per_trajectory, load, vector)
    begin = time.perf_counter()
    rows = envs.reset(seed)
    result.cold_start_sec = time.perf_counter() - begin
    for number, row in enumerate(rows):
        agents[number].reset(row[1], seed + number)
    fresh = [False] * envs.num_envs
    begin, cpu = time.perf_counter(), time.process_time()
    all_cpu = TreeCpu(os.getpid())
    for count in range(episodes * (steps_per_trajectory + envs.calls_per_reset)):
        actions = [_act(agent, row) for agent, row in zip(agents, rows, strict=True)]
        before = time.perf_counter()
        replies = envs.step(actions)
        result.call_sec.append(time.perf_counter() - before)
        if count % (steps_per_trajectory + envs.calls_per_reset) == steps_per_trajectory - 2:
            all_cpu.sec()  # machines may end with the next step
        rows = [played.row for played in replies]
        for number, (played, agent) in enumerate(zip(replies, agents, strict=True)):
            _count(result, played)
            begun = played.ended if envs.calls_per_reset == 0 else fresh[number]
            if begun and (envs.calls_per_reset == 0 or not played.ended):
                agent.reset(played.row[1], seed + number + 1000 * (count + 1))
        fresh = [played.ended for played in replies]
        on_step()
    result.wall_sec = time.perf_counter() - begin
    result.host_cpu_sec = time.process_time() - cpu
    result.cpu_sec = all_cpu.sec()
    result.memory_bytes = envs.memory_bytes()
    return result


def faster(measured: Sequence[VectorMeasurement]) -> dict[str, dict[int, float]]:
    """Return how many times as many steps per second our vector did as others.

    Args:
        measured: Measurements of ours and of others, of several rounds perhaps.

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
    if "a11y" not in row[1]:  # its machine never came up
        return wait(0)
    return agent.act(*row)


def _count(result: VectorMeasurement, played: Played) -> None:
    if played.infra_error is not None:
        result.infra_errors.append(str(played.infra_error))
    elif played.was_step:
        result.steps += 1
        result.trajectories += played.ended
