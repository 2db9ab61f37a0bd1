"""``pptarena dev bench``: measure the speed of a machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.options import AsJson, EnvOptions, Machine, Seed, Suite
from pptarena.cli.output import new_progress, print_json, print_line, print_note, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.rollouts.measure import Measurement

__all__ = ["bench"]

_PARTS = {
    "restore_sec": "restore to running",
    "reset_sec": "reset to first observation",
    "step_sec": "step, complete",
    "step_without_score_sec": "step, without scoring",
    "action_sec": "  act",
    "settle_sec": "  wait until idle",
    "screenshot_sec": "  screenshot",
    "tree_sec": "  accessibility tree",
    "score_sec": "save and score after a change",
}


def bench(
    machine: Machine = "auto",
    steps: Annotated[int, typer.Option(min=1, help="Steps to measure.", metavar="N")] = 100,
    seed: Seed = 0,
    suite: Suite = "starter",
    scoring: Annotated[
        bool,
        typer.Option(
            "--scoring",
            help="Measure reading, comparing and scoring of a large deck instead; needs no "
            "machine.",
        ),
    ] = False,
    vector: Annotated[
        str,
        typer.Option(
            metavar="N,N,...",
            help="Measure trajectories of 30 steps with these numbers of machines instead.",
        ),
    ] = "",
    env_option: EnvOptions = [],  # noqa: B006 - typer copies it
    repeats: Annotated[
        int, typer.Option(min=1, help="With --vector: number of repetitions.", metavar="N")
    ] = 1,
    elements: Annotated[
        Path | None,
        typer.Option(
            help="Measure elements from pixels on stored screens of this run instead; needs no "
            "machine.",
            metavar="FOLDER",
        ),
    ] = None,
    detectors: Annotated[
        str,
        typer.Option(
            help="With --elements: detectors; 'icons:FILE' names a file of weights.",
            metavar="NAME,...",
        ),
    ] = "text,boxes",
    json: AsJson = False,
) -> None:
    """Measure resets and steps of a machine on ordinary edits.

    Prints medians and 95th percentiles. At least five resets are spread over the steps; the first
    reset, which starts the machine, is reported separately. CPU time includes this process and the
    machine. Exits with 1 if the machine failed.

    With --scoring, --steps edited decks of 40 slides and 10 MB are read, compared with the original
    and scored. Only --steps and --seed apply.

    With --elements, --steps different screens of a run are searched by each detector and compared
    with their accessibility trees. Only --detectors, --steps and --seed apply.

    With --vector 1,2,4, trajectories run on one, two and four machines, with at least --steps
    steps of each machine. Machines do not wait for each other, as by `PPTArenaVectorEnv.send` and
    `recv`.

    Examples:
      pptarena dev bench --machine sandbox --steps 100 --json
      pptarena dev bench --machine sandbox --vector 1,2
      pptarena dev bench --machine sandbox --vector 2 --env-option snapshots=false
      pptarena dev bench --elements runs/demo --steps 200
    """
    if elements is not None:
        from pptarena.cli.bench_elements import bench_elements

        bench_elements(elements, detectors, steps, seed, json)
        return
    if scoring:
        from pptarena.cli.bench_score import bench_scoring

        bench_scoring(steps, seed, json)
        return
    from pptarena.rollouts.env_options import read_env_options

    if repeats > 1 and not vector:
        raise ConfigError("--repeats needs --vector")
    options = read_env_options(env_option, machine)
    if vector:
        from pptarena.cli.bench_vector import bench_vector

        bench_vector(vector, machine, steps, seed, suite, json, repeats, options)
        return
    measurement, details = _measure(machine, steps, seed, suite, options)
    figures = {**measurement.to_json(), **details, "env_options": options}
    if json:
        print_json(figures)
    else:
        _print(figures)
    if measurement.infra_errors:
        print_note(f"The machine failed: {measurement.infra_errors[0]}")
        raise typer.Exit(1)


def _measure(
    machine: str, steps: int, seed: int, suite: str, options: dict[str, Any]
) -> "tuple[Measurement, dict[str, str]]":
    """Return the figures and the machine's details."""
    from contextlib import closing

    from pptarena.agents import make_agent
    from pptarena.envs.ppt_arena import base_env
    from pptarena.rollouts.env import make_env
    from pptarena.rollouts.env_options import env_arguments
    from pptarena.rollouts.measure import measure
    from pptarena.tasks import list_tasks

    decks = {task.deck: task for task in list_tasks(suite)}
    env = make_env(machine, suite, max_steps=steps + 1, **env_arguments(options))
    with closing(env), new_progress() as progress:
        bar = progress.add_task("steps", total=steps, note="")
        measurement = measure(
            env,
            make_agent("busy"),
            tuple(decks.values()),
            steps,
            seed,
            on_step=lambda: progress.advance(bar),
        )
        return measurement, base_env(env).machine.details


def _print(figures: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(title=f"{figures['machine']}, {figures['steps']} steps", title_justify="left")
    table.add_column("part")
    for name in ("median", "95 %", "samples"):
        table.add_column(name, justify="right")
    for key, label in _PARTS.items():
        p50, p95 = (_milliseconds(figures[key][name]) for name in ("p50", "p95"))
        table.add_row(label, p50, p95, str(figures["samples"][key.removesuffix("_sec")]))
    stdout().print(table)
    memory = figures["memory_mb"]
    print_line(
        f"{figures['steps_per_sec']} steps per second, "
        f"{figures['steps_per_sec_with_resets']} with resets; "
        f"cold start {figures['cold_start_sec']:.2f} s; "
        f"memory {'unknown' if memory is None else f'{memory:.0f} MB'}; "
        f"{figures['action_errors']} invalid actions"
    )
    cpu = figures["cpu_sec"]
    print_line(
        f"CPU time: step {_milliseconds(cpu['step'])}, "
        f"scored step {_milliseconds(cpu['scored_step'])}, reset {_milliseconds(cpu['reset'])}"
    )


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1000 * seconds:.1f} ms"
