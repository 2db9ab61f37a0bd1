"""Changes that have no visible effect."""

import re
from dataclasses import replace
from typing import Final

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.equivalence.table import equal_for_viewers
from pptarena.decks.equivalence.words import is_laden, plain_blanks
from pptarena.decks.facts.text import TextFrame
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.text_extent import EMU_PER_PT
from pptarena.decks.visibility.text_place import text_need

__all__ = ["is_fitted", "is_new_alt_text", "is_unnoticed", "is_usual_alt_text"]

_TEXTS: Final = frozenset(("text", "notes"))

# LibreOffice stores the prompt of empty notes as their text after the master view was opened.
_NOTES_PROMPT: Final = "Click to add Notes"
_FIT_TOLERANCE: Final = 0.05  # relative error of the estimated text height

# Default alternative texts that applications give to pictures.
_USUAL_ALT_TEXT: Final = re.compile(
    r"(?:\S[^\n]{0,99}\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|emf|wmf))?|(?:image|picture) ?\d{0,4}",
    re.IGNORECASE,
)


def is_unnoticed(change: Change, match: DeckMatch) -> bool:
    """Return whether a change has no visible effect.

    Such changes are text fitting (see `same_fitting` and `is_fitted`), non-breaking spaces, a few
    invisible characters, and the application's prompt in empty notes.
    """
    if change.aspect == "geometry":
        return is_fitted(change, ShapePair.of(match, change))
    if change.aspect in _TEXTS:
        texts = change.value_before, change.value_after
        if change.aspect == "notes" and texts == ("", _NOTES_PROMPT):
            return True
        if not all(isinstance(each, str) for each in texts):
            return False
        first, second = map(str, texts)
        same = plain_blanks(first) == plain_blanks(second)
        return same and is_laden(first) == is_laden(second)
    if change.aspect != "formatting" or change.what != "autofit":
        return False
    pair = ShapePair.of(match, change)
    return pair is not None and equal_for_viewers("formatting", "autofit", pair.old, pair.new)


def is_fitted(change: Change, shapes: ShapePair | None) -> bool:
    """Return whether a shape with "resize shape to fit text" took the height its text needs.

    LibreOffice recomputes the height when it copies or edits such a shape and when it opens the
    master view.
    """
    if shapes is None or change.aspect != "geometry" or not shapes.new.paragraphs:
        return False
    old, new = shapes.old, shapes.new
    if not old.autofit == new.autofit == "shape":
        return False
    frame = new.frame or TextFrame()
    _, top, _, bottom = frame.insets_emu
    needed = text_need(new.paragraphs, new.box, frame).height_pt * EMU_PER_PT + top + bottom
    same = replace(new.box, height=old.box.height)
    # Each save may round the width down by a hundredth of a millimeter.
    return same_box(same, old.box) and abs(new.box.height - needed) <= _FIT_TOLERANCE * needed


def is_new_alt_text(change: Change) -> bool:
    """Return whether a shape without alternative text got one."""
    return change.aspect == "alt_text" and change.what == "alt text" and not change.value_before


def is_usual_alt_text(change: Change, match: DeckMatch) -> bool:
    """Return whether an alternative text is a side effect of replacing a picture.

    The old description is removed with the old picture; the new one is empty or a file name.
    """
    if change.aspect != "alt_text" or change.what != "alt text":
        return False
    pair = ShapePair.of(match, change)
    if pair is None or pair.old.picture is None or pair.new.picture is None:
        return False
    replaced = pair.old.picture.sha256 != pair.new.picture.sha256
    return replaced and _USUAL_ALT_TEXT.fullmatch(pair.new.alt_text.strip()) is not None
