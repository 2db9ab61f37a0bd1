"""What may be replaced in a packaged deck: names, figures, and its look, as data."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pptarena.errors import TaskError

__all__ = ["Choice", "DeckNames", "Figures", "known_decks", "load_names"]

_FOLDER = Path(__file__).parent / "decks"


@dataclass(frozen=True, slots=True)
class Choice:
    """Names that are replaced together.

    Attributes:
        old: Their forms in the deck, its tasks and files.
        new: What may stand instead, as many forms each.
    """

    old: tuple[str, ...]
    new: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one kind, whose order is kept.

    Attributes:
        free: Figures that are drawn anew, as they are written.
        share: By how much of its value a figure may change at most.
        step: What a new figure is a multiple of; the last digit of a figure by default.
        derived: Figures that follow from others: a sum such as ``182.4 + 95.8 - #1.5``, where what
            has a ``#`` in front is a number that stays.
    """

    free: tuple[str, ...]
    share: float = 0.05
    step: float | None = None
    derived: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeckNames:
    """What may be replaced in a deck.

    Attributes:
        deck: Name of the packaged deck.
        files: What its file may be called instead, without ``.pptx``.
        choices: Its names.
        figures: Its figures that may change; all others stay.
        kept: What stays, and why: for readers.
        colors: Whether its colours may be turned.
        typefaces: What may stand instead of each typeface.
        order: Groups of slides that may change places, by position from 1.
        pictures: Of each picture with a name in it, by the hash of its file, the box of that name:
            left, top, right, bottom in pixels.
    """

    deck: str
    files: tuple[str, ...]
    choices: tuple[Choice, ...]
    figures: tuple[Figures, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    colors: bool = False
    typefaces: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    order: tuple[tuple[int, ...], ...] = ()
    pictures: Mapping[str, tuple[int, int, int, int]] = field(default_factory=dict)


def known_decks() -> tuple[str, ...]:
    """Return the names of the decks of which this is known, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def load_names(deck: str) -> DeckNames:
    """Return what may be replaced in a packaged deck.

    Raises:
        TaskError: If it is not known of this deck.
    """
    if deck not in known_decks():
        known = ", ".join(known_decks())
        raise TaskError(f"no other edition is known of the deck {deck!r}; expected one of {known}")
    value = json.loads((_FOLDER / f"{deck}.json").read_text("utf-8"))
    return DeckNames(
        deck=deck,
        files=tuple(value["files"]),
        choices=tuple(map(_choice, value["names"])),
        figures=tuple(map(_figures, value.get("figures", ()))),
        kept=value.get("kept", {}),
        colors=value.get("colors", False),
        typefaces={old: tuple(new) for old, new in value.get("typefaces", {}).items()},
        order=tuple(map(tuple, value.get("order", ()))),
        pictures={hash: tuple(box) for hash, box in value.get("pictures", {}).items()},
    )


def _choice(value: Mapping[str, Any]) -> Choice:
    old, new = _forms(value["old"]), tuple(map(_forms, value["new"]))
    wrong = [each for each in new if len(each) != len(old)]
    if wrong:
        raise TaskError(f"expected as many forms as {list(old)}, got {list(wrong[0])}")
    return Choice(old, new)


def _forms(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _figures(value: Mapping[str, Any]) -> Figures:
    derived = value.get("derived", {})
    return Figures(
        free=tuple(value["free"]),
        share=value.get("share", 0.05),
        step=value.get("step"),
        derived=derived,
    )
