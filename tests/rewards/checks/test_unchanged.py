from typing import Any

import pytest
from lxml import etree

NOTHING = "nothing_else_changed"
TITLE_2 = {"slides": [2], "aspects": ["text"], "shapes": ["@title"]}


def _title(deck: Any, number: int = 2) -> None:
    deck.slides[number - 1].shapes.title.text = "Something new"


def _both(deck: Any) -> None:
    _title(deck)
    deck.slides[1].placeholders[1].text = "Other text"


def test_only_changes_outside_the_scope_cost_points(lab: Any) -> None:
    assert lab.check(NOTHING, {}).score == 1
    assert lab.check(NOTHING, {}, _title).score == 0.75
    assert lab.check(NOTHING, {}, _title, TITLE_2).score == 1
    assert lab.check(NOTHING, {}, _title, {"slides": "all"}).score == 1
    assert lab.check(NOTHING, {}, _title, TITLE_2 | {"slides": [3]}).score == 0.75
    assert lab.check(NOTHING, {}, _title, TITLE_2 | {"aspects": ["notes"]}).score == 0.75


def test_every_object_outside_costs_the_same(lab: Any) -> None:
    node = lab.check(NOTHING, {}, _both, TITLE_2)
    assert node.score == 0.75
    assert "Other text" in node.reason
    assert lab.check(NOTHING, {"per_change": 0.1}, _both, TITLE_2).score == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("template", "score"), [("\ufeff{}", 1), ("{}\u00a0!", 0.75), ("{}.", 0.75), ("{}\u200b", 1)]
)
def test_invisible_characters_are_free(lab: Any, template: str, score: float) -> None:
    def edit(deck: Any) -> None:
        title = deck.slides[2].shapes.title
        title.text = template.format(title.text)

    assert lab.check(NOTHING, {}, edit, TITLE_2).score == score


@pytest.mark.parametrize(
    ("fitting", "score"),
    [
        ("<a:normAutofit/>", 1),
        ('<a:normAutofit fontScale="97500"/>', 1),
        ("<a:spAutoFit/>", 0.75),
    ],
)
def test_shrink_on_overflow_without_effect_is_free(lab: Any, fitting: str, score: float) -> None:
    space = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'

    def edit(deck: Any) -> None:
        body = deck.slides[2].shapes.title.text_frame._txBody.bodyPr
        for child in list(body):
            body.remove(child)
        body.append(etree.fromstring(fitting.replace("/>", f" {space}/>")))

    assert lab.check(NOTHING, {}, edit).score == score


def test_changes_of_one_shape_cost_once(lab: Any) -> None:
    def edit(deck: Any) -> None:
        shape = lab.shape_named(deck, 5, "A")
        shape.left, shape.width, shape.rotation = lab.inches(5), lab.inches(3), 45
        shape.text_frame.text = "new"

    assert lab.check(NOTHING, {}, edit).score == 0.75


def test_removed_slide_costs_double(lab: Any) -> None:
    def edit(deck: Any) -> None:
        lab.delete_slide(deck, 2)

    assert lab.check(NOTHING, {}, edit).score == 0.5
    assert lab.check(NOTHING, {}, edit, {"slides": [3], "aspects": ["slides"]}).score == 1
    assert lab.check(NOTHING, {}, edit, {"slides": [3], "aspects": ["text"]}).score == 0.5


def test_score_is_never_negative(lab: Any) -> None:
    def edit(deck: Any) -> None:
        for index in (4, 3, 2, 1):
            lab.delete_slide(deck, index)

    assert lab.check(NOTHING, {}, edit).score == 0


def test_new_slides_limits_added_slides(lab: Any) -> None:
    def edit(deck: Any) -> None:
        for _ in range(2):
            deck.slides.add_slide(deck.slide_layouts[6])

    assert lab.check(NOTHING, {}, edit, {"slides": "all"}).score == 0
    assert lab.check(NOTHING, {}, edit, {"new_slides": True}).score == 1
    assert lab.check(NOTHING, {}, edit, {"new_slides": 1}).score == 0.5


def test_move_is_allowed_if_one_involved_slide_may_move(lab: Any) -> None:
    def swap(deck: Any) -> None:
        lab.move_slide(deck, 1, 2)

    for slide in (2, 3):
        assert lab.check(NOTHING, {}, swap, {"slides": [slide], "aspects": ["order"]}).score == 1
    assert lab.check(NOTHING, {}, swap, {"slides": [4], "aspects": ["order"]}).score == 0.75

    def move(deck: Any) -> None:
        lab.move_slide(deck, 1, 4)

    assert lab.check(NOTHING, {}, move, {"slides": [2], "aspects": ["order"]}).score == 1


def test_box_may_grow_with_its_text(lab: Any) -> None:
    def edit(deck: Any) -> None:
        from pptx.enum.text import MSO_AUTO_SIZE

        shape = lab.shape_named(deck, 5, "Remark")
        shape.text_frame.text = "Acme grows fast and faster"
        shape.text_frame.auto_size = MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT
        shape.height = lab.inches(1.5)

    scope = {"slides": [5], "aspects": ["text"]}
    assert lab.check(NOTHING, {}, edit, scope).score == 1

    def grow_only(deck: Any) -> None:
        lab.shape_named(deck, 5, "Remark").height = lab.inches(1.5)

    assert lab.check(NOTHING, {}, grow_only, scope).score == 0.75


def test_scope_selects_shapes_like_checks(lab: Any) -> None:
    def edit(deck: Any) -> None:
        lab.shape_named(deck, 5, "Remark").left = lab.inches(3)

    scope = {"slides": [5], "aspects": ["geometry"], "shapes": ["Acme grows fast"]}
    assert lab.check(NOTHING, {}, edit, scope).score == 1
    assert lab.check(NOTHING, {}, edit, scope | {"shapes": ["A"]}).score == 0.75
