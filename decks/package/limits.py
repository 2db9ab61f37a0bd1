"""How much a deck may hold, so that no file can hold up its reader or the checks after it."""

from dataclasses import dataclass

from pptarena.decks.facts.deck import Slide
from pptarena.errors import DeckError

__all__ = ["MAX_LETTERS", "MAX_PARAGRAPHS", "MAX_SHAPES", "MAX_SLIDES", "Tally"]

MAX_SLIDES = 2_000
MAX_SHAPES = 20_000
MAX_PARAGRAPHS = 20_000
MAX_LETTERS = 2_000_000


@dataclass(slots=True)
class Tally:
    """Counts what the slides of one deck hold."""

    shapes: int = 0
    paragraphs: int = 0
    letters: int = 0

    def add(self, slide: Slide) -> None:
        """Count one more slide.

        Raises:
            DeckError: If the deck now has more than any honest one.
        """
        self.shapes += len(slide.shapes)
        self.letters += len(slide.notes)
        for shape in slide.shapes:
            # Names and alternative texts are compared and shown like text.
            self.letters += len(shape.name) + len(shape.alt_text) + len(shape.all_text)
            self.paragraphs += len(shape.paragraphs)
            if shape.table is not None:
                self.paragraphs += sum(len(c.paragraphs) for row in shape.table.rows for c in row)
        for found, limit, what in (
            (self.shapes, MAX_SHAPES, "shapes"),
            (self.paragraphs, MAX_PARAGRAPHS, "paragraphs"),
            (self.letters, MAX_LETTERS, "letters"),
        ):
            if found > limit:
                raise DeckError(f"expected at most {limit} {what}, found {found} or more")
