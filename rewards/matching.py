"""Which slide and which shape of one deck is which of another.

Ids cannot be trusted: an application may number slides and shapes anew at every save. So slides and
shapes that are equal in content are paired first, in order; what is left is paired by likeness.
"""

from collections import defaultdict, deque
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from functools import cached_property

from pptarena.rewards.assignment import assign
from pptarena.rewards.deck import Deck, Shape, Slide
from pptarena.rewards.likeness import shape_likeness, slide_likeness

__all__ = ["DeckMatch", "ShapeMatch", "match_decks", "match_shapes"]

SLIDE_THRESHOLD = 0.4
SHAPE_THRESHOLD = 0.35
_PLACE_WEIGHT = 0.25
# Beyond this many comparisons only shapes of equal content are paired.
_MAX_COMPARISONS = 40_000


class ShapeMatch:
    """Which shape of one slide is which of another.

    Args:
        pairs: Index in the original and index now of each shape that is in both.
        original_count: Number of shapes of the original.
        current_count: Number of shapes now.
    """

    def __init__(
        self, pairs: Sequence[tuple[int, int]], original_count: int, current_count: int
    ) -> None:
        self.pairs = tuple(sorted(pairs))
        self.to_current = dict(self.pairs)
        self.to_original = {now: before for before, now in self.pairs}
        self.removed = tuple(i for i in range(original_count) if i not in self.to_current)
        self.added = tuple(i for i in range(current_count) if i not in self.to_original)


class DeckMatch:
    """Which slide and shape of one deck is which of another; all indexes count from 0.

    Args:
        original: The deck before.
        current: The deck now.
        pairs: Index in the original and index now of each slide that is in both.
    """

    def __init__(self, original: Deck, current: Deck, pairs: Sequence[tuple[int, int]]) -> None:
        self.original = original
        self.current = current
        self.pairs = tuple(sorted(pairs))
        self.to_current = dict(self.pairs)
        self._shapes: dict[int, ShapeMatch] = {}

    @cached_property
    def to_original(self) -> dict[int, int]:
        """Index in the original of each slide that was there."""
        return {now: before for before, now in self.pairs}

    @cached_property
    def removed(self) -> tuple[int, ...]:
        """Slides of the original that are gone."""
        count = len(self.original.slides)
        return tuple(i for i in range(count) if i not in self.to_current)

    @cached_property
    def added(self) -> tuple[int, ...]:
        """Slides of the current deck that the original did not have."""
        count = len(self.current.slides)
        return tuple(i for i in range(count) if i not in self.to_original)

    def shapes(self, index: int) -> ShapeMatch:
        """Return how the shapes of a slide are matched.

        Args:
            index: Of a slide of the original that is still there.
        """
        if index not in self._shapes:
            before = self.original.slides[index].shapes
            now = self.current.slides[self.to_current[index]].shapes
            self._shapes[index] = match_shapes(before, now)
        return self._shapes[index]


def match_decks(original: Deck, current: Deck) -> DeckMatch:
    """Return which slide of `original` is which of `current`."""
    if original is current:
        return DeckMatch(original, current, [(i, i) for i in range(len(original.slides))])
    pairs = _equal_slides(original.slides, current.slides)
    before_left = _rest(len(original.slides), {i for i, _ in pairs})
    now_left = _rest(len(current.slides), {j for _, j in pairs})
    if before_left and now_left:
        near = _Neighbours(pairs, len(original.slides), len(current.slides))
        table = [
            [
                (1 - _PLACE_WEIGHT) * slide_likeness(original.slides[i], current.slides[j])
                + _PLACE_WEIGHT * near.likeness(i, j)
                for j in now_left
            ]
            for i in before_left
        ]
        found = assign(table, SLIDE_THRESHOLD)
        pairs = pairs + [(before_left[row], now_left[column]) for row, column in found]
    return DeckMatch(original, current, pairs)


def match_shapes(original: Sequence[Shape], current: Sequence[Shape]) -> ShapeMatch:
    """Return which shape of one slide is which of another."""
    if original is current:
        pairs = [(i, i) for i in range(len(original))]
        return ShapeMatch(pairs, len(original), len(current))
    pairs = _pair_equal([_full_key(s) for s in original], [_full_key(s) for s in current], [])
    before_left = _rest(len(original), {i for i, _ in pairs})
    now_left = _rest(len(current), {j for _, j in pairs})
    if len(before_left) * len(now_left) > _MAX_COMPARISONS:
        pairs = _pair_equal([_key(s) for s in original], [_key(s) for s in current], pairs)
    elif before_left and now_left:
        table = [[shape_likeness(original[i], current[j]) for j in now_left] for i in before_left]
        found = assign(table, SHAPE_THRESHOLD)
        pairs = pairs + [(before_left[row], now_left[column]) for row, column in found]
    return ShapeMatch(pairs, len(original), len(current))


def _equal_slides(original: Sequence[Slide], current: Sequence[Slide]) -> list[tuple[int, int]]:
    before = [_fingerprint(slide) for slide in original]
    now = [_fingerprint(slide) for slide in current]
    blocks = SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
    in_order = [(b.a + k, b.b + k) for b in blocks for k in range(b.size)]
    return _pair_equal(before, now, in_order)


def _pair_equal(
    original: Sequence[Hashable], current: Sequence[Hashable], pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return `pairs` and, in order, those of the others that have equal keys."""
    waiting: dict[Hashable, deque[int]] = defaultdict(deque)
    taken = {j for _, j in pairs}
    for j, key in enumerate(current):
        if j not in taken:
            waiting[key].append(j)
    found = list(pairs)
    paired = {i for i, _ in pairs}
    for i, key in enumerate(original):
        if i not in paired and waiting.get(key):
            found.append((i, waiting[key].popleft()))
    return found


def _rest(count: int, taken: set[int]) -> list[int]:
    return [i for i in range(count) if i not in taken]


class _Neighbours:
    """Whether two unmatched slides stand between the same matched ones."""

    def __init__(self, pairs: Sequence[tuple[int, int]], before: int, now: int) -> None:
        # Both ends of the show count as matched neighbours.
        self._to_current = {**dict(pairs), -1: -1, before: now}

    def likeness(self, i: int, j: int) -> float:
        sides = [self._to_current.get(i - 1) == j - 1, self._to_current.get(i + 1) == j + 1]
        unknown = [i - 1 not in self._to_current, i + 1 not in self._to_current]
        known = [side for side, open_ in zip(sides, unknown, strict=True) if not open_]
        if not known:
            return float(i == j)
        return sum(known) / len(known)


def _fingerprint(slide: Slide) -> Hashable:
    return tuple(_key(shape) for shape in slide.shapes if not shape.shows_nothing)


def _key(shape: Shape) -> Hashable:
    picture = "" if shape.picture is None else shape.picture.sha256
    text = " ".join(shape.all_text.split())
    return shape.kind, shape.placeholder, text, picture, shape.opaque


def _full_key(shape: Shape) -> Hashable:
    return _key(shape), shape.name, shape.box
