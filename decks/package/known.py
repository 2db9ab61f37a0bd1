"""What is kept of one state of a document for the next one."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pptarena.decks.package.dependencies import Seen
from pptarena.decks.package.parts import Parts
from pptarena.errors import DeckError

__all__ = ["Known", "Refused", "result_of"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one state of a document.

    Attributes:
        parts: Its parts.
        values: What was made of them and what was asked for it, by its key.
        pieces: See `Package.pieces`.
    """

    parts: Parts
    values: Mapping[Hashable, tuple[Any, Seen]]
    pieces: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Refused:
    """Why something cannot be read.

    An error that is kept would keep the frames that raised it, and so all trees of a refused deck.
    """

    why: str


def result_of(make: Callable[[], T]) -> T | Refused:
    """Return what `make` returns, or why it cannot: a broken part is looked at once, too."""
    try:
        return make()
    except DeckError as error:
        return Refused(str(error))
