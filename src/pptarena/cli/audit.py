"""``pptarena audit``: attacks and measurements, with a report."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.output import new_progress, print_json, stdout

if TYPE_CHECKING:
    from pptarena.audits import AuditReport, AuditSettings

__all__ = ["audit"]


def audit(
    name: Annotated[
        str | None, typer.Argument(help="Which one; without a name, all are listed.")
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(min=1, help="Cases at most.", show_default="the audit's own number"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of what is drawn.")] = 0,
    decks: Annotated[
        Path | None,
        typer.Option(help="Folder of further .pptx files.", exists=True, file_okay=False),
    ] = None,
    machine: Annotated[str, typer.Option(help="Machine, for audits that need one.")] = "sandbox",
    operators: Annotated[
        str, typer.Option(help="The only operators to audit, by name, separated by commas.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder that keeps what is found of each operator; a run goes on from there.",
            file_okay=False,
        ),
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="How many audit operators at once.")] = 2,
    json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")] = False,
) -> None:
    """Attack machines and scores, or measure them, and show what held.

    Exit code 1 if anything did not hold. Audits take minutes; without a name they are listed.

    Example: pptarena audit sensitivity --json
    """
    from pptarena.audits import AUDITS, AuditSettings

    if name is None:
        for known, described in AUDITS.items():
            stdout().print(f"{known:<16} {described.summary}", highlight=False)
        return
    only = tuple(filter(None, map(str.strip, operators.split(","))))
    report = _run(name, AuditSettings(count, seed, decks, machine, only, out, processes))
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
            if settings.out is not None:  # such audits take hours, so each row is told at once
                mark = "held" if row.held else "FAILED"
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
        mark = "[green]held[/green]" if row.held else "[red]FAILED[/red]"
        table.add_row(mark, escape(row.name), escape(row.expected), escape(row.found))
    out = stdout()
    out.print(table)
    failed = sum(not row.held for row in report.rows)
    out.print(f"{len(report.rows)} tried, {failed} did not hold", style="bold")
    for figure, value in report.figures.items():
        out.print(f"{figure}: {value}", highlight=False, markup=False)
