"""``pptarena validate``: whether PowerPoint would open a deck."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from pptarena.cli.output import print_json, stderr, stdout
from pptarena.errors import DeckError

__all__ = ["validate"]


def validate(
    decks: Annotated[list[Path], typer.Argument(help="The .pptx files.")],
    json: Annotated[
        bool, typer.Option("--json", help='Print {"decks": [...]} instead of lines.')
    ] = False,
) -> None:
    """Check decks against the schemas of OOXML, and what PowerPoint wants besides.

    A line contains the severity, the part, the element in it and the reason. Severities are what
    PowerPoint is expected to do: 'refused' (does not open the deck), 'repaired' (offers a repair or
    leaves content out), 'unusual' (forbidden by the standard, but not known to disturb PowerPoint).
    'unreadable' means that this command could not read the deck. Nothing of a deck is run or
    changed.

    Exit codes: 0 all are valid, 1 one is not or cannot be read, 2 wrong use.

    Example: pptarena validate deck.pptx
    """
    found = [_checked(deck) for deck in decks]
    if json:
        print_json({"decks": found})
    else:
        for each in found:
            _print(each)
    severities = {problem["severity"] for each in found for problem in each["problems"]}
    if severities - {"unreadable"}:
        note = "severities are expectations from the standard and from reports, not from PowerPoint"
        stderr().print(note, markup=False, highlight=False, soft_wrap=True)
    if severities:
        raise typer.Exit(1)


def _checked(deck: Path) -> dict[str, Any]:
    from pptarena.decks.validity import validate_deck

    try:
        problems = [problem.to_json() for problem in validate_deck(deck)]
    except (DeckError, OSError) as error:
        unreadable = {"severity": "unreadable", "part": "", "place": "", "reason": str(error)}
        problems = [unreadable]
    return {"deck": str(deck), "problems": problems}


def _print(checked: dict[str, Any]) -> None:
    counts = Counter(each["severity"] for each in checked["problems"])
    verdict = ", ".join(f"{count} {name}" for name, count in counts.items()) or "valid"
    lines = [f"{checked['deck']}: {verdict}"]
    for each in checked["problems"]:
        place = f"{each['part']}{each['place']}"
        lines.append("  " + ": ".join(filter(None, (each["severity"], place, each["reason"]))))
    for line in lines:
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)
