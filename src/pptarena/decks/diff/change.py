"""Differences between facts and changes between decks."""

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

_ADDITIONS_AND_REMOVALS = frozenset(
    f"{item}_{event}"
    for item in ("slide", "shape", "comment", "animation", "layout")
    for event in ("added", "removed")
) | {"grouped", "ungrouped"}

ASPECTS: frozenset[str] = frozenset(get_args(Aspect))


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between two facts.

    Attributes:
        aspect: The affected aspect of the deck.
        what: The property that differs, such as ``size``; empty if the aspect is sufficient.
        before: Description of the old value.
        after: Description of the new value.
        value_before: The old value: text, number, fact, or a tuple of these; None for none.
        value_after: The new value.
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
        """Return the difference of two values, described by `show`."""
        return cls(aspect, what, show(before), show(after), before, after)


@dataclass(frozen=True, slots=True)
class Change:
    """A change between two decks, as text and as data.

    Attributes:
        kind: Type of the change: ``slide_added``, ``slide_removed``, ``slide_moved``,
            ``shape_added``, ``shape_removed``, ``grouped``, ``ungrouped``, ``grouping_changed``,
            ``z_order_changed``, ``comment_added``, ``comment_removed``, ``animation_added``,
            ``animation_removed``, ``animation_moved``, or an aspect or a part of the deck with the
            suffix ``_changed``, such as ``text_changed`` or ``slide_size_changed``.
        aspect: The affected aspect; task scopes refer to aspects.
        slide: Original position of the slide, from 1; None for a new slide or for the deck.
        slide_now: Current position of the slide, from 1; None for a removed slide or for the deck.
        shape: Label of the shape; empty for a change of the slide or the deck.
        shape_index: Index of the shape on the original slide; None for an added shape.
        before: Short description of the old value.
        after: Short description of the new value.
        what: The property that changed, such as ``size`` or ``row 2 column 3``; empty if `kind` is
            sufficient.
        shape_index_now: Index of the shape on the current slide; None for a removed shape.
        value_before: The complete old value as facts; None if `before` is complete.
        value_after: The complete new value as facts.
        consequences: Side effects of this change, such as a text color inherited from a new layout.
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
        """Return a change without a location.

        Args:
            difference: The difference.
            kind: Type of the change; by default the difference's aspect with ``_changed``.
            what: The property; by default that of the difference.
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
        """Location of the change, such as ``slide 3``; empty for the deck as a whole."""
        if self.slide is not None:
            return f"slide {self.slide}"
        return "" if self.slide_now is None else f"new slide {self.slide_now}"

    @property
    def sentence(self) -> str:
        """Description of the change, without location and final period."""
        text = self.kind.replace("_", " ")
        if self.kind in _ADDITIONS_AND_REMOVALS:
            parts = (self.shape, self.what, self.before, self.after)
            return f"{text}: {', '.join(filter(None, parts))}" if any(parts) else text
        if self.shape:
            text += f" of {self.shape}"
        if not self.before and not self.after:
            return f"{text}: {self.what}" if self.what else text
        what = f"{self.what} " if self.what else ""
        return f"{text}: {what}{self.before or 'nothing'} -> {self.after or 'nothing'}"

    @property
    def text(self) -> str:
        """Description of the change with its location, without final period."""
        return f"{self.place}: {self.sentence}" if self.place else self.sentence

    def to_json(self) -> dict[str, Any]:
        """Return the change as JSON-compatible data, including its description."""
        consequences = [each.to_json() for each in self.consequences]
        return {**_jsonable(self), "consequences": consequences, "text": self.text}


def _jsonable(value: object) -> Any:
    """Return a value as JSON-compatible data; facts become objects with all fields."""
    if isinstance(value, Workbook):
        return _jsonable(value.mismatches)
    if isinstance(value, PictureFile):
        return None
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _jsonable(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _jsonable(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(map(_jsonable, value))
    if isinstance(value, tuple | list):
        return [_jsonable(each) for each in value]
    return value
