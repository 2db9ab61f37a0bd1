"""Pair equal items of two sequences, in order."""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence, Sized

from pptarena.decks.match.sequences import longest_increasing, matching_blocks

__all__ = ["pair_equal", "pair_in_place", "rest", "segments", "unpaired"]


def pair_equal(
    before: Sequence[Hashable],
    after: Sequence[Hashable],
    pairs: Iterable[tuple[int, int]] = (),
    *,
    unique: bool = False,
) -> list[tuple[int, int]]:
    """Return pairs of positions with equal keys, the first with the first and so on.

    Args:
        before: Keys of the first sequence; None matches nothing.
        after: Keys of the second sequence.
        pairs: Positions that are already paired; they come first in the result.
        unique: Whether to pair only keys that remain exactly once in each sequence.
    """
    found = list(pairs)
    taken_before, taken_after = {i for i, _ in found}, {j for _, j in found}
    waiting: dict[Hashable, deque[int]] = defaultdict(deque)
    for j, key in enumerate(after):
        if j not in taken_after and key is not None:
            waiting[key].append(j)
    asking: dict[Hashable, list[int]] = defaultdict(list)
    for i, key in enumerate(before):
        if i not in taken_before and key in waiting:
            asking[key].append(i)
    for key, positions in asking.items():
        if not unique or len(positions) == len(waiting[key]) == 1:
            found += zip(positions, waiting[key], strict=False)
    return found


def unpaired(
    before: Sized, after: Sized, pairs: Iterable[tuple[int, int]]
) -> tuple[list[int], list[int]]:
    """Return the positions of two sequences that are in none of the pairs."""
    found = list(pairs)
    return rest(len(before), (i for i, _ in found)), rest(len(after), (j for _, j in found))


def rest(count: int, taken: Iterable[int]) -> list[int]:
    """Return the positions below `count` that are not in `taken`."""
    used = set(taken)
    return [i for i in range(count) if i not in used]


# Largest product of lengths (100 by 100) that is aligned exactly.
_MAX_EXACT = 10_000

_Pairs = list[tuple[int, int]]
_Stretch = tuple[list[int], list[int]]


def pair_in_place(
    before: Sequence[Hashable], after: Sequence[Hashable], pairs: Sequence[tuple[int, int]] = ()
) -> _Pairs:
    """Return pairs of positions with equal keys; those of `pairs` come first.

    Copies with an ambiguous position, because another copy may have been edited, stay unpaired.

    Args:
        before: Keys of the first sequence; None matches nothing.
        after: Keys of the second sequence.
        pairs: Positions that are already paired.
    """
    numbers: dict[Hashable, int] = {}
    before, after = (_numbered(side, numbers) for side in (before, after))
    anchored = pair_equal(before, after, pairs, unique=True)
    if len(anchored) - len(pairs) == min(len(before), len(after)):
        return anchored
    gained: Counter[Hashable] = Counter(after)
    gained.subtract(Counter(before))
    for rows, columns in segments(len(before), len(after), anchored):
        anchored += _paired(before, after, rows, columns, gained)
    if _moves(before, after, anchored) == 0:
        return anchored
    # Unique items may have moved while copies stayed in place.
    rows, columns = unpaired(before, after, pairs)
    in_order = [*pairs, *_paired(before, after, rows, columns, gained)]
    return min(anchored, in_order, key=lambda found: _moves(before, after, found))


def _numbered(keys: Sequence[Hashable], numbers: dict[Hashable, int]) -> list[Hashable]:
    """Return a number for each key, so that long keys are hashed only once."""
    return [None if key is None else numbers.setdefault(key, len(numbers)) for key in keys]


def _moves(before: Sequence[Hashable], after: Sequence[Hashable], pairs: _Pairs) -> int:
    """Return the number of moved items if all remaining equal keys are paired too."""
    every = sorted(pair_equal(before, after, pairs))
    return len(every) - len(longest_increasing([j for _, j in every]))


