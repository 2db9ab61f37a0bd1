"""``pptarena dev bench --vector``: measure several machines that run concurrently."""

from collections.abc import Mapping
from contextlib import closing
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import typer

from pptarena.cli.output import new_progress, print_json, print_line, print_note, stdout

if TYPE_CHECKING:
    from pptarena.rollouts.measure_vector import VectorMeasurement

__all__ = ["TRAJECTORY_STEPS", "bench_vector"]

TRAJECTORY_STEPS = 30
"""Steps of every trajectory."""


def bench_vector(
    counts: str,
    machine: str,
    steps: int,
    seed: int,
    suite: str,
    as_json: bool,
    repeats: int = 1,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Measure each number of machines and print the results.

    Args:
        counts: Numbers of machines, separated by commas.
        machine: Name of the machine.
        steps: Steps of each machine to measure, rounded up to complete trajectories.
        seed: Seed of tasks and actions.
        suite: Suite from which tasks are sampled.
        as_json: Whether to print one JSON object.
        repeats: Number of repetitions.
        options: Values of ``--env-option`` by name, as JSON.
    """
    from pptarena.envs.machines.registry import choose_machine
    from pptarena.rollouts.env_options import env_arguments, machine_options
    from pptarena.rollouts.measure_vector import PUBLISHED_TRAJECTORIES_PER_MIN

    episodes = -(-steps // TRAJECTORY_STEPS)
    kind = choose_machine(machine, machine_options(options))[0].kind
    settings: dict[str, Any] = {"machine": kind, "suite": suite, **env_arguments(options)}
    measurements = [
        _measure(count, episodes, seed, settings)
        for _ in range(repeats)
        for count in _numbers(counts)
    ]
    rows = [measurement.to_json() for measurement in measurements]
    if as_json:
        published = {"published_trajectories_per_min_and_replica": PUBLISHED_TRAJECTORIES_PER_MIN}
        print_json({"machine": kind, "env_options": dict(options), "vector": rows, **published})
    else:
        _print(rows, PUBLISHED_TRAJECTORIES_PER_MIN)
    errors = [error for measurement in measurements for error in measurement.infra_errors]
    if errors:
        print_note(f"A machine failed: {errors[0]}")
        raise typer.Exit(1)


def _numbers(counts: str) -> list[int]:
    from pptarena.errors import ConfigError

    parts = counts.split(",")
    if not all(part.strip().isdigit() and int(part) > 0 for part in parts):
        raise ConfigError(f"--vector needs positive numbers such as 1,2,4, not {counts!r}")
    return [int(part) for part in parts]


def _measure(count: int, episodes: int, seed: int, settings: dict[str, Any]) -> "VectorMeasurement":
    from pptarena.agents import make_agent
    from pptarena.envs.vector import PPTArenaVectorEnv
    from pptarena.rollouts.measure_vector import measure_vector

    envs = PPTArenaVectorEnv(count, max_steps=TRAJECTORY_STEPS, **settings)
    with closing(envs), new_progress() as progress:
        total = episodes * TRAJECTORY_STEPS * count
        bar = progress.add_task(f"machines: {count}", total=total, note="")
        return measure_vector(
            envs,
            [make_agent("busy") for _ in range(count)],
            episodes,
            TRAJECTORY_STEPS,
            seed,
            on_step=lambda: progress.advance(bar),
            kind=settings["machine"],
        )


def _print(rows: list[dict[str, Any]], published: float) -> None:
    from rich.table import Table

    title = f"{rows[0]['machine']}, trajectories of {TRAJECTORY_STEPS} steps"
    table = Table(title=title, title_justify="left")
    for name in (
        "machines",
        "steps per s",
        "trajectories per min",
        "per machine",
        f"times {published:g}",
        "step",
        "CPU",
        "memory",
    ):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            str(row["machines"]),
            str(row["steps_per_sec"]),
            str(row["trajectories_per_min"]),
            str(row["trajectories_per_min_and_machine"]),
            str(row["times_published"]),
            f"{1000 * row['step_sec']['p50']:.0f} ms",
            f"{1000 * row['cpu_sec_per_step']:.0f} ms",
            f"{row['memory_mb']:.0f} MB",
        )
    stdout().print(table)
    print_line(
        f"The largest published desktop gym reports {published:g} trajectories per minute and "
        "replica. 'step' is the median from an action to its result. 'CPU' is the CPU time of all "
        "processes per step of one machine. Resets are included, except the first, which starts "
        f"the machines. Load average before the run: {rows[0]['load_before']}."
    )
