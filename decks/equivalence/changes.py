"""Changes that a viewer does not notice."""

import re
from typing import Final

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.equivalence.table import equal_for_viewers
from pptarena.decks.match.decks import DeckMatch

__all__ = ["is_unnoticed", "is_usual_alt_text"]

# What applications describe a picture by that nobody has described.
_USUAL_ALT_TEXT: Final = re.compile(
    r"(?:\S[^\n]{0,99}\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|emf|wmf))?|(?:image|picture) ?\d{0,4}",
    re.IGNORECASE,
)


def is_unnoticed(change: Change, match: DeckMatch) -> bool:
    """Return whether a change of text fitting has no effect; see `same_fitting`."""
    if change.aspect != "formatting" or change.what != "autofit":
        return False
    pair = ShapePair.of(match, change)
    return pair is not None and equal_for_viewers("formatting", "autofit", pair.old, pair.new)


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
