"""``pptarena tasks check``: verify that tasks are solvable and scored correctly."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from pptarena.cli.attack_check import DERIVED_PER_TASK, check_attacks
from pptarena.cli.options import AsJson, Machine, Suite, TaskArguments
from pptarena.cli.output import new_progress, print_json, print_line, quoted, stdout
from pptarena.cli.run import FAKE_LIMITS
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from pptarena.rollouts.application_oracle import OracleProof
    from pptarena.rollouts.task_check import TaskCheck
    from pptarena.tasks import Task
    from pptarena.tasks.quality.proofs import LeafProof

__all__ = ["check"]

Leaves: TypeAlias = "dict[str, tuple[LeafProof, ...] | None]"

_ORACLES = ("application", "gold")
_ORACLE_SEC = 600.0  # for one deck: changed masters take minutes on a busy computer
_MARKS = {"pass": ("✓", "green"), "warn": ("!", "yellow"), "fail": ("✗", "red")}


def check(
    ids: TaskArguments = None,
    suite: Suite = "starter",
    machine: Machine = "auto",
    repeats: Annotated[int, typer.Option(min=1, help="Replays of each task.", metavar="N")] = 1,
    attacks: Annotated[
        bool, typer.Option("--attacks", help="Try to cheat instead; needs no machine.")
    ] = False,
    look: Annotated[
        bool,
        typer.Option(
            "--look", help="With --attacks: render the slides, as at the end of an episode."
        ),
    ] = False,
    sample: Annotated[
        int,
        typer.Option(
            min=0,
            help="With --attacks: number of attacks derived from each target deck, plus a third "
            "as many variants.",
            metavar="N",
        ),
    ] = DERIVED_PER_TASK,
    derived: Annotated[
        bool, typer.Option("--derived", help="With --attacks: only derived attacks.")
    ] = False,
    oracle: Annotated[
        str | None,
        typer.Option(
            help="Solve the tasks inside LibreOffice instead: 'application'; 'gold' is an old "
            "name of it.",
            metavar="ORACLE",
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Verify that tasks are solvable and scored correctly.

    Runs every task twice: once without any action, once by its demonstration or its macros, which
    is then replayed. Doing nothing must score 0, the demonstration 1, and replays must be
    identical. Scoring twice must agree, and saving alone must show no change. A score that drops
    during the run is a warning.

    If the target deck is known, every rubric item must score 1 on it, and critical items must not
    score 1 on the original. Machines with LibreOffice repeat this on saved decks. The target deck
    must not change anything outside the task's scope. Tasks without a target deck get a warning.

    With --attacks, edited copies of the decks are scored: attacks may gain 0.1 at most, and other
    correct solutions must score 1. Derived attacks start from the target deck: an additional
    change, hidden work, half of the work.

    With --oracle application, LibreOffice makes the changes of the target deck through its own
    interface, without mouse and keyboard, and saves; the result must score 1.

    Exits with 1 if a check fails.

    Examples:
      pptarena tasks check --machine sandbox --repeats 10
      pptarena tasks check my-task --attacks
    """
    from pptarena.tasks import pick_tasks
    from pptarena.tasks.quality.proofs import goal_outside_scope

    tasks = pick_tasks(ids or (), suite)
    if derived and not attacks:
        raise ConfigError("--derived needs --attacks")
    if look and not attacks:
        raise ConfigError("--look needs --attacks: runs on a machine always render the slides")
    if oracle is not None and oracle not in _ORACLES:
        raise ConfigError(f"--oracle: {not_found('oracle', oracle, _ORACLES)}")
    if oracle and attacks:
        raise ConfigError("--attacks and --oracle exclude each other: remove one")
    if oracle:
        _check_oracle(tasks, json)
        return
    if attacks:
        check_attacks(tasks, json, look, sample, derived)
        return
    leaves = _leaves(tasks, machine)
    never_saved_items = _never_saved_items(tasks, leaves, machine)
    out_of_scope = {task.id: goal_outside_scope(task) for task in tasks}
    checks = _check(tasks, machine, repeats)
    failed_ids = {
        task.id
        for task in tasks
        if _failed_leaves(leaves[task.id]) or never_saved_items[task.id] or out_of_scope[task.id]
    }
    passed = sum(result.ok and result.task not in failed_ids for result in checks)
    if json:
        print_json(
            {
                "ok": passed == len(checks),
                "machine": machine,
                "times": repeats,
                "tasks": [
                    _as_json(
                        result,
                        leaves[result.task],
                        never_saved_items[result.task],
                        out_of_scope[result.task],
                    )
                    for result in checks
                ],
            }
        )
    else:
        _print(checks)
        _print_failures(leaves, never_saved_items, out_of_scope)
        _print_without_target(tasks)
        print_line(f"{passed} of {len(checks)} tasks passed.")
        if machine == "fake" and passed < len(checks):
            print_line(FAKE_LIMITS)
        if passed == len(checks):
            selection = (
                " ".join(f"--task {id}" for id in ids) if ids else f"--suite {quoted(suite)}"
            )
            print_line(f"Next: pptarena run --agent random {selection} --machine {machine}")
    if passed < len(checks):
        raise typer.Exit(1)


