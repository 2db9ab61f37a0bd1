"""``pptarena osworld``: stored episodes of OSWorld's tasks, as the benchmark judges them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import new_progress, print_json, stdout
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from pptarena.audits.osworld_scores import OsworldRow
    from pptarena.rollouts.episode import StoredEpisode

__all__ = ["osworld"]


def osworld(
    run: Annotated[
        list[Path],
        typer.Argument(help="Folders of episodes of 'pptarena import osworld'.", metavar="RUN"),
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Judge stored episodes of OSWorld's tasks as the benchmark does, beside the environment.

    'published' is what twins of its evaluators say of the last deck, with their faults; 'score' is
    that of the environment. The folder of the tasks must still be where it was.

    Example: pptarena osworld runs/osworld
    """
    from pptarena.audits.osworld_scores import osworld_rows
    from pptarena.rollouts.episode import StoredEpisode
    from pptarena.rollouts.store import read_meta, stored_episodes

    folders = [folder for root in run for folder in stored_episodes(root)]
    if not folders:
        raise ConfigError(f"expected episodes in {', '.join(map(str, run))}, found none")
    with new_progress() as progress:
        bar = progress.add_task("episodes", total=len(folders), note="")

        def episodes() -> "Iterator[StoredEpisode]":
            for folder in folders:
                meta = read_meta(folder)
                yield StoredEpisode(folder, meta)
                progress.update(bar, advance=1, note=meta.task)

        rows = osworld_rows(episodes())
    if json:
        print_json({"rows": [row.to_json() for row in rows]})
        return
    stdout().print(_table(rows))
    for row in rows:
        for task, reason in row.reasons.items():
            text = f"{row.agent}, {task}, published: {reason}"
            stdout().print(text, markup=False, highlight=False, soft_wrap=True)


def _table(rows: "list[OsworldRow]") -> "Table":
    from rich.table import Table

    table = Table()
    table.add_column("agent", no_wrap=True)
    for name in ("tasks", "score", "published", "unjudged", "of two minds"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(
            row.agent,
            f"{row.tasks}" + (f" ({row.lost} lost)" if row.lost else ""),
            "-" if row.mean_score is None else f"{row.mean_score:.3f}",
            "-" if row.rate is None else f"{100 * row.rate:.1f} % of {len(row.published)}",
            f"{row.unjudged}",
            f"{sum(row.apart.values())}",
        )
    return table
