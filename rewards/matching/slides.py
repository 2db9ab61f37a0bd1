"""Which slide of one deck is which of another.

Ids cannot be trusted: an application may number slides anew at every save. So slides of equal
content are paired first, copies by their looks; then by likeness and by what they stand between.
"""

from collections.abc import Hashable, Sequence

from pptarena.rewards.deck import Slide
from pptarena.rewards.matching.assignment import assign
from pptarena.rewards.matching.likeness import slide_likeness
from pptarena.rewards.matching.pairing import pair_equal, rest
from pptarena.rewards.matching.sequences import opcodes
from pptarena.rewards.matching.shapes import content_key, full_key

__all__ = ["match_slides"]

SLIDE_THRESHOLD = 0.4
_PLACE_WEIGHT = 0.25
_MAX_SLIDE_COMPARISONS = 10_000

_Pairs = list[tuple[int, int]]


def match_slides(original: Sequence[Slide], current: Sequence[Slide]) -> _Pairs:
    """Return index before and index now of each slide that is in both decks."""
    pairs = _equal_slides(original, current)
    pairs = pairs + _alike_slides(original, current, pairs)
    return pairs + _in_between(original, current, pairs)


def _equal_slides(original: Sequence[Slide], current: Sequence[Slide]) -> _Pairs:
    """Return slides of equal content, in order where they can be."""
    before = [_fingerprint(slide) for slide in original]
    now = [_fingerprint(slide) for slide in current]
    pairs: _Pairs = []
    if len(set(before)) < len(before) or len(set(now)) < len(now):
        # Copies of a slide are told apart by how they look.
        looks, looks_now = ([_looks(slide) for slide in side] for side in (original, current))
        pairs = _in_order(looks, looks_now, pairs)
    return _in_order(before, now, pairs)


def _in_order(before: Sequence[Hashable], now: Sequence[Hashable], pairs: _Pairs) -> _Pairs:
    """Return `pairs` and those of the others that have equal keys, first those in order."""
    rows = rest(len(before), (i for i, _ in pairs))
    columns = rest(len(now), (j for _, j in pairs))
    found = list(pairs)
    for tag, i1, i2, j1, _ in opcodes([before[i] for i in rows], [now[j] for j in columns]):
        if tag == "equal":
            found += [(rows[i1 + k], columns[j1 + k]) for k in range(i2 - i1)]
    return pair_equal(before, now, found)


def _alike_slides(original: Sequence[Slide], current: Sequence[Slide], pairs: _Pairs) -> _Pairs:
    """Return pairs of the slides that are left, by likeness and by what they stand between."""
    rows = rest(len(original), (i for i, _ in pairs))
    columns = rest(len(current), (j for _, j in pairs))
    if len(rows) * len(columns) > _MAX_SLIDE_COMPARISONS:
        titles, titles_now = ([slide.title or None for slide in s] for s in (original, current))
        found = pair_equal(titles, titles_now, pairs, unique=True)[len(pairs) :]
        rows = rest(len(original), (i for i, _ in (*pairs, *found)))
        columns = rest(len(current), (j for _, j in (*pairs, *found)))
        return found + (list(zip(rows, columns, strict=True)) if len(rows) == len(columns) else [])
    near = _Neighbours(pairs, len(original), len(current))
    table = [
        [
            (1 - _PLACE_WEIGHT) * slide_likeness(original[i], current[j])
            + _PLACE_WEIGHT * near.likeness(i, j)
            for j in columns
        ]
        for i in rows
    ]
    return [(rows[i], columns[j]) for i, j in assign(table, SLIDE_THRESHOLD)]


def _in_between(original: Sequence[Slide], current: Sequence[Slide], pairs: _Pairs) -> _Pairs:
    """Return slides between the same neighbours with the same layout: all on them was edited."""
    near = _Neighbours(pairs, len(original), len(current))
    rows = rest(len(original), (i for i, _ in pairs))
    columns = set(rest(len(current), (j for _, j in pairs)))
    found = []
    for i in rows:
        j = near.between(i)
        if j in columns and original[i].layout.casefold() == current[j].layout.casefold():
            found.append((i, j))
    return found


class _Neighbours:
    """Whether two unmatched slides stand between the same matched ones."""

    def __init__(self, pairs: Sequence[tuple[int, int]], before: int, now: int) -> None:
        # Both ends of the show count as matched neighbours.
        self._to_current = {**dict(pairs), -1: -1, before: now}

    def between(self, i: int) -> int:
        """Return the only place between the neighbours of a slide, -1 if there is none."""
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
    return tuple(content_key(shape) for shape in slide.shapes if not shape.shows_nothing)


def _looks(slide: Slide) -> Hashable:
    shapes = tuple(
        (
            full_key(s),
            s.fill,
            s.line,
            s.geometry,
            tuple(r.style for p in s.paragraphs for r in p.runs),
        )
        for s in slide.shapes
    )
    return shapes, slide.notes, slide.layout, slide.background, slide.transition
