"""One difference between two decks."""

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

__all__ = ["ASPECTS", "Aspect", "Change"]

Aspect = Literal[
    "text", "formatting", "style", "geometry", "shapes", "pictures", "tables", "charts",
    "alt_text", "hyperlinks", "notes", "layout", "background", "transition", "animation",
    "visibility", "slides", "order", "master",
]  # fmt: skip

ASPECTS: frozenset[str] = frozenset(get_args(Aspect))


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two decks, in words and as data.

    Attributes:
        kind: What happened: ``slide_added``, ``slide_removed``, ``slide_moved``, ``shape_added``,
            ``shape_removed``, ``z_order_changed``, or an aspect and ``_changed``, such as
            ``text_changed``.
        aspect: The part of a slide that it concerns; a scope lists these.
        slide: Position of the slide in the original, from 1; None for a new slide or for the deck.
        slide_now: Its position now, from 1; None for a removed slide or for the deck.
        shape: How the shape is called; empty if the change is one of the slide or the deck.
        shape_index: The shape's index among those of the original slide; None if it was not there.
        before: What it was, as text.
        after: What it is now, as text.
    """

    kind: str
    aspect: Aspect
    slide: int | None = None
    slide_now: int | None = None
    shape: str = ""
    shape_index: int | None = None
    before: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The change as a sentence without a full stop."""
        what = self.kind.replace("_", " ")
        where = ""
        if self.slide is not None:
            where = f"slide {self.slide}: "
        elif self.slide_now is not None:
            where = f"new slide {self.slide_now}: "
        who = f" of {self.shape}" if self.shape else ""
        if not self.before and not self.after:
            return f"{where}{what}{who}"
        return f"{where}{what}{who}: {self.before or 'nothing'} -> {self.after or 'nothing'}"

    def to_json(self) -> dict[str, Any]:
        """Return the change as plain data, its sentence included."""
        return {**asdict(self), "text": self.text}
