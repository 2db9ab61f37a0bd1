"""Changes that applications make when saving a deck, with one module per application.

The diff is independent of applications: it queries the `Saving` of its `DeckMatch`.
"""

from typing import Final

from pptarena.decks.saving.libreoffice import LibreOffice
from pptarena.decks.saving.saving import SAME_SIZE, Saving, Scale

__all__ = ["DEFAULT_SAVING", "SAME_SIZE", "LibreOffice", "Saving", "Scale"]

DEFAULT_SAVING: Final[Saving] = LibreOffice()
"""The application assumed to save decks by default."""
