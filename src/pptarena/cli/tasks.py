"""``pptarena tasks``: list, show, create and check tasks."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pptarena.cli import import_tasks
from pptarena.cli.generate import generate
from pptarena.cli.groups import CONTEXT, Command, Group
from pptarena.cli.options import SUITE_HELP, AsJson
from pptarena.cli.output import print_json, print_line, stdout
from pptarena.cli.task_check import check
from pptarena.cli.task_draft import draft, new
from pptarena.cli.task_edition import edition
from pptarena.cli.task_gallery import gallery
from pptarena.cli.task_propose import propose, review

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pptarena.tasks import Task

__all__ = ["app", "list_tasks", "show"]

app = typer.Typer(
    name="tasks",
    cls=Group,
    help="List, show, create and check tasks.",
    epilog="Example: pptarena tasks list --suite bench",
    no_args_is_help=True,
    context_settings=CONTEXT,
)


@app.command("list", cls=Command)
def list_tasks(
    suite: Annotated[
        str,
        typer.Option(help=SUITE_HELP, metavar="SUITE", show_default="all and installed ones"),
    ] = "",
    judged: Annotated[
        bool,
        typer.Option("--judged", help="Show which rubric items programs score, and verify them."),
    ] = False,
    counts: Annotated[
        bool, typer.Option("--counts", help="Show only the numbers by edit type and difficulty.")
    ] = False,
    json: AsJson = False,
) -> None:
    """List the tasks.

    With --judged, each line starts with F (programs score all rubric items), P (some) or N (none),
    followed by the scores of the original and of the target deck, if it is known. Both are scored
    as files. Exits with 1 if an original scores above 0 or a target deck below 1.

    Examples:
      pptarena tasks list --suite bench
      pptarena tasks list --suite bench#charts
      pptarena tasks list --counts
    """
    from pptarena import tasks
    from pptarena.tasks.suite_loading import installed_suites

    names = (suite,) if suite else ("all", *installed_suites())
    selected = list({task.id: task for name in names for task in tasks.list_tasks(name)}.values())
    if counts:
        _show_counts(selected, json)
    elif judged:
        _list_judged(selected, json)
    elif json:
        print_json([task.to_json() for task in selected])
    else:
        _print_table(selected)


def _list_judged(selected: "list[Task]", as_json: bool) -> None:
    from pptarena.tasks.quality.scoring_method import scoring_method

    rows = [scoring_method(task) for task in selected]
    if as_json:
        print_json([{"task": row.task, "ok": row.ok, **row.to_json()} for row in rows])
    else:
        for row in rows:
            scores = ("-" if each is None else f"{each:.2f}" for each in (row.original, row.goal))
            warning = "" if row.ok else "  expected 0 on the original and 1 on the target deck"
            line = f"{row.by}  {'  '.join(f'{each:>4}' for each in scores)}  {row.task}{warning}"
            print_line(line)
        counts = ", ".join(f"{sum(row.by == by for row in rows)} {by}" for by in "FPN")
        target_count = sum(row.goal is not None for row in rows)
        print_line(f"{counts}; {target_count} of {len(rows)} target decks are known")
    if not all(row.ok for row in rows):
        raise typer.Exit(1)


@app.command("show", cls=Command)
def show(
    task_id: Annotated[str, typer.Argument(metavar="TASK", help="Id or path of the task.")],
    json: AsJson = False,
) -> None:
    """Show a task: instruction, rubric and solution.

    The lines with "or:" are the other wordings of the instruction. In the list of scored items, an
    item with "*" is critical and one with "-" is not. With --json, the complete task is printed.

    Example:
      pptarena tasks show meridian-hide-backup
    """
    from pptarena import tasks

    task = tasks.get_task(task_id)
    if json:
        steps = len(task.demonstration)
        print_json(task.to_json() | {"max_steps": task.max_steps, "demonstration_steps": steps})
    else:
        _print_task(task)


def _print_table(selected: "list[Task]") -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    # Users copy ids and suites into the next command, so these columns are never cut.
    for column, names in (
        ("task", [task.id for task in selected]),
        ("suite", [task.suite for task in selected]),
    ):
        table.add_column(column, no_wrap=True, min_width=max(map(len, names), default=0))
    for column in ("difficulty", "level", "deck", "edit types"):
        table.add_column(column, overflow="fold")
    for task in selected:
        kinds, deck = ", ".join(task.edit_types), task.file_name.removesuffix(".pptx")
        table.add_row(task.id, task.suite, task.difficulty, task.level, deck, kinds)
    stdout().print(table, crop=False)


def _print_task(task: "Task") -> None:
    task_json = task.to_json()
    lines = [
        f"{task.id}  ({task.suite}, {task.difficulty}, {task.level})",
        "",
        task.instruction,
        *(f"  or: {each}" for each in task.paraphrases),
        "",
        f"deck        {task_json['deck']}",
        f"tags        {', '.join(sorted(task.tags))}",
        f"max steps   {task.max_steps}",
        f"solution    {_solution(task)}",
        *([f"source      {task.source}"] if task.source else []),
        "scored",
        *_rubric_lines(task.rubric.root, 1),
    ]
    for number, turn in enumerate(task.turns, start=2):
        wordings = (f"  or: {each}" for each in turn.paraphrases)
        lines += ["", f"turn {number}: {turn.instruction}", *wordings]
        lines += _rubric_lines(turn.rubric.root, 1)
    if task.answers:
        lines.append("answers to questions")
        lines += [f"  about {each.about}: {each.answer}" for each in task.answers]
    stdout().print("\n".join(lines), markup=False, highlight=False)


def _solution(task: "Task") -> str:
    if steps := len(task.demonstration):
        return f"a recorded demonstration of {steps} step{'' if steps == 1 else 's'}"
    from pptarena.tasks.solution_macros import has_macros

    return "macros" if has_macros(task) else "no scripted solution"


def _rubric_lines(node: Any, depth: int) -> list[str]:
    mark = "*" if node.critical else "-"
    child_lines = [line for child in node.children for line in _rubric_lines(child, depth + 1)]
    return [f"{'  ' * depth}{mark} {node.name}", *child_lines]


def _show_counts(tasks: "Sequence[Task]", as_json: bool) -> None:
    """Print the numbers of tasks by edit type and difficulty, next to other benchmarks."""
    from dataclasses import asdict

    from pptarena.tasks.counts import PUBLISHED, UIUC_EDIT_TYPES, count_tasks

    counts = count_tasks(tasks)
    if as_json:
        print_json(
            asdict(counts) | {"uiuc_pptarena": dict(UIUC_EDIT_TYPES), "published": PUBLISHED}
        )
        return
    totals = {
        **{"tasks": counts.total, "decks": counts.decks, "slides": counts.slides},
        **counts.difficulties,
        **counts.levels,
        **counts.flags,
    }
    lines = [
        "| edit type | first | any | UIUC PPTArena |",
        "|---|---|---|---|",
        *(
            f"| {kind} | {counts.first[kind]} | {counts.any[kind]} | {uiuc_count} |"
            for kind, uiuc_count in UIUC_EDIT_TYPES.items()
        ),
        f"| all | {counts.total} | | {sum(UIUC_EDIT_TYPES.values())} |",
        "",
        f"| | these | {' | '.join(PUBLISHED)} |",
        f"|---|---|{'---|' * len(PUBLISHED)}",
        *(
            f"| {' | '.join((name, str(number), *_published(name)))} |"
            for name, number in totals.items()
        ),
    ]
    print_line(*lines)


def _published(name: str) -> "Iterator[str]":
    from pptarena.tasks.counts import PUBLISHED

    for counts in PUBLISHED.values():
        yield str(counts[name]) if name in counts else "-"


app.command("new", cls=Command)(new)
app.command("draft", cls=Command)(draft)
app.command("propose", cls=Command)(propose)
app.command("review", cls=Command)(review)
app.command("check", cls=Command)(check)
app.command("generate", cls=Command)(generate)
app.command("edition", cls=Command)(edition)
app.command("gallery", cls=Command)(gallery)
app.add_typer(import_tasks.app, name="import")
