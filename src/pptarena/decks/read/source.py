"""State shared by the readers of one slide, layout or master."""

from dataclasses import dataclass

from pptarena.decks.package.package import Package
from pptarena.decks.read.context import Context
from pptarena.decks.read.paint import PaintReader
from pptarena.decks.read.table_styles import TableStyles
from pptarena.decks.read.text import TextReader
from pptarena.decks.read.unread import Fingerprints

__all__ = ["DeckSource", "PartSource"]


@dataclass(frozen=True, eq=False, slots=True)
class DeckSource:
    """State shared by the readers of one deck.

    Attributes:
        package: The file.
        main: Name of the presentation part.
        fingerprints: Computes digests of content that is not read.
        table_styles: Table styles of the deck.
    """

    package: Package
    main: str
    fingerprints: Fingerprints
    table_styles: TableStyles

    def part(self, name: str, context: Context) -> "PartSource":
        """Return the state for the readers of one part."""
        texts = TextReader(context, name, self.package)
        return PartSource(self, name, context, texts, PaintReader(self.package, name, context))


@dataclass(frozen=True, eq=False, slots=True)
class PartSource:
    """State shared by the readers of one slide, layout or master.

    Attributes:
        deck: State shared by the deck's readers.
        name: Name of the part.
        context: Values that the part inherits.
        texts: Reader of text.
        paints: Reader of fills and lines.
    """

    deck: DeckSource
    name: str
    context: Context
    texts: TextReader
    paints: PaintReader

    @property
    def package(self) -> Package:
        """The file."""
        return self.deck.package

    @property
    def fingerprints(self) -> Fingerprints:
        """Computes digests of content that is not read."""
        return self.deck.fingerprints
