"""The diff detects a single edit, reports it correctly, and reports nothing else.

Each type of edit is applied to randomly selected decks. ``detected``: there is a change.
``correct``: a change has the aspect, slide and shape of the edit. ``sole``: there is no other
change, apart from consequences of the edit.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Self

import pytest
import tests.scorer.deck_edits
import tests.scorer.shape_edits  # noqa: F401
from tests.scorer.audit_decks import audit_decks, own_decks
from tests.scorer.single_edits import EDITS, Expected, edit_deck

from pptarena.decks import Slide
from pptarena.errors import DeckError
from pptarena.rewards import Change, Deck, diff_decks, read_deck

DECKS = 40
CORRECT_PCT = 97
SOLE_PCT = 95
# Lower if some consequences cannot be derived from the facts: colors derived from theme colors in
# unsupported ways, levels that a layout has no sample of, chart parts known only by their digest.
SOLE_PCT_BY_EDIT = {
    "layout": 90, "theme colour": 85, "bullet level": 90, "chart legend": 0, "chart colour": 0,
}  # fmt: skip
# Changing a value in the chart alone makes the workbook disagree, which is a second change.
MAX_CHANGES = {"chart value": 2}


@dataclass(frozen=True, slots=True)
class _Locations:
    """Where an edit may be reported; for identical slides or shapes, any of them is right."""

    aspects: tuple[str, ...]
    slides: frozenset[int | None]
    shapes: frozenset[int | None]

    @classmethod
    def of(cls, expected: Expected, before: Deck) -> Self:
        """Return the accepted locations for an edit of a deck."""
        if expected.slide is None:
            return cls(expected.aspects, frozenset(), frozenset())
        slide = before.slides[expected.slide - 1]
        equal_slides = {s.index + 1 for s in before.slides if _are_equal(s, slide)}
        slides = equal_slides if expected.shape is None else {expected.slide}
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


def _are_equal(first: Slide, second: Slide) -> bool:
    return replace(first, index=0, id=0) == replace(second, index=0, id=0)


@dataclass(slots=True)
class _Tally:
    """Counts for one type of edit; `max_changes` may report the edit."""

    max_changes: int = 1
    attempts: int = 0
    detected: int = 0
    correct: int = 0
    sole: int = 0
    failures: list[str] = field(default_factory=list)

    def add(self, deck: str, changes: Sequence[Change], locations: _Locations) -> None:
        correct = [change for change in changes if locations.fit(change)]
        self.attempts += 1
        self.detected += bool(changes)
        self.correct += bool(correct)
        self.sole += 1 <= len(changes) == len(correct) <= self.max_changes
        if not correct or len(changes) > 1:
            others = [change.text for change in changes if change not in correct[:1]]
            self.failures.append(f"{deck}: {'; '.join(others[:2]) or 'nothing'}")

    @property
    def text(self) -> str:
        """The counts as text."""
        shares = (f"{name} {100 * n / self.attempts:.0f} %" for name, n in self._counts())
        more = f"; e.g. {self.failures[0][:160]}" if self.failures else ""
        return f"{self.attempts} edits: {', '.join(shares)}{more}"

    def _counts(self) -> tuple[tuple[str, int], ...]:
        return ("detected", self.detected), ("correct", self.correct), ("sole", self.sole)


@cache
def _decks() -> list[tuple[str, bytes]]:
    """Return the default decks and a sample of the user's decks."""
    own = list(own_decks())
    random.Random(0).shuffle(own)
    return [*audit_decks(with_own=False), *own][:DECKS]


@pytest.mark.nightly
@pytest.mark.parametrize("name", EDITS)
def test_single_edit_is_detected_and_reported_alone(name: str) -> None:
    tally = _Tally(MAX_CHANGES.get(name, 1))
    for deck, data in _decks():
        _try(tally, name, deck, data, random.Random(f"0 {name} {deck}"))
    assert tally.attempts, "no deck has anything to edit"
    assert tally.detected == tally.attempts, tally.text
    assert 100 * tally.correct >= CORRECT_PCT * tally.attempts, tally.text
    sole_pct = SOLE_PCT_BY_EDIT.get(name, SOLE_PCT)
    assert 100 * tally.sole >= sole_pct * tally.attempts, tally.text


def _try(tally: _Tally, name: str, deck: str, data: bytes, rng: random.Random) -> None:
    try:
        before = read_deck(data)
        edited = edit_deck(name, data, rng)
        if edited is not None:
            locations = _Locations.of(edited.expected, before)
            tally.add(deck, diff_decks(before, read_deck(edited.deck)), locations)
    except DeckError:
        return  # a refused deck has no diff
