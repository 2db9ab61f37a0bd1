"""``pptarena decks validate``: check that PowerPoint would open a deck."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from pptarena.cli.options import AsJson
from pptarena.cli.output import print_json, print_line, print_note
from pptarena.errors import DeckError

__all__ = ["validate"]


def validate(
    decks: Annotated[list[Path], typer.Argument(help="The .pptx files.", metavar="DECK...")],
    json: AsJson = False,
) -> None:
    """Check that PowerPoint would open decks without repair.

    Checks against the schemas of Office Open XML and PowerPoint's further requirements. Each line
    has the severity, the part, the element and the reason. Severities: 'refused' (PowerPoint is
    expected not to open the deck), 'repaired' (to offer a repair or drop content), 'unusual'
    (violates the standard without a known effect), 'unreadable' (this command cannot read the
    deck). The decks are not changed, and their programs are not run.

    Exit codes: 0 all decks are valid, 1 a deck is invalid or unreadable, 2 usage error.

    Example:
      pptarena decks validate deck.pptx
    """
    deck_reports = [_validate_deck(deck) for deck in decks]
    if json:
        print_json({"decks": deck_reports})
    else:
        for each in deck_reports:
            _print(each)
    severities = {problem["severity"] for each in deck_reports for problem in each["problems"]}
    if severities - {"unreadable"}:
        print_note(
            "Severities are estimated from the standard and from reports, not by PowerPoint."
        )
    if severities:
        raise typer.Exit(1)


def _validate_deck(deck: Path) -> dict[str, Any]:
    from pptarena.decks.validity import validate_deck

    try:
        problems = [problem.to_json() for problem in validate_deck(deck)]
    except (DeckError, OSError) as error:
        unreadable = {"severity": "unreadable", "part": "", "place": "", "reason": str(error)}
        problems = [unreadable]
    return {"deck": str(deck), "problems": problems}


def _print(report: dict[str, Any]) -> None:
    counts = Counter(each["severity"] for each in report["problems"])
    verdict = ", ".join(f"{count} {name}" for name, count in counts.items()) or "valid"
    lines = [f"{report['deck']}: {verdict}"]
    for each in report["problems"]:
        location = f"{each['part']}{each['place']}"
        lines.append("  " + ": ".join(filter(None, (each["severity"], location, each["reason"]))))
    print_line(*lines)
