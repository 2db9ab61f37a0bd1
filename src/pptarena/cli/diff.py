"""``pptarena diff``: what changed between two decks."""

from pathlib import Path
from typing import Annotated

import typer

from pptarena.cli.output import print_json, stdout

__all__ = ["diff"]


def diff(
    a: Annotated[Path, typer.Argument(help="The .pptx file before.")],
    b: Annotated[Path, typer.Argument(help="The .pptx file after.")],
    json: Annotated[
        bool, typer.Option("--json", help='Print {"changes": [...]} instead of lines.')
    ] = False,
) -> None:
    """Show what changed from one deck to another, leaving out what saving alone changes.

    Example: pptarena diff original.pptx final.pptx --json
    """
    from pptarena.rewards import diff_decks, read_deck

    changes = diff_decks(read_deck(a), read_deck(b))
    if json:
        print_json({"changes": [change.to_json() for change in changes]})
        return
    for change in changes:
        stdout().print(f"• {change.text}", markup=False, highlight=False, soft_wrap=True)
    count = len(changes)
    stdout().print(f"{count} change{'' if count == 1 else 's'}" if count else "no changes")
