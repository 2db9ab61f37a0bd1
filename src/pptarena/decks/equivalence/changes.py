"""Changes that have no visible effect."""

import re
from dataclasses import replace
from typing import Final

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.same_shape import ShapePair
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.equivalence.equivalences import looks_equal
from pptarena.decks.equivalence.text import has_hidden_text, normalize_spaces
from pptarena.decks.facts.text import TextFrame
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.text_extent import EMU_PER_PT
from pptarena.decks.visibility.text_layout import measure_text

__all__ = ["is_autofit_height", "is_default_alt_text", "is_invisible", "is_new_alt_text"]

_TEXTS: Final = frozenset(("text", "notes"))

# LibreOffice stores the prompt of empty notes as their text after the master view was opened.
_NOTES_PROMPT: Final = "Click to add Notes"
_FIT_TOLERANCE: Final = 0.05  # relative error of the estimated text height

# Default alternative texts that applications give to pictures.
_DEFAULT_ALT_TEXT: Final = re.compile(
    r"(?:\S[^\n]{0,99}\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|emf|wmf))?|(?:image|picture) ?\d{0,4}",
    re.IGNORECASE,
)


def is_invisible(change: Change, match: DeckMatch) -> bool:
    """Return whether a change has no visible effect.

    Such changes are autofit (see `same_autofit` and `is_autofit_height`), non-breaking spaces, a
    few invisible characters, and the application's prompt in empty notes.
    """
    if change.aspect == "geometry":
        return is_autofit_height(change, ShapePair.of(match, change))
    if change.aspect in _TEXTS:
        texts = change.value_before, change.value_after
        if change.aspect == "notes" and texts == ("", _NOTES_PROMPT):
            return True
        if not all(isinstance(each, str) for each in texts):
            return False
        first, second = map(str, texts)
        is_same = normalize_spaces(first) == normalize_spaces(second)
        return is_same and has_hidden_text(first) == has_hidden_text(second)
    if change.aspect != "formatting" or change.what != "autofit":
        return False
    pair = ShapePair.of(match, change)
    return pair is not None and looks_equal("formatting", "autofit", pair.old, pair.new)


def is_autofit_height(change: Change, shapes: ShapePair | None) -> bool:
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
    needed_emu = measure_text(new.paragraphs, new.box, frame).height_pt * EMU_PER_PT + top + bottom
    restored = replace(new.box, height=old.box.height)
    # Each save may round the width down by a hundredth of a millimeter.
    return (
        same_box(restored, old.box)
        and abs(new.box.height - needed_emu) <= _FIT_TOLERANCE * needed_emu
    )


def is_new_alt_text(change: Change) -> bool:
    """Return whether a shape without alternative text got one."""
    return change.aspect == "alt_text" and change.what == "alt text" and not change.value_before


def is_default_alt_text(change: Change, match: DeckMatch) -> bool:
    """Return whether an alternative text is a side effect of replacing a picture.

    The old description is removed with the old picture; the new one is empty or a file name.
    """
    if change.aspect != "alt_text" or change.what != "alt text":
        return False
    pair = ShapePair.of(match, change)
    if pair is None or pair.old.picture is None or pair.new.picture is None:
        return False
    replaced = pair.old.picture.sha256 != pair.new.picture.sha256
    return replaced and _DEFAULT_ALT_TEXT.fullmatch(pair.new.alt_text.strip()) is not None
