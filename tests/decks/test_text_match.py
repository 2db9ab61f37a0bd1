from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.growth import check_work

from pptarena.decks.text_match import containment, contains, differs_in_punctuation, text_similarity


@pytest.mark.parametrize(
    ("text", "target", "expected"),
    [
        ("a b c", "b c", 1.0),
        ("a b c", "B  C", 1.0),
        ("a b c", "c d", 0.4),
        ("a b c", "c b", 0.4),
        ("", "a", 0.0),
    ],
)
def test_containment_is_the_share_of_target_words(text: str, target: str, expected: float) -> None:
    assert containment(text, target, match_case=False) == pytest.approx(expected)


def test_case_matters_only_with_match_case() -> None:
    assert not contains("Acme", "acme", match_case=True)
    assert contains("Acme", "acme", match_case=False)
    assert text_similarity("Acme", "acme", match_case=True) < 1


def test_paragraph_breaks_matter() -> None:
    assert text_similarity("a\nb", "a b", match_case=True) < 1
    assert text_similarity("a\n\nb ", "a\nb", match_case=True) == 1


@pytest.mark.slow
@given(st.text(max_size=40), st.text(max_size=40))
def test_scores_are_bounded_and_full_for_equal_texts(first: str, second: str) -> None:
    assert 0 <= text_similarity(first, second, match_case=False) <= 1
    assert 0 <= containment(first, second, match_case=False) <= 1
    assert text_similarity(first, first, match_case=True) == 1


def test_long_texts_take_linear_time() -> None:
    def work(size: int) -> Callable[[], float]:
        return lambda: text_similarity("word " * size, "other word " * size, match_case=False)

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
def test_extra_words_lower_similarity_more_than_punctuation(
    text: str, low: float, high: float
) -> None:
    similarity = text_similarity(text, "Tents are now our largest line", match_case=True)
    assert low <= similarity <= high


def test_misspelled_word_counts_about_half() -> None:
    target = "Internal Medicine"
    misspelled = text_similarity("Internal Medecine", target, match_case=True)
    assert text_similarity("Internal affairs", target, match_case=True) < misspelled < 0.9
    assert containment("see Internal Medecine", target, match_case=True) == pytest.approx(0.6)
    assert text_similarity("Ward 1235", "Ward 1234", match_case=True) == pytest.approx(0.45)


@pytest.mark.parametrize(
    ("text", "target", "expected"),
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
def test_punctuation_differs_only_between_equal_words_and_numbers(
    text: str, target: str, expected: bool
) -> None:
    assert differs_in_punctuation(text, target, match_case=True) == expected


def test_text_containing_the_target_scores_nearly_half() -> None:
    target = "Fees both grew"
    assert text_similarity("Income grew: Fees both grew", target, match_case=True) >= 0.45
    assert text_similarity("a b c d e f g h " + target, target, match_case=True) < 0.45
