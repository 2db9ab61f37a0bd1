from typing import Any


def _nodes(*nodes: tuple[int, str]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.more.set_diagram(deck, 5, *nodes)

    return edit


TEXTS = {"slide": 5, "texts": ["Test", "Ship it"]}

CASES = [
    ("diagram_contains", TEXTS, _nodes((0, "Test"), (0, "Ship it")), 1, 1),
    ("diagram_contains", TEXTS, _nodes((0, "Plan"), (0, "Test")), 0.5, 0.5),
    ("diagram_contains", TEXTS, _nodes((0, "Plan")), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(CASES)
