"""Unambiguous names of slides and shapes."""

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.selectors import is_kind
from pptarena.decks.visibility.visibility import visibility_of

__all__ = ["References", "quotable"]

_T = TypeVar("_T")

_MAX_CHARACTERS = 70
_MIN_WORD_CHARACTERS = 4
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_MIN_DISTANCE = (
    0.03  # fraction of the slide width: minimum distance for one shape to be "further left"
)
_MIN_AREA_RATIO = 1.4
_MAX_DOMAIN_SIZE = 5
_NOUNS = {
    "picture": "picture",
    "table": "table",
    "chart": "chart",
    "text_box": "text box",
    "shape": "shape",
    "line": "line",
    "group": "group",
    "media": "media clip",
}
_PLACEHOLDERS = {"title": "title", "subtitle": "subtitle", "body": "body text"}
_STOP_WORDS = frozenset(
    [
        "about",
        "with",
        "from",
        "that",
        "this",
        "these",
        "those",
        "their",
        "there",
        "which",
        "what",
        "when",
        "your",
    ]
)


def quotable(text: str) -> bool:
    """Return whether a text can be quoted in a sentence."""
    stripped = text.strip()
    is_clear = all(c.isprintable() and c not in '"“”[]\u200b\u200f' for c in stripped)
    return bool(stripped) and stripped == text and len(stripped) <= _MAX_CHARACTERS and is_clear


