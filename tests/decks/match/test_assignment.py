from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pptarena.decks.match.sequences import assign, longest_increasing

TABLES = st.integers(0, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.integers(0, 10).map(lambda x: x / 10), min_size=columns, max_size=columns),
        max_size=5,
    )
)


def _best(table: list[list[float]], threshold: float) -> float:
    if not table or not table[0]:
        return 0.0
    rows, columns = len(table), len(table[0])
    if rows > columns:
        table = [list(column) for column in zip(*table, strict=True)]
        rows, columns = columns, rows
    return max(
        sum(table[i][j] for i, j in enumerate(order) if table[i][j] >= threshold)
        for order in permutations(range(columns), rows)
    )


@pytest.mark.slow
@given(TABLES, st.sampled_from([0.0, 0.3, 0.7]))
def test_assignment_has_the_maximum_total(table: list[list[float]], threshold: float) -> None:
    pairs = assign(table, threshold)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert all(table[i][j] >= threshold for i, j in pairs)
    assert abs(sum(table[i][j] for i, j in pairs) - _best(table, threshold)) < 1e-9


def test_large_tables_are_paired_greedily() -> None:
    size = 120
    table = [[1.0 if i == j else 0.5 for j in range(size)] for i in range(size)]
    assert assign(table, 0.6) == [(i, i) for i in range(size)]


@pytest.mark.slow
@given(st.permutations(list(range(6))))
def test_longest_increasing_subsequence(values: list[int]) -> None:
    positions = sorted(longest_increasing(values))
    subsequence = [values[i] for i in positions]
    assert subsequence == sorted(subsequence)
    longest = max(
        size
        for size in range(1, 7)
        for subset in combinations(values, size)
        if list(subset) == sorted(subset)
    )
    assert len(positions) == longest


def test_weights_decide_which_item_moved() -> None:
    assert longest_increasing([1, 0], [0.5, 1.0]) == {1}
    assert longest_increasing([1, 0], [1.0, 0.5]) == {0}
    assert longest_increasing([]) == set()
