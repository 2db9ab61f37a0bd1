"""``pptarena tasks``: what tasks there are, what one asks for, whether they hold together."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli.output import print_json, stdout
from pptarena.cli.task_check import check
from pptarena.cli.task_draft import draft, new

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

_Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]


@app.command("list", epilog="Example: pptarena tasks list --suite bench --json")
def list_tasks(
    suite: Annotated[
        str, typer.Option(help="Only the tasks of this suite, a name or a folder; default: all.")
    ] = "",
    as_json: _Json = False,
) -> None:
    """List the tasks."""
    from pptarena import tasks

    names = (suite,) if suite else tasks.suites()
    found = [task for name in names for task in tasks.list_tasks(name)]
    if as_json:
        print_json([task.to_json() for task in found])
    else:
        _print_table(found)


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
    stdout().print("\n".join(lines), markup=False, highlight=False)


def _rubric_lines(node: Any, depth: int) -> list[str]:
    mark = "*" if node.critical else "-"
    below = [line for child in node.children for line in _rubric_lines(child, depth + 1)]
    return [f"{'  ' * depth}{mark} {node.name}", *below]
