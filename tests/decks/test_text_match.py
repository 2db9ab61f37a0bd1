from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import check_work

from pptarena.decks.text_match import contains, only_signs_differ, share_found, text_share


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        ("a b c", "b c", 1.0),
        ("a b c", "B  C", 1.0),
        ("a b c", "c d", 0.4),
        ("a b c", "c b", 0.4),
        ("", "a", 0.0),
    ],
)
def test_share_found(text: str, wanted: str, expected: float) -> None:
    assert share_found(text, wanted, match_case=False) == pytest.approx(expected)


def test_case_counts_when_asked_for() -> None:
    assert not contains("Acme", "acme", match_case=True)
    assert contains("Acme", "acme", match_case=False)
    assert text_share("Acme", "acme", match_case=True) < 1


def test_paragraphs_count() -> None:
    assert text_share("a\nb", "a b", match_case=True) < 1
    assert text_share("a\n\nb ", "a\nb", match_case=True) == 1


@pytest.mark.slow
@given(st.text(max_size=40), st.text(max_size=40))
def test_shares_are_bounded_and_full_only_for_the_same(first: str, second: str) -> None:
    assert 0 <= text_share(first, second, match_case=False) <= 1
    assert 0 <= share_found(first, second, match_case=False) <= 1
    assert text_share(first, first, match_case=True) == 1


def test_long_texts_take_linear_time() -> None:
    def work(size: int) -> Callable[[], float]:
        return lambda: text_share("word " * size, "other word " * size, match_case=False)

    check_work(work, 20_000)
    assert work(20_000)() > 0


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Tents are now our largest line", 1, 1),
        ('"Tents are now our largest line"', 0.7, 0.9),
        ("Tents are now our largest part", 0.7, 0.9),
        ("Tents overtook footwear Tents are now our largest line", 0.3, 0.5),
        ("One two three four five six Tents are now our largest line", 0.2, 0.5),
        ("Footwear", 0, 0),
    ],
)
def test_words_that_are_too_many_cost_more_than_signs(text: str, low: float, high: float) -> None:
    share = text_share(text, "Tents are now our largest line", match_case=True)
    assert low <= share <= high


def test_a_misspelt_word_is_half_a_word() -> None:
    wanted = "Internal Medicine"
    misspelt = text_share("Internal Medecine", wanted, match_case=True)
    assert text_share("Internal affairs", wanted, match_case=True) < misspelt < 0.9
    assert share_found("see Internal Medecine", wanted, match_case=True) == pytest.approx(0.6)
    assert text_share("Ward 1235", "Ward 1234", match_case=True) == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("text", "wanted", "same"),
    [
        ("\u4e94\u5206, \u4f50\u85e4", "\u4e94\u5206\u3001\u4f50\u85e4", True),
        ("Plan: of the day!", "Plan of the day", True),
        ("From 1.5 on", "From 15 on", False),
        ("From -5 on", "From 5 on", False),
        ("From \u20ac5 on", "From $5 on", False),
        ("Plan of the night", "Plan of the day", False),
        ("...", "!!!", False),
    ],
)
def test_signs_differ_only_where_words_and_numbers_are_the_same(
    text: str, wanted: str, same: bool
) -> None:
    assert only_signs_differ(text, wanted, match_case=True) == same


def test_a_text_with_the_whole_wanted_one_and_some_more_is_nearly_half_of_it() -> None:
    wanted = "Fees both grew"
    assert text_share("Income grew: Fees both grew", wanted, match_case=True) >= 0.45
    assert text_share("a b c d e f g h " + wanted, wanted, match_case=True) < 0.45
