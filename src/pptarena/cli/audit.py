"""``pptarena dev audit``: attack machines and scores, and measure them."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.options import AsJson, Machine, Seed
from pptarena.cli.output import new_progress, print_json, print_line, stdout

if TYPE_CHECKING:
    from pptarena.audits import AuditReport, AuditSettings

__all__ = ["audit"]


def audit(
    name: Annotated[
        str | None,
        typer.Argument(help="Audit to run.", metavar="NAME", show_default="list all"),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            min=1, help="Maximum number of cases.", metavar="N", show_default="the audit's own"
        ),
    ] = None,
    seed: Seed = 0,
    decks: Annotated[
        Path | None,
        typer.Option(
            help="Folder of additional .pptx files.", exists=True, file_okay=False, metavar="FOLDER"
        ),
    ] = None,
    machine: Machine = "sandbox",
    operators: Annotated[
        str,
        typer.Option(
            help="Audit only these operators, separated by commas.",
            metavar="NAME,...",
            show_default="all",
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the results of each operator; an interrupted audit continues there.",
            file_okay=False,
            metavar="FOLDER",
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, help="Number of concurrent processes.", metavar="N")
    ] = 2,
    json: AsJson = False,
) -> None:
    """Attack or measure machines and scores.

    Audits take minutes. Without a name, all audits are listed. Exits with 1 if a case fails.

    Example:
      pptarena dev audit sensitivity --json
    """
    from pptarena.audits import AUDITS, AuditSettings

    if name is None:
        for known, described in AUDITS.items():
            print_line(f"{known:<16} {described.summary}")
        return
    only = tuple(filter(None, map(str.strip, operators.split(","))))
    report = _run(name, AuditSettings(count, seed, decks, machine, only, out, workers))
    if json:
        print_json(report.to_json())
    else:
        _print(report)
    if not report.held:
        raise typer.Exit(1)


def _run(name: str, settings: "AuditSettings") -> "AuditReport":
    from pptarena.audits import AuditReport, load_audit

    running = load_audit(name)
    started = time.perf_counter()
    rows = []
    with new_progress() as progress:
        bar = progress.add_task(name, total=running.total(settings), note="")
        for row in running.rows(settings):
            rows.append(row)
            if settings.out is not None:  # such audits take hours: print each row immediately
                mark = "passed" if row.held else "FAILED"
                progress.console.print(f"{mark} {row.name}: {row.found}", markup=False)
            progress.update(bar, advance=1, note=row.name)
    done = tuple(rows)
    figures = {**running.figures(done), "seconds": round(time.perf_counter() - started, 1)}
    return AuditReport(name, done, figures)


def _print(report: "AuditReport") -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table("", "case", "expected", "found", box=None, header_style="bold")
    for row in report.rows:
        mark = "[green]passed[/green]" if row.held else "[red]FAILED[/red]"
        table.add_row(mark, escape(row.name), escape(row.expected), escape(row.found))
    out = stdout()
    out.print(table)
    failed = sum(not row.held for row in report.rows)
    out.print(f"{len(report.rows)} cases, {failed} failed", style="bold")
    print_line(*(f"{figure}: {value}" for figure, value in report.figures.items()))
