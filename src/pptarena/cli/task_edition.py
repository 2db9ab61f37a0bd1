"""``pptarena tasks edition``: the same benchmark with other names, figures, order and looks."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import new_progress, print_json, stdout
from pptarena.errors import TaskError

if TYPE_CHECKING:
    from pptarena.audits.edition import Made

__all__ = ["edition"]


def edition(
    seed: Annotated[
        int, typer.Option(help="Which edition. Whoever knows the number can make the same one.")
    ],
    out: Annotated[Path, typer.Option(help="Folder of the new suite; not there yet.")],
    ids: Annotated[
        list[str] | None,
        typer.Argument(metavar="TASK", help="Ids of packaged tasks; default: all of the suite."),
    ] = None,
    suite: Annotated[str, typer.Option(help="Packaged suite to make an edition of.")] = "bench",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make another edition of a packaged suite, as a folder of tasks that all commands take.

    People, places, products, organisations and dates get other names, figures other values whose
    sums and order hold, some slides change places, and colours are turned where no task is about
    them: by one substitution for each deck, drawn from the seed, in deck, goal, files and task
    alike. Keep the number and the folder to yourself, and no model has seen these decks.

    Every task is proven before it is kept, in each of its turns: the original scores 0, the goal 1,
    every leaf is judged, the decks are valid, and no old name is left. Exits with 1 if a task was
    left out.

    Example: pptarena tasks edition --suite bench --seed 7 --out my-edition
    """
    from pptarena.audits.edition import make_edition
    from pptarena.tasks import pick_tasks

    tasks = pick_tasks(ids or (), suite)
    if out.exists():
        raise TaskError(f"{out}: expected a folder that is not there yet")
    with new_progress() as progress:
        bar = progress.add_task("tasks", total=len(tasks), note="")
        made = make_edition(
            tasks, seed, out, lambda task: progress.update(bar, advance=1, note=task.id)
        )
        progress.update(bar, completed=len(tasks), note="")
    _print(made, out, json)
    if any(one.faults for one in made):
        raise typer.Exit(1)


def _print(made: "Sequence[Made]", out: Path, as_json: bool) -> None:
    good = sum(not one.faults for one in made)
    if as_json:
        tasks = [{"task": one.task, "deck": one.deck, "faults": list(one.faults)} for one in made]
        print_json({"ok": good == len(made), "folder": str(out), "made": good, "tasks": tasks})
        return
    lines = [f"left out: {one.task}: {'; '.join(one.faults)}" for one in made if one.faults]
    lines.append(f"{good} of {len(made)} tasks are in {out}, each proven.")
    lines.append(f"next: pptarena tasks check --suite {out} --machine sandbox")
    for line in lines:
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)
