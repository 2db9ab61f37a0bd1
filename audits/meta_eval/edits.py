"""The edits of submissions by name, and their application to a deck."""

import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.audits.meta_eval import (
    edits_charts,
    edits_design,
    edits_drawing,
    edits_links,
    edits_pictures,
    edits_shapes,
    edits_slides,
    edits_tables,
    edits_text,
)
from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.errors import ConfigError

__all__ = ["EDITS", "Edit", "edited"]

_DATE = (2026, 10, 1, 8, 0, 0)

EDITS: dict[str, Callable[..., None]] = {
    name: getattr(module, name)
    for module in (
        edits_charts,
        edits_design,
        edits_drawing,
        edits_links,
        edits_pictures,
        edits_shapes,
        edits_slides,
        edits_tables,
        edits_text,
    )
    for name in module.__all__
}
"""Every edit; the first argument is a python-pptx presentation, the others are passed by name."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of a deck: a name from `EDITS` and its arguments."""

    name: str
    arguments: dict[str, Any]


def edited(original: bytes, edits: Sequence[Edit]) -> bytes:
    """Return a deck after some edits; the output is deterministic.

    Args:
        original: The .pptx file to start from.
        edits: The edits in order. Without edits, the file is only saved again.

    Raises:
        ConfigError: If an edit is unknown or cannot be applied to the deck.
    """
    deck = open_presentation(original)
    for edit in edits:
        if edit.name not in EDITS:
            raise ConfigError(f"expected an edit of {sorted(EDITS)}, got {edit.name!r}")
        try:
            EDITS[edit.name](deck, **edit.arguments)
        except (TypeError, IndexError, AttributeError) as error:
            raise ConfigError(f"edit {edit.name!r} does not fit: {error}") from error
    return _dated(save_presentation(deck))


def _dated(data: bytes) -> bytes:
    """Return a package whose parts have a fixed date; saving writes the current time."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, old.read(name))
    return out.getvalue()
