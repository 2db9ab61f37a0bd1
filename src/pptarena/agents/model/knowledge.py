"""How-to cards that a model receives with the task: those of the package, or a user's folder."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path

from pptarena.errors import ConfigError
from pptarena.files import read_text

__all__ = ["OWN_CARDS", "Card", "chosen_cards", "read_cards"]

OWN_CARDS = "impress"
"""Name of the package's own cards, about LibreOffice Impress."""

_OWN = Path(__file__).parents[1] / "knowledge"
_WORD = re.compile(r"\w{2,}")
_MAX_CARDS, _MAX_CHARS = 1_000, 8_000


@dataclass(frozen=True, slots=True)
class Card:
    """A card.

    Attributes:
        text: The text for the model.
        words: All words of the card in lower case without endings, to search for.
    """

    text: str
    words: frozenset[str]


@cache
def read_cards(source: str) -> tuple[Card, ...]:
    """Return cards, in the order of their names.

    Args:
        source: `OWN_CARDS`, or a folder with files ``*.md`` or ``*.txt``. A line that starts with
            ``Keywords:`` helps to find a card and is not sent to the model.

    Raises:
        ConfigError: If there is no such folder or no card in it, or a card is too long or not text.
    """
    folder = _OWN if source == OWN_CARDS else Path(source)
    files = sorted([*folder.glob("*.md"), *folder.glob("*.txt")]) if folder.is_dir() else []
    if not files or len(files) > _MAX_CARDS:
        raise ConfigError(
            f"knowledge: expected {OWN_CARDS!r} or a folder with 1 to {_MAX_CARDS} files *.md or "
            f"*.txt, got {source!r} with {len(files)}"
        )
    return tuple(map(_read, files))


def chosen_cards(cards: tuple[Card, ...], instruction: str, count: int) -> str:
    """Return the cards with the highest word overlap with an instruction, best first.

    Words are weighted by inverse document frequency among the cards. Cards without a word of the
    instruction are left out.

    Args:
        cards: All cards.
        instruction: The instruction of the task.
        count: Maximum number of cards.
    """
    asked = _words(instruction)
    known = Counter(word for card in cards for word in card.words)

    def worth(card: Card) -> float:
        return sum(log(1 + len(cards) / known[word]) for word in sorted(card.words & asked))

    found = sorted((card for card in cards if worth(card)), key=worth, reverse=True)
    return "\n\n".join(card.text for card in found[:count])


def _read(file: Path) -> Card:
    try:
        text = read_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"knowledge: {file} cannot be read: {error}") from error
    if len(text) > _MAX_CHARS:
        raise ConfigError(f"knowledge: {file}: expected at most {_MAX_CHARS} characters")
    told = [line for line in text.splitlines() if not line.startswith("Keywords:")]
    return Card("\n".join(told).strip(), _words(text))


def _words(text: str) -> frozenset[str]:
    """Return the words of a text; singular and plural are the same."""
    return frozenset(word.removesuffix("s") for word in _WORD.findall(text.lower()))
