"""Pair equal items of two sequences, in order."""

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Sequence

__all__ = ["pair_equal", "rest"]


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


def rest(count: int, taken: Iterable[int]) -> list[int]:
    """Return the positions below `count` that are not in `taken`."""
    used = set(taken)
    return [i for i in range(count) if i not in used]
