"""The audits by name; the module of an audit is imported when it runs."""

import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pptarena.audits.report import Row
from pptarena.audits.settings import AuditSettings
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found

__all__ = ["AUDITS", "Audit", "RunningAudit", "load_audit"]

Figures = dict[str, float | int | str]


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit.

    Attributes:
        module: Module with ``rows(settings: AuditSettings) -> Iterator[Row]`` and, optionally,
            ``figures(rows: tuple[Row, ...]) -> dict[str, float | int | str]`` for totals and
            ``total(settings: AuditSettings) -> int`` for the number of rows.
        summary: What the audit shows, in one line.
    """

    module: str
    summary: str


AUDITS: dict[str, Audit] = {
    "blind": Audit(
        "pptarena.audits.blind.pay", "policies that read no instruction earn next to nothing"
    ),
    "keyboard": Audit(
        "pptarena.audits.keyboard", "ways to run code in the machine, by real keys and clicks"
    ),
    "covers": Audit("pptarena.audits.covers", "what is covered or unreadable does not pay"),
    "false-alarms": Audit("pptarena.audits.false_alarms", "honest edits look like honest edits"),
    "files": Audit(
        "pptarena.audits.files",
        "runs and caches that somebody else wrote: nothing outside is read, written or deleted",
    ),
    "guest": Audit("pptarena.audits.guest", "A guest that lies in every field and every byte."),
    "isolation": Audit(
        "pptarena.audits.isolation", "code of the desktop's user against the sandbox's walls"
    ),
    "mutations": Audit(
        "pptarena.audits.mutations", "2,000 decks with random damage through the whole scorer"
    ),
    "operators": Audit(
        "pptarena.audits.operators", "what grows by every edit: proven, read back and attacked"
    ),
    "self-diff": Audit(
        "pptarena.audits.self_diff", "a deck against itself, saved again: no change at all"
    ),
    "sensitivity": Audit(
        "pptarena.audits.sensitivity", "one edit at a time: found, named rightly, and alone"
    ),
}


@dataclass(frozen=True, slots=True)
class RunningAudit:
    """The functions of one audit.

    Attributes:
        rows: Runs the cases and yields their rows.
        figures: Returns totals of all rows.
        total: Returns the number of rows, for progress; None if unknown.
    """

    rows: Callable[[AuditSettings], Iterator[Row]]
    figures: Callable[[tuple[Row, ...]], Figures]
    total: Callable[[AuditSettings], int | None]


def load_audit(name: str) -> RunningAudit:
    """Import an audit.

    Raises:
        ConfigError: If the name is unknown.
    """
    audit = AUDITS.get(name)
    if audit is None:
        more = "`pptarena dev audit` lists all."
        raise ConfigError(not_found("audit", name, sorted(AUDITS), more))
    module = importlib.import_module(audit.module)
    return RunningAudit(
        module.rows,
        getattr(module, "figures", lambda _rows: {}),
        getattr(module, "total", lambda settings: settings.count),
    )
