"""``pptarena leaderboard``: a page of the results of many runs."""

from pathlib import Path
from typing import Annotated

import typer

from pptarena.cli.output import new_progress, print_json, stderr, stdout
from pptarena.errors import ConfigError

__all__ = ["leaderboard"]


def leaderboard(
    folder: Annotated[Path, typer.Argument(help="A folder of runs: each folder in it is one.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Page to write.", show_default="leaderboard.html in the folder"),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Recompute every score from the stored decks."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Write one page with a row for every agent of every run, the best mean score first.

    Rows have intervals, versions, image, seeds and a digest of their tasks, so that they can be
    checked. With --verify, scores are recomputed from the stored decks by the tasks as they are
    installed here; a row with one that does not stand is marked, and the exit code is 1.

    Example: pptarena leaderboard runs --out page.html --verify
    """
    from pptarena.rollouts.leaderboard import leaderboard as rows_of
    from pptarena.rollouts.leaderboard_page import leaderboard_page
    from pptarena.rollouts.report.build import write_page

    target = folder / "leaderboard.html" if out is None else out
    if target.is_dir():
        raise ConfigError(f"expected a file to write to, got the folder {target}")
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="")
        rows = rows_of(
            folder,
            verify=verify,
            on_episode=lambda place: progress.update(bar, advance=1, note=place.name),
        )
        progress.update(bar, note="")
    write_page(leaderboard_page(rows, folder.resolve().name or "runs"), target)
    if json:
        print_json({"out": str(target), "rows": [row.to_json() for row in rows]})
    else:
        told = f"{len(rows)} row{'' if len(rows) == 1 else 's'}: {target}"
        stdout().print(told, markup=False, highlight=False, soft_wrap=True)
    for row in rows:
        for name, why in row.faults:
            line = f"{row.run}/{name}: {why}"
            stderr().print(line, markup=False, highlight=False, soft_wrap=True, style="yellow")
    if any(row.faults for row in rows):
        raise typer.Exit(1)
