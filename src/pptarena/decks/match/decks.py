"""Match slides and shapes of two decks, with cached results."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from pptarena.decks import Deck, Slide
from pptarena.decks.match.likeness import slide_likeness
from pptarena.decks.match.pairing import pair_equal, pair_in_place, segments, unpaired
from pptarena.decks.match.sequences import assign, longest_increasing
from pptarena.decks.match.shapes import (
    ShapeMatch,
    content_key,
    full_key,
    group_leaves,
    match_shapes,
)
from pptarena.decks.read.recent import SameObjects
from pptarena.decks.saving import USUAL, Saving

__all__ = ["DeckMatch", "ShapeMatch", "group_leaves", "match_decks", "match_shapes", "match_slides"]

SLIDE_THRESHOLD = 0.4
_PLACE_WEIGHT = 0.25
# Among similar slides, those that did not move and those closest in position are preferred.
_MOVE_WEIGHT = 0.02
_ORDER_WEIGHT = 1e-3
_MAX_SLIDE_COMPARISONS = 10_000
_MAX_CROSSED = 40  # sets of copies whose order is checked

_Pairs = list[tuple[int, int]]

_fingerprints: SameObjects[Hashable] = SameObjects(2_000)


def match_slides(original: Sequence[Slide], current: Sequence[Slide]) -> _Pairs:
    """Return original index and current index of each slide that is in both decks."""
    pairs = _equal_slides(original, current)
    pairs = pairs + _alike_slides(original, current, pairs)
    return pairs + _in_between(original, current, pairs)


def _equal_slides(original: Sequence[Slide], current: Sequence[Slide]) -> _Pairs:
    """Return pairs of slides with equal content; copies only if their position is unambiguous."""
    before, now = ([_fingerprint(slide) for slide in side] for side in (original, current))
    if len(set(before)) == len(before) and len(set(now)) == len(now):
        return pair_equal(before, now)
    # Copies of a slide are distinguished by formatting, then by position.
    looks, looks_now = ([_looks(slide) for slide in side] for side in (original, current))
    pairs = pair_in_place(before, now, pair_in_place(looks, looks_now))
    if (len(before) - len(pairs)) * (len(now) - len(pairs)) > _MAX_SLIDE_COMPARISONS:
        return pair_equal(before, now, pairs)
    return _uncrossed(original, current, pairs, before)


def _uncrossed(
    original: Sequence[Slide], current: Sequence[Slide], pairs: _Pairs, contents: Sequence[Hashable]
) -> _Pairs:
    """Return `pairs` with copies put in order where that needs fewer edits than moves.

    A slide edited to look like its copy would otherwise make the copy appear to have moved.
    """
    if _moves(pairs) == 0:
        return pairs
    copies: dict[Hashable, _Pairs] = defaultdict(list)
    for pair in sorted(pairs):
        copies[contents[pair[0]]].append(pair)
    crossed = [
        (each, in_order) for each in copies.values() if (in_order := _in_order(each)) != each
    ]
    for each, in_order in crossed[:_MAX_CROSSED]:
        among = set(each)
        others = [pair for pair in pairs if pair not in among]
        size, size_in_order = (
            _moves([*others, *those]) + sum(_edits(original[i], current[j]) for i, j in those)
            for those in (each, in_order)
        )
        if size_in_order < size:
            pairs = [*others, *in_order]
    return pairs


def _in_order(pairs: _Pairs) -> _Pairs:
    """Return the same slides paired without crossings."""
    return list(zip((i for i, _ in pairs), sorted(j for _, j in pairs), strict=True))


def _moves(pairs: Iterable[tuple[int, int]]) -> int:
    """Return the number of slides that moved."""
    order = [j for _, j in sorted(pairs)]
    return len(order) - len(longest_increasing(order))


def _edits(before: Slide, now: Slide) -> int:
    """Return the number of shapes and other properties in which slides of equal content differ."""
    shapes, *rest_of = _looks(before)
    shapes_now, *rest_now = _looks(now)
    gone, new = Counter(shapes) - Counter(shapes_now), Counter(shapes_now) - Counter(shapes)
    differ = sum(a != b for a, b in zip(rest_of, rest_now, strict=True))
    return max(gone.total(), new.total()) + differ + (before.hidden != now.hidden)


def _alike_slides(original: Sequence[Slide], current: Sequence[Slide], pairs: _Pairs) -> _Pairs:
    """Return pairs of the remaining slides, by similarity and by neighbors."""
    rows, columns = unpaired(original, current, pairs)
    if len(rows) * len(columns) > _MAX_SLIDE_COMPARISONS:
        titles, titles_now = ([slide.title or None for slide in s] for s in (original, current))
        found = pair_equal(titles, titles_now, pairs, unique=True)[len(pairs) :]
        rows, columns = unpaired(original, current, [*pairs, *found])
        return found + (list(zip(rows, columns, strict=True)) if len(rows) == len(columns) else [])
    near = _Neighbours(pairs, len(original), len(current))
    stretch, stretch_now = _stretches(len(original), len(current), pairs)
    table = [
        [
            (1 - _PLACE_WEIGHT) * slide_likeness(original[i], current[j])
            + _PLACE_WEIGHT * near.likeness(i, j)
            - _MOVE_WEIGHT * (stretch[i] != stretch_now[j])
            # With a quadratic penalty, the assignment without crossings has the least cost.
            - _ORDER_WEIGHT * (i / len(original) - j / len(current)) ** 2
            for j in columns
        ]
        for i in rows
    ]
    return [(rows[i], columns[j]) for i, j in assign(table, SLIDE_THRESHOLD)]


def _stretches(
    count: int, count_now: int, pairs: _Pairs
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Return, for each unpaired slide, its position among the pairs that kept their order."""
    found = segments(count, count_now, pairs)
    return (
        {i: at for at, (rows, _) in enumerate(found) for i in rows},
        {j: at for at, (_, columns) in enumerate(found) for j in columns},
    )


