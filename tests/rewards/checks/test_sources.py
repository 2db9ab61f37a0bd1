from typing import Any

import pytest

pytestmark = pytest.mark.slow


def _write(text: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 1, "Motto").text_frame.text = text

    return edit


# Slide 2 contains "Figures", "City", "Costs", "Staff", "Rome", "Oslo" and "Lima".
MOTTO = {"slide": 1, "shape": "Motto", "sources": [2]}
MIXED = "Figures, costs of staff, and velvet umbrella banjo"

CASES = [
    ("words_from", MOTTO, _write("Figures: costs of staff in Rome"), 1, 1),
    ("words_from", MOTTO, _write("The staffing cost figured"), 1, 1),  # other endings
    ("words_from", MOTTO, _write(MIXED), 0.5, 0.8),  # half of its words, and 0.6 are required
    ("words_from", MOTTO | {"share": 1}, _write(MIXED), 0, 0),
    ("words_from", MOTTO | {"sources": [2, 5]}, _write("Costs of staff, and a budget"), 1, 1),
    ("words_from", MOTTO, _write("Velvet umbrella banjo"), 0, 0),
    ("words_from", MOTTO, _write(""), 0, 0),
    ("words_from", MOTTO, _write("a to 12, of"), 0, 0),
]


def test_scores_are_in_range(rich_scorer: Any) -> None:
    rich_scorer.assert_edited_scores(CASES)
