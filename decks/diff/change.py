"""One difference between two decks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, Self, get_args

from pptarena.decks.facts.chart import Workbook
from pptarena.decks.facts.content import PictureFile

__all__ = ["ASPECTS", "Aspect", "Change", "Difference"]

Aspect = Literal[
    "text", "formatting", "style", "geometry", "shapes", "pictures", "tables", "charts",
    "diagrams", "alt_text", "hyperlinks", "notes", "comments", "layout", "background",
    "transition", "animation", "visibility", "slides", "order", "sections", "properties",
    "master", "other",
]  # fmt: skip

_CAME_OR_WENT = frozenset(
    f"{what}_{how}"
    for what in ("slide", "shape", "comment", "animation", "layout")
    for how in ("added", "removed")
) | {"grouped", "ungrouped"}

ASPECTS: frozenset[str] = frozenset(get_args(Aspect))


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which two facts differ.

    Attributes:
        aspect: The part of a deck that it concerns.
        what: The property that differs, such as ``size``; empty where the aspect says it all.
        before: What it was, as text.
        after: What it is now, as text.
        value_before: What it was, whole: text, number, fact, or a tuple of such; None for none.
        value_after: The same now.
    """

    aspect: Aspect
    what: str
    before: str
    after: str
    value_before: object = None
    value_after: object = None

    @classmethod
    def of(
        cls,
        aspect: Aspect,
        what: str,
        before: Any,
        after: Any,
        show: Callable[[Any], str] = str,
    ) -> Self:
        """Return the difference of two values, put in words by `show`."""
        return cls(aspect, what, show(before), show(after), before, after)


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two decks, in words and as data.

    Attributes:
        kind: What happened: ``slide_added``, ``slide_removed``, ``slide_moved``, ``shape_added``,
            ``shape_removed``, ``grouped``, ``ungrouped``, ``grouping_changed``,
            ``z_order_changed``, ``comment_added``, ``comment_removed``, ``animation_added``,
            ``animation_removed``, ``animation_moved``, or an aspect or a part of the deck and
            ``_changed``, such as ``text_changed`` or ``slide_size_changed``.
        aspect: The part of a slide that it concerns; a scope lists these.
        slide: Position of the slide in the original, from 1; None for a new slide or for the deck.
        slide_now: Its position now, from 1; None for a removed slide or for the deck.
        shape: How the shape is called; empty if the change is one of the slide or the deck.
        shape_index: The shape's index among those of the original slide; None if it was not there.
        before: What it was, as text short enough for a sentence.
        after: What it is now, as such text.
        what: The property that changed, such as ``size`` or ``row 2 column 3``; empty where
            `kind` says it all.
        shape_index_now: The shape's index among those of the slide now; None if it is gone.
        value_before: What it was, whole and as facts; None where `before` is whole already.
        value_after: The same now.
        consequences: Changes that this one brings along, such as the colour that letters have from
            another layout.
    """

    kind: str
    aspect: Aspect
    slide: int | None = None
    slide_now: int | None = None
    shape: str = ""
    shape_index: int | None = None
    before: str = ""
    after: str = ""
    what: str = ""
    shape_index_now: int | None = None
    value_before: object = None
    value_after: object = None
    consequences: tuple["Change", ...] = ()

    @classmethod
    def of(cls, difference: Difference, kind: str = "", what: str | None = None) -> Self:
        """Return a change of no place yet.

        Args:
            difference: What differs.
            kind: What happened; empty for the difference's aspect and ``_changed``.
            what: The property; None for that of the difference.
        """
        return cls(
            kind=kind or f"{difference.aspect}_changed",
            aspect=difference.aspect,
            before=difference.before,
            after=difference.after,
            what=difference.what if what is None else what,
            value_before=difference.value_before,
            value_after=difference.value_after,
        )

    @property
    def place(self) -> str:
        """Where it is, such as ``slide 3``; empty for the deck as a whole."""
        if self.slide is not None:
            return f"slide {self.slide}"
        return "" if self.slide_now is None else f"new slide {self.slide_now}"

    @property
    def sentence(self) -> str:
        """The change in words, without its place and without a full stop."""
        said = self.kind.replace("_", " ")
        if self.kind in _CAME_OR_WENT:
            parts = (self.shape, self.what, self.before, self.after)
            return f"{said}: {', '.join(filter(None, parts))}" if any(parts) else said
        if self.shape:
            said += f" of {self.shape}"
        if not self.before and not self.after:
            return f"{said}: {self.what}" if self.what else said
        what = f"{self.what} " if self.what else ""
        return f"{said}: {what}{self.before or 'nothing'} -> {self.after or 'nothing'}"

    @property
    def text(self) -> str:
        """The change as a sentence with its place and without a full stop."""
        return f"{self.place}: {self.sentence}" if self.place else self.sentence

    def to_json(self) -> dict[str, Any]:
        """Return the change as plain data, its sentence included."""
        brought = [each.to_json() for each in self.consequences]
        return {**_plain(self), "consequences": brought, "text": self.text}


def _plain(value: object) -> Any:
    """Return a value as JSON can hold it; facts become objects with all their fields."""
    if isinstance(value, Workbook):
        return _plain(value.mismatches)
    if isinstance(value, PictureFile):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(map(_plain, value))
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    return value
