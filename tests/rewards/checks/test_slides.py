from typing import Any

import pytest
from pptx.oxml.ns import qn

from pptarena.decks import Shape, Slide
from pptarena.rewards.checking.view import View
from pptarena.rewards.checks.slides import visible_share


def _delete(*indexes: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for index in sorted(indexes, reverse=True):
            lab.delete_slide(deck, index)

    return edit


def _move(start: int, to: int) -> Any:
    return lambda lab, deck: lab.move_slide(deck, start, to)


def _add(title: str, text: str, to: int, layout: int = 1) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[layout])
        slide.shapes.title.text = title
        if text:
            slide.placeholders[1].text = text
        lab.move_slide(deck, len(deck.slides) - 1, to)

    return edit


def _duplicate(index: int, to: int) -> Any:
    return lambda lab, deck: lab.duplicate_slide(deck, index, to)


def _hide(*indexes: int) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for index in indexes:
            deck.slides[index]._element.set("show", "0")

    return edit


def _paint(index: int, color: str) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        fill = deck.slides[index].background.fill
        fill.solid()
        fill.fore_color.rgb = lab.rgb(color)

    return edit


NEW = {"after": 2, "title": "Budget", "texts": ["120 million"], "layout": "Title and Content"}
DELETED = {"slides": [2, 3]}

CASES = [
    ("slide_count", {"count": 5}, _delete(2), 1, 1),
    ("slide_count", {"count": 4}, _delete(2), 0.2, 0.6),
    ("slide_count", {"count": 5}, _duplicate(2, 3), 0, 0),
    ("slide_deleted", {"slide": 3}, _delete(2), 1, 1),
    ("slide_deleted", DELETED, _delete(1, 2), 1, 1),
    ("slide_deleted", DELETED, _delete(1), 0.5, 0.5),
    ("slide_deleted", DELETED, _delete(1, 2, 3, 4), 0.5, 0.5),
    ("slide_deleted", DELETED, _delete(4), 0, 0),
    ("slide_deleted", DELETED, _hide(1), 0.2, 0.2),
    ("slide_added", NEW, _add("Budget", "120 million", 2), 1, 1),
    ("slide_added", NEW, _add("Budget", "120 million", 5), 0.6, 0.85),
    ("slide_added", NEW, _add("Costs", "", 2), 0, 0),
    ("slide_added", NEW, _add("Costs", "120 million", 2), 0.4, 0.6),
    ("slide_added", NEW, _add("", "", 2), 0.1, 0.1),
    ("slide_added", NEW, _add("", "", 5), 0, 0),
    ("slide_added", NEW, _delete(1), 0, 0),
    ("slide_added", {"title": "Budget", "empty": True}, _add("Budget", "120 million", 2), 0.4, 0.7),
    ("slide_added", {"at": 1}, _add("Front", "", 0), 1, 1),
    ("slide_added", {"after": 0}, _add("Front", "", 0), 1, 1),
    ("slide_added", {"count": 2}, _add("Front", "", 0), 0.5, 0.5),
    ("slide_moved", {"slide": 5, "to": 2}, _move(4, 1), 1, 1),
    ("slide_moved", {"slide": 5, "to": 2}, _move(4, 2), 0.2, 0.6),
    ("slide_moved", {"slide": 5, "to": 2}, _move(4, 5), 0, 0),
    ("slide_moved", {"slide": 5, "after": 1}, _move(4, 1), 1, 1),
    ("slide_moved", {"slide": 2, "after": 5}, _move(1, 4), 1, 1),
    ("slide_moved", {"slide": 2, "before": 6}, _move(1, 4), 1, 1),
    ("slide_moved", {"slide": 5, "before": 2}, _move(4, 1), 1, 1),
    ("slide_moved", {"slide": 5, "to": 2}, _delete(4), 0, 0),
    ("slide_duplicated", {"slide": 3}, _duplicate(2, 3), 1, 1),
    ("slide_duplicated", {"slide": 3}, _duplicate(2, 5), 0.8, 0.8),
    ("slide_duplicated", {"slide": 3, "at": 6}, _duplicate(2, 5), 1, 1),
    ("slide_duplicated", {"slide": 3}, _add("Unlike", "anything", 3), 0, 0),
    ("slide_layout_is", {"slide_now": 3, "layout": "title slide"}, _move(0, 2), 1, 1),
    ("slide_layout_is", {"slide": 3, "layout": "Blank"}, _move(0, 2), 0, 0),
    ("slide_hidden", {"slides": [2, 3]}, _hide(1, 2), 1, 1),
    ("slide_hidden", {"slides": [2, 3]}, _hide(1), 0.5, 0.5),
    ("slide_hidden", {"slides": [2, 3]}, _hide(0), 0, 0),
    ("slide_background", {"slide": 2, "color": "#101010"}, _paint(1, "0F0F0F"), 1, 1),
    ("slide_background", {"slides": [2, 3], "color": "#101010"}, _paint(1, "101010"), 0.5, 0.5),
    ("slide_background", {"slide": 2, "color": "#101010"}, _paint(1, "F0F0F0"), 0, 0),
]


@pytest.mark.slow
def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


def test_hidden_slide_with_a_visible_copy_is_not_hidden(lab: Any) -> None:
    def hide(deck: Any) -> None:
        deck.slides[1]._element.set("show", "0")

    def copy_and_hide(deck: Any) -> None:
        lab.duplicate_slide(deck, 1, 2)
        deck.slides[1]._element.set("show", "0")

    assert lab.check("slide_hidden", {"slide": 2}, hide).score == 1
    node = lab.check("slide_hidden", {"slide": 2}, copy_and_hide)
    assert node.score == 0.4
    assert "has the same content" in node.reason


def test_picture_without_a_file_does_not_lower_visibility(lab: Any) -> None:
    def empty(deck: Any) -> None:
        next(deck.slides[3].shapes[2]._element.iter(qn("a:blip"))).set(qn("r:embed"), "")

    class EmptyPicturesHidden(View):
        def __init__(self) -> None: ...

        def is_visible(self, slide: Slide, shape: Shape) -> bool:
            return not shape.shows_nothing

    slide = lab.edited(empty).slides[3]
    assert any(shape.shows_nothing for shape in slide.shapes)
    assert visible_share(EmptyPicturesHidden(), slide) == 1


def test_visible_copy_of_a_hidden_slide_earns_a_part(lab: Any) -> None:
    def hide_original(deck: Any) -> None:
        deck.slides[1]._element.set("show", "0")

    def copy_and_hide_original(deck: Any) -> None:
        lab.duplicate_slide(deck, 1, 2)
        hide_original(deck)

    args = {"slide": 2, "hidden": False}
    assert lab.check("slide_hidden", args, hide_original).score == 0
    assert lab.check("slide_hidden", args, copy_and_hide_original).score == 0.4
