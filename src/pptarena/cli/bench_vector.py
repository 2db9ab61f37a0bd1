"""``pptarena bench --vector``: what several machines get done together."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import typer

from pptarena.cli.output import new_progress, print_json, stderr, stdout

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
    reuse: int = 0,
) -> None:
    """Measure with each number of machines, and print.

    Args:
        counts: Numbers of machines with commas between.
        machine: Kind of machine.
        steps: Vector steps to measure with each, rounded up to whole trajectories.
        seed: Seed of tasks and actions.
        suite: Suite whose tasks are drawn.
        as_json: Whether to print one JSON object.
        reuse: Further episodes that a running machine may serve.
    """
    from pptarena.rollouts.measure_vector import PUBLISHED_TRAJECTORIES_PER_MIN

    episodes = -(-steps // TRAJECTORY_STEPS)
    settings = {"machine": machine, "suite": suite, **({"reuse": reuse} if reuse else {})}
    measured = [_measure(count, episodes, seed, settings) for count in _numbers(counts)]
    rows = [measurement.to_json() for measurement in measured]
    if as_json:
        published = {"published_trajectories_per_min_and_replica": PUBLISHED_TRAJECTORIES_PER_MIN}
        print_json({"machine": measured[0].kind, "reuse": reuse, "vector": rows, **published})
    else:
        _print(rows, PUBLISHED_TRAJECTORIES_PER_MIN)
    errors = [error for measurement in measured for error in measurement.infra_errors]
    if errors:
        stderr().print(f"a machine failed: {errors[0]}", markup=False)
        raise typer.Exit(1)


def _numbers(counts: str) -> list[int]:
    from pptarena.errors import ConfigError

    words = counts.split(",")
    if not all(word.strip().isdigit() and int(word) > 0 for word in words):
        raise ConfigError(f"--vector: expected numbers from 1 such as 1,2,4, got {counts!r}")
    return [int(word) for word in words]


def _measure(count: int, episodes: int, seed: int, settings: dict[str, Any]) -> "VectorMeasurement":
    import gymnasium as gym

    from pptarena.agents import make_agent
    from pptarena.rollouts.measure_vector import measure_vector

    envs = gym.make_vec("PPTArena-v0", num_envs=count, max_steps=TRAJECTORY_STEPS, **settings)
    with closing(envs), new_progress() as progress:
        total = episodes * (TRAJECTORY_STEPS + 1)
        bar = progress.add_task(f"machines: {count}", total=total, note="")
        return measure_vector(
            envs,
            [make_agent("busy") for _ in range(count)],
            episodes,
            TRAJECTORY_STEPS,
            seed,
            on_step=lambda: progress.advance(bar),
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
        "vector step",
        "memory",
    ):
        table.add_column(name, justify="right")
    for row in rows:
        memory = row["memory_mb"]
        table.add_row(
            str(row["machines"]),
            str(row["steps_per_sec"]),
            str(row["trajectories_per_min"]),
            str(row["trajectories_per_min_and_machine"]),
            str(row["times_published"]),
            f"{1000 * row['vector_step_sec']['p50']:.0f} ms",
            "unknown" if memory is None else f"{memory:.0f} MB",
        )
    stdout().print(table)
    stdout().print(
        f"The largest published gym of desktops reports {published:g} trajectories per minute and "
        "replica. Medians; resets are counted, the first one, which starts the machines, is not; "
        f"load average before: {rows[0]['load_before']}.",
        highlight=False,
    )
