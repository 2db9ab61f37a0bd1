from pptarena.decks.match.pairing import pair_equal, unused_positions


def test_equal_keys_are_paired_in_order() -> None:
    assert sorted(pair_equal("abca", "acab")) == [(0, 0), (1, 3), (2, 1), (3, 2)]
    assert pair_equal([None, "a"], [None, "a"]) == [(1, 1)]
    assert pair_equal("aab", "ab", unique=True) == [(2, 1)]


def test_existing_pairs_are_kept_and_come_first() -> None:
    assert pair_equal("aa", "aa", [(0, 1)]) == [(0, 1), (1, 0)]


def test_unused_positions() -> None:
    assert unused_positions(4, [2, 0]) == [1, 3]
    assert unused_positions(0, []) == []
