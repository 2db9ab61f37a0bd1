"""Pair equal items of two sequences, in order."""

from collections import Counter, defaultdict, deque
from collections.abc import Hashable, Iterable, Iterator, Sequence, Sized

from pptarena.decks.match.sequences import longest_increasing, matching_blocks

__all__ = ["pair_equal", "pair_in_place", "segments", "unpaired", "unused_positions"]


def pair_equal(
    before: Sequence[Hashable],
    after: Sequence[Hashable],
    pairs: Iterable[tuple[int, int]] = (),
    *,
    unique: bool = False,
) -> list[tuple[int, int]]:
    """Return pairs of positions with equal keys, in order.

    Args:
        before: Keys of the first sequence; None matches nothing.
        after: Keys of the second sequence.
        pairs: Positions that are already paired; they come first in the result.
        unique: Whether to pair only keys that remain exactly once in each sequence.
    """
    result = list(pairs)
    used_before, used_after = {i for i, _ in result}, {j for _, j in result}
    available: dict[Hashable, deque[int]] = defaultdict(deque)
    for j, key in enumerate(after):
        if j not in used_after and key is not None:
            available[key].append(j)
    candidates: dict[Hashable, list[int]] = defaultdict(list)
    for i, key in enumerate(before):
        if i not in used_before and key in available:
            candidates[key].append(i)
    for key, positions in candidates.items():
        if not unique or len(positions) == len(available[key]) == 1:
            result += zip(positions, available[key], strict=False)
    return result


def unpaired(
    before: Sized, after: Sized, pairs: Iterable[tuple[int, int]]
) -> tuple[list[int], list[int]]:
    """Return the positions of two sequences that are in none of the pairs."""
    paired = list(pairs)
    return unused_positions(len(before), (i for i, _ in paired)), unused_positions(
        len(after), (j for _, j in paired)
    )


def unused_positions(count: int, used: Iterable[int]) -> list[int]:
    """Return the positions below `count` that are not in `used`."""
    used_positions = set(used)
    return [i for i in range(count) if i not in used_positions]


# Largest product of lengths (100 by 100) that is aligned exactly.
_MAX_EXACT = 10_000

_Pairs = list[tuple[int, int]]
_Segment = tuple[list[int], list[int]]


def pair_in_place(
    before: Sequence[Hashable], after: Sequence[Hashable], pairs: Sequence[tuple[int, int]] = ()
) -> _Pairs:
    """Return pairs of positions with equal keys; those of `pairs` come first.

    Copies stay unpaired if their position is ambiguous because another copy may have been edited.

    Args:
        before: Keys of the first sequence; None matches nothing.
        after: Keys of the second sequence.
        pairs: Positions that are already paired.
    """
    numbers: dict[Hashable, int] = {}
    before, after = (_number_keys(side, numbers) for side in (before, after))
    anchors = pair_equal(before, after, pairs, unique=True)
    if len(anchors) - len(pairs) == min(len(before), len(after)):
        return anchors
    count_changes: Counter[Hashable] = Counter(after)
    count_changes.subtract(Counter(before))
    for rows, columns in segments(len(before), len(after), anchors):
        anchors += _pair_segment(before, after, rows, columns, count_changes)
    if _moves(before, after, anchors) == 0:
        return anchors
    # Unique items may have moved while copies stayed in place.
    rows, columns = unpaired(before, after, pairs)
    in_order = [*pairs, *_pair_segment(before, after, rows, columns, count_changes)]
    return min(anchors, in_order, key=lambda result: _moves(before, after, result))


def _number_keys(keys: Sequence[Hashable], numbers: dict[Hashable, int]) -> list[Hashable]:
    """Return a number for each key, so that long keys are hashed only once."""
    return [None if key is None else numbers.setdefault(key, len(numbers)) for key in keys]


