"""``pptarena runs compare``: compare agents and runs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.options import AsJson, RunFolders
from pptarena.cli.output import new_progress, print_json, print_line, print_note, stdout

if TYPE_CHECKING:
    from pptarena.rollouts.compare import Comparison, Contenders

__all__ = ["compare", "read_runs"]


def compare(
    run: RunFolders,
    plot: Annotated[
        Path | None,
        typer.Option(help="Also draw a plot: a .png, .svg or .pdf file.", metavar="FILE"),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, help="Seed of the bootstrap intervals.", metavar="N", show_default="fixed"
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Compare agents and runs on the tasks they have in common.

    Only tasks with scores of all agents count. The first table lists means with 95 % intervals, the
    second the share of solved tasks by difficulty, by level, and of feasible and infeasible tasks.
    The third counts how episodes ended ('runs failures' explains it). The others list the
    differences of every agent from the first one, paired by task. Unscored episodes are counted but
    are in no mean. Tokens and cost are per episode. If some agents ran on a screen and others on
    documents, a column shows which.

    Example:
      pptarena runs compare runs/base runs/tuned --plot compare.png
    """
    from pptarena.rollouts.compare import compare as compare_contenders
    from pptarena.rollouts.compare import comparison_tables, plot_comparison
    from pptarena.rollouts.report.intervals import SEED

    contenders = read_runs(run)
    with new_progress() as progress:
        bar = progress.add_task("endings", total=None, note="")
        comparison = compare_contenders(
            contenders.contenders,
            SEED if seed is None else seed,
            lambda folder: progress.update(bar, advance=1, note=folder.parent.name),
        )
        progress.update(bar, note="")
    _warn(comparison, contenders)
    if plot is not None:
        plot_comparison(comparison, plot)
    if json:
        unreadable = [[str(folder), reason] for folder, reason in contenders.unreadable]
        print_json(comparison.to_json() | {"unreadable": unreadable})
        return
    for table in comparison_tables(comparison):
        stdout().print(table)
    if plot is not None:
        print_line(f"Plot: {plot}")


def read_runs(runs: list[Path]) -> "Contenders":
    """Read runs, with a progress bar.

    Raises:
        ConfigError: If a run is listed twice.
        StoreError: If a run has no episode that can be read.
    """
    from pptarena.rollouts.compare import read_contenders

    with new_progress() as progress:
        bar = progress.add_task("episodes", total=None, note="")
        contenders = read_contenders(
            runs, lambda folder: progress.update(bar, advance=1, note=folder.name)
        )
        progress.update(bar, note="")
    return contenders


def _warn(comparison: "Comparison", contenders: "Contenders") -> None:
    from pptarena.rewards.checking.result import pluralize

    lines = [f"skipped {folder}: {reason}" for folder, reason in contenders.unreadable]
    for each in comparison.standings:
        if each.missing:
            count = len(each.missing)
            tasks = ", ".join(each.missing[:12]) + (" ..." if count > 12 else "")
            lines.append(f"{each.name} has no score for {pluralize(count, 'task')}: {tasks}")
    if any(each.missing for each in comparison.standings):
        shared = pluralize(len(comparison.tasks), "task")
        lines.append(f"comparing the {shared} that all agents have scores for")
    print_note(*lines, *comparison.notes, style="yellow")
