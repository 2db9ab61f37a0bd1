"""Build the decks defined as data: ``python -m tools.decks.build [NAME ...] [--check]``.

Without names, all decks are built. ``--check`` writes nothing and exits with 1 if a build differs
from the file in ``tasks/decks``.
"""

import json
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from pptarena.errors import DeckError
from tools.decks.attachments import ATTACHMENTS
from tools.decks.consistency import contradictions
from tools.decks.deck_text import read_deck_text, text_file
from tools.decks.defects import add_defects
from tools.decks.render import render
from tools.decks.reproducible import save_reproducible

__all__ = ["build", "names"]

_DECKS = Path(__file__).parents[2] / "tasks" / "decks"


def names() -> list[str]:
    """Return the names of all decks defined as data."""
    return sorted(path.stem for path in text_file("any").parent.glob("*.yaml"))


def build(name: str, folder: Path) -> tuple[Path, Path]:
    """Build a deck and the record of its defects; return both files.

    Raises:
        DeckError: If its text is malformed or contradicts itself.
    """
    text = read_deck_text(text_file(name))
    if problems := contradictions(text):
        raise DeckError(f"{name}: {'; '.join(problems)}")
    deck = render(text)
    defects = add_defects(deck, list(text.mess), text.seed)
    deck_file, record_file = folder / f"{name}.pptx", folder / f"{name}.mess.json"
    save_reproducible(deck, deck_file, text.title, text.author)
    record_file.write_text(
        json.dumps([asdict(defect) for defect in defects], indent=2) + "\n", "utf-8"
    )
    return deck_file, record_file


def _main(arguments: list[str]) -> int:
    check = "--check" in arguments
    requested = [argument for argument in arguments if argument != "--check"]
    selected = requested or names()
    stale = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, content in ATTACHMENTS.items():
            # A deck without a text may have attachments too.
            if not requested or name.partition("/")[0] in requested:
                stale |= _store(_DECKS / "files" / name, content(), check=check)
        for name in selected:
            deck_file, record_file = build(name, Path(scratch))
            destinations = (_DECKS / deck_file.name, text_file(name).with_name(record_file.name))
            for file, destination in zip((deck_file, record_file), destinations, strict=True):
                stale |= _store(destination, file.read_bytes(), check=check)
    return stale


def _store(destination: Path, content: bytes, *, check: bool) -> int:
    """Write a file; with `check`, report whether it differs from the stored one instead."""
    if not check:
        destination.parent.mkdir(parents=True, exist_ok=True)
        destination.write_bytes(content)
    elif not destination.exists() or destination.read_bytes() != content:
        sys.stderr.write(f"{destination.name} is out of date: build it again\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
