"""``pptarena doctor``: check the requirements of this computer."""

import dataclasses
from typing import Annotated, Any

import typer

from pptarena.cli.host_checks import Finding, Status, check_host
from pptarena.cli.options import AsJson
from pptarena.cli.output import print_json, print_line, stderr, stdout

__all__ = ["doctor"]

_LABELS = {
    Status.OK: "[green]ok[/green]  ",
    Status.WARNING: "[yellow]warn[/yellow]",
    Status.FAILED: "[red]FAIL[/red]",
}


def doctor(
    start: Annotated[bool, typer.Option("--start/--no-start", help="Also start a machine.")] = True,
    json: AsJson = False,
) -> None:
    """Check system requirements and suggest fixes.

    Also removes files that crashed runs left behind. Exits with 1 if a requirement of the sandbox
    machine is not met.

    Example:
      pptarena doctor
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
        print_json({"ok": ok, "findings": [_as_json(finding) for finding in findings]})
    elif ok:
        print_line("All requirements are met. Next: pptarena run --agent demonstration")
    if not ok:
        raise typer.Exit(1)


def _print(finding: Finding) -> None:
    from rich.markup import escape

    label = _LABELS[finding.status]
    stdout().print(f"{label} {finding.name}: {escape(finding.detail)}", highlight=False)
    if finding.fix:
        print_line(f"       fix: {finding.fix}")


def _as_json(finding: Finding) -> dict[str, Any]:
    # `mend` is the former name of `fix`, kept for one release.
    return {**dataclasses.asdict(finding), "mend": finding.fix}
