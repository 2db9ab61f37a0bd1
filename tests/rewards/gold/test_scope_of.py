"""A scope derived from a gold deck is as fine as the gold."""

from collections.abc import Callable
from typing import Any

import pytest
from pptx.util import Pt

from pptarena.rewards import Scope, load_rubric, load_scope, scope_of, score
from pptarena.rewards.gold import plan_of
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.rewards.scope.scope import ScopePart

Edit = Callable[[Any], Any]


def derived(lab: Any, edit: Edit) -> Scope:
    return scope_of(lab.original, lab.edited(edit))


def outside(lab: Any, scope: Scope, edit: Edit) -> list[str]:
    match = plan_of(lab.original, lab.edited(edit)).match
    return [change.text for change in out_of_scope_changes(match, scope)]


def remark(lab: Any, deck: Any) -> Any:
    return lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0].font


def test_text_change_allows_text_of_that_shape(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = "Plan"

    scope = derived(lab, edit)
    assert scope.parts == (ScopePart((2,), ("text",), ("@title",)),)
    assert not scope.new_slides

    def body(deck: Any) -> None:
        deck.slides[1].placeholders[1].text = "Other words"

    assert outside(lab, scope, edit) == []
    assert len(outside(lab, scope, body)) == 1


def test_formatting_change_allows_those_properties_of_that_text(lab: Any) -> None:
    def bold(deck: Any) -> None:
        remark(lab, deck).bold = True

    def large(deck: Any) -> None:
        remark(lab, deck).size = Pt(40)

    scope = derived(lab, bold)
    assert scope.parts[0].properties == ("bold",)
    assert scope.parts[0].letters == "Acme grows fast"
    assert outside(lab, scope, bold) == []
    assert len(outside(lab, scope, large)) == 1


def test_moving_allows_no_resizing_but_resizing_allows_moving(lab: Any) -> None:
    def move(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").left = lab.inches(4)

    def resize(deck: Any) -> None:
        lab.shape_named(deck, 5, "A").width = lab.inches(1.5)

    assert len(outside(lab, derived(lab, move), resize)) == 1
    assert outside(lab, derived(lab, resize), move) == []


def test_cell_change_allows_that_cell(lab: Any) -> None:
    def edit(row: int) -> Edit:
        def change(deck: Any) -> None:
            lab.shape_named(deck, 3, "Sales").table.cell(row, 2).text = "13"

        return change

    scope = derived(lab, edit(1))
    assert scope.parts[0].cells == ((2, 3),)
    assert outside(lab, scope, edit(1)) == []
    assert len(outside(lab, scope, edit(2))) == 1


def test_renaming_allows_only_that_replacement(lab: Any) -> None:
    def rename(new: str) -> Edit:
        def change(deck: Any) -> None:
            for slide in deck.slides:
                for text in slide._element.iter("{*}t"):
                    text.text = (text.text or "").replace("Acme", new)

        return change

    scope = derived(lab, rename("Bolt"))
    assert {part.words for part in scope.parts} == {(("Acme", "Bolt"),)}
    assert outside(lab, scope, rename("Bolt")) == []
    assert len(outside(lab, scope, rename("Other"))) == 4


def test_new_shapes_and_slides_are_limited_to_those_of_the_gold(lab: Any) -> None:
    def boxes(count: int) -> Edit:
        def change(deck: Any) -> None:
            for number in range(count):
                box = deck.slides[1].shapes.add_textbox(
                    lab.inches(6), lab.inches(4 + number), lab.inches(2), lab.inches(0.5)
                )
                box.text_frame.text = f"Hint {number}"

        return change

    def slides(count: int) -> Edit:
        def change(deck: Any) -> None:
            for _ in range(count):
                deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "New"

        return change

    scope = derived(lab, boxes(2))
    assert scope.parts == (ScopePart((2,), ("shapes",), (), new_shapes=2),)
    assert outside(lab, scope, boxes(2)) == []
    assert len(outside(lab, scope, boxes(3))) == 1
    scope = derived(lab, slides(2))
    assert scope.new_slides == 2
    assert len(outside(lab, scope, slides(3))) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("start", "to"), [(5, 1), (1, 4), (0, 5), (2, 3)])
def test_derived_scope_allows_its_own_slide_move(lab: Any, start: int, to: int) -> None:
    def move(deck: Any) -> None:
        lab.move_slide(deck, start, to)

    assert outside(lab, derived(lab, move), move) == []


def test_derived_scope_round_trips_through_json(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = "Plan"
        lab.delete_slide(deck, 3)
        box = lab.shape_named(deck, 4, "Remark")
        box.text_frame.paragraphs[0].runs[0].font.bold = True

    scope = derived(lab, edit)
    assert load_scope(scope.to_json()) == scope
    assert outside(lab, scope, edit) == []


def test_document_properties_must_be_allowed_explicitly(lab: Any) -> None:
    def title(deck: Any) -> None:
        deck.core_properties.title = "The annual report"

    scope = derived(lab, title)
    assert scope.parts == (ScopePart("all", ("properties",), ()),)
    assert outside(lab, scope, title) == []
    assert len(outside(lab, load_scope({"slides": "all"}), title)) == 1

    def words(deck: Any) -> None:
        deck.slides[1].shapes.title.text = "Plan"

    assert len(outside(lab, scope, words)) == 1


def test_gold_without_changes_allows_nothing(lab: Any) -> None:
    assert derived(lab, lambda deck: None).allows_nothing


def test_covering_done_by_the_gold_is_allowed(lab: Any) -> None:
    def cover(deck: Any) -> None:
        body = deck.slides[1].placeholders[1]
        box = deck.slides[1].shapes.add_shape(1, body.left, body.top, body.width, body.height)
        box.fill.solid()
        box.fill.fore_color.rgb = lab.rgb("204060")

    gold = lab.edited(cover)
    rubric = load_rubric({"version": 1, "root": {"name": "gold", "check": "gold_match"}})
    assert score(rubric, lab.original, gold, gold=gold).score == 1
    narrow = Scope(parts=(ScopePart((2,), ("shapes",), (), new_shapes=1),))
    assert (score(rubric, lab.original, gold, narrow, gold=gold).score or 0) < 1
