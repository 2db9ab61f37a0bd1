"""Match the shapes of two slides, layouts or masters.

Ids are unreliable: an application may renumber shapes at every save. Shapes of equal content, name
and position are therefore paired first, in order; the others are paired by similarity. Groups are
paired last, by their members.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from pptarena.decks import Box, Shape
from pptarena.decks.match.likeness import box_likeness, shape_likeness
from pptarena.decks.match.pairing import pair_equal, pair_in_place, rest
from pptarena.decks.match.sequences import assign
from pptarena.decks.match.values import LENGTH_TOLERANCE_EMU, near

__all__ = ["ShapeMatch", "content_key", "full_key", "group_leaves", "match_shapes"]

SHAPE_THRESHOLD = 0.345
GROUP_THRESHOLD = 0.35
_ORDER_WEIGHT = 1e-3
# With more comparisons than this, only shapes with an equal property are paired.
_MAX_COMPARISONS = 40_000
_MAX_NEAR = 200  # candidates of equal content and name that are checked for a close position

_Pairs = list[tuple[int, int]]


class ShapeMatch:
    """Pairs of corresponding shapes of two slides.

    Attributes:
        pairs: The pairs, sorted.
        to_current: Current index by original index.
        to_original: Original index by current index.
        removed: Indexes of original shapes that no longer exist.
        added: Indexes of current shapes that did not exist before.
    """

    def __init__(
        self, pairs: Sequence[tuple[int, int]], original_count: int, current_count: int
    ) -> None:
        self.pairs = tuple(sorted(pairs))
        self.to_current = dict(self.pairs)
        self.to_original = {now: before for before, now in self.pairs}
        self.removed = tuple(i for i in range(original_count) if i not in self.to_current)
        self.added = tuple(i for i in range(current_count) if i not in self.to_original)


def match_shapes(original: Sequence[Shape], current: Sequence[Shape]) -> ShapeMatch:
    """Return the pairs of corresponding shapes of two slides, layouts or masters."""
    if original is current:
        pairs = [(i, i) for i in range(len(original))]
        return ShapeMatch(pairs, len(original), len(current))
    pairs = pair_in_place(_keys(full_key, original), _keys(full_key, current))
    if len(pairs) < min(len(original), len(current)):
        pairs = _nearly_equal(original, current, pairs)
    before_left = _left(original, (i for i, _ in pairs))
    now_left = _left(current, (j for _, j in pairs))
    if len(before_left) * len(now_left) > _MAX_COMPARISONS:
        pairs = _by_whole_parts(original, current, pairs)
        before_left = _left(original, (i for i, _ in pairs))
        now_left = _left(current, (j for _, j in pairs))
    if before_left and now_left and len(before_left) * len(now_left) <= _MAX_COMPARISONS:
        table = [
            [
                shape_likeness(original[i], current[j])
                # Similar copies are paired in order: with a quadratic penalty, the assignment
                # without crossings has the least cost.
                - _ORDER_WEIGHT * (i / len(original) - j / len(current)) ** 2
                for j in now_left
            ]
            for i in before_left
        ]
        found = assign(table, SHAPE_THRESHOLD)
        pairs += [(before_left[row], now_left[column]) for row, column in found]
    pairs += _group_pairs(original, current, pairs)
    return ShapeMatch(pairs, len(original), len(current))


def _left(shapes: Sequence[Shape], taken: Iterable[int]) -> list[int]:
    return [i for i in rest(len(shapes), taken) if shapes[i].kind != "group"]


def _keys(key: Callable[[Shape], Hashable], shapes: Sequence[Shape]) -> list[Hashable]:
    return [None if shape.kind == "group" else key(shape) for shape in shapes]


def _nearly_equal(original: Sequence[Shape], current: Sequence[Shape], pairs: _Pairs) -> _Pairs:
    """Return `pairs` and shapes of equal content and name in almost the same position, in order."""
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for j in _left(current, (j for _, j in pairs)):
        waiting[content_key(current[j]), current[j].name].append(j)
    found = list(pairs)
    for i in _left(original, (i for i, _ in pairs)):
        left = waiting[content_key(original[i]), original[i].name]
        for at, j in enumerate(left[:_MAX_NEAR]):
            if _is_near(original[i].box, current[j].box):
                found.append((i, left.pop(at)))
                break
    return found


def _is_near(first: Box, second: Box) -> bool:
    one, other = ((box.left, box.top, box.width, box.height) for box in (first, second))
    return near(one, other, LENGTH_TOLERANCE_EMU)


def _by_whole_parts(original: Sequence[Shape], current: Sequence[Shape], pairs: _Pairs) -> _Pairs:
    """Pair large numbers of shapes by equal properties, from the most to the least specific."""
    for key, unique in (
        (lambda s: (content_key(s), s.name), True),
        (lambda s: (content_key(s), s.box), False),
        (lambda s: (s.kind, s.name, s.placeholder), True),
        (lambda s: (s.kind, s.box), True),
        (content_key, False),
    ):
        pairs = pair_equal(_keys(key, original), _keys(key, current), pairs, unique=unique)
    return pairs


def _group_pairs(original: Sequence[Shape], current: Sequence[Shape], pairs: _Pairs) -> _Pairs:
    """Return the pairs of corresponding groups, mainly by the share of common members."""
    before, now = group_leaves(original), group_leaves(current)
    to_current = dict(pairs)
    there = {g: {to_current[i] for i in before[g] if i in to_current} for g in before}
    rows, columns = list(before), list(now)
    found: _Pairs = []
    if len(rows) * len(columns) > _MAX_COMPARISONS:
        whole = [frozenset(there[g]) if len(there[g]) == len(before[g]) else None for g in rows]
        equal = pair_equal(whole, [frozenset(now[h]) for h in columns])
        found = [(rows[i], columns[j]) for i, j in equal]
        rows = [rows[i] for i in rest(len(rows), (i for i, _ in equal))]
        columns = [columns[j] for j in rest(len(columns), (j for _, j in equal))]
        if len(rows) * len(columns) > _MAX_COMPARISONS:
            return found
    table = [
        [
            _group_likeness((original[g], there[g], len(before[g])), (current[h], now[h]))
            for h in columns
        ]
        for g in rows
    ]
    return found + [(rows[i], columns[j]) for i, j in assign(table, GROUP_THRESHOLD)]


def _group_likeness(before: tuple[Shape, set[int], int], now: tuple[Shape, set[int]]) -> float:
    (old, still_there, size), (new, members_now) = before, now
    total = size + len(members_now)
    shared = 2 * len(still_there & members_now) / total if total else 1.0
    name = bool(old.name) and old.name == new.name
    level = (old.group is None) is (new.group is None)
    return 0.6 * shared + 0.15 * box_likeness(old.box, new.box) + 0.15 * name + 0.1 * level


def group_leaves(shapes: Sequence[Shape]) -> dict[int, set[int]]:
    """Return the members of each group that are not groups, including those of nested groups."""
    found: dict[int, set[int]] = {s.index: set() for s in shapes if s.kind == "group"}
    if not found:
        return found
    for shape in shapes:
        group = shape.group if shape.kind != "group" else None
        while group is not None:
            found[group].add(shape.index)
            group = shapes[group].group
    return found


def content_key(shape: Shape) -> Hashable:
    """Return a key for the content of a shape."""
    picture = "" if shape.picture is None else shape.picture.sha256
    text = " ".join(shape.all_text.split())
    kind = "shape" if shape.kind == "text_box" else shape.kind
    return kind, shape.placeholder, text, picture, shape.fingerprint


def full_key(shape: Shape) -> Hashable:
    """Return a key for the content, name and position of a shape."""
    return content_key(shape), shape.name, shape.box
