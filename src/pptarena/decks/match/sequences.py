"""Compare two sequences in bounded time.

`difflib` needs quadratic to cubic time on long sequences: minutes for a deck with 10,000
paragraphs. Long sequences are therefore aligned by items that occur exactly once in both.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from pptarena.decks.match.assignment import longest_increasing

__all__ = ["Opcode", "matching_blocks", "opcodes"]

Opcode = tuple[str, int, int, int, int]
Block = tuple[int, int, int]

# Largest product of lengths (400 by 400) that is compared by `difflib`.
_MAX_EXACT = 160_000


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
    if len(first) * len(second) <= _MAX_EXACT:
        return _exact(first, second, 0, 0)
    shorter = min(len(first), len(second))
    ahead = _common(first, second, shorter)
    behind = _common(first[::-1], second[::-1], shorter - ahead)
    ends = len(first) - behind, len(second) - behind
    middle = _by_anchors(first[ahead : ends[0]], second[ahead : ends[1]])
    blocks = [(0, 0, ahead), *((i + ahead, j + ahead, n) for i, j, n in middle), (*ends, behind)]
    return _joined(blocks)


def _exact(
    first: Sequence[Hashable], second: Sequence[Hashable], shift_i: int, shift_j: int
) -> list[Block]:
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return [(b.a + shift_i, b.b + shift_j, b.size) for b in blocks if b.size]


def _common(first: Sequence[Hashable], second: Sequence[Hashable], limit: int) -> int:
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
        if left and right and len(left) * len(right) <= _MAX_EXACT:
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
