"""``pptarena tasks edition``: a private variant of a suite."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.options import AsJson, TaskArguments
from pptarena.cli.output import new_progress, print_json, print_line, quoted
from pptarena.errors import TaskError

if TYPE_CHECKING:
    from pptarena.tasks.edition import EditedTask

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
        raise TaskError(f"--out: {out} exists; choose a new folder")
    with new_progress() as progress:
        bar = progress.add_task("tasks", total=len(tasks), note="")
        results = make_edition(
            tasks, seed, out, lambda task: progress.update(bar, advance=1, note=task.id)
        )
        progress.update(bar, completed=len(tasks), note="")
    _print(results, out, json)
    if any(result.faults for result in results):
        raise typer.Exit(1)


def _print(results: "Sequence[EditedTask]", out: Path, as_json: bool) -> None:
    verified_count = sum(not result.faults for result in results)
    if as_json:
        tasks = [
            {"task": result.task, "deck": result.deck, "faults": list(result.faults)}
            for result in results
        ]
        print_json(
            {
                "ok": verified_count == len(results),
                "folder": str(out),
                "made": verified_count,
                "tasks": tasks,
            }
        )
        return
    print_line(
        *(
            f"skipped {result.task}: {'; '.join(result.faults)}"
            for result in results
            if result.faults
        ),
        f"{verified_count} of {len(results)} tasks are verified and stored in {out}.",
        f"Next: pptarena tasks check --suite {quoted(out)} --machine sandbox",
    )
