from typing import Any

import pytest
from tests.each_case import each_case

INCH = 914_400
SHAPE_A = {"slide": 5, "shape": "A"}


def _move(name: str, left: float | None = None, top: float | None = None) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        shape = lab.shape_named(deck, 5, name)
        if left is not None:
            shape.left = lab.inches(left)
        if top is not None:
            shape.top = lab.inches(top)

    return edit


def _size(name: str, width: float, height: float, slide: int = 5) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        shape = lab.shape_named(deck, slide, name)
        shape.width, shape.height = lab.inches(width), lab.inches(height)

    return edit


def _turn(name: str, degrees: float) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        lab.shape_named(deck, 5, name).rotation = degrees

    return edit


def _move_tops(**tops: float) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for name, top in tops.items():
            _move(name, top=top)(lab, deck)

    return edit


def _delete_a(lab: Any, deck: Any) -> None:
    element = lab.shape_named(deck, 5, "A")._element
    element.getparent().remove(element)


POSITION = SHAPE_A | {"left_emu": 4 * INCH, "top_emu": 6 * INCH}
LOGO = {"slide": 4, "shape": "Logo"}
ROW = {"slide": 5, "shapes": ["A", "B", "C"], "edge": "top"}
GAPS = {"slide": 5, "shapes": ["A", "B", "C"], "axis": "horizontal"}


def _relation(relation: str, other: str | None = None) -> dict[str, Any]:
    return SHAPE_A | {"relation": relation} | ({"other": other} if other else {})


CASES = [
    ("shape_position", POSITION, _move("A", 4.03, 6), 1, 1),
    ("shape_position", POSITION, _move("A", 4, 5), 0.3, 0.7),
    ("shape_position", POSITION, _move("A", 0, 0), 0, 0),
    ("shape_position", POSITION, _delete_a, 0, 0),
    ("shape_size", SHAPE_A | {"width_emu": 3 * INCH}, _size("A", 3, 1), 1, 1),
    ("shape_size", SHAPE_A | {"width_emu": 3 * INCH}, _size("A", 2, 1), 0.1, 0.6),
    ("shape_size", SHAPE_A | {"width_emu": 3 * INCH}, _size("A", 0.5, 1), 0, 0),
    ("shape_size", LOGO | {"width_emu": INCH, "keep_ratio": True}, _size("Logo", 1, 0.5, 4), 1, 1),
    ("shape_size", LOGO | {"width_emu": INCH, "keep_ratio": True}, _size("Logo", 1, 1, 4),
     0.49, 0.51),
    ("shape_scaled", SHAPE_A | {"factor_min": 1.5}, _size("A", 2, 2), 1, 1),
    ("shape_scaled", SHAPE_A | {"factor_min": 1.5}, _size("A", 1.3, 1), 0.1, 0.9),
    ("shape_scaled", SHAPE_A | {"factor_max": 0.5}, _size("A", 2, 2), 0, 0),
    ("shape_rotation", SHAPE_A | {"degrees": 90}, _turn("A", 90.4), 1, 1),
    ("shape_rotation", SHAPE_A | {"degrees": 90}, _turn("A", 60), 0.2, 0.8),
    ("shape_rotation", SHAPE_A | {"degrees": 90}, _turn("A", 270), 0, 0),
    ("shape_relation", _relation("below", "Remark"), _move("A", top=6.2), 1, 1),
    ("shape_relation", _relation("below", "Remark"), _move("A", top=5), 0.1, 0.9),
    ("shape_relation", _relation("below", "Remark"), _move("A", top=1), 0, 0),
    ("shape_relation", _relation("right_of", "B"), _move("A", left=4.5), 1, 1),
    ("shape_relation", _relation("center_x"), _move("A", left=4.5), 1, 1),
    ("shape_relation", _relation("center_x"), _move("A", left=3), 0.1, 0.9),
    ("shape_relation", _relation("align_right", "C"), _move("A", left=6), 1, 1),
    ("shape_relation", _relation("same_width", "Remark"), _size("A", 4, 1), 1, 1),
    ("shapes_aligned", ROW, _move_tops(A=3, B=3, C=3), 1, 1),
    ("shapes_aligned", ROW, _move_tops(B=2.111, C=2.4), 0.1, 0.9),
    ("shapes_aligned", ROW, _move_tops(A=1), 0, 0),
    ("shapes_aligned", ROW, _delete_a, 0, 0),
    ("shapes_spaced_evenly", GAPS, _move("B", left=3.5), 1, 1),
    ("shapes_spaced_evenly", GAPS, _move("B", left=3.3), 0.1, 0.9),
    ("shapes_spaced_evenly", GAPS, _move("B", left=2), 0, 0),
]  # fmt: skip


@pytest.mark.slow
def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


@each_case(
    "relation, other, is_met",
    [
        ("left_of", "B", True),
        ("above", "Remark", True),
        ("above", "B", False),
        ("inside", None, True),
        ("no_overlap", "B", True),
        ("same_height", "B", True),
        ("align_top", "B", False),
        ("align_bottom", "B", False),
        ("center_y", "B", False),
        ("align_left", "Remark", True),
    ],
)
def test_relations_hold_in_the_original(
    lab: Any, relation: str, other: str | None, is_met: bool
) -> None:
    node = lab.check("shape_relation", _relation(relation, other))
    assert (node.score == 1) == is_met, node.reason


def test_group_members_are_measured_in_slide_coordinates(lab: Any) -> None:
    def edit(deck: Any) -> None:
        slide = deck.slides[4]
        group = slide.shapes.add_group_shape([lab.shape_named(deck, 5, "A")])
        group.left, group.top = lab.inches(4), lab.inches(6)
        group.width, group.height = lab.inches(2), lab.inches(2)

    assert lab.check("shape_position", POSITION, edit).score == 1
    assert lab.check("shape_size", SHAPE_A | {"width_emu": 2 * INCH}, edit).score == 1