def _in_between(original: Sequence[Slide], current: Sequence[Slide], pairs: _Pairs) -> _Pairs:
    """Pair fully edited slides: those with the same layout between the same neighbors."""
    near = _Neighbours(pairs, len(original), len(current))
    rows, columns = unpaired(original, current, pairs)
    there = set(columns)
    found = []
    for i in rows:
        j = near.between(i)
        if j in there and original[i].layout.casefold() == current[j].layout.casefold():
            found.append((i, j))
    return found


class _Neighbours:
    """Compares the matched neighbors of unmatched slides."""

    def __init__(self, pairs: Sequence[tuple[int, int]], before: int, now: int) -> None:
        # Both ends of the deck count as matched neighbors.
        self._to_current = {**dict(pairs), -1: -1, before: now}

    def between(self, i: int) -> int:
        """Return the only index between a slide's matched neighbors; -1 if there is none."""
        before, behind = self._to_current.get(i - 1), self._to_current.get(i + 1)
        return -1 if before is None or behind != before + 2 else before + 1

    def likeness(self, i: int, j: int) -> float:
        sides = [self._to_current.get(i - 1) == j - 1, self._to_current.get(i + 1) == j + 1]
        unknown = [i - 1 not in self._to_current, i + 1 not in self._to_current]
        known = [side for side, open_ in zip(sides, unknown, strict=True) if not open_]
        if not known:
            return float(i == j)
        return sum(known) / len(known)


def _fingerprint(slide: Slide) -> Hashable:
    shapes = (shape for shape in slide.shapes if not shape.shows_nothing)
    return _fingerprints.get((slide,), lambda: tuple(map(content_key, shapes)))


def _looks(slide: Slide) -> tuple[tuple[Hashable, ...], *tuple[Hashable, ...]]:
    """Return the formatting of a slide's shapes, followed by its other properties."""
    shapes = tuple(
        (
            full_key(s),
            s.fill,
            s.line,
            s.geometry,
            tuple(r.style for p in s.paragraphs for r in p.runs),
            (s.table, s.chart, s.smart_art, s.embedded),
        )
        for s in slide.shapes
    )
    return shapes, slide.notes, slide.layout, slide.background, slide.transition


_matches: SameObjects[ShapeMatch] = SameObjects(1_000)


class DeckMatch:
    """Pairs of corresponding slides and shapes of two decks; all indexes count from 0.

    Args:
        original: The original deck.
        current: The current deck.
        pairs: Original index and current index of each slide that is in both decks.
        saving: The application that saved both decks.

    Attributes:
        pairs: The pairs, sorted.
        to_current: Current index of each slide, by original index.
    """

    def __init__(
        self,
        original: Deck,
        current: Deck,
        pairs: Sequence[tuple[int, int]],
        saving: Saving = USUAL,
    ) -> None:
        self.original = original
        self.current = current
        self.saving = saving
        self.pairs = tuple(sorted(pairs))
        self.to_current = dict(self.pairs)
        self._shapes: dict[int, ShapeMatch] = {}

    @cached_property
    def to_original(self) -> dict[int, int]:
        """Original index of each current slide that existed before."""
        return {now: before for before, now in self.pairs}

    @cached_property
    def removed(self) -> tuple[int, ...]:
        """Indexes of original slides that no longer exist."""
        count = len(self.original.slides)
        return tuple(i for i in range(count) if i not in self.to_current)

    @cached_property
    def added(self) -> tuple[int, ...]:
        """Indexes of current slides that did not exist before."""
        count = len(self.current.slides)
        return tuple(i for i in range(count) if i not in self.to_original)

    @cached_property
    def is_regrouped(self) -> bool:
        """Whether saving alone moved layouts to other masters."""
        return self.saving.is_regrouped(self.original, self.current, self.pairs)

    def shapes(self, index: int) -> ShapeMatch:
        """Return the pairs of corresponding shapes on a slide.

        Args:
            index: Index of an original slide that still exists.
        """
        if index not in self._shapes:
            before = self.original.slides[index].shapes
            now = self.current.slides[self.to_current[index]].shapes
            self._shapes[index] = _matches.get((before, now), lambda: match_shapes(before, now))
        return self._shapes[index]


def match_decks(original: Deck, current: Deck, saving: Saving = USUAL) -> DeckMatch:
    """Return the pairs of corresponding slides of two decks saved by the same application."""
    if original is current:
        return DeckMatch(original, current, [(i, i) for i in range(len(original.slides))], saving)
    pairs = match_slides(original.slides, current.slides)
    return DeckMatch(original, current, pairs, saving)
