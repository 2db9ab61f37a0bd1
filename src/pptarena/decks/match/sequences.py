"""Compare two sequences in bounded time.

`difflib` needs quadratic to cubic time on long sequences: minutes for a deck with 10,000
paragraphs. Long sequences are therefore aligned by items that occur exactly once in both.
"""

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

__all__ = ["Opcode", "assign", "common_start", "longest_increasing", "matching_blocks", "opcodes"]

_MAX_EXACT = 80


def assign(likeness: Sequence[Sequence[float]], threshold: float) -> list[tuple[int, int]]:
    """Return pairs (row, column) with the greatest total likeness, each in at most one pair.

    Args:
        likeness: One row per item of the first set; values in [0, 1].
        threshold: Least likeness of a pair.

    Returns:
        Pairs by row. With more than 80 items on a side, a greedy algorithm is used, which is fast
        but may miss the optimum.
    """
    rows, columns = len(likeness), len(likeness[0]) if likeness else 0
    if not rows or not columns:
        return []
    if max(rows, columns) > _MAX_EXACT:
        return _greedy(likeness, threshold)
    size = max(rows, columns)
    cost = [
        [
            1.0 - likeness[i][j]
            if i < rows and j < columns and likeness[i][j] >= threshold
            else 1.0
            for j in range(size)
        ]
        for i in range(size)
    ]
    pairs = enumerate(_hungarian(cost))
    return [(i, j) for i, j in pairs if i < rows and j < columns and likeness[i][j] >= threshold]


def longest_increasing(values: Sequence[int], weights: Sequence[float] | None = None) -> set[int]:
    """Return the positions of the heaviest increasing subsequence.

    Args:
        values: Distinct numbers.
        weights: Weight of each value, by default 1. Ties are resolved in favor of the first.
    """
    if len(values) > 1 and all(a < b for a, b in itertools.pairwise(values)):
        return set(range(len(values)))
    heavy = list(weights) if weights is not None else [1.0] * len(values)
    ranks = {value: rank for rank, value in enumerate(sorted(values), start=1)}
    best: list[float] = []
    before: list[int] = []
    tops = _Tops(len(values))
    for i, value in enumerate(values):
        top, link = tops.below(ranks[value])
        best.append(top + heavy[i])
        before.append(link)
        tops.put(ranks[value], best[i], i)
    kept: set[int] = set()
    at = max(range(len(values)), key=best.__getitem__, default=-1)
    while at >= 0:
        kept.add(at)
        at = before[at]
    return kept


class _Tops:
    """Heaviest sequences by the rank of their last value: a Fenwick tree of prefix maxima."""

    def __init__(self, count: int) -> None:
        self._cells: list[tuple[float, int]] = [(0.0, 1)] * (count + 1)

    def below(self, rank: int) -> tuple[float, int]:
        """Return weight and end of the heaviest sequence that ends below a rank."""
        rank -= 1
        found = (0.0, 1)
        while rank > 0:
            found = max(found, self._cells[rank])
            rank -= rank & -rank
        # Ends are stored negated, so that the first of equal weights is the maximum.
        return found[0], -found[1]

    def put(self, rank: int, weight: float, end: int) -> None:
        """Add a sequence with a weight that ends with a rank at a position."""
        while rank < len(self._cells):
            self._cells[rank] = max(self._cells[rank], (weight, -end))
            rank += rank & -rank


def _greedy(likeness: Sequence[Sequence[float]], threshold: float) -> list[tuple[int, int]]:
    ranked = sorted(
        (-value, i, j)
        for i, row in enumerate(likeness)
        for j, value in enumerate(row)
        if value >= threshold
    )
    rows: set[int] = set()
    columns: set[int] = set()
    pairs = []
    for _, i, j in ranked:
        if i not in rows and j not in columns:
            rows.add(i)
            columns.add(j)
            pairs.append((i, j))
    return sorted(pairs)


def _hungarian(cost: list[list[float]]) -> list[int]:
    """Return the column of each row in the minimum-cost assignment of a square matrix.

    Kuhn-Munkres algorithm with potentials, in cubic time.
    """
    size = len(cost)
    row_potential = [0.0] * (size + 1)
    column_potential = [0.0] * (size + 1)
    row_of = [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0] = row
        _augment(cost, row_potential, column_potential, row_of)
    columns = [0] * size
    for column in range(1, size + 1):
        columns[row_of[column] - 1] = column - 1
    return columns