def segments(count: int, count_after: int, pairs: Sequence[tuple[int, int]]) -> list[_Stretch]:
    """Return the unpaired positions between pairs that kept their order."""
    ordered = sorted(pairs)
    kept = longest_increasing([j for _, j in ordered])
    fixed = [pair for at, pair in enumerate(ordered) if at in kept]
    taken, taken_after = {i for i, _ in pairs}, {j for _, j in pairs}
    found: list[_Stretch] = []
    start = other = 0
    for i, j in [*fixed, (count, count_after)]:
        rows = [at for at in range(start, i) if at not in taken]
        columns = [at for at in range(other, j) if at not in taken_after]
        found.append((rows, columns))
        start, other = i + 1, j + 1
    return found


def _paired(
    before: Sequence[Hashable],
    after: Sequence[Hashable],
    rows: list[int],
    columns: list[int],
    gained: Counter[Hashable],
) -> Iterator[tuple[int, int]]:
    head = _alike(before, after, rows, columns)
    yield from zip(rows[:head], columns[:head], strict=True)
    rows, columns = rows[head:], columns[head:]
    tail = _alike(before, after, rows[::-1], columns[::-1])
    yield from zip(rows[len(rows) - tail :], columns[len(columns) - tail :], strict=True)
    rows, columns = rows[: len(rows) - tail], columns[: len(columns) - tail]
    if not rows or not columns:
        return
    keys, keys_after = [before[i] for i in rows], [after[j] for j in columns]
    yield from ((rows[i], columns[j]) for i, j in _aligned(keys, keys_after, gained))


def _aligned(
    first: Sequence[Hashable], second: Sequence[Hashable], gained: Counter[Hashable]
) -> Iterator[tuple[int, int]]:
    """Yield positions of equal keys in order, with the fewest additions, removals and edits."""
    if len(first) * len(second) <= _MAX_EXACT:
        yield from _fewest_edits(first, second, gained)
        return
    places = list(enumerate(zip(first, second, strict=False)))
    there = [(i, i) for i, (a, b) in places if a == b and a is not None]
    blocks = matching_blocks(first, second)
    followed = [(i + k, j + k) for i, j, n in blocks for k in range(n) if first[i + k] is not None]
    yield from there if len(first) == len(second) and len(there) >= len(followed) else followed


def _fewest_edits(
    first: Sequence[Hashable], second: Sequence[Hashable], gained: Counter[Hashable]
) -> Iterator[tuple[int, int]]:
    """Yield the equal pairs of a Wagner-Fischer alignment.

    A substitution costs one edit only if the old key became rarer and the new key more frequent;
    otherwise an item moved, which costs a removal and an insertion.
    """
    costs = [list(range(len(second) + 1))]
    for i, key in enumerate(first):
        row = [i + 1]
        for j, other in enumerate(second):
            edit = _edit_cost(key, other, gained)
            row.append(min(costs[i][j] + edit, costs[i][j + 1] + 1, row[j] + 1))
        costs.append(row)
    i, j = len(first), len(second)
    while i and j:
        key, other = first[i - 1], second[j - 1]
        if costs[i][j] == costs[i - 1][j - 1] + _edit_cost(key, other, gained):
            i, j = i - 1, j - 1
            if key == other and key is not None:
                yield i, j
        elif costs[i][j] == costs[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1


def _edit_cost(key: Hashable, other: Hashable, gained: Counter[Hashable]) -> int:
    if key is None or other is None:
        return 1
    if key == other:
        return 0
    return 1 if gained[key] < 0 < gained[other] else 2


def _alike(
    before: Sequence[Hashable],
    after: Sequence[Hashable],
    rows: Sequence[int],
    columns: Sequence[int],
) -> int:
    """Return the length of the common prefix of two stretches."""
    count = 0
    for i, j in zip(rows, columns, strict=False):
        if before[i] != after[j] or before[i] is None:
            break
        count += 1
    return count
