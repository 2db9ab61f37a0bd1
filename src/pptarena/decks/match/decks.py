"""Match slides and shapes of two decks, with cached results."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cached_property

from pptarena.decks import Deck, Slide
from pptarena.decks.match.pairing import pair_equal, pair_in_place, segments, unpaired
from pptarena.decks.match.sequences import assign, longest_increasing
from pptarena.decks.match.shapes import (
    ShapeMatch,
    content_key,
    full_key,
    group_leaves,
    match_shapes,
)
from pptarena.decks.match.similarity import slide_similarity
from pptarena.decks.read.caches import IdentityCache
from pptarena.decks.saving import DEFAULT_SAVING, Saving

__all__ = ["DeckMatch", "ShapeMatch", "group_leaves", "match_decks", "match_shapes", "match_slides"]

SLIDE_THRESHOLD = 0.4
_POSITION_WEIGHT = 0.25
# Among similar slides, those that did not move and those closest in position are preferred.
_MOVE_WEIGHT = 0.02
_ORDER_WEIGHT = 1e-3
_MAX_SLIDE_COMPARISONS = 10_000
_MAX_CROSSED = 40  # sets of copies whose order is checked

_Pairs = list[tuple[int, int]]

_fingerprints: IdentityCache[Hashable] = IdentityCache(2_000)


def match_slides(original: Sequence[Slide], current: Sequence[Slide]) -> _Pairs:
    """Return original index and current index of each slide that is in both decks."""
    pairs = _equal_slides(original, current)
    pairs = pairs + _similar_slides(original, current, pairs)
    return pairs + _between_neighbors(original, current, pairs)


def _equal_slides(original: Sequence[Slide], current: Sequence[Slide]) -> _Pairs:
    """Return pairs of slides with equal content; copies only if their position is unambiguous."""
    before, after = ([_fingerprint(slide) for slide in side] for side in (original, current))
    if len(set(before)) == len(before) and len(set(after)) == len(after):
        return pair_equal(before, after)
    # Copies of a slide are distinguished by formatting, then by position.
    formats, formats_now = (
        [_formatting_key(slide) for slide in side] for side in (original, current)
    )
    pairs = pair_in_place(before, after, pair_in_place(formats, formats_now))
    if (len(before) - len(pairs)) * (len(after) - len(pairs)) > _MAX_SLIDE_COMPARISONS:
        return pair_equal(before, after, pairs)
    return _uncross(original, current, pairs, before)


def _uncross(
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
        (copies_in_deck, in_order)
        for copies_in_deck in copies.values()
        if (in_order := _in_order(copies_in_deck)) != copies_in_deck
    ]
    for copies_in_deck, in_order in crossed[:_MAX_CROSSED]:
        crossing = set(copies_in_deck)
        others = [pair for pair in pairs if pair not in crossing]
        size, size_in_order = (
            _moves([*others, *ordering]) + sum(_edits(original[i], current[j]) for i, j in ordering)
            for ordering in (copies_in_deck, in_order)
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


def _edits(before: Slide, after: Slide) -> int:
    """Return the number of shapes and other properties in which slides of equal content differ."""
    shapes, *others = _formatting_key(before)
    shapes_now, *others_now = _formatting_key(after)
    removed, added = Counter(shapes) - Counter(shapes_now), Counter(shapes_now) - Counter(shapes)
    differing = sum(a != b for a, b in zip(others, others_now, strict=True))
    return max(removed.total(), added.total()) + differing + (before.hidden != after.hidden)


def _similar_slides(original: Sequence[Slide], current: Sequence[Slide], pairs: _Pairs) -> _Pairs:
    """Return pairs of the remaining slides, by similarity and by neighbors."""
    rows, columns = unpaired(original, current, pairs)
    if len(rows) * len(columns) > _MAX_SLIDE_COMPARISONS:
        titles, titles_now = ([slide.title or None for slide in s] for s in (original, current))
        by_title = pair_equal(titles, titles_now, pairs, unique=True)[len(pairs) :]
        rows, columns = unpaired(original, current, [*pairs, *by_title])
        return by_title + (
            list(zip(rows, columns, strict=True)) if len(rows) == len(columns) else []
        )
    neighbors = _Neighbors(pairs, len(original), len(current))
    segment, segment_now = _segment_numbers(len(original), len(current), pairs)
    table = [
        [
            (1 - _POSITION_WEIGHT) * slide_similarity(original[i], current[j])
            + _POSITION_WEIGHT * neighbors.similarity(i, j)
            - _MOVE_WEIGHT * (segment[i] != segment_now[j])
            # With a quadratic penalty, the assignment without crossings has the least cost.
            - _ORDER_WEIGHT * (i / len(original) - j / len(current)) ** 2
            for j in columns
        ]
        for i in rows
    ]
    return [(rows[i], columns[j]) for i, j in assign(table, SLIDE_THRESHOLD)]


def _segment_numbers(
    count: int, count_now: int, pairs: _Pairs
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Return, for each unpaired slide, its position among the pairs that kept their order."""
    all_segments = segments(count, count_now, pairs)
    return (
        {i: number for number, (rows, _) in enumerate(all_segments) for i in rows},
        {j: number for number, (_, columns) in enumerate(all_segments) for j in columns},
    )


