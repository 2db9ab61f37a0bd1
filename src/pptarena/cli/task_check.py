"""``pptarena tasks check``: prove that tasks hold together."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pptarena.cli.attack_check import DERIVED_PER_TASK, check_attacks
from pptarena.cli.oracle_check import check_oracle
from pptarena.cli.output import new_progress, print_json, stdout
from pptarena.cli.run_outcome import FAKE_LIMITS

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from pptarena.audits.leaf_proof import LeafProof
    from pptarena.audits.task_check import TaskCheck
    from pptarena.tasks import Task

__all__ = ["check"]

Leaves: TypeAlias = "dict[str, tuple[LeafProof, ...] | None]"

_MARKS = {"pass": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red")}


def check(
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="TASK", help="Ids or paths of tasks; default: all of the suite."),
    ] = None,
    suite: Annotated[
        str, typer.Option(help="Suite of tasks: a name, a folder or a .jsonl file.")
    ] = "starter",
    machine: Annotated[str, typer.Option(help="'auto', 'qemu', 'sandbox' ... or 'fake'.")] = "auto",
    times: Annotated[int, typer.Option(min=1, help="How often to replay each task.")] = 1,
    attacks: Annotated[
        bool, typer.Option("--attacks", help="Try to cheat instead: no machine is needed.")
    ] = False,
    look: Annotated[
        bool,
        typer.Option("--look", help="With --attacks: draw the slides, as at an episode's end."),
    ] = False,
    sample: Annotated[
        int,
        typer.Option(
            min=0,
            help="With --attacks: how many attacks to derive from each task's target deck, and a "
            "third as many variants.",
        ),
    ] = DERIVED_PER_TASK,
    derived: Annotated[
        bool,
        typer.Option("--derived", help="With --attacks: only what target decks give."),
    ] = False,
    oracle: Annotated[
        str | None,
        typer.Option(
            help="Reach the goals inside LibreOffice: 'application', by tasks' macros; "
            "'gold', by setting what gold decks change."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Prove that tasks hold together.

    Plays every task twice, once without doing anything and once by its demonstration, or by its
    macros where it has none, and replays that by its pixels. No work must score 0, the
    demonstration 1, every replay the same; scoring twice must agree, and saving alone must show no
    change. A score that falls on the way is a warning. Where the goal of a task is known as a deck,
    every leaf of its rubric must be judged there and score 1, and no critical one may be 1 already
    on the original; on a machine with LibreOffice, once more when it has saved both decks, so that
    nothing is asked for that it never writes. Nor may such a goal change anything that the task's
    scope does not allow. A task without a known goal gets a warning: what its scope allows is not
    protected. Exits with 1 when something failed.

    With --attacks, edited copies of every deck are scored instead: attacks that look solved to a
    careless scorer may gain 0.1 at most over what is honest in them, and the goal reached by other
    ways must score what the goal does. Further ones are derived from the deck with the goal
    reached: the work and one more change of the same object, slide or master, the work hidden,
    half of it. The share that held is reported by kind.

    With --oracle application, the application of the image opens each deck, carries the task's
    macros out on the document over its own interface, without mouse and keyboard, and saves: the
    goal must be reached by that, too. Exits with 1 where it is not, or a task has no macros. With
    --oracle gold, whatever the document lacks of that of the gold deck is set instead, property by
    property.

    Example: pptarena tasks check --machine sandbox --times 10
    """
    from pptarena.audits.scope_proof import goal_outside_scope
    from pptarena.errors import ConfigError
    from pptarena.tasks import pick_tasks

    tasks = pick_tasks(ids or (), suite)
    if derived and not attacks:
        raise ConfigError("expected --derived with --attacks only")
    if look and not attacks:
        raise ConfigError("expected --look with --attacks only: plays on a machine always look")
    if oracle not in (None, "application", "gold"):
        raise ConfigError(f"--oracle: expected 'application' or 'gold', got {oracle!r}")
    if oracle and attacks:
        raise ConfigError("expected --attacks or --oracle, got both")
    if oracle:
        check_oracle(tasks, json, by_gold=oracle == "gold")
        return
    if attacks:
        check_attacks(tasks, json, look, sample, derived)
        return
    leaves = _leaves(tasks, machine)
    lost = _lost(tasks, leaves, machine)
    outside = {task.id: goal_outside_scope(task) for task in tasks}
    checks = _check(tasks, machine, times)
    bad = {task.id for task in tasks if _bad(leaves[task.id]) or lost[task.id] or outside[task.id]}
    good = sum(one.ok and one.task not in bad for one in checks)
    if json:
        print_json(
            {
                "ok": good == len(checks),
                "machine": machine,
                "times": times,
                "tasks": [
                    _as_json(one, leaves[one.task], lost[one.task], outside[one.task])
                    for one in checks
                ],
            }
        )
    else:
        _print(checks)
        _print_bad(leaves, lost, outside)
        _print_without_target(tasks)
        stdout().print(f"{good} of {len(checks)} tasks hold together.")
        if machine == "fake" and good < len(checks):
            stdout().print(FAKE_LIMITS, highlight=False, soft_wrap=True)
        if good == len(checks):
            chosen = f"--tasks {','.join(ids)}" if ids else f"--suite {suite}"
            text = (
                f"next: pptarena run --agent random {chosen} --machine {machine} --out runs/first"
            )
            stdout().print(text, markup=False, highlight=False, soft_wrap=True)
    if good < len(checks):
        raise typer.Exit(1)


