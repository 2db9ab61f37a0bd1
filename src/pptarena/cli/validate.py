"""``pptarena validate``: whether PowerPoint would open a deck."""

from pathlib import Path
from typing import Annotated

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

    A line names the part, the element in it and the reason. Nothing of a deck is run or changed.

    Exit codes: 0 all are valid, 1 one is not or cannot be read, 2 wrong use.

    Example: pptarena validate deck.pptx
    """
    found = [_checked(deck) for deck in decks]
    if json:
        print_json({"decks": found})
    else:
        for each in found:
            _print(each)
    if any(each["problems"] for each in found):
        note = "each problem violates the standard; PowerPoint may open, repair or refuse the deck"
        stderr().print(note, markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1)


def _checked(deck: Path) -> dict[str, object]:
    from pptarena.decks.validity import validate_deck

    try:
        problems = [problem.to_json() for problem in validate_deck(deck)]
    except (DeckError, OSError) as error:
        problems = [{"part": "", "place": "", "reason": str(error)}]
    return {"deck": str(deck), "problems": problems}


def _print(checked: dict[str, object]) -> None:
    problems = checked["problems"]
    assert isinstance(problems, list)
    lines = [f"{each['part']}{each['place']}: {each['reason']}" for each in problems]
    verdict = "valid" if not lines else f"{len(lines)} problems"
    for line in (
        f"{checked['deck']}: {verdict}",
        *(f"  {line.removeprefix(': ')}" for line in lines),
    ):
        stdout().print(line, markup=False, highlight=False, soft_wrap=True)
