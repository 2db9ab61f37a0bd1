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

_MOST_LETTERS = 70
_LEAST_WORD = 4
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_CLEARLY = 0.03  # fraction of the slide width: minimum distance for one shape to be "further left"
_LARGER = 1.4
_MOST_OF_DOMAIN = 5
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
_STOP = frozenset(
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
    plain = text.strip()
    clear = all(c.isprintable() and c not in '"“”[]\u200b\u200f' for c in plain)
    return bool(plain) and plain == text and len(plain) <= _MOST_LETTERS and clear


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
        return _inverted(self.slides)

    @cached_property
    def shapes(self) -> tuple[dict[str, int], ...]:
        """For each slide, shape index by a name that is unique on the slide."""
        return tuple(_unique(self._shape_names(slide)) for slide in self._deck.slides)

    @cached_property
    def shape_names(self) -> tuple[dict[int, tuple[str, ...]], ...]:
        """For each slide, names by shape index."""
        return tuple(_inverted(names) for names in self.shapes)

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """(slide, shape) indexes by a name that is unique in the deck."""
        found: list[tuple[str, tuple[int, int]]] = []
        for index, names in enumerate(self.shapes):
            for name, shape in names.items():
                found += [
                    (self.of(name, slide), (index, shape)) for slide in self.slide_names[index]
                ]
        return _unique([*found, *self._lone_names()])

    @staticmethod
    def of(name: str, slide: str) -> str:
        """Return the name of a shape, qualified by its slide."""
        own = name.removeprefix("the ") in _PLACEHOLDERS.values()
        return f"{name} {'of' if own else 'on'} {slide}"

    @cached_property
    def lone(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """Names of shapes that are unique without a slide."""
        return _inverted(_unique(self._lone_names()))

    @cached_property
    def domains(self) -> dict[str, tuple[tuple[int, int | None], ...]]:
        """Several slides, or one shape on each of several slides, by a collective name."""
        slides, found = self._deck.slides, dict[str, tuple[tuple[int, int | None], ...]]()
        for first in range(len(slides) - 1):
            for last in range(first + 1, min(first + _MOST_OF_DOMAIN, len(slides))):
                run = range(first, last + 1)
                which = f"every slide from {first + 1} to {last + 1}"
                found[which] = tuple((index, None) for index in run)
                for noun in ("title", "picture", "table", "chart"):
                    named = [self.shapes[index].get(f"the {noun}") for index in run]
                    if None not in named:
                        found[f"the {noun} of {which}"] = tuple(zip(run, named, strict=True))
        for index, names in enumerate(self.shape_names):
            for kind, noun in _NOUNS.items():
                alike = [
                    shape.index
                    for shape in slides[index].shapes
                    if shape.kind == kind and shape.group is None and not shape.hidden
                ]
                if 1 < len(alike) <= _MOST_OF_DOMAIN and all(each in names for each in alike):
                    members = tuple((index, each) for each in alike)
                    found[f"every {noun} on slide {index + 1}"] = members
        return found

    @cached_property
    def conditions(self) -> dict[str, bool]:
        """Conditions about the deck and their truth values."""
        slides = self._deck.slides
        found = {}
        for number, slide in enumerate(slides, start=1):
            for kind in ("picture", "table", "chart"):
                there = any(is_kind(shape, kind) for shape in slide.shapes)
                found[f"slide {number} has a {kind}"] = there
            found[f"slide {number} has speaker notes"] = bool(slide.notes.strip())
            found[f"slide {number} has a transition"] = slide.transition.type != "none"
            found[f"slide {number} has no title"] = not slide.title.strip()
        for count in (3, 5, 10, 15):
            found[f"the deck has more than {count} slides"] = len(slides) > count
        return found

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
        shapes = [s for s in slide.shapes if s.group is None and self._is_seen(slide, s)]
        for kind, noun in _PLACEHOLDERS.items():
            for shape in (s for s in shapes if is_kind(s, kind)):
                yield f"the {noun}", shape.index
        for kind, noun in _NOUNS.items():
            alike = [s for s in shapes if s.kind == kind or (kind == "picture" == s.kind)]
            alike = [s for s in alike if not s.placeholder or s.kind == "picture"]
            yield from self._of_kind(noun, alike)
        yield from _by_words(shapes)

    def _is_seen(self, slide: Slide, shape: Shape) -> bool:
        """Return whether a shape is visible; for an empty placeholder, whether its area is."""
        seen = visibility_of(self._deck)
        if shape.all_text.strip() and not shape.table:
            return bool(seen.shape(slide.index, shape.index).all_text.strip())
        view = seen.is_in_view if shape.kind == "placeholder" else seen.is_visible
        return view(slide.index, shape.index)

    def _of_kind(self, noun: str, alike: Sequence[Shape]) -> Iterator[tuple[str, int]]:
        if len(alike) == 1:
            yield f"the {noun}", alike[0].index
            return
        if not 1 < len(alike) <= len(_ORDINALS):
            return
        for axis, side, last in (("x", "left", "rightmost"), ("y", "top", "lowest")):
            middles = sorted((_middle(shape, axis), shape.index) for shape in alike)
            room = self._deck.width_emu * _CLEARLY
            if any(b[0] - a[0] < room for a, b in itertools.pairwise(middles)):
                continue
            for ordinal, (_, index) in zip(_ORDINALS, middles, strict=False):
                yield f"the {ordinal} {noun} from the {side}", index
            yield f"the {last} {noun}", middles[-1][1]
        areas = sorted((shape.box.width * shape.box.height, shape.index) for shape in alike)
        if areas[-1][0] > _LARGER * areas[-2][0]:
            yield f"the largest {noun}", areas[-1][1]

    def _lone_names(self) -> list[tuple[str, tuple[int, int]]]:
        found: list[tuple[str, tuple[int, int]]] = []
        for index, slide in enumerate(self._deck.slides):
            for name, shape in self.shapes[index].items():
                if '"' in name or name.startswith("the chart about "):
                    found.append((name, (index, shape)))
            for kind in ("picture", "table", "chart"):
                alike = [s for s in slide.shapes if is_kind(s, kind)]
                found += [(f"the only {kind} of the deck", (index, s.index)) for s in alike]
        return found


def _by_words(shapes: Sequence[Shape]) -> Iterator[tuple[str, int]]:
    charts = [s for s in shapes if s.chart is not None]
    for shape in charts:
        title = "" if shape.chart is None else shape.chart.title
        if quotable(title):
            yield f'the chart titled "{title}"', shape.index
        for word in {w.lower() for w in re.findall(r"[A-Za-z]+", title)} - _STOP:
            if len(word) >= _LEAST_WORD:
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


def _middle(shape: Shape, axis: str) -> float:
    box = shape.box
    return box.left + box.width / 2 if axis == "x" else box.top + box.height / 2


def _unique(names: Iterable[tuple[str, _T]]) -> dict[str, _T]:
    pairs = set(names)
    count = Counter(name for name, _ in pairs)
    return {name: thing for name, thing in sorted(pairs, key=str) if count[name] == 1}


def _inverted(names: dict[str, _T]) -> dict[_T, tuple[str, ...]]:
    found: dict[_T, list[str]] = {}
    for name, thing in names.items():
        found.setdefault(thing, []).append(name)
    return {thing: tuple(each) for thing, each in found.items()}
