"""Scope: the part of a deck that a task may touch."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, ClassVar

from pydantic import ConfigDict, TypeAdapter

from pptarena.decks import Deck
from pptarena.decks.diff.change import Aspect
from pptarena.decks.selectors import require_spec
from pptarena.rewards.parsing import parse
from pptarena.rewards.relative import (
    OneSlide,
    Relative,
    SeveralSlides,
    lowest_position,
    resolve_values,
    to_plain_json,
)

__all__ = ["CHART_PROPERTIES", "PROPERTIES", "Scope", "ScopePart", "load_scope"]

CHART_PROPERTIES: Mapping[str, tuple[str, ...]] = {
    "chart_axis_scale": ("minimum", "maximum", "major unit", "minor unit"),
    "chart_colors": ("color", "point colors"),
    "chart_labels": ("data labels", "label place", "point labels"),
    "chart_legend": ("legend",),
}
"""Chart properties, with the final words of the differences that they allow."""

PROPERTIES = (
    *("bold", "italic", "underline", "strike", "size", "color", "font", "highlight"),
    *("baseline", "caps"),
    *("align", "direction", "level", "bullet", "line_spacing", "spacing"),
    *("place", "left", "top", "extent", "width", "height", "rotation", "flip"),
    "crop",
    *CHART_PROPERTIES,
)
"""Allowed names in `ScopePart.properties`: character, paragraph, geometry, picture and chart
properties."""


@dataclass(frozen=True, slots=True)
class ScopePart:
    """One part of a deck. A change is inside if all conditions hold; None sets no condition.

    Attributes:
        slides: Slides by 1-based position in the original, or ``all``. Deck-level changes (slide
            size, themes, masters) are inside only with ``all``. Changes of sections, properties and
            the show additionally require that `aspects` names ``sections``, ``properties`` or
            ``other``.
        aspects: Aspects that may change.
        shapes: Selectors of original shapes that may change. Changes of a slide itself depend on
            `aspects` alone.
        cells: Table cells as 1-based (row, column); other cells are outside.
        words: Pairs (old, new): text may change only by such replacements.
        letters: Only this text may change its formatting.
        properties: Some of `PROPERTIES`; only these may differ.
        new_shapes: Number of shapes that may be added on each slide, with aspect ``shapes``. None
            allows no shape if `shapes` is set, else any number.
        like: A slide of the original whose transition is the only one that other slides may get.
    """

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    slides: SeveralSlides = ()
    aspects: tuple[Aspect, ...] | None = None
    shapes: tuple[str, ...] | None = None
    cells: tuple[tuple[int, ...], ...] | None = None
    words: tuple[tuple[str, ...], ...] | None = None
    letters: str | None = None
    properties: tuple[str, ...] | None = None
    new_shapes: int | None = None
    like: OneSlide | None = None

    def __post_init__(self) -> None:
        if lowest_position(self.slides) < 1:
            raise ValueError(f"slide positions start at 1, got {to_plain_json(self.slides)}")
        for spec in self.shapes or ():
            require_spec(spec)
        for cell in self.cells or ():
            if len(cell) != 2 or min(cell) < 1:
                raise ValueError(f"expected a row and a column from 1, got {list(cell)}")
        for pair in self.words or ():
            if len(pair) != 2 or not pair[0]:
                raise ValueError(f"expected an old word and a new one, got {list(pair)}")
        if self.letters is not None and not self.letters.strip():
            raise ValueError("letters must not be empty")
        if (self.new_shapes or 0) < 0 or (self.like is not None and lowest_position(self.like) < 1):
            raise ValueError("expected new_shapes from 0 and like from 1")
        unknown = sorted(set(self.properties or ()) - set(PROPERTIES))
        if unknown:
            raise ValueError(f"unknown properties {unknown}; expected {list(PROPERTIES)}")

    def has_slide(self, number: int) -> bool:
        """Return whether a slide of the original (1-based) may change."""
        return self.slides == "all" or number in self.slides

    @property
    def most_new_shapes(self) -> float:
        """Number of shapes that may be added on each of its slides."""
        if not self.has_aspect("shapes"):
            return 0
        if self.new_shapes is not None:
            return self.new_shapes
        return float("inf") if self.shapes is None else 0

    def has_aspect(self, aspect: str) -> bool:
        """Return whether an aspect may change."""
        return self.aspects is None or aspect in self.aspects

    def to_json(self) -> dict[str, Any]:
        """Return the part as JSON data, without unset conditions."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: to_plain_json(value) for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of a deck that a task may touch: a change is inside if it is in any part.

    `slides`, `aspects` and `shapes` form a part of their own, for tasks that need only one.

    Attributes:
        slides: As in `ScopePart`.
        aspects: As in `ScopePart`.
        shapes: As in `ScopePart`.
        new_slides: Whether slides may be added, or their maximum number. No other field applies to
            added slides.
        parts: Further parts.
        copy_of: Slide of the original (1-based) that added slides must copy; other differences are
            outside. None allows any content.
        copy_aspects: Aspects in which such a copy may differ.
        free: Parts that may change in any way. The rest of the scope may change only as in a target
            deck, if there is one.
        new_looks: Whether all text in a placeholder of a new slide may be struck through,
            underlined, highlighted, huge and so on. Otherwise such formatting is outside unless the
            layout has it.
    """

    __pydantic_config__: ClassVar[ConfigDict] = {"extra": "forbid"}

    slides: SeveralSlides = ()
    aspects: tuple[Aspect, ...] | None = None
    shapes: tuple[str, ...] | None = None
    new_slides: bool | int = False
    parts: tuple[ScopePart, ...] = ()
    copy_of: OneSlide | None = None
    copy_aspects: tuple[Aspect, ...] = ()
    new_looks: bool = False
    free: tuple[ScopePart, ...] = ()

    def __post_init__(self) -> None:
        ScopePart(self.slides, self.aspects, self.shapes)
        if self.copy_of is None and self.copy_aspects:
            raise ValueError("copy_aspects without copy_of")
        if self.copy_of is not None and lowest_position(self.copy_of) < 1:
            raise ValueError(f"slide positions start at 1, got {to_plain_json(self.copy_of)}")
        if self.new_slides < 0:
            raise ValueError(f"new_slides must not be negative, got {self.new_slides}")

    @property
    def all_parts(self) -> tuple[ScopePart, ...]:
        """All parts, beginning with the scope's own part if it is set."""
        own_part = (ScopePart(self.slides, self.aspects, self.shapes),) if self.slides else ()
        return *own_part, *self.parts, *self.free

    @property
    def allows_nothing(self) -> bool:
        """Whether no change is inside."""
        return not self.new_slides and not any(part.slides for part in self.all_parts)

    def has_slide(self, number: int) -> bool:
        """Return whether anything about a slide of the original (1-based) may change."""
        return any(part.has_slide(number) for part in self.all_parts)

    def resolve(self, original: Deck) -> "Scope":
        """Return the scope with rules for slides resolved to positions.

        Raises:
            UnscoredError: If the original lacks a slide.
        """
        parts = tuple(_settled(part, original) for part in self.parts)
        free = tuple(_settled(part, original) for part in self.free)
        resolved: Scope = _settled(self, original)
        same = parts == self.parts and free == self.free
        return resolved if same else replace(resolved, parts=parts, free=free)

    def to_json(self) -> dict[str, Any]:
        """Return the scope as JSON data that `load_scope` accepts."""
        data = {"new_slides": self.new_slides, "slides": to_plain_json(self.slides)}
        for name in ("aspects", "shapes"):
            if getattr(self, name) is not None:
                data[name] = list(getattr(self, name))
        if self.copy_of is not None:
            data |= {
                "copy_of": to_plain_json(self.copy_of),
                "copy_aspects": list(self.copy_aspects),
            }
        if self.new_looks:
            data["new_looks"] = True
        for name, parts in (("parts", self.parts), ("free", self.free)):
            if parts:
                data[name] = [part.to_json() for part in parts]
        return data


def load_scope(values: Mapping[str, Any]) -> Scope:
    """Return a scope from JSON.

    Raises:
        RubricError: If it is invalid; the message begins with ``scope``.
    """
    scope: Scope = parse(_adapter(), values, "scope")
    return scope


@cache
def _adapter() -> TypeAdapter[Scope]:
    return TypeAdapter(Scope)


def _settled(value: Any, original: Deck) -> Any:
    names = (each.name for each in fields(value))
    relative_values = {
        name: each for name in names if isinstance(each := getattr(value, name), Relative)
    }
    return (
        replace(value, **resolve_values(relative_values, original, original))
        if relative_values
        else value
    )
