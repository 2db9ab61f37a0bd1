"""``pptarena tasks edition``: a private variant of a suite."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.options import AsJson, TaskArguments
from pptarena.cli.output import new_progress, print_json, print_line, quoted
from pptarena.errors import TaskError

if TYPE_CHECKING:
    from pptarena.tasks.edition import Made

__all__ = ["edition"]


def edition(
    seed: Annotated[
        int,
        typer.Option(help="Seed of the edition; the same seed gives the same one.", metavar="N"),
    ],
    out: Annotated[Path, typer.Option(help="New folder for the suite.", metavar="FOLDER")],
    ids: TaskArguments = None,
    suite: Annotated[str, typer.Option(help="Packaged suite to vary.", metavar="SUITE")] = "bench",
    json: AsJson = False,
) -> None:
    """Make a private variant of a suite.

    People, places, products, organizations and dates get other names. Figures get other values
    with consistent sums and order. Some slides change places, and colors are shifted if no task is
    about them. Deck, target deck, attachments and task change in the same way. Keep seed and folder
    private, and no model has seen these decks.

    Every task is verified, in each of its turns: the original scores 0, the target deck 1, every
    rubric item is scored, the decks are valid and no old name is left. Exits with 1 if a task was
    skipped.

    Example:
      pptarena tasks edition --suite bench --seed 7 --out my-edition
    """
    from pptarena.tasks import pick_tasks
    from pptarena.tasks.edition import make_edition

    tasks = pick_tasks(ids or (), suite)
    if out.exists():
        raise TaskError(f"--out: {out} already exists; choose a new folder")
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
    print_line(
        *(f"skipped {one.task}: {'; '.join(one.faults)}" for one in made if one.faults),
        f"{good} of {len(made)} tasks are verified and stored in {out}.",
        f"Next: pptarena tasks check --suite {quoted(out)} --machine sandbox",
    )
