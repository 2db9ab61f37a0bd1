from typing import Any

import pytest
from pptx import Presentation
from tests.conftest import save
from tests.each_case import each_case
from tests.rewards.checks.conftest import score_check

from pptarena.rewards import read_deck


def _unlink(*texts: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for run in lab.shape_named(deck, 1, "Links").text_frame.paragraphs[0].runs:
            if run.text in texts:
                run.hyperlink.address = None

    return edit


def _delete(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 1, "Links").text_frame.text = ""


LINKS = {"slide": 1, "shape": "Links"}

CASES = [
    ("hyperlink_none", {"slide": 1}, _unlink("Docs", "Shop"), 1, 1),
    ("hyperlink_none", LINKS, _unlink("Docs"), 0.5, 0.5),
    ("hyperlink_none", LINKS, _delete, 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)


def test_deleting_a_linked_shape_is_not_unlinking() -> None:
    deck: Any = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    shape = slide.shapes.add_shape(1, 0, 0, 914_400, 914_400)
    shape.name = "Home"
    shape.click_action.hyperlink.address = "https://example.org"
    before = read_deck(save(deck))
    args = {"slide": 1, "shape": "Home"}
    shape.click_action.hyperlink.address = None
    assert score_check("hyperlink_none", args, before, read_deck(save(deck))).score == 1
    shape._element.getparent().remove(shape._element)
    assert score_check("hyperlink_none", args, before, read_deck(save(deck))).score == 0


URLS = [
    ("https://example.org/our plan", "https://example.org/our%20plan", 1),
    ("https://example.org", "https://example.org/#", 1),
    ("https://EXAMPLE.org:443/%7eada", "https://example.org/~ada", 1),
    ("https://m\u00fcnchen.example/", "https://xn--mnchen-3ya.example", 1),
    ("mailto:ada@example.org?Subject=Hi you", "mailto:ada@example.org?subject=Hi%20you", 1),
    ("https://example.org/plan", "http://example.org/plan", 0.7),
    ("https://example.org/plan", "https://example.org/plan/", 1),
    ("https://example.org/plan", "https://example.org/Plan", 0.7),
    ("https://example.org/plan", "//example.org/plan", 0),
    ("https://example.org/plan", "https://example.org/plans/2025", 0),
    ("https://example.org/plan?a=1", "https://example.org/plan?b=234", 0),
]


@pytest.mark.slow
@each_case("url, address, expected", URLS)
def test_urls_are_compared_by_meaning(url: str, address: str, expected: float) -> None:
    deck: Any = Presentation()
    shape = deck.slides.add_slide(deck.slide_layouts[6]).shapes.add_shape(1, 0, 0, 914_400, 914_400)
    shape.name = "Home"
    before = read_deck(save(deck))
    shape.click_action.hyperlink.address = address
    args = {"slide": 1, "shape": "Home", "url": url}
    assert score_check("hyperlink_is", args, before, read_deck(save(deck))).score == expected
