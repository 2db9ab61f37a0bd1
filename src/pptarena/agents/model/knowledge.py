"""How-to cards that a model receives with the task, from the package or a user's folder."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path

from pptarena.errors import ConfigError
from pptarena.files import read_text

__all__ = ["BUILTIN_CARDS", "Card", "read_cards", "select_cards"]

BUILTIN_CARDS = "impress"
"""Name of the package's own cards, about LibreOffice Impress."""

_BUILTIN_FOLDER = Path(__file__).parents[1] / "knowledge"
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
        source: `BUILTIN_CARDS`, or a folder with files ``*.md`` or ``*.txt``. Lines that start with
            ``Keywords:`` help to find a card and are not sent to the model.

    Raises:
        ConfigError: If the folder has no cards, or a card is too long or not text.
    """
    folder = _BUILTIN_FOLDER if source == BUILTIN_CARDS else Path(source)
    files = sorted([*folder.glob("*.md"), *folder.glob("*.txt")]) if folder.is_dir() else []
    if not files or len(files) > _MAX_CARDS:
        raise ConfigError(
            f"knowledge: expected {BUILTIN_CARDS!r} or a folder with 1 to {_MAX_CARDS} files *.md "
            f"or *.txt, got {source!r} with {len(files)}"
        )
    return tuple(map(_read_card, files))


def select_cards(cards: tuple[Card, ...], instruction: str, count: int) -> str:
    """Return the cards with the highest word overlap with an instruction, best first.

    Words are weighted by inverse document frequency among the cards. Cards without a word of the
    instruction are omitted.

    Args:
        cards: All cards.
        instruction: The instruction of the task.
        count: Maximum number of cards.
    """
    instruction_words = _words(instruction)
    card_counts = Counter(word for card in cards for word in card.words)

    def relevance(card: Card) -> float:
        return sum(
            log(1 + len(cards) / card_counts[word])
            for word in sorted(card.words & instruction_words)
        )

    matching = sorted((card for card in cards if relevance(card)), key=relevance, reverse=True)
    return "\n\n".join(card.text for card in matching[:count])


def _read_card(file: Path) -> Card:
    try:
        text = read_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"knowledge: {file} cannot be read: {error}") from error
    if len(text) > _MAX_CHARS:
        raise ConfigError(f"knowledge: {file}: expected at most {_MAX_CHARS} characters")
    visible_lines = [line for line in text.splitlines() if not line.startswith("Keywords:")]
    return Card("\n".join(visible_lines).strip(), _words(text))


def _words(text: str) -> frozenset[str]:
    """Return the words of a text; singular and plural are the same."""
    return frozenset(word.removesuffix("s") for word in _WORD.findall(text.lower()))