def _leaves(tasks: "Sequence[Task]", machine: str) -> "Leaves":
    """Return the proofs of the tasks' rubric items; None if there is no target deck."""
    from pptarena.tasks.quality.proofs import prove_leaves
    from pptarena.vm_images.office import Office

    save = Office().save_all if _runs_office(machine) else None
    proofs: Leaves = {}
    with new_progress() as progress:
        bar = progress.add_task("rubric items", total=len(tasks), note="")
        for task in tasks:
            progress.update(bar, note=task.id)
            proofs[task.id] = prove_leaves(task, save)
            progress.update(bar, advance=1, note="")
    return proofs


def _never_saved_items(
    tasks: "Sequence[Task]", leaves: "Leaves", machine: str
) -> dict[str, dict[str, str]]:
    """Return rubric items that LibreOffice never saves, with reasons, of tasks without a target."""
    from pptarena.tasks.never_saved import never_saved

    is_exempt = not _runs_office(machine)
    return {
        task.id: {} if is_exempt or leaves[task.id] is not None else never_saved(task.rubric)
        for task in tasks
    }


def _runs_office(machine: str) -> bool:
    """Return whether the image's application saves the decks of a machine."""
    return machine in ("auto", "sandbox", "qemu")


def _failed_leaves(leaves: "Sequence[LeafProof] | None") -> "list[LeafProof]":
    return [leaf for leaf in leaves or () if not leaf.ok]


def _as_json(
    result: "TaskCheck",
    leaves: "Sequence[LeafProof] | None",
    never_saved_items: Mapping[str, str],
    out_of_scope: Sequence[str],
) -> dict[str, Any]:
    leaf_json = None if leaves is None else [leaf.to_json() for leaf in leaves]
    is_ok = result.ok and not _failed_leaves(leaves) and not never_saved_items and not out_of_scope
    target_json = {"ok": is_ok, "leaves": leaf_json, "never_saved": dict(never_saved_items)}
    return {**result.to_json(), **target_json, "outside_scope": list(out_of_scope)}


def _print_failures(
    leaves: "Leaves",
    never_saved_items: Mapping[str, Mapping[str, str]],
    out_of_scope: Mapping[str, Sequence[str]],
) -> None:
    from rich.text import Text

    mark, style = _MARKS["fail"]
    for task, proofs in leaves.items():
        lines = [f"is {leaf.verdict}: {leaf.reason}" for leaf in _failed_leaves(proofs)]
        names = [leaf.name for leaf in _failed_leaves(proofs)]
        lines += [
            f"cannot score in LibreOffice: {reason}" for reason in never_saved_items[task].values()
        ]
        for name, line in zip([*names, *never_saved_items[task]], lines, strict=True):
            text = Text(f"{mark} {task}: rubric item {name!r} {line}", style)
            stdout().print(text, soft_wrap=True)
        for reason in out_of_scope[task]:
            stdout().print(Text(f"{mark} {task}: {reason}", style), soft_wrap=True)