def _between_neighbors(
    original: Sequence[Slide], current: Sequence[Slide], pairs: _Pairs
) -> _Pairs:
    """Pair fully edited slides: those with the same layout between the same neighbors."""
    neighbors = _Neighbors(pairs, len(original), len(current))
    rows, columns = unpaired(original, current, pairs)
    available = set(columns)
    matches = []
    for i in rows:
        j = neighbors.between(i)
        if j in available and original[i].layout.casefold() == current[j].layout.casefold():
            matches.append((i, j))
    return matches


class _Neighbors:
    """Compares the matched neighbors of unmatched slides."""

    def __init__(self, pairs: Sequence[tuple[int, int]], count: int, count_now: int) -> None:
        # Both ends of the deck count as matched neighbors.
        self._to_current = {**dict(pairs), -1: -1, count: count_now}

    def between(self, i: int) -> int:
        """Return the only index between a slide's matched neighbors; -1 if there is none."""
        before, after = self._to_current.get(i - 1), self._to_current.get(i + 1)
        return -1 if before is None or after != before + 2 else before + 1

    def similarity(self, i: int, j: int) -> float:
        agreements = [self._to_current.get(i - 1) == j - 1, self._to_current.get(i + 1) == j + 1]
        is_unmatched = [i - 1 not in self._to_current, i + 1 not in self._to_current]
        matched = [
            agrees
            for agrees, unmatched in zip(agreements, is_unmatched, strict=True)
            if not unmatched
        ]
        if not matched:
            return float(i == j)
        return sum(matched) / len(matched)


def _fingerprint(slide: Slide) -> Hashable:
    shapes = (shape for shape in slide.shapes if not shape.shows_nothing)
    return _fingerprints.get((slide,), lambda: tuple(map(content_key, shapes)))


def _formatting_key(slide: Slide) -> tuple[tuple[Hashable, ...], *tuple[Hashable, ...]]:
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


_matches: IdentityCache[ShapeMatch] = IdentityCache(1_000)


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
        saving: Saving = DEFAULT_SAVING,
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
        return {j: i for i, j in self.pairs}

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
            after = self.current.slides[self.to_current[index]].shapes
            self._shapes[index] = _matches.get((before, after), lambda: match_shapes(before, after))
        return self._shapes[index]


def match_decks(original: Deck, current: Deck, saving: Saving = DEFAULT_SAVING) -> DeckMatch:
    """Return the pairs of corresponding slides of two decks saved by the same application."""
    if original is current:
        return DeckMatch(original, current, [(i, i) for i in range(len(original.slides))], saving)
    pairs = match_slides(original.slides, current.slides)
    return DeckMatch(original, current, pairs, saving)
