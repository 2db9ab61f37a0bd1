"""``pptarena runs leaderboard``: a page with the results of many runs."""

from pathlib import Path
from typing import Annotated

import typer

from pptarena.cli.options import AsJson
from pptarena.cli.output import new_progress, print_json, print_line, print_note
from pptarena.errors import ConfigError

__all__ = ["leaderboard"]


def leaderboard(
    folder: Annotated[
        Path, typer.Argument(help="Folder whose subfolders are runs.", metavar="FOLDER")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="Page to write.", metavar="FILE", show_default="leaderboard.html in the folder"
        ),
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Recompute every score from the stored decks.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Write a page that ranks the agents of many runs.

    Each agent and run has a row, ordered by mean score. Rows have intervals, versions, image, seeds
    and a digest of their tasks, so they can be checked. With --verify, scores are recomputed from
    the stored decks using the installed tasks. Rows with a score that differs are marked, and the
    command exits with 1.

    Example:
      pptarena runs leaderboard runs --out page.html --verify
    """
    from pptarena.rollouts.leaderboard import leaderboard as leaderboard_rows
    from pptarena.rollouts.leaderboard_page import leaderboard_page
    from pptarena.rollouts.report.build import write_page

    target = folder / "leaderboard.html" if out is None else out
    if target.is_dir():
        raise ConfigError(f"--out: {target} is a folder; choose a file")
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="")
        rows = leaderboard_rows(
            folder,
            verify=verify,
            on_episode=lambda path: progress.update(bar, advance=1, note=path.name),
        )
        progress.update(bar, note="")
    write_page(leaderboard_page(rows, folder.resolve().name or "runs"), target)
    if json:
        print_json({"out": str(target), "rows": [row.to_json() for row in rows]})
    else:
        print_line(f"{len(rows)} row{'' if len(rows) == 1 else 's'}: {target}")
    for row in rows:
        print_note(*(f"{row.run}/{name}: {reason}" for name, reason in row.faults), style="yellow")
    if any(row.faults for row in rows):
        raise typer.Exit(1)
