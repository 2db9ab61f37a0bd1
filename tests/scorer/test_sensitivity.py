"""The diff finds a single edit, reports it correctly, and reports nothing else.

Each type of edit is applied to decks drawn by seed. ``found``: there is a change. ``right``: a
change has the aspect, slide and shape of the edit. ``alone``: there is no other change, apart from
consequences of the edit.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Self

import pytest
import tests.scorer.edits_of_decks
import tests.scorer.edits_of_shapes  # noqa: F401
from tests.scorer.audit_decks import audit_decks, own_decks
from tests.scorer.single_edits import EDITS, Expected, edit_deck

from pptarena.decks import Slide
from pptarena.errors import DeckError
from pptarena.rewards import Change, Deck, diff_decks, read_deck

DECKS = 40
RIGHT_PCT = 97
ALONE_PCT = 95
# Lower if some consequences cannot be derived from the facts: colors derived from theme colors in
# unsupported ways, levels that a layout has no sample of, chart parts known only by their digest.
ALONE_AT_LEAST = {
    "layout": 90, "theme colour": 85, "bullet level": 90, "chart legend": 0, "chart colour": 0,
}  # fmt: skip
# Changing a value in the chart alone makes the workbook disagree, which is a second change.
MOST = {"chart value": 2}


@dataclass(frozen=True, slots=True)
class _Places:
    """Where an edit may be reported; for identical slides or shapes, any of them is right."""

    aspects: tuple[str, ...]
    slides: frozenset[int | None]
    shapes: frozenset[int | None]

    @classmethod
    def of(cls, expected: Expected, before: Deck) -> Self:
        """Return the accepted places for an edit of a deck."""
        if expected.slide is None:
            return cls(expected.aspects, frozenset(), frozenset())
        slide = before.slides[expected.slide - 1]
        alike = {s.index + 1 for s in before.slides if _is_like(s, slide)}
        slides = alike if expected.shape is None else {expected.slide}
        shapes: set[int | None] = set()
        if expected.shape is not None:
            shape = slide.shapes[expected.shape]
            shapes = {s.index for s in slide.shapes if replace(s, index=shape.index) == shape}
        return cls(expected.aspects, frozenset(slides), frozenset(shapes))

    def fit(self, change: Change) -> bool:
        """Return whether a change reports the edit correctly."""
        if change.aspect not in self.aspects:
            return False
        if self.slides and change.slide not in self.slides:
            return False
        return not self.shapes or change.shape_index in (*self.shapes, None)


def _is_like(first: Slide, second: Slide) -> bool:
    return replace(first, index=0, id=0) == replace(second, index=0, id=0)


@dataclass(slots=True)
class _Tally:
    """Counts for one type of edit; `most` is the number of changes that it is reported as."""

    most: int = 1
    tried: int = 0
    found: int = 0
    right: int = 0
    alone: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, deck: str, changes: Sequence[Change], places: _Places) -> None:
        right = [change for change in changes if places.fit(change)]
        self.tried += 1
        self.found += bool(changes)
        self.right += bool(right)
        self.alone += 1 <= len(changes) == len(right) <= self.most
        if not right or len(changes) > 1:
            others = [change.text for change in changes if change not in right[:1]]
            self.missed.append(f"{deck}: {'; '.join(others[:2]) or 'nothing'}")

    @property
    def text(self) -> str:
        """The counts as text."""
        shares = (f"{name} {100 * n / self.tried:.0f} %" for name, n in self._counts())
        more = f"; e.g. {self.missed[0][:160]}" if self.missed else ""
        return f"{self.tried} edits: {', '.join(shares)}{more}"

    def _counts(self) -> tuple[tuple[str, int], ...]:
        return ("found", self.found), ("right", self.right), ("alone", self.alone)


@cache
def _decks() -> list[tuple[str, bytes]]:
    """Return the default decks, and a sample of the user's."""
    own = list(own_decks())
    random.Random(0).shuffle(own)
    return [*audit_decks(with_own=False), *own][:DECKS]


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", EDITS)
def test_one_edit_is_found_and_named_and_alone(name: str) -> None:
    tally = _Tally(MOST.get(name, 1))
    for deck, data in _decks():
        _try(tally, name, deck, data, random.Random(f"0 {name} {deck}"))
    assert tally.tried, "no deck has anything to edit"
    assert tally.found == tally.tried, tally.text
    assert 100 * tally.right >= RIGHT_PCT * tally.tried, tally.text
    alone_pct = ALONE_AT_LEAST.get(name, ALONE_PCT)
    assert 100 * tally.alone >= alone_pct * tally.tried, tally.text


def _try(tally: _Tally, name: str, deck: str, data: bytes, draw: random.Random) -> None:
    try:
        before = read_deck(data)
        edited = edit_deck(name, data, draw)
        if edited is not None:
            places = _Places.of(edited.expected, before)
            tally.add(deck, diff_decks(before, read_deck(edited.deck)), places)
    except DeckError:
        return  # a refused deck has no diff
