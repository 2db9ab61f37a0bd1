"""Replaceable parts of a packaged deck as data: names, figures and styles."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pptarena.errors import TaskError

__all__ = ["Choice", "DeckNames", "Figures", "load_names", "supported_decks"]

_FOLDER = Path(__file__).parent / "decks"


@dataclass(frozen=True, slots=True)
class Choice:
    """Names that are replaced together.

    Attributes:
        old: Forms of the name in the deck, its tasks and attachments.
        new: Alternatives, each with as many forms as `old`.
    """

    old: tuple[str, ...]
    new: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one type, whose order is preserved.

    Attributes:
        free: Figures that are drawn independently, as written.
        share: Largest relative change of a figure.
        step: New figures are multiples of this; by default, of the figure's last digit.
        derived: Formulas of dependent figures: a sum such as ``182.4 + 95.8 - #1.5``, where ``#``
            marks a constant.
    """

    free: tuple[str, ...]
    share: float = 0.05
    step: float | None = None
    derived: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DeckNames:
    """The replaceable parts of a deck.

    Attributes:
        deck: Name of the packaged deck.
        files: Alternative file names, without ``.pptx``.
        choices: Replaceable names.
        figures: Replaceable figures; all others stay.
        kept: What stays, and why; documentation only.
        colors: Whether the hues may be rotated.
        typefaces: Alternatives for each typeface.
        order: Groups of slides that may be permuted, by position from 1.
        pictures: Bounding box of the name in a picture (left, top, right, bottom in pixels), by the
            SHA-256 of the picture file.
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


def supported_decks() -> tuple[str, ...]:
    """Return the sorted names of the decks with substitution data."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def load_names(deck: str) -> DeckNames:
    """Return the replaceable parts of a packaged deck.

    Raises:
        TaskError: If the deck has no substitution data.
    """
    if deck not in supported_decks():
        known = ", ".join(supported_decks())
        raise TaskError(f"the deck {deck!r} has no substitution data; expected one of {known}")
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
    invalid = [each for each in new if len(each) != len(old)]
    if invalid:
        raise TaskError(f"expected as many forms as {list(old)}, got {list(invalid[0])}")
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
