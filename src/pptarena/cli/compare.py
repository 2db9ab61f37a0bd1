"""``pptarena compare``: agents and runs side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import new_progress, print_json, stderr, stdout

if TYPE_CHECKING:
    from pptarena.rollouts.compare import Comparison, Contenders

__all__ = ["compare", "read_runs"]


def compare(
    run: Annotated[
        list[Path],
        typer.Argument(help="Folders of episodes; every agent in them is compared.", metavar="RUN"),
    ],
    plot: Annotated[
        Path | None, typer.Option(help="Draw it, too: a .png, .svg or .pdf file to write.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the intervals.", show_default="a fixed one")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare agents and runs on the tasks that all of them have a score of.

    The first table has means with 95 % intervals; the second, for every agent but the first, the
    differences from the first, paired by task: overall, by difficulty and by edit type. Episodes
    that could not be judged are counted, and in no mean. Tokens and cost are those of an episode.
    Where some play on a screen and others on documents, a column says who does.

    Example: pptarena compare runs/base runs/tuned --plot compare.png
    """
    from pptarena.rollouts.compare import compare as compared
    from pptarena.rollouts.compare import comparison_tables, plot_comparison
    from pptarena.rollouts.report.intervals import SEED

    found = read_runs(run)
    comparison = compared(found.found, SEED if seed is None else seed)
    _warn(comparison, found)
    if plot is not None:
        plot_comparison(comparison, plot)
    if json:
        unreadable = [[str(folder), why] for folder, why in found.unreadable]
        print_json(comparison.to_json() | {"unreadable": unreadable})
        return
    for table in comparison_tables(comparison):
        stdout().print(table)
    if plot is not None:
        stdout().print(f"drawn: {plot}", markup=False, highlight=False, soft_wrap=True)


def read_runs(runs: list[Path]) -> "Contenders":
    """Read runs, with a progress bar.

    Raises:
        ConfigError: If a run is given twice.
        StoreError: If a run has no episode that can be read.
    """
    from pptarena.rollouts.compare import read_contenders

    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="")
        found = read_contenders(
            runs, lambda folder: progress.update(bar, advance=1, note=folder.name)
        )
        progress.update(bar, note="")
    return found


def _warn(comparison: "Comparison", found: "Contenders") -> None:
    lines = [f"left out: {folder}: {why}" for folder, why in found.unreadable]
    for each in comparison.standings:
        if each.missing:
            count = len(each.missing)
            tasks = ", ".join(each.missing[:12]) + (" ..." if count > 12 else "")
            lines.append(f"{each.name}: no scored episode of {count} of the tasks: {tasks}")
    if any(each.missing for each in comparison.standings):
        lines.append(f"compared on what is common: {len(comparison.tasks)} of the tasks")
    for line in (*lines, *comparison.notes):
        stderr().print(line, markup=False, highlight=False, soft_wrap=True, style="yellow")
