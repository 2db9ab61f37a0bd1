"""What the readers of one slide, layout or master share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pptarena.decks.package.package import Package
from pptarena.decks.read.context import Context
from pptarena.decks.read.fingerprint import Fingerprints
from pptarena.decks.read.paint import Painter
from pptarena.decks.read.table_styles import TableStyles
from pptarena.decks.read.text import TextReader

__all__ = ["DeckSource", "PartSource", "SlideNumbers"]


class SlideNumbers(Mapping[str, int]):
    """Position of each slide from 1, by the name of its part; the package notes who asks.

    Args:
        package: The file.
    """

    def __init__(self, package: Package) -> None:
        self._package = package

    def __getitem__(self, name: str) -> int:
        found = self._package.slide_number(name)
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._package.slide_numbers)

    def __len__(self) -> int:
        return len(self._package.slide_numbers)


@dataclass(frozen=True, eq=False, slots=True)
class DeckSource:
    """What the readers of one deck share.

    Attributes:
        package: The file.
        main: Name of the presentation's part.
        fingerprints: Makes digests of what is not read.
        table_styles: The deck's table styles.
        slide_numbers: Position of each slide from 1, by the name of its part.
    """

    package: Package
    main: str
    fingerprints: Fingerprints
    table_styles: TableStyles
    slide_numbers: Mapping[str, int]

    def part(self, name: str, context: Context) -> "PartSource":
        """Return what the readers of one part share."""
        texts = TextReader(context, name, self.package.rels(name), self.slide_numbers)
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
