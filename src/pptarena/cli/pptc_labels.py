"""``pptarena dev pptc-labels``: check the labels of a copy of PPTC."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.import_tasks import Setting
from pptarena.cli.options import AsJson
from pptarena.cli.output import new_progress, print_json, print_line, print_note, stdout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from pptarena.benchmarks.pptc.label_check import LabelCheck
    from pptarena.benchmarks.pptc.scores import Tally
    from pptarena.benchmarks.pptc.session import Session

__all__ = ["pptc_labels"]


def pptc_labels(
    path: Annotated[Path, typer.Argument(help="Your copy of PPTC.", metavar="COPY")],
    setting: Setting = "plain",
    json: AsJson = False,
) -> None:
    """Check the labels of a copy of PPTC with both of its checkers.

    Compares three decks with each label: the label itself, the deck that PPTC's own program makes,
    and the deck before the turn, as an agent that does nothing leaves it. Exits with 1 if a session
    cannot be checked.

    Example:
      pptarena dev pptc-labels PPTC --setting update
    """
    from pptarena.benchmarks.pptc.copy import find_sessions
    from pptarena.benchmarks.pptc.label_check import check_labels
    from pptarena.benchmarks.pptc.settings import get_setting

    pptc_setting = get_setting(setting)
    sessions_with_roots = [
        (root, session) for root, sessions_ in find_sessions(path) for session in sessions_
    ]
    with new_progress() as progress:
        bar = progress.add_task("sessions", total=len(sessions_with_roots), note="")

        def sessions() -> "Iterator[tuple[Path, Session]]":
            for root, session in sessions_with_roots:
                yield root, session
                progress.update(bar, advance=1, note=f"{session.dataset} {session.number}")

        check = check_labels(sessions(), pptc_setting)
    if json:
        print_json({"setting": pptc_setting.name, **check.to_json()})
    else:
        _report(check)
    if check.problems:
        raise typer.Exit(1)


def _report(check: "LabelCheck") -> None:
    help_requests = f", {check.seeks} of which ask for help" if check.seeks else ""
    print_line(
        f"{check.sessions} sessions with {check.turns} turns{help_requests}",
        f"{check.made} label decks made by their API calls, {check.failed} calls failed",
    )
    stdout().print(_table(check))
    for row in check.rows:
        for name in ("published", "strict"):
            causes = getattr(row, name).causes.most_common()
            if causes:
                line = ", ".join(f"{cause} {count}" for cause, count in causes)
                print_line(f"{row.deck}, by {row.form}, {name}: {line}")
    print_note(*check.problems)


def _table(check: "LabelCheck") -> "Table":
    from rich.table import Table

    table = Table()
    table.add_column("deck", no_wrap=True)
    table.add_column("by")
    for name in ("published: passed", "strict: passed", "unscored"):
        table.add_column(name, justify="right")
    for row in check.rows:
        table.add_row(row.deck, row.form, *_counts(row.published, row.strict))
    return table


def _counts(published: "Tally", strict: "Tally") -> tuple[str, ...]:
    total = strict.passed + strict.failed + strict.unscored
    return (
        f"{published.passed} of {published.passed + published.failed + published.unscored}",
        f"{strict.passed} of {total}" if total else "",
        f"{strict.unscored}" if total else "",
    )