class References:
    """Names of the objects in a deck.

    A name that applies to two objects is dropped.

    Args:
        deck: The facts of the deck.
    """

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    @cached_property
    def slides(self) -> dict[str, int]:
        """Slide index (0-based) by name."""
        return _unique(self._slide_names())

    @cached_property
    def slide_names(self) -> dict[int, tuple[str, ...]]:
        """Names by slide index."""
        return _invert(self.slides)

    @cached_property
    def shapes(self) -> tuple[dict[str, int], ...]:
        """For each slide, shape index by a name that is unique on the slide."""
        return tuple(_unique(self._shape_names(slide)) for slide in self._deck.slides)

    @cached_property
    def shape_names(self) -> tuple[dict[int, tuple[str, ...]], ...]:
        """For each slide, names by shape index."""
        return tuple(_invert(names) for names in self.shapes)

    @cached_property
    def locations(self) -> dict[str, tuple[int, int]]:
        """(slide, shape) indexes by a name that is unique in the deck."""
        named_locations: list[tuple[str, tuple[int, int]]] = []
        for index, names in enumerate(self.shapes):
            for name, shape in names.items():
                named_locations += [
                    (self.qualify(name, slide), (index, shape)) for slide in self.slide_names[index]
                ]
        return _unique([*named_locations, *self._standalone_names()])

    @staticmethod
    def qualify(name: str, slide: str) -> str:
        """Return the name of a shape, qualified by its slide."""
        is_placeholder = name.removeprefix("the ") in _PLACEHOLDERS.values()
        return f"{name} {'of' if is_placeholder else 'on'} {slide}"

    @cached_property
    def standalone_names(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """Names of shapes that are unique without a slide."""
        return _invert(_unique(self._standalone_names()))

    @cached_property
    def domains(self) -> dict[str, tuple[tuple[int, int | None], ...]]:
        """Several slides, or one shape on each of several slides, by a collective name."""
        slides, domains = self._deck.slides, dict[str, tuple[tuple[int, int | None], ...]]()
        for first in range(len(slides) - 1):
            for last in range(first + 1, min(first + _MAX_DOMAIN_SIZE, len(slides))):
                run = range(first, last + 1)
                collective_name = f"every slide from {first + 1} to {last + 1}"
                domains[collective_name] = tuple((index, None) for index in run)
                for noun in ("title", "picture", "table", "chart"):
                    indexes = [self.shapes[index].get(f"the {noun}") for index in run]
                    if None not in indexes:
                        domains[f"the {noun} of {collective_name}"] = tuple(
                            zip(run, indexes, strict=True)
                        )
        for index, names in enumerate(self.shape_names):
            for kind, noun in _NOUNS.items():
                shapes_of_kind = [
                    shape.index
                    for shape in slides[index].shapes
                    if shape.kind == kind and shape.group is None and not shape.hidden
                ]
                if 1 < len(shapes_of_kind) <= _MAX_DOMAIN_SIZE and all(
                    each in names for each in shapes_of_kind
                ):
                    members = tuple((index, each) for each in shapes_of_kind)
                    domains[f"every {noun} on slide {index + 1}"] = members
        return domains

    @cached_property
    def conditions(self) -> dict[str, bool]:
        """Conditions about the deck and their truth values."""
        slides = self._deck.slides
        conditions = {}
        for number, slide in enumerate(slides, start=1):
            for kind in ("picture", "table", "chart"):
                is_present = any(is_kind(shape, kind) for shape in slide.shapes)
                conditions[f"slide {number} has a {kind}"] = is_present
            conditions[f"slide {number} has speaker notes"] = bool(slide.notes.strip())
            conditions[f"slide {number} has a transition"] = slide.transition.type != "none"
            conditions[f"slide {number} has no title"] = not slide.title.strip()
        for count in (3, 5, 10, 15):
            conditions[f"the deck has more than {count} slides"] = len(slides) > count
        return conditions

    def _slide_names(self) -> Iterator[tuple[str, int]]:
        slides = self._deck.slides
        titles = [" ".join(slide.title.split()) for slide in slides]
        for index, slide in enumerate(slides):
            yield f"slide {index + 1}", index
            if quotable(titles[index]):
                yield f'the slide titled "{titles[index]}"', index
                if index + 1 < len(slides) and titles.count(titles[index]) == 1:
                    yield f'the slide right after "{titles[index]}"', index + 1
            for kind in ("picture", "table", "chart"):
                if any(is_kind(shape, kind) for shape in slide.shapes):
                    yield f"the slide with the {kind}", index
        if len(slides) > 1:
            yield "the first slide", 0
            yield "the last slide", len(slides) - 1
        if len(slides) > 3:
            yield "the second to last slide", len(slides) - 2

    def _shape_names(self, slide: Slide) -> Iterator[tuple[str, int]]:
        shapes = [s for s in slide.shapes if s.group is None and self._is_visible(slide, s)]
        for kind, noun in _PLACEHOLDERS.items():
            for shape in (s for s in shapes if is_kind(s, kind)):
                yield f"the {noun}", shape.index
        for kind, noun in _NOUNS.items():
            shapes_of_kind = [s for s in shapes if s.kind == kind or (kind == "picture" == s.kind)]
            shapes_of_kind = [s for s in shapes_of_kind if not s.placeholder or s.kind == "picture"]
            yield from self._names_of_kind(noun, shapes_of_kind)
        yield from _names_by_text(shapes)

    def _is_visible(self, slide: Slide, shape: Shape) -> bool:
        """Return whether a shape is visible; for an empty placeholder, whether its area is."""
        visibility = visibility_of(self._deck)
        if shape.all_text.strip() and not shape.table:
            return bool(visibility.shape(slide.index, shape.index).all_text.strip())
        is_visible = visibility.is_in_view if shape.kind == "placeholder" else visibility.is_visible
        return is_visible(slide.index, shape.index)

    def _names_of_kind(self, noun: str, shapes: Sequence[Shape]) -> Iterator[tuple[str, int]]:
        if len(shapes) == 1:
            yield f"the {noun}", shapes[0].index
            return
        if not 1 < len(shapes) <= len(_ORDINALS):
            return
        for axis, side, last in (("x", "left", "rightmost"), ("y", "top", "lowest")):
            centers = sorted((_center_of(shape, axis), shape.index) for shape in shapes)
            min_distance_emu = self._deck.width_emu * _MIN_DISTANCE
            if any(b[0] - a[0] < min_distance_emu for a, b in itertools.pairwise(centers)):
                continue
            for ordinal, (_, index) in zip(_ORDINALS, centers, strict=False):
                yield f"the {ordinal} {noun} from the {side}", index
            yield f"the {last} {noun}", centers[-1][1]
        areas = sorted((shape.box.width * shape.box.height, shape.index) for shape in shapes)
        if areas[-1][0] > _MIN_AREA_RATIO * areas[-2][0]:
            yield f"the largest {noun}", areas[-1][1]

    def _standalone_names(self) -> list[tuple[str, tuple[int, int]]]:
        named_locations: list[tuple[str, tuple[int, int]]] = []
        for index, slide in enumerate(self._deck.slides):
            for name, shape in self.shapes[index].items():
                if '"' in name or name.startswith("the chart about "):
                    named_locations.append((name, (index, shape)))
            for kind in ("picture", "table", "chart"):
                shapes = [s for s in slide.shapes if is_kind(s, kind)]
                named_locations += [
                    (f"the only {kind} of the deck", (index, s.index)) for s in shapes
                ]
        return named_locations


def _names_by_text(shapes: Sequence[Shape]) -> Iterator[tuple[str, int]]:
    charts = [s for s in shapes if s.chart is not None]
    for shape in charts:
        title = "" if shape.chart is None else shape.chart.title
        if quotable(title):
            yield f'the chart titled "{title}"', shape.index
        for word in {w.lower() for w in re.findall(r"[A-Za-z]+", title)} - _STOP_WORDS:
            if len(word) >= _MIN_WORD_CHARACTERS:
                yield f"the chart about {word}", shape.index
    for shape in shapes:
        if shape.table is not None and shape.table.rows:
            for cell in shape.table.rows[0]:
                if quotable(cell.text):
                    yield f'the table with the column "{cell.text}"', shape.index
        if shape.kind in ("text_box", "shape") and not shape.placeholder:
            if quotable(shape.text):
                yield f'the box that says "{shape.text}"', shape.index
            elif len(words := shape.text.split()) > 5 and quotable(" ".join(words[:3])):
                yield f'the box that begins with "{" ".join(words[:3])}"', shape.index


def _center_of(shape: Shape, axis: str) -> float:
    box = shape.box
    return box.left + box.width / 2 if axis == "x" else box.top + box.height / 2


def _unique(names: Iterable[tuple[str, _T]]) -> dict[str, _T]:
    pairs = set(names)
    counts = Counter(name for name, _ in pairs)
    return {name: thing for name, thing in sorted(pairs, key=str) if counts[name] == 1}


def _invert(names: dict[str, _T]) -> dict[_T, tuple[str, ...]]:
    names_by_thing: dict[_T, list[str]] = {}
    for name, thing in names.items():
        names_by_thing.setdefault(thing, []).append(name)
    return {thing: tuple(thing_names) for thing, thing_names in names_by_thing.items()}
