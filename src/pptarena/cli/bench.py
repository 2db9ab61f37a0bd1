"""``pptarena bench``: how fast a machine is."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.output import new_progress, print_json, stderr, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.rollouts.measure import Measurement

__all__ = ["bench"]

_NATIVE_STEPS = 40
_PARTS = {
    "restore_sec": "restore to running",
    "reset_sec": "reset to first observation",
    "step_sec": "step, whole",
    "step_without_score_sec": "step, without scoring",
    "action_sec": "  act",
    "settle_sec": "  settle",
    "screenshot_sec": "  screenshot",
    "tree_sec": "  accessibility tree",
    "score_sec": "save and score after a change",
}


def bench(
    machine: Annotated[str, typer.Option(help="'auto', 'qemu', 'sandbox' or 'fake'.")] = "auto",
    steps: Annotated[int, typer.Option(min=1, help="Steps to measure.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the mix of actions.")] = 0,
    suite: Annotated[
        str, typer.Option(help="Suite whose decks are used: a name, a folder or a .jsonl file.")
    ] = "starter",
    scoring: Annotated[
        bool,
        typer.Option(
            help="Measure reading, comparing and scoring of a large deck instead; no machine."
        ),
    ] = False,
    vector: Annotated[
        str,
        typer.Option(
            metavar="N,N,...",
            help="Measure trajectories of 30 steps with so many machines at once instead.",
        ),
    ] = "",
    reuse: Annotated[
        int,
        typer.Option(
            min=0, help="With --vector: further episodes that a running sandbox may serve."
        ),
    ] = 0,
    score_when: Annotated[
        str, typer.Option(help="'change' or 'end': when documents are saved and scored.")
    ] = "change",
    against: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="With --vector: other vectors that do the same: 'async', 'sync' (gymnasium), "
            "'sb3'.",
        ),
    ] = "",
    rounds: Annotated[
        int, typer.Option(min=1, help="With --vector: how often; vectors take turns in each.")
    ] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure resets, steps and their parts on ordinary editing; print medians and 95 %.

    Five resets or more are spread over the steps; the very first one, which starts the machine,
    is reported apart. Processor time is that of this process and the machine together. A virtual
    machine under emulation is followed by some steps in the sandbox,
    from which figures for hardware virtualisation are projected, marked as not measured. Exits
    with 1 when the machine failed meanwhile.

    With --scoring, --steps is the number of edited decks of 40 slides and 10 MB that are read,
    compared with the original and scored; the other options do not count.

    With --vector 1,2,4, trajectories of 30 steps are played with one, two and four machines at
    once, --steps vector steps or a little more with each number of machines. --reuse is an argument
    of the environment: a running sandbox is used again while it looks like a fresh one. --against
    async,sb3 lets vectors of gymnasium and of stable-baselines3 do the same, in turns.

    Example: pptarena bench --machine sandbox --steps 100 --json
    """
    if scoring:
        from pptarena.cli.bench_score import bench_scoring

        bench_scoring(steps, seed, json)
        return
    for name, given in (("--reuse", reuse), ("--against", against), ("--rounds", rounds > 1)):
        if given and not vector:
            raise ConfigError(f"{name} counts with --vector only")
    if vector:
        from pptarena.cli.bench_vector import bench_vector

        bench_vector(vector, machine, steps, seed, suite, json, reuse, against, rounds, score_when)
        return
    measured, details = _measure(machine, steps, seed, suite, score_when)
    figures = {**measured.to_json(), **details}
    if details.get("accelerator") == "tcg":
        figures["projected_kvm"] = _projected(measured, min(steps, _NATIVE_STEPS), seed, suite)
    if json:
        print_json(figures)
    else:
        _print(figures)
    if measured.infra_errors:
        stderr().print(f"the machine failed: {measured.infra_errors[0]}", markup=False)
        raise typer.Exit(1)


def _measure(
    machine: str, steps: int, seed: int, suite: str, score_when: str = "change"
) -> "tuple[Measurement, dict[str, str]]":
    """Return the figures, and what else the machine says of itself."""
    from contextlib import closing

    from pptarena.agents import make_agent
    from pptarena.envs.ppt_arena import base_env
    from pptarena.rollouts.env import make_env
    from pptarena.rollouts.measure import measure
    from pptarena.tasks import list_tasks

    decks = {task.deck: task for task in list_tasks(suite)}
    env = make_env(machine, suite, max_steps=steps + 1, score_when=score_when)
    with closing(env), new_progress() as progress:
        bar = progress.add_task("steps", total=steps, note="")
        measured = measure(
            env,
            make_agent("busy"),
            tuple(decks.values()),
            steps,
            seed,
            on_step=lambda: progress.advance(bar),
        )
        return measured, base_env(env).machine.details


def _projected(measured: "Measurement", steps: int, seed: int, suite: str) -> dict[str, Any]:
    from pptarena.errors import PPTArenaError
    from pptarena.rollouts.projection import project_kvm

    try:
        native, _ = _measure("sandbox", steps, seed, suite)
    except PPTArenaError as error:
        return {"measured": False, "basis": f"no sandbox to project from: {error}"}
    return project_kvm(measured, native)


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
    stdout().print(
        f"{figures['steps_per_sec']} steps per second, "
        f"{figures['steps_per_sec_with_resets']} with resets; "
        f"cold start {figures['cold_start_sec']:.2f} s; "
        f"memory {'unknown' if memory is None else f'{memory:.0f} MB'}; "
        f"{figures['action_errors']} actions refused",
        highlight=False,
    )
    cpu = figures["cpu_sec"]
    stdout().print(
        f"processor time: step {_milliseconds(cpu['step'])}, "
        f"scored step {_milliseconds(cpu['scored_step'])}, reset {_milliseconds(cpu['reset'])}",
        highlight=False,
    )
    projected = figures.get("projected_kvm")
    if projected is not None:
        words = [
            f"{name.removesuffix('_sec')} {_milliseconds(projected.get(name))}"
            for name in ("restore_sec", "reset_sec", "step_sec", "score_sec")
        ]
        stdout().print(
            f"With KVM, projected ({projected['basis']}): {', '.join(words)}", highlight=False
        )


def _milliseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1000 * seconds:.1f} ms"
