"""Match the shapes of two slides, layouts or masters.

Ids are unreliable: an application may renumber shapes at every save. Shapes of equal content, name
and position are therefore paired first, in order; the others are paired by similarity. Groups are
paired last, by their members.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

from pptarena.decks import Box, Shape
from pptarena.decks.match.pairing import pair_equal, pair_in_place, unused_positions
from pptarena.decks.match.sequences import assign
from pptarena.decks.match.similarity import box_similarity, shape_similarity
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
        self.to_original = {j: i for i, j in self.pairs}
        self.removed = tuple(i for i in range(original_count) if i not in self.to_current)
        self.added = tuple(i for i in range(current_count) if i not in self.to_original)


def match_shapes(original: Sequence[Shape], current: Sequence[Shape]) -> ShapeMatch:
    """Return the pairs of corresponding shapes of two slides, layouts or masters."""
    if original is current:
        pairs = [(i, i) for i in range(len(original))]
        return ShapeMatch(pairs, len(original), len(current))
    pairs = pair_in_place(_keys(full_key, original), _keys(full_key, current))
    if len(pairs) < min(len(original), len(current)):
        pairs = _pair_nearly_equal(original, current, pairs)
    rows = _unpaired_shapes(original, (i for i, _ in pairs))
    columns = _unpaired_shapes(current, (j for _, j in pairs))
    if len(rows) * len(columns) > _MAX_COMPARISONS:
        pairs = _pair_by_properties(original, current, pairs)
        rows = _unpaired_shapes(original, (i for i, _ in pairs))
        columns = _unpaired_shapes(current, (j for _, j in pairs))
    if rows and columns and len(rows) * len(columns) <= _MAX_COMPARISONS:
        table = [
            [
                shape_similarity(original[i], current[j])
                # Similar copies are paired in order: with a quadratic penalty, the assignment
                # without crossings has the least cost.
                - _ORDER_WEIGHT * (i / len(original) - j / len(current)) ** 2
                for j in columns
            ]
            for i in rows
        ]
        assigned = assign(table, SHAPE_THRESHOLD)
        pairs += [(rows[i], columns[j]) for i, j in assigned]
    pairs += _group_pairs(original, current, pairs)
    return ShapeMatch(pairs, len(original), len(current))


def _unpaired_shapes(shapes: Sequence[Shape], used: Iterable[int]) -> list[int]:
    return [i for i in unused_positions(len(shapes), used) if shapes[i].kind != "group"]


def _keys(key: Callable[[Shape], Hashable], shapes: Sequence[Shape]) -> list[Hashable]:
    return [None if shape.kind == "group" else key(shape) for shape in shapes]


def _pair_nearly_equal(
    original: Sequence[Shape], current: Sequence[Shape], pairs: _Pairs
) -> _Pairs:
    """Return `pairs` and shapes of equal content and name in almost the same position, in order."""
    candidates: dict[Hashable, list[int]] = defaultdict(list)
    for j in _unpaired_shapes(current, (j for _, j in pairs)):
        candidates[content_key(current[j]), current[j].name].append(j)
    result = list(pairs)
    for i in _unpaired_shapes(original, (i for i, _ in pairs)):
        same_content = candidates[content_key(original[i]), original[i].name]
        for position, j in enumerate(same_content[:_MAX_NEAR]):
            if _is_near(original[i].box, current[j].box):
                result.append((i, same_content.pop(position)))
                break
    return result


def _is_near(first: Box, second: Box) -> bool:
    first_sides, second_sides = (
        (box.left, box.top, box.width, box.height) for box in (first, second)
    )
    return near(first_sides, second_sides, LENGTH_TOLERANCE_EMU)


def _pair_by_properties(
    original: Sequence[Shape], current: Sequence[Shape], pairs: _Pairs
) -> _Pairs:
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
    before, after = group_leaves(original), group_leaves(current)
    to_current = dict(pairs)
    current_members = {g: {to_current[i] for i in before[g] if i in to_current} for g in before}
    rows, columns = list(before), list(after)
    group_pairs: _Pairs = []
    if len(rows) * len(columns) > _MAX_COMPARISONS:
        complete = [
            frozenset(current_members[g]) if len(current_members[g]) == len(before[g]) else None
            for g in rows
        ]
        equal = pair_equal(complete, [frozenset(after[h]) for h in columns])
        group_pairs = [(rows[i], columns[j]) for i, j in equal]
        rows = [rows[i] for i in unused_positions(len(rows), (i for i, _ in equal))]
        columns = [columns[j] for j in unused_positions(len(columns), (j for _, j in equal))]
        if len(rows) * len(columns) > _MAX_COMPARISONS:
            return group_pairs
    table = [
        [
            _group_similarity(
                (original[g], current_members[g], len(before[g])), (current[h], after[h])
            )
            for h in columns
        ]
        for g in rows
    ]
    return group_pairs + [(rows[i], columns[j]) for i, j in assign(table, GROUP_THRESHOLD)]


def _group_similarity(before: tuple[Shape, set[int], int], after: tuple[Shape, set[int]]) -> float:
    (old, remaining_members, size), (new, members_now) = before, after
    total = size + len(members_now)
    shared = 2 * len(remaining_members & members_now) / total if total else 1.0
    name = bool(old.name) and old.name == new.name
    level = (old.group is None) is (new.group is None)
    return 0.6 * shared + 0.15 * box_similarity(old.box, new.box) + 0.15 * name + 0.1 * level


def group_leaves(shapes: Sequence[Shape]) -> dict[int, set[int]]:
    """Return the members of each group that are not groups, including those of nested groups."""
    leaves: dict[int, set[int]] = {s.index: set() for s in shapes if s.kind == "group"}
    if not leaves:
        return leaves
    for shape in shapes:
        group = shape.group if shape.kind != "group" else None
        while group is not None:
            leaves[group].add(shape.index)
            group = shapes[group].group
    return leaves


def content_key(shape: Shape) -> Hashable:
    """Return a key for the content of a shape."""
    picture = "" if shape.picture is None else shape.picture.sha256
    text = " ".join(shape.all_text.split())
    kind = "shape" if shape.kind == "text_box" else shape.kind
    return kind, shape.placeholder, text, picture, shape.fingerprint


def full_key(shape: Shape) -> Hashable:
    """Return a key for the content, name and position of a shape."""
    return content_key(shape), shape.name, shape.box
