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


def assign(similarity: Sequence[Sequence[float]], threshold: float) -> list[tuple[int, int]]:
    """Return pairs (row, column) with the greatest total similarity.

    Each row and each column is in at most one pair.

    Args:
        similarity: One row per item of the first set; values in [0, 1].
        threshold: Minimum similarity of a pair.

    Returns:
        Pairs by row. With more than 80 items on a side, a greedy algorithm is used, which is fast
        but may miss the optimum.
    """
    rows, columns = len(similarity), len(similarity[0]) if similarity else 0
    if not rows or not columns:
        return []
    if max(rows, columns) > _MAX_EXACT:
        return _greedy(similarity, threshold)
    size = max(rows, columns)
    cost = [
        [
            1.0 - similarity[i][j]
            if i < rows and j < columns and similarity[i][j] >= threshold
            else 1.0
            for j in range(size)
        ]
        for i in range(size)
    ]
    pairs = enumerate(_hungarian(cost))
    return [(i, j) for i, j in pairs if i < rows and j < columns and similarity[i][j] >= threshold]


def longest_increasing(values: Sequence[int], weights: Sequence[float] | None = None) -> set[int]:
    """Return the positions of the heaviest increasing subsequence.

    Args:
        values: Distinct numbers.
        weights: Weight of each value, by default 1. Ties are resolved in favor of the first.
    """
    if len(values) > 1 and all(a < b for a, b in itertools.pairwise(values)):
        return set(range(len(values)))
    weight_of = list(weights) if weights is not None else [1.0] * len(values)
    ranks = {value: rank for rank, value in enumerate(sorted(values), start=1)}
    best: list[float] = []
    previous: list[int] = []
    maxima = _PrefixMaxima(len(values))
    for i, value in enumerate(values):
        best_weight, best_end = maxima.below(ranks[value])
        best.append(best_weight + weight_of[i])
        previous.append(best_end)
        maxima.put(ranks[value], best[i], i)
    positions: set[int] = set()
    position = max(range(len(values)), key=best.__getitem__, default=-1)
    while position >= 0:
        positions.add(position)
        position = previous[position]
    return positions


class _PrefixMaxima:
    """Heaviest sequences by the rank of their last value: a Fenwick tree of prefix maxima."""

    def __init__(self, count: int) -> None:
        self._cells: list[tuple[float, int]] = [(0.0, 1)] * (count + 1)

    def below(self, rank: int) -> tuple[float, int]:
        """Return weight and end of the heaviest sequence that ends below a rank."""
        rank -= 1
        best = (0.0, 1)
        while rank > 0:
            best = max(best, self._cells[rank])
            rank -= rank & -rank
        # Ends are stored negated, so that the first of equal weights is the maximum.
        return best[0], -best[1]

    def put(self, rank: int, weight: float, end: int) -> None:
        """Add a sequence with a weight that ends with a rank at a position."""
        while rank < len(self._cells):
            self._cells[rank] = max(self._cells[rank], (weight, -end))
            rank += rank & -rank


def _greedy(similarity: Sequence[Sequence[float]], threshold: float) -> list[tuple[int, int]]:
    ranked = sorted(
        (-value, i, j)
        for i, row in enumerate(similarity)
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
        row, delta, next_column = row_of[column], float("inf"), 0
        for j in range(1, size + 1):
            if done[j]:
                continue
            reduced = cost[row - 1][j - 1] - row_potential[row] - column_potential[j]
            if reduced < slack[j]:
                slack[j], path[j] = reduced, column
            if slack[j] < delta:
                delta, next_column = slack[j], j
        for j in range(size + 1):
            if done[j]:
                row_potential[row_of[j]] += delta
                column_potential[j] -= delta
            else:
                slack[j] -= delta
        column = next_column
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
    """Return the edits that turn the first sequence into the second, in the format of `difflib`.

    Each item is (tag, start and end in `first`, start and end in `second`) with the tag ``equal``,
    ``replace``, ``delete`` or ``insert``.
    """
    result: list[Opcode] = []
    i = j = 0
    for start, start_after, size in [*matching_blocks(first, second), (len(first), len(second), 0)]:
        if i < start or j < start_after:
            tag = (
                "replace" if i < start and j < start_after else "delete" if i < start else "insert"
            )
            result.append((tag, i, start, j, start_after))
        i, j = start + size, start_after + size
        if size:
            result.append(("equal", start, i, start_after, j))
    return result


def matching_blocks(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[Block]:
    """Return the common stretches in order, as (start in first, start in second, length)."""
    if len(first) * len(second) <= _MAX_TABLE:
        return _exact(first, second, 0, 0)
    shorter = min(len(first), len(second))
    prefix = common_start(first, second, shorter)
    suffix = common_start(first[::-1], second[::-1], shorter - prefix)
    ends = len(first) - suffix, len(second) - suffix
    middle = _by_anchors(first[prefix : ends[0]], second[prefix : ends[1]])
    blocks = [(0, 0, prefix), *((i + prefix, j + prefix, n) for i, j, n in middle), (*ends, suffix)]
    return _merge_adjacent(blocks)


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
    unique_pairs = _unique_pairs(first, second)
    anchors = longest_increasing([j for _, j in unique_pairs])
    edges = [(-1, -1), *(unique_pairs[at] for at in sorted(anchors)), (len(first), len(second))]
    for (i, j), (next_i, next_j) in pairwise(edges):
        if i >= 0:
            yield i, j, 1
        left, right = first[i + 1 : next_i], second[j + 1 : next_j]
        if left and right and len(left) * len(right) <= _MAX_TABLE:
            yield from _exact(left, right, i + 1, j + 1)


def _unique_pairs(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    counts, other_counts = Counter(first), Counter(second)
    positions = {item: j for j, item in enumerate(second)}
    return [
        (i, positions[item])
        for i, item in enumerate(first)
        if counts[item] == 1 and other_counts[item] == 1
    ]


def _merge_adjacent(blocks: Sequence[Block]) -> list[Block]:
    """Return blocks without empty ones; adjacent blocks are merged."""
    merged: list[Block] = []
    for i, j, size in blocks:
        if not size:
            continue
        if merged and (merged[-1][0] + merged[-1][2], merged[-1][1] + merged[-1][2]) == (i, j):
            merged[-1] = (merged[-1][0], merged[-1][1], merged[-1][2] + size)
        else:
            merged.append((i, j, size))
    return merged