def _leaves(tasks: "Sequence[Task]", machine: str) -> "Leaves":
    """Return the proofs of the tasks' leaves; None where the goal is not known as a deck."""
    from pptarena.audits.leaf_proof import prove_leaves
    from pptarena.vm_images.office_saver import OfficeSaver

    save = OfficeSaver().save_all if _is_office(machine) else None
    found: Leaves = {}
    with new_progress() as progress:
        bar = progress.add_task("leaves", total=len(tasks), note="")
        for task in tasks:
            progress.update(bar, note=task.id)
            found[task.id] = prove_leaves(task, save)
            progress.update(bar, advance=1, note="")
    return found


def _lost(tasks: "Sequence[Task]", leaves: "Leaves", machine: str) -> dict[str, dict[str, str]]:
    """Return leaves that the application never saves, and why, of tasks whose goal is not known."""
    from pptarena.tasks.never_saved import never_saved

    known = not _is_office(machine)
    return {
        task.id: {} if known or leaves[task.id] is not None else never_saved(task.rubric)
        for task in tasks
    }


def _is_office(machine: str) -> bool:
    """Return whether a machine saves decks by the image's application."""
    return machine in ("auto", "sandbox", "qemu")


def _bad(leaves: "Sequence[LeafProof] | None") -> "list[LeafProof]":
    return [leaf for leaf in leaves or () if not leaf.ok]


def _as_json(
    one: "TaskCheck",
    leaves: "Sequence[LeafProof] | None",
    lost: Mapping[str, str],
    outside: Sequence[str],
) -> dict[str, Any]:
    listed = None if leaves is None else [leaf.to_json() for leaf in leaves]
    good = one.ok and not _bad(leaves) and not lost and not outside
    found = {"ok": good, "leaves": listed, "never_saved": dict(lost)}
    return {**one.to_json(), **found, "outside_scope": list(outside)}


def _print_bad(
    leaves: "Leaves",
    lost: Mapping[str, Mapping[str, str]],
    outside: Mapping[str, Sequence[str]],
) -> None:
    from rich.text import Text

    mark, style = _MARKS["fail"]
    for task, found in leaves.items():
        lines = [f"is {leaf.verdict}: {leaf.reason}" for leaf in _bad(found)]
        names = [leaf.name for leaf in _bad(found)]
        lines += [f"cannot be earned in LibreOffice: {why}" for why in lost[task].values()]
        for name, line in zip([*names, *lost[task]], lines, strict=True):
            text = Text(f"{mark} {task}: the leaf {name!r} {line}", style)
            stdout().print(text, soft_wrap=True)
        for reason in outside[task]:
            stdout().print(Text(f"{mark} {task}: {reason}", style), soft_wrap=True)


def _print_without_target(tasks: "Sequence[Task]") -> None:
    """Warn of tasks whose scope is all that protects the deck."""
    from rich.text import Text

    from pptarena.tasks.targets import turns_without_target

    mark, style = _MARKS["warn"]
    for task in tasks:
        numbers = turns_without_target(task)
        if not numbers:
            continue
        turns = f" for turn {', '.join(map(str, numbers))}" if task.turns else ""
        line = (
            f"{mark} {task.id}: no target deck{turns}, so nothing that the scope allows is "
            "protected; add the edited deck to the task as the field 'gold'"
        )
        stdout().print(Text(line, style), soft_wrap=True)


def _check(tasks: "Sequence[Task]", machine: str, times: int) -> "list[TaskCheck]":
    from contextlib import closing
    from functools import partial
    from itertools import count

    from pptarena.agents.demonstration import DemonstrationAgent
    from pptarena.agents.macro_agent import MacroAgent
    from pptarena.audits.task_check import check_task, runs_per_task
    from pptarena.rollouts.env import make_env

    by_id = {task.id: task for task in tasks}
    recorded, expert = DemonstrationAgent(by_id.__getitem__), MacroAgent(by_id.__getitem__)
    runs, checks = runs_per_task(times), []
    # One environment for all tasks: the machine starts once.
    with closing(make_env(machine)) as env, new_progress() as progress:
        bar = progress.add_task("runs", total=len(tasks) * runs, note="starting the machine")
        for number, task in enumerate(tasks):
            begin = partial(_begin, progress, bar, task.id, count(number * runs))
            by_macros = task.macros and not task.demonstration
            demonstrator = expert if by_macros else recorded
            checks.append(check_task(env, task, demonstrator, times, begin))
        progress.update(bar, completed=len(tasks) * runs, note="")
    return checks


def _begin(
    progress: "Progress", bar: "TaskID", task_id: str, done: Iterator[int], run: str
) -> None:
    progress.update(bar, completed=next(done), note=f"{task_id}: {run}")


def _print(checks: "Sequence[TaskCheck]") -> None:
    from rich.table import Table
    from rich.text import Text

    from pptarena.audits.proofs import PROOFS

    table = Table(box=None, pad_edge=False)
    table.add_column("task", no_wrap=True)
    for name in PROOFS:
        table.add_column(name, min_width=len(name))
    lines = []
    for one in checks:
        cells = [Text(one.task)]
        for proof in one.proofs:
            mark, style = _MARKS[proof.status]
            cells.append(Text(f"{mark} {proof.value}", style))
            if proof.reason:
                lines.append(Text(f"{mark} {one.task}: {proof.name}: {proof.reason}", style))
        table.add_row(*cells)
    stdout().print(table)
    for line in lines:
        stdout().print(line, soft_wrap=True)
