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
from tools.decks.beside import BESIDE
from tools.decks.consistency import contradictions
from tools.decks.deck_text import read_deck_text, text_file
from tools.decks.freeze import save_frozen
from tools.decks.mess import make_mess
from tools.decks.render import render

__all__ = ["build", "names"]

_DECKS = Path(__file__).parents[2] / "tasks" / "decks"


def names() -> list[str]:
    """Return the names of all decks defined as data."""
    return sorted(path.stem for path in text_file("any").parent.glob("*.yaml"))


def build(name: str, folder: Path) -> tuple[Path, Path]:
    """Build a deck and the record of its mess; return both files.

    Raises:
        DeckError: If its text is malformed or contradicts itself.
    """
    text = read_deck_text(text_file(name))
    if found := contradictions(text):
        raise DeckError(f"{name}: {'; '.join(found)}")
    deck = render(text)
    mess = make_mess(deck, list(text.mess), text.seed)
    made, record = folder / f"{name}.pptx", folder / f"{name}.mess.json"
    save_frozen(deck, made, text.title, text.author)
    record.write_text(json.dumps([asdict(one) for one in mess], indent=2) + "\n", "utf-8")
    return made, record


def _main(words: list[str]) -> int:
    check = "--check" in words
    asked = [word for word in words if word != "--check"]
    chosen = asked or names()
    stale = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, content in BESIDE.items():
            # A deck without a text may have attachments too.
            if not asked or name.partition("/")[0] in asked:
                stale |= _keep(_DECKS / "files" / name, content(), check=check)
        for name in chosen:
            made, record = build(name, Path(scratch))
            homes = (_DECKS / made.name, text_file(name).with_name(record.name))
            for file, home in zip((made, record), homes, strict=True):
                stale |= _keep(home, file.read_bytes(), check=check)
    return stale


def _keep(home: Path, content: bytes, *, check: bool) -> int:
    """Write a file; with `check`, report whether it differs from the stored one instead."""
    if not check:
        home.parent.mkdir(parents=True, exist_ok=True)
        home.write_bytes(content)
    elif not home.exists() or home.read_bytes() != content:
        sys.stderr.write(f"{home.name} is not what is made now: build it again\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
