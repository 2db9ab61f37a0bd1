"""``pptarena pptc --check-labels``: what both checkers say of labels, and of doing nothing."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pptarena.cli.output import new_progress, print_json, stderr, stdout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from pptarena.audits.pptc_labels import LabelCheck
    from pptarena.audits.pptc_scores import Tally
    from pptarena.benchmarks.pptc.session import Session

__all__ = ["check_copy"]


def check_copy(path: Path, setting: str, as_json: bool) -> None:
    """Judge the labels of a copy of PPTC, and print what came of it.

    Raises:
        TaskError: If there are no sessions or no such setting, or a session is malformed.
        Exit: With 1, if a session could not be judged.
    """
    from pptarena.audits.pptc_labels import check_labels
    from pptarena.benchmarks.pptc.copy import sessions_of
    from pptarena.benchmarks.pptc.settings import setting_of

    chosen = setting_of(setting)
    found = [(root, session) for root, several in sessions_of(path) for session in several]
    with new_progress() as progress:
        bar = progress.add_task("sessions", total=len(found), note="")

        def sessions() -> "Iterator[tuple[Path, Session]]":
            for root, session in found:
                yield root, session
                progress.update(bar, advance=1, note=f"{session.dataset} {session.number}")

        check = check_labels(sessions(), chosen)
    if as_json:
        print_json({"setting": chosen.name, **check.to_json()})
    else:
        _report(check)
    if check.problems:
        raise typer.Exit(1)


def _report(check: "LabelCheck") -> None:
    help_asked = f", {check.seeks} of which ask for help" if check.seeks else ""
    for line in (
        f"{check.sessions} sessions with {check.turns} turns{help_asked}",
        f"{check.made} decks of labels made by their calls, "
        f"{check.failed} calls that could not be carried out",
    ):
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)
    stdout().print(_table(check))
    for row in check.rows:
        for name in ("published", "strict"):
            causes = getattr(row, name).causes.most_common()
            if causes:
                line = ", ".join(f"{cause} {count}" for cause, count in causes)
                text = f"{row.deck}, by {row.form}, {name}: {line}"
                stdout().print(text, markup=False, highlight=False, soft_wrap=True)
    for problem in check.problems:
        stderr().print(problem, markup=False, soft_wrap=True)


def _table(check: "LabelCheck") -> "Table":
    from rich.table import Table

    table = Table()
    table.add_column("deck", no_wrap=True)
    table.add_column("by")
    for name in ("published: passed", "strict: passed", "unjudged"):
        table.add_column(name, justify="right")
    for row in check.rows:
        table.add_row(row.deck, row.form, *_counts(row.published, row.strict))
    return table


def _counts(published: "Tally", strict: "Tally") -> tuple[str, ...]:
    counted = strict.passed + strict.failed + strict.unjudged
    return (
        f"{published.passed} of {published.passed + published.failed + published.unjudged}",
        f"{strict.passed} of {counted}" if counted else "",
        f"{strict.unjudged}" if counted else "",
    )
