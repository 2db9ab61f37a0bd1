"""``pptarena doctor``: is this computer ready, and what mends it."""

import dataclasses
from typing import Annotated

import typer

from pptarena.cli.finding import Finding, Status
from pptarena.cli.host_checks import check_host
from pptarena.cli.output import print_json, stderr, stdout

__all__ = ["doctor"]

_SIGNS = {
    Status.OK: "[green]ok[/green]  ",
    Status.WARNING: "[yellow]warn[/yellow]",
    Status.FAILED: "[red]FAIL[/red]",
}


def doctor(
    start: Annotated[
        bool, typer.Option("--start/--no-start", help="Also start a machine to see it work.")
    ] = True,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check this computer and say the command that mends each finding.

    Files that crashed programs left are removed. Exits with 1 when something is missing that a
    sandbox machine needs.

    Example: pptarena doctor
    """
    findings = []
    with stderr().status("checking") as status:
        for name, check in check_host(start=start):
            status.update(f"checking: {name}")
            findings.append(check())
            if not json:
                _print(findings[-1])
    ok = all(finding.status is not Status.FAILED for finding in findings)
    if json:
        print_json({"ok": ok, "findings": [dataclasses.asdict(finding) for finding in findings]})
    elif ok:
        stdout().print("This computer is ready: try  pptarena run --agent demonstration")
    if not ok:
        raise typer.Exit(1)


def _print(finding: Finding) -> None:
    from rich.markup import escape

    sign = _SIGNS[finding.status]
    stdout().print(f"{sign} {finding.name}: {escape(finding.detail)}", highlight=False)
    if finding.mend:
        stdout().print(f"       mend it: {escape(finding.mend)}", highlight=False, soft_wrap=True)
