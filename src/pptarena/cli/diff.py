"""``pptarena decks diff``: list the changes between two decks."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pptarena.cli.options import AsJson
from pptarena.cli.output import print_json, print_line, print_note
from pptarena.errors import ConfigError

if TYPE_CHECKING:
    from pptarena.rewards import Change, Deck

__all__ = ["diff"]


def diff(
    a: Annotated[Path, typer.Argument(help="The original .pptx file.", metavar="ORIGINAL")],
    b: Annotated[Path, typer.Argument(help="The edited .pptx file.", metavar="EDITED")],
    json: AsJson = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="Exit with 3 if there are changes.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option(
            help="Also write a page with the slides side by side and the changes marked.",
            metavar="FILE",
        ),
    ] = None,
    all_slides: Annotated[
        bool, typer.Option("--all-slides", help="On the page, also show unchanged slides.")
    ] = False,
) -> None:
    """List the changes between two decks.

    Changes caused by saving alone are ignored. The page of --html is one file that loads nothing
    from elsewhere. Its slides are rendered by the machine image; without an image the page has text
    only. Programs in the decks are not run.

    Exit codes: 0 compared, 1 a deck cannot be read, 2 usage error, 3 changes (with --exit-code).

    Example:
      pptarena decks diff original.pptx final.pptx --html diff.html
    """
    from pptarena.rewards import diff_decks, read_deck

    if html is not None and html.is_dir():
        raise ConfigError(f"--html: {html} is a folder; choose a file")
    if all_slides and html is None:
        raise ConfigError("--all-slides needs --html FILE")

    before, after = read_deck(a), read_deck(b)
    changes = diff_decks(before, after)
    if json:
        print_json({"changes": [change.to_json() for change in changes]})
    else:
        print_line(*_lines(changes, before, after))
    if html is not None:
        _write_page(a, b, html, all_slides)
    if changes and exit_code:
        raise typer.Exit(3)


def _write_page(a: Path, b: Path, html: Path, all_slides: bool) -> None:
    from pptarena.decks.package.files import read_bytes
    from pptarena.rollouts.report.build import write_page
    from pptarena.rollouts.report.diff_page import diff_page
    from pptarena.vm_images.office import Office

    title = f"{a.name} and {b.name}" if a.name != b.name else f"{a} and {b}"
    page, missing = diff_page(title, read_bytes(a), read_bytes(b), Office().render, all_slides)
    write_page(page, html)
    if missing:
        print_note(f"slides are not shown: {missing}")
    print_note(f"Page: {html}")


def _lines(changes: "Iterable[Change]", before: "Deck", after: "Deck") -> Iterator[str]:
    """Yield the changes slide by slide under headings."""
    count = 0
    # New slides come last; all others keep the order of the original.
    ordered = sorted(changes, key=lambda each: (each.slide or 0, each.slide_now or 0))
    ordered.sort(key=lambda each: each.slide is None and each.slide_now is not None)
    for position, group in groupby(ordered, key=lambda each: (each.slide, each.slide_now)):
        yield _heading(*position, before, after)
        for change in group:
            count += 1
            yield f"  • {change.sentence}"
    yield f"{count} change{'' if count == 1 else 's'}" if count else "no changes"


def _heading(slide: int | None, slide_now: int | None, before: "Deck", after: "Deck") -> str:
    if slide is None and slide_now is None:
        return "deck"
    if slide is None and slide_now is not None:
        return f"new slide {slide_now}{_title(after, slide_now)}"
    now = "" if slide == slide_now else " (removed)" if slide_now is None else f" (now {slide_now})"
    return f"slide {slide}{now}{_title(before, slide or 1)}"


def _title(deck: "Deck", number: int) -> str:
    title = " ".join(deck.slides[number - 1].title.split())
    return f": {title[:60]}" if title else ""
