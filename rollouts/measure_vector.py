"""How much several machines get done together."""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv

from pptarena.agents.base import Agent
from pptarena.envs.actions import wait

__all__ = ["PUBLISHED_TRAJECTORIES_PER_MIN", "VectorMeasurement", "measure_vector"]

PUBLISHED_TRAJECTORIES_PER_MIN = 1.4
"""Trajectories per minute and replica of the largest published gym of desktops."""

Row = tuple[dict[str, Any], dict[str, Any]]


@dataclass(slots=True)
class VectorMeasurement:
    """What a number of machines got done.

    Attributes:
        machines: How many.
        kind: Their kind.
        steps_per_trajectory: Length of every trajectory.
        load: Load average of the last minute before it began; other work makes it slower.
        cold_start_sec: The first reset, which brings all machines up; not among the rest.
        wall_sec: The rest, resets of all later episodes included.
        host_cpu_sec: Processor time of this process in it, all threads; the machines' is not in it.
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
    cold_start_sec: float = 0.0
    wall_sec: float = 0.0
    host_cpu_sec: float = 0.0
    steps: int = 0
    trajectories: int = 0
    call_sec: list[float] = field(default_factory=list)
    memory_bytes: int | None = None
    infra_errors: list[str] = field(default_factory=list)

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
            "steps_per_trajectory": self.steps_per_trajectory,
            "steps": self.steps,
            "trajectories": self.trajectories,
            "steps_per_sec": round(self.steps / self.wall_sec, 3) if self.wall_sec else None,
            "trajectories_per_min": round(self.trajectories_per_min, 2),
            "trajectories_per_min_and_machine": round(each, 2),
            "times_published": round(each / PUBLISHED_TRAJECTORIES_PER_MIN, 2),
            "vector_step_sec": {"p50": round(float(p50), 5), "p95": round(float(p95), 5)},
            "host_cpu_sec_per_step": round(self.host_cpu_sec / max(1, self.steps), 5),
            "cold_start_sec": round(self.cold_start_sec, 3),
            "wall_sec": round(self.wall_sec, 3),
            "memory_mb": None if memory is None else round(memory / 2**20, 1),
            "load_before": round(self.load, 2),
            "infra_errors": self.infra_errors,
        }


def measure_vector(
    envs: VectorEnv[Any, Any, Any],
    agents: Sequence[Agent],
    episodes: int,
    steps_per_trajectory: int,
    seed: int = 0,
    on_step: Callable[[], None] = lambda: None,
) -> VectorMeasurement:
    """Let one agent work on each machine, in step, and count.

    Args:
        envs: A vector of pptarena environments in the autoreset mode NEXT_STEP whose step budget is
            `steps_per_trajectory`.
        agents: One for each; they should not end episodes.
        episodes: Trajectories of each.
        steps_per_trajectory: Their length.
        seed: Seed of the first one's tasks and actions; every other has one more.
        on_step: Called after every step of the vector.

    Raises:
        MachineError: If no machine comes up.
    """
    machine = envs.get_attr("machine")[0]  # type: ignore[attr-defined]
    load = os.getloadavg()[0]
    result = VectorMeasurement(envs.num_envs, machine.kind, steps_per_trajectory, load)
    begin = time.perf_counter()
    state = envs.reset(seed=seed)
    result.cold_start_sec = time.perf_counter() - begin
    rows = [_row(state, number) for number in range(envs.num_envs)]
    for number, row in enumerate(rows):
        agents[number].reset(row[1], seed + number)
    over = np.zeros(envs.num_envs, np.bool_)
    begin, cpu = time.perf_counter(), time.process_time()
    # One more step than the budget: the one that begins the next episode.
    for count in range(episodes * (steps_per_trajectory + 1)):
        actions = [_act(agent, row) for agent, row in zip(agents, rows, strict=True)]
        before = time.perf_counter()
        observation, _, terminated, truncated, infos = envs.step(actions)
        result.call_sec.append(time.perf_counter() - before)
        rows = [_row((observation, infos), number) for number in range(envs.num_envs)]
        ended = terminated | truncated
        for number, (row, agent) in enumerate(zip(rows, agents, strict=True)):
            _count(result, row[1], was_reset=bool(over[number]), ended=bool(ended[number]))
            if over[number] and not ended[number]:
                agent.reset(row[1], seed + number + 1000 * (count + 1))
        over = ended
        on_step()
    result.wall_sec = time.perf_counter() - begin
    result.host_cpu_sec = time.process_time() - cpu
    result.memory_bytes = _memory(envs)
    return result


def _act(agent: Agent, row: Row) -> Any:
    if "a11y" not in row[1]:  # its machine never came up
        return wait(0)
    return agent.act(*row)


def _count(
    result: VectorMeasurement, info: dict[str, Any], *, was_reset: bool, ended: bool
) -> None:
    if info["infra_error"] is not None:
        result.infra_errors.append(str(info["infra_error"]))
    elif not was_reset:
        result.steps += 1
        result.trajectories += ended


def _row(state: Row, number: int) -> Row:
    """Return what one sub-environment showed."""
    observation, infos = state
    return {name: value[number] for name, value in observation.items()}, _one(infos, number)


def _one(infos: dict[str, Any], number: int) -> dict[str, Any]:
    return {
        name: _one(value, number) if isinstance(value, dict) else value[number]
        for name, value in infos.items()
        if not name.startswith("_") and infos[f"_{name}"][number]
    }


def _memory(envs: VectorEnv[Any, Any, Any]) -> int | None:
    machines = envs.get_attr("machine")  # type: ignore[attr-defined]
    known = [memory for machine in machines if (memory := machine.memory_bytes()) is not None]
    return sum(known) if known else None
