from typing import Any

import pytest

pytestmark = pytest.mark.slow


def _comments(slide: int, *comments: tuple[str, bool]) -> Any:
    return lambda lab, deck: lab.more.set_comments(deck, slide, *comments)


SUMS, NICE = ("Check the sums", False), ("Nice table", False)
ASK = {"slide": 3, "text": "Which year is this", "author": "Ada"}
ON_SLIDE_2 = {"slide": 2}

CASES = [
    ("comment_exists", ASK, _comments(3, ("Which year is this?", False)), 1, 1),
    ("comment_exists", ASK, _comments(3, ("Which year", False)), 0.3, 0.9),
    ("comment_exists", ASK | {"author": None}, _comments(3, ("Fine", False)), 0, 0),
    ("comment_exists", {"slide": 2}, _comments(2, SUMS, NICE, ("More", False)), 1, 1),
    ("comment_none", ON_SLIDE_2, _comments(2), 1, 1),
    ("comment_none", ON_SLIDE_2, _comments(2, NICE), 0.5, 0.5),
    ("comment_none", ON_SLIDE_2 | {"text": "sums"}, _comments(2, NICE), 1, 1),
    ("comment_none", ON_SLIDE_2 | {"text": "sums"}, _comments(2), 0, 0),
    ("comment_none", ON_SLIDE_2, _comments(2, NICE, SUMS, SUMS), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)
