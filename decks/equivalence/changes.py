"""Changes that a viewer does not notice."""

import re
from typing import Final

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.equivalence.table import equal_for_viewers
from pptarena.decks.equivalence.words import is_laden, plain_blanks
from pptarena.decks.match.decks import DeckMatch

__all__ = ["is_new_alt_text", "is_unnoticed", "is_usual_alt_text"]

_TEXTS: Final = frozenset(("text", "notes"))

# What applications describe a picture by that nobody has described.
_USUAL_ALT_TEXT: Final = re.compile(
    r"(?:\S[^\n]{0,99}\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|emf|wmf))?|(?:image|picture) ?\d{0,4}",
    re.IGNORECASE,
)


def is_unnoticed(change: Change, match: DeckMatch) -> bool:
    """Return whether a change has no effect that can be seen.

    Those are text fitting (see `same_fitting`), blanks that do not break, and a few invisible
    marks.
    """
    if change.aspect in _TEXTS:
        texts = change.value_before, change.value_after
        return all(isinstance(each, str) for each in texts) and _same_characters(*map(str, texts))
    if change.aspect != "formatting" or change.what != "autofit":
        return False
    pair = ShapePair.of(match, change)
    return pair is not None and equal_for_viewers("formatting", "autofit", pair.old, pair.new)


def _same_characters(first: str, second: str) -> bool:
    return plain_blanks(first) == plain_blanks(second) and is_laden(first) == is_laden(second)


def is_new_alt_text(change: Change) -> bool:
    """Return whether a shape got a description that had none."""
    return change.aspect == "alt_text" and change.what == "alt text" and not change.value_before


def is_usual_alt_text(change: Change, match: DeckMatch) -> bool:
    """Return whether an alternative text is what inserting another picture leaves behind.

    The old picture's description went with it; now there is none, or the name of the file.
    """
    if change.aspect != "alt_text" or change.what != "alt text":
        return False
    pair = ShapePair.of(match, change)
    if pair is None or pair.old.picture is None or pair.new.picture is None:
        return False
    replaced = pair.old.picture.sha256 != pair.new.picture.sha256
    return replaced and _USUAL_ALT_TEXT.fullmatch(pair.new.alt_text.strip()) is not None
