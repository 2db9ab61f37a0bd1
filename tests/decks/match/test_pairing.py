from pptarena.decks.match.pairing import pair_equal, rest


def test_equal_keys_are_paired_in_order() -> None:
    assert sorted(pair_equal("abca", "acab")) == [(0, 0), (1, 3), (2, 1), (3, 2)]


def test_what_is_paired_stays_paired_and_comes_first() -> None:
    assert pair_equal("aa", "aa", [(0, 1)]) == [(0, 1), (1, 0)]


def test_none_pairs_with_nothing() -> None:
    assert pair_equal([None, "a"], [None, "a"]) == [(1, 1)]


def test_unique_keys_only() -> None:
    assert pair_equal("aab", "ab", unique=True) == [(2, 1)]


def test_the_rest_is_what_is_not_taken() -> None:
    assert rest(4, [2, 0]) == [1, 3]
    assert rest(0, []) == []
