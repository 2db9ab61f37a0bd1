"""What the readers of one slide, layout or master share."""

from dataclasses import dataclass

from pptarena.decks.package.package import Package
from pptarena.decks.read.context import Context
from pptarena.decks.read.fingerprint import Fingerprints
from pptarena.decks.read.paint import Painter
from pptarena.decks.read.table_styles import TableStyles
from pptarena.decks.read.text import TextReader

__all__ = ["DeckSource", "PartSource"]


@dataclass(frozen=True, eq=False, slots=True)
class DeckSource:
    """What the readers of one deck share.

    Attributes:
        package: The file.
        main: Name of the presentation's part.
        fingerprints: Makes digests of what is not read.
        table_styles: The deck's table styles.
    """

    package: Package
    main: str
    fingerprints: Fingerprints
    table_styles: TableStyles

    def part(self, name: str, context: Context) -> "PartSource":
        """Return what the readers of one part share."""
        texts = TextReader(context, name, self.package)
        return PartSource(self, name, context, texts, Painter(self.package, name, context))


@dataclass(frozen=True, eq=False, slots=True)
class PartSource:
    """What the readers of one slide, layout or master share.

    Attributes:
        deck: What the whole deck shares.
        name: Name of the part.
        context: What it inherits.
        texts: Reads its text.
        painter: Reads its fills and lines.
    """

    deck: DeckSource
    name: str
    context: Context
    texts: TextReader
    painter: Painter

    @property
    def package(self) -> Package:
        """The file."""
        return self.deck.package

    @property
    def fingerprints(self) -> Fingerprints:
        """Makes digests of what is not read."""
        return self.deck.fingerprints
