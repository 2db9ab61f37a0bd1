"""``pptarena tasks``: what tasks there are, what one asks for, whether they hold together."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.output import print_json, stdout
from pptarena.cli.task_check import check
from pptarena.cli.task_counts import show_counts
from pptarena.cli.task_draft import draft, new
from pptarena.cli.task_edition import edition
from pptarena.cli.task_gallery import gallery

if TYPE_CHECKING:
    from pptarena.tasks import Task

__all__ = ["app", "list_tasks", "show"]

app = typer.Typer(
    name="tasks",
    help="List the tasks, show one, check them, make new ones.",
    epilog="Example: pptarena tasks list --suite bench",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("check")(check)
app.command("draft")(draft)
app.command("new")(new)
app.command("gallery")(gallery)
app.command("edition")(edition)

_Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]


@app.command("list", epilog="Example: pptarena tasks list --suite bench --json")
def list_tasks(
    suite: Annotated[
        str,
        typer.Option(
            help="Only the tasks of this suite: a name, a folder or a .jsonl file; default: all."
        ),
    ] = "",
    judged: Annotated[
        bool,
        typer.Option("--judged", help="Say how much of each task programs judge, and prove it."),
    ] = False,
    counts: Annotated[
        bool,
        typer.Option("--counts", help="Only how many there are, by edit type and difficulty."),
    ] = False,
    as_json: _Json = False,
) -> None:
    """List the tasks.

    With --judged: F for tasks whose leaves are all judged by programs, P for a part of them, N for
    none, with the scores of the untouched deck and of the goal where it is known as a deck, both as
    files. Exits with 1 where an untouched deck scores more than 0, or a goal less than 1.
    """
    from pptarena import tasks

    names = (suite,) if suite else tasks.suites()
    # Some suites choose from others: a task is listed once, with the suite that its file is in.
    found = list({task.id: task for name in names for task in tasks.list_tasks(name)}.values())
    if not suite:
        from pptarena.tasks.registry import packaged_ids

        packaged = set(packaged_ids())
        found = [tasks.get_task(task.id) if task.id in packaged else task for task in found]
    if counts:
        show_counts(found, as_json)
    elif judged:
        _list_judged(found, as_json)
    elif as_json:
        print_json([task.to_json() for task in found])
    else:
        _print_table(found)


def _list_judged(found: "list[Task]", as_json: bool) -> None:
    from pptarena.audits.judged_by import judged_by

    rows = [judged_by(task) for task in found]
    if as_json:
        print_json([{"task": row.task, "ok": row.ok, **row.to_json()} for row in rows])
    else:
        for row in rows:
            scores = ("-" if each is None else f"{each:.2f}" for each in (row.original, row.goal))
            wrong = "" if row.ok else "  untouched decks score 0, goals 1"
            line = f"{row.by}  {'  '.join(f'{each:>4}' for each in scores)}  {row.task}{wrong}"
            stdout().print(line, markup=False, highlight=False, soft_wrap=True)
        counts = ", ".join(f"{sum(row.by == by for row in rows)} {by}" for by in "FPN")
        goals = sum(row.goal is not None for row in rows)
        stdout().print(f"{counts}; the goal of {goals} of {len(rows)} is known", highlight=False)
    if not all(row.ok for row in rows):
        raise typer.Exit(1)


@app.command("show", epilog="Example: pptarena tasks show meridian-hide-backup")
def show(
    task_id: Annotated[
        str,
        typer.Argument(metavar="TASK", help="Id of the task, or the path of its file or folder."),
    ],
    as_json: _Json = False,
) -> None:
    """Show a task: what it asks for, what is scored, how it can be done."""
    from pptarena import tasks

    task = tasks.get_task(task_id)
    if as_json:
        steps = len(task.demonstration)
        print_json(task.to_json() | {"max_steps": task.max_steps, "demonstration_steps": steps})
    else:
        _print_task(task)


def _print_table(found: "list[Task]") -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    # Ids and suites are copied into the next command, so they are never cut: the others wrap.
    for column, names in (
        ("task", [task.id for task in found]),
        ("suite", [task.suite for task in found]),
    ):
        table.add_column(column, no_wrap=True, min_width=max(map(len, names), default=0))
    for column in ("difficulty", "level", "deck", "edit types"):
        table.add_column(column, overflow="fold")
    for task in found:
        kinds, deck = ", ".join(task.edit_types), task.file_name.removesuffix(".pptx")
        table.add_row(task.id, task.suite, task.difficulty, task.level, deck, kinds)
    stdout().print(table, crop=False)


def _print_task(task: "Task") -> None:
    facts = task.to_json()
    lines = [
        f"{task.id}  ({task.suite}, {task.difficulty}, {task.level})",
        "",
        task.instruction,
        *(f"  or: {each}" for each in task.paraphrases),
        "",
        f"deck        {facts['deck']}",
        f"edit types  {', '.join(task.edit_types) or 'none named'}",
        f"max steps   {task.max_steps}; the demonstration takes {len(task.demonstration)}",
        *([f"source      {task.source}"] if task.source else []),
        "scored",
        *_rubric_lines(task.rubric.root, 1),
    ]
    for number, turn in enumerate(task.turns, start=2):
        lines += ["", f"turn {number}: {turn.instruction}", *_rubric_lines(turn.rubric.root, 1)]
    stdout().print("\n".join(lines), markup=False, highlight=False)


def _rubric_lines(node: Any, depth: int) -> list[str]:
    mark = "*" if node.critical else "-"
    below = [line for child in node.children for line in _rubric_lines(child, depth + 1)]
    return [f"{'  ' * depth}{mark} {node.name}", *below]
