"""Sequence comparison: equal to `difflib` for short sequences, in bounded time for long ones."""

import random
from collections.abc import Callable
from difflib import SequenceMatcher

import pytest
from tests.each_case import each_case
from tests.growth import check_work

from pptarena.decks.match.sequences import matching_blocks, opcodes

Pair = tuple[list[int], list[int]]


def _rebuilt(first: list[int], second: list[int]) -> list[int]:
    result: list[int] = []
    i = j = 0
    for tag, i1, i2, j1, j2 in opcodes(first, second):
        assert (i1, j1) == (i, j)
        result += first[i1:i2] if tag == "equal" else second[j1:j2]
        i, j = i2, j2
    assert (i, j) == (len(first), len(second))
    return result


@each_case("seed", range(20))
def test_short_sequences_are_compared_as_difflib_does(seed: int) -> None:
    rng = random.Random(seed)
    first, second = ([rng.randrange(9) for _ in range(rng.randrange(30))] for _ in "ab")
    expected = SequenceMatcher(None, first, second, autojunk=False).get_opcodes()
    assert opcodes(first, second) == expected


@each_case("alphabet_size", [1, 2, 50, 10_000])
@each_case("seed", range(3))
def test_opcodes_transform_long_sequences(alphabet_size: int, seed: int) -> None:
    rng = random.Random(seed)
    first, second = ([rng.randrange(alphabet_size) for _ in range(900)] for _ in "ab")
    assert _rebuilt(first, second) == second


def test_edits_of_a_long_sequence_are_located() -> None:
    first = list(range(5_000))
    second = [*first[:100], -1, *first[101:3_000], *first[3_100:], -2]
    edits = [code for code in opcodes(first, second) if code[0] != "equal"]
    assert edits == [
        ("replace", 100, 101, 100, 101),
        ("delete", 3000, 3100, 3000, 3000),
        ("insert", 5000, 5000, 4900, 4901),
    ]


PAIRS: dict[str, Callable[[int], Pair]] = {
    "equal": lambda size: ([0] * size, [0] * (size - size // 20)),
    "framed": lambda size: ([0] * size, [1, *[0] * (size - size // 20), 1]),
    "reversed": lambda size: (list(range(size)), list(range(size))[::-1]),
    "every second": lambda size: ([n if n % 2 else -n for n in range(size)], list(range(size))),
    "pattern": lambda size: ([0, 1] * (size // 2), [1, 0, 0] * (3 * size // 10)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_long_sequences_take_linear_time(name: str) -> None:
    def work(size: int) -> Callable[[], list[int]]:
        pair = PAIRS[name](size)
        return lambda: _rebuilt(*pair)

    check_work(work, 80_000)
    assert work(20_000)() == PAIRS[name](20_000)[1]


def test_adjacent_blocks_are_joined() -> None:
    first = list(range(1_000))
    assert matching_blocks(first, first) == [(0, 0, 1000)]