def _print_without_target(tasks: "Sequence[Task]") -> None:
    """Warn about tasks without a target deck: only their scope protects the deck."""
    from rich.text import Text

    from pptarena.tasks.targets import turns_without_target

    mark, style = _MARKS["warn"]
    for task in tasks:
        numbers = turns_without_target(task)
        if not numbers:
            continue
        turns = f" for turn {', '.join(map(str, numbers))}" if task.turns else ""
        line = (
            f"{mark} {task.id}: no target deck{turns}, so changes within the scope are not "
            "checked; add the edited deck to the task as the field 'gold'"
        )
        stdout().print(Text(line, style), soft_wrap=True)


def _check(tasks: "Sequence[Task]", machine: str, repeats: int) -> "list[TaskCheck]":
    from contextlib import closing
    from functools import partial
    from itertools import count

    from pptarena.agents.demonstration import DemonstrationAgent
    from pptarena.agents.macro_agent import MacroAgent
    from pptarena.rollouts.env import make_env
    from pptarena.rollouts.task_check import check_task, runs_per_task
    from pptarena.tasks.solution_macros import has_macros

    by_id = {task.id: task for task in tasks}
    demonstration_agent, macro_agent = (
        DemonstrationAgent(by_id.__getitem__),
        MacroAgent(by_id.__getitem__),
    )
    runs, checks = runs_per_task(repeats), []
    # One environment for all tasks: the machine starts once.
    with closing(make_env(machine)) as env, new_progress() as progress:
        bar = progress.add_task("runs", total=len(tasks) * runs, note="starting the machine")
        for number, task in enumerate(tasks):
            on_run = partial(_show_run, progress, bar, task.id, count(number * runs))
            uses_macros = has_macros(task) and not task.demonstration
            demonstrator = macro_agent if uses_macros else demonstration_agent
            checks.append(check_task(env, task, demonstrator, repeats, on_run))
        progress.update(bar, completed=len(tasks) * runs, note="")
    return checks


def _show_run(
    progress: "Progress", bar: "TaskID", task_id: str, done: Iterator[int], run: str
) -> None:
    progress.update(bar, completed=next(done), note=f"{task_id}: {run}")


def _print(checks: "Sequence[TaskCheck]") -> None:
    from rich.table import Table
    from rich.text import Text

    from pptarena.rollouts.proofs import PROOFS

    table = Table(box=None, pad_edge=False)
    table.add_column("task", no_wrap=True)
    for name in PROOFS:
        table.add_column(name, min_width=len(name))
    lines = []
    for task_check in checks:
        cells = [Text(task_check.task)]
        for proof in task_check.proofs:
            mark, style = _MARKS[proof.status]
            cells.append(Text(f"{mark} {proof.value}", style))
            if proof.reason:
                lines.append(Text(f"{mark} {task_check.task}: {proof.name}: {proof.reason}", style))
        table.add_row(*cells)
    stdout().print(table)
    for line in lines:
        stdout().print(line, soft_wrap=True)


def _check_oracle(tasks: "Sequence[Task]", json: bool) -> None:
    """Solve tasks inside the application and print the scores."""
    from rich.text import Text

    from pptarena.rollouts.application_oracle import prove_in_application
    from pptarena.vm_images.office import Office

    proofs: list[OracleProof] = []
    with new_progress() as progress, Office(timeout_sec=_ORACLE_SEC) as office:
        bar = progress.add_task("in the application", total=len(tasks), note="")
        for proof in prove_in_application(office, tasks):
            proofs.append(proof)
            progress.update(bar, advance=1, note=proof.task)
    solved = sum(proof.ok for proof in proofs)
    if json:
        print_json({"ok": solved == len(proofs), "tasks": [proof.to_json() for proof in proofs]})
    else:
        for proof in proofs:
            score = "-" if proof.score is None else f"{proof.score:.2f}"
            mark, style = ("✓", "green") if proof.ok else ("✗", "red")
            line = f"{mark} {proof.task}: {score}" + (f", {proof.reason}" * bool(proof.reason))
            stdout().print(Text(line, style), soft_wrap=True)
        print_line(f"{solved} of {len(proofs)} tasks are solved inside the application.")
    if solved < len(proofs):
        raise typer.Exit(1)
