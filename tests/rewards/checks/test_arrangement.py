from typing import Any

import pytest
from pptx.util import Inches


def _place(**positions: tuple[float, float]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for name, (left, top) in positions.items():
            shape = lab.shape_named(deck, 5, name)
            shape.left, shape.top = Inches(left), Inches(top)

    return edit


def _size(**sizes: tuple[float, float]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for name, (width, height) in sizes.items():
            shape = lab.shape_named(deck, 5, name)
            shape.width, shape.height = Inches(width), Inches(height)

    return edit


def _ungroup(*names: str) -> Any:
    """Take members out of the group of the rich deck, and delete the group once it is empty."""

    def edit(lab: Any, deck: Any) -> None:
        group = lab.shape_named(deck, 1, "Pair")
        tree = deck.slides[0].shapes._spTree
        for member in list(group.shapes):
            if member.name in names:
                tree.append(member._element)
        if len(names) == 2:
            tree.remove(group._element)

    return edit


def _delete_group(lab: Any, deck: Any) -> None:
    element = lab.shape_named(deck, 1, "Pair")._element
    element.getparent().remove(element)


ROW = {"slide": 5, "shapes": ["A", "B", "C"]}
EQUAL = {"slide": 5, "shapes": ["A", "Remark"]}

# The base deck meets these goals, so the checks score what an edit leaves of them.
ALREADY_MET = [
    ("shapes_inside_slide", {"slide": 5}, _place(A=(2, 2)), 1, 1),
    ("shapes_inside_slide", {"slide": 5}, _place(A=(-0.5, 2)), 0.7, 0.99),
    ("shapes_inside_slide", {"slide": 5, "margin_emu": 400 * 914_400}, None, 0, 0.02),
    ("shapes_no_overlap", ROW, None, 1, 1),
    ("shapes_no_overlap", ROW, _place(A=(3.5, 2.3)), 0.4, 0.9),
    ("shapes_no_overlap", {"slide": 5}, _place(A=(3.5, 2.3)), 0.5, 0.9),
    ("shapes_no_overlap", ROW | {"allow_inside": False}, _place(A=(3, 2.3)), 0.3, 0.7),
    ("shapes_no_overlap", ROW, lambda lab, d: lab.delete_slide(d, 4), 0, 0),
]


@pytest.mark.slow
def test_damage_to_goals_already_met_lowers_the_score(scorer: Any) -> None:
    scorer.assert_edited_scores(ALREADY_MET)


CASES = [
    ("shapes_same_size", EQUAL, _size(A=(4, 1)), 1, 1),
    ("shapes_same_size", EQUAL | {"sides": "width"}, _size(A=(3, 1)), 0.2, 0.6),
    ("shapes_same_size", EQUAL | {"sides": "width"}, _size(A=(0.5, 1)), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


GROUPS = [
    ("shapes_ungrouped", {"slide": 1}, _ungroup("P", "Q"), 1, 1),
    ("shapes_ungrouped", {"slide": 1, "shape": "Pair"}, _ungroup("P"), 0.5, 0.5),
    ("shapes_ungrouped", {"slide": 1}, _delete_group, 0, 0),
]


def test_ungrouping_keeps_the_members(rich_scorer: Any) -> None:
    rich_scorer.assert_scores(GROUPS)


def test_rotation_enlarges_the_bounds_of_a_shape(lab: Any) -> None:
    def edit(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "Remark")
        shape.left, shape.top = Inches(0), Inches(6.4)
        shape.rotation = 90

    straight = lab.check("shapes_inside_slide", {"slide": 5}, lambda d: _place(A=(0, 0))(lab, d))
    turned = lab.check("shapes_inside_slide", {"slide": 5}, edit)
    assert straight.score == 1
    assert turned.score is not None
    assert turned.score < 1