def _moves(before: Sequence[Hashable], after: Sequence[Hashable], pairs: _Pairs) -> int:
    """Return the number of moved items if all remaining equal keys are paired too."""
    all_pairs = sorted(pair_equal(before, after, pairs))
    return len(all_pairs) - len(longest_increasing([j for _, j in all_pairs]))


def segments(count: int, count_after: int, pairs: Sequence[tuple[int, int]]) -> list[_Segment]:
    """Return the unpaired positions between pairs that kept their order."""
    ordered = sorted(pairs)
    in_order = longest_increasing([j for _, j in ordered])
    anchors = [pair for position, pair in enumerate(ordered) if position in in_order]
    used, used_after = {i for i, _ in pairs}, {j for _, j in pairs}
    result: list[_Segment] = []
    start = start_after = 0
    for i, j in [*anchors, (count, count_after)]:
        rows = [position for position in range(start, i) if position not in used]
        columns = [position for position in range(start_after, j) if position not in used_after]
        result.append((rows, columns))
        start, start_after = i + 1, j + 1
    return result


def _pair_segment(
    before: Sequence[Hashable],
    after: Sequence[Hashable],
    rows: list[int],
    columns: list[int],
    count_changes: Counter[Hashable],
) -> Iterator[tuple[int, int]]:
    prefix = _common_prefix(before, after, rows, columns)
    yield from zip(rows[:prefix], columns[:prefix], strict=True)
    rows, columns = rows[prefix:], columns[prefix:]
    suffix = _common_prefix(before, after, rows[::-1], columns[::-1])
    yield from zip(rows[len(rows) - suffix :], columns[len(columns) - suffix :], strict=True)
    rows, columns = rows[: len(rows) - suffix], columns[: len(columns) - suffix]
    if not rows or not columns:
        return
    keys, keys_after = [before[i] for i in rows], [after[j] for j in columns]
    yield from ((rows[i], columns[j]) for i, j in _aligned(keys, keys_after, count_changes))


def _aligned(
    first: Sequence[Hashable], second: Sequence[Hashable], count_changes: Counter[Hashable]
) -> Iterator[tuple[int, int]]:
    """Yield positions of equal keys in order, with the fewest additions, removals and edits."""
    if len(first) * len(second) <= _MAX_EXACT:
        yield from _fewest_edits(first, second, count_changes)
        return
    positions = list(enumerate(zip(first, second, strict=False)))
    same_position = [(i, i) for i, (a, b) in positions if a == b and a is not None]
    blocks = matching_blocks(first, second)
    aligned = [(i + k, j + k) for i, j, n in blocks for k in range(n) if first[i + k] is not None]
    yield from (
        same_position
        if len(first) == len(second) and len(same_position) >= len(aligned)
        else aligned
    )


def _fewest_edits(
    first: Sequence[Hashable], second: Sequence[Hashable], count_changes: Counter[Hashable]
) -> Iterator[tuple[int, int]]:
    """Yield the equal pairs of a Wagner-Fischer alignment.

    A substitution costs one edit only if the old key became rarer and the new key more frequent;
    otherwise an item moved, which costs a removal and an insertion.
    """
    costs = [list(range(len(second) + 1))]
    for i, key in enumerate(first):
        row = [i + 1]
        for j, other in enumerate(second):
            edit = _edit_cost(key, other, count_changes)
            row.append(min(costs[i][j] + edit, costs[i][j + 1] + 1, row[j] + 1))
        costs.append(row)
    i, j = len(first), len(second)
    while i and j:
        key, other = first[i - 1], second[j - 1]
        if costs[i][j] == costs[i - 1][j - 1] + _edit_cost(key, other, count_changes):
            i, j = i - 1, j - 1
            if key == other and key is not None:
                yield i, j
        elif costs[i][j] == costs[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1


def _edit_cost(key: Hashable, other: Hashable, count_changes: Counter[Hashable]) -> int:
    if key is None or other is None:
        return 1
    if key == other:
        return 0
    return 1 if count_changes[key] < 0 < count_changes[other] else 2


def _common_prefix(
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
