"""What applications change by themselves when they save a deck: one module for each application.

The diff knows none of them. A `DeckMatch` carries a `Saving`, and the diff asks it.
"""

from typing import Final

from pptarena.decks.saving.libreoffice import LibreOffice
from pptarena.decks.saving.saving import SAME_SIZE, Saving, Scale

__all__ = ["SAME_SIZE", "USUAL", "LibreOffice", "Saving", "Scale"]

USUAL: Final[Saving] = LibreOffice()
"""The application that saves decks where nobody says another."""
