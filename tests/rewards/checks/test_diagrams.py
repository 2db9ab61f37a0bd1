from typing import Any

import pytest


def _nodes(*nodes: tuple[int, str]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.more.set_diagram(deck, 5, *nodes)

    return edit


def _layout(name: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        _nodes((0, "Plan"))(lab, deck)
        for rel in deck.slides[4].part.rels.values():
            if rel.reltype.endswith("/diagramData"):
                blob = rel.target_part.blob.replace(b"layout/process1", b"layout/" + name.encode())
                rel.target_part._blob = blob

    return edit


TEXTS = {"slide": 5, "texts": ["Test", "Ship it"]}
ORDER = {"slide": 5, "nodes": ["Plan", "Build", "Ship"]}
LEVELS = ORDER | {"levels": [0, 0, 1]}

CASES = [
    ("diagram_contains", TEXTS, _nodes((0, "Test"), (0, "Ship it")), 1, 1),
    ("diagram_contains", TEXTS, _nodes((0, "Plan"), (0, "Test")), 0.5, 0.5),
    ("diagram_contains", TEXTS, _nodes((0, "Plan")), 0, 0),
    ("diagram_nodes_are", ORDER, _nodes((0, "Plan"), (0, "Build"), (0, "Ship")), 1, 1),
    ("diagram_nodes_are", LEVELS, _nodes((0, "Plan"), (0, "Build"), (1, "Ship")), 1, 1),
    (
        "diagram_nodes_are",
        ORDER,
        _nodes((0, "Plan"), (0, "Build"), (0, "Sell"), (0, "Ship")),
        0.1,
        0.9,
    ),
    ("diagram_nodes_are", ORDER, _nodes((0, "Ship")), 0, 0),
    ("diagram_layout_is", {"slide": 5, "layout": "cycle2"}, _layout("cycle2"), 1, 1),
    ("diagram_layout_is", {"slide": 5, "layout": "cycle2"}, _layout("cycle1"), 0, 0),
]


@pytest.mark.parametrize("case", CASES)
def test_scores_are_in_range(rich_judge: Any, case: tuple[Any, ...]) -> None:
    rich_judge(case)


@pytest.mark.parametrize("case", CASES)
def test_an_unedited_deck_scores_nothing(rich_judge: Any, case: tuple[Any, ...]) -> None:
    rich_judge.untouched(case)