def _augment(
    cost: list[list[float]],
    row_potential: list[float],
    column_potential: list[float],
    row_of: list[int],
) -> None:
    """Add one row (in ``row_of[0]``) to the assignment. All indexes count from 1."""
    size = len(cost)
    slack = [float("inf")] * (size + 1)
    path = [0] * (size + 1)
    done = [False] * (size + 1)
    column = 0
    while True:
        done[column] = True
        row, delta, following = row_of[column], float("inf"), 0
        for j in range(1, size + 1):
            if done[j]:
                continue
            reduced = cost[row - 1][j - 1] - row_potential[row] - column_potential[j]
            if reduced < slack[j]:
                slack[j], path[j] = reduced, column
            if slack[j] < delta:
                delta, following = slack[j], j
        for j in range(size + 1):
            if done[j]:
                row_potential[row_of[j]] += delta
                column_potential[j] -= delta
            else:
                slack[j] -= delta
        column = following
        if row_of[column] == 0:
            break
    while column:
        row_of[column] = row_of[path[column]]
        column = path[column]


Opcode = tuple[str, int, int, int, int]
Block = tuple[int, int, int]

# Largest product of lengths (400 by 400) that is compared by `difflib`.
_MAX_TABLE = 160_000


def opcodes(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Opcode]:
    """Return how to turn the first sequence into the second, in the format of `difflib`.

    Each item is (tag, start and end in `first`, start and end in `second`) with the tag ``equal``,
    ``replace``, ``delete`` or ``insert``.
    """
    found: list[Opcode] = []
    i = j = 0
    for start, other, size in [*matching_blocks(first, second), (len(first), len(second), 0)]:
        if i < start or j < other:
            tag = "replace" if i < start and j < other else "delete" if i < start else "insert"
            found.append((tag, i, start, j, other))
        i, j = start + size, other + size
        if size:
            found.append(("equal", start, i, other, j))
    return found


def matching_blocks(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Block]:
    """Return the common stretches in order, as (start in first, start in second, length)."""
    if len(first) * len(second) <= _MAX_TABLE:
        return _exact(first, second, 0, 0)
    shorter = min(len(first), len(second))
    ahead = common_start(first, second, shorter)
    behind = common_start(first[::-1], second[::-1], shorter - ahead)
    ends = len(first) - behind, len(second) - behind
    middle = _by_anchors(first[ahead : ends[0]], second[ahead : ends[1]])
    blocks = [(0, 0, ahead), *((i + ahead, j + ahead, n) for i, j, n in middle), (*ends, behind)]
    return _joined(blocks)


def _exact(
    first: Sequence[Hashable], second: Sequence[Hashable], shift_i: int, shift_j: int
) -> list[Block]:
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return [(b.a + shift_i, b.b + shift_j, b.size) for b in blocks if b.size]


def common_start(first: Sequence[Hashable], second: Sequence[Hashable], limit: int) -> int:
    """Return the length of the common prefix, at most `limit`."""
    for position in range(limit):
        if first[position] != second[position]:
            return position
    return limit


def _by_anchors(first: Sequence[Hashable], second: Sequence[Hashable]) -> Iterator[Block]:
    """Yield unique items in the same order as anchors, and exact matches of short gaps."""
    once = _unique_pairs(first, second)
    anchors = longest_increasing([j for _, j in once])
    edges = [(-1, -1), *(once[at] for at in sorted(anchors)), (len(first), len(second))]
    for (i, j), (next_i, next_j) in pairwise(edges):
        if i >= 0:
            yield i, j, 1
        left, right = first[i + 1 : next_i], second[j + 1 : next_j]
        if left and right and len(left) * len(right) <= _MAX_TABLE:
            yield from _exact(left, right, i + 1, j + 1)


def _unique_pairs(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    counts, other_counts = Counter(first), Counter(second)
    places = {thing: j for j, thing in enumerate(second)}
    return [
        (i, places[thing])
        for i, thing in enumerate(first)
        if counts[thing] == 1 and other_counts[thing] == 1
    ]


def _joined(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks without empty ones; adjacent blocks are merged."""
    found: list[Block] = []
    for i, j, size in blocks:
        if not size:
            continue
        if found and (found[-1][0] + found[-1][2], found[-1][1] + found[-1][2]) == (i, j):
            found[-1] = (found[-1][0], found[-1][1], found[-1][2] + size)
        else:
            found.append((i, j, size))
    return found
