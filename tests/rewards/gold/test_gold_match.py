"""Scores of `gold_match`: more of the gold deck never scores less."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pptx import Presentation
from pptx.util import Inches, Pt
from tests.base_edits import (
    bold,
    cell,
    centered,
    drop_logo,
    hide,
    move_box,
    new_data,
    recolor,
    retitle,
)
from tests.each_case import each_case

from pptarena.rewards import Deck, load_rubric, read_deck, score
from pptarena.rewards.gold import plan_of

pytestmark = pytest.mark.slow

GOLD = load_rubric({"version": 1, "root": {"name": "as the gold", "check": "gold_match"}})
Edit = Callable[[Any, Any], None]


def long_text(lab: Any, deck: Any) -> None:
    deck.slides[5].placeholders[1].text = "\n".join(f"Reason {n} to thank you" for n in range(9))


def larger(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0].font.size = Pt(40)


def other_cell(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 3, "Sales").table.cell(2, 2).text = "19"


def notes(lab: Any, deck: Any) -> None:
    deck.slides[5].notes_slide.notes_text_frame.text = "Thank them all\nand take questions"


def describe(lab: Any, deck: Any) -> None:
    box = lab.shape_named(deck, 5, "B")._element
    box.nvSpPr.cNvPr.set("descr", "The second of three boxes")


def new_box(lab: Any, deck: Any) -> None:
    box = deck.slides[1].shapes.add_textbox(Inches(6), Inches(5), Inches(3), Inches(1))
    box.name, box.text_frame.text = "Hint", "Questions are welcome at any time"


EDITS: tuple[Edit, ...] = (
    retitle, long_text, move_box, bold, larger, centered, cell, other_cell, notes, hide,
    drop_logo, describe, new_box, recolor, new_data,
)  # fmt: skip


def edited(lab: Any, edits: Any) -> Deck:
    def edit(deck: Any) -> None:
        for each in EDITS:  # in a fixed order
            if each in edits:
                each(lab, deck)

    deck: Deck = lab.edited(edit)
    return deck


def gold_score(lab: Any, gold: Deck, *edits: Edit) -> float:
    node = score(GOLD, lab.original, edited(lab, edits), gold=gold)
    assert node.score is not None, node.reason
    return node.score


@pytest.fixture(scope="module")
def gold(lab: Any) -> Deck:
    return edited(lab, EDITS)


@settings(max_examples=25)
@given(data=st.data())
def test_more_of_the_gold_never_scores_less(lab: Any, gold: Deck, data: st.DataObject) -> None:
    superset = data.draw(st.sets(st.sampled_from(EDITS)))
    subset = (
        data.draw(st.sets(st.sampled_from(sorted(superset, key=EDITS.index))))
        if superset
        else superset
    )
    low, high = gold_score(lab, gold, *subset), gold_score(lab, gold, *superset)
    assert 0 <= low <= high <= 1
    assert (high == 0) == (not superset)
    assert (high == 1) == (len(superset) == len(EDITS))


@each_case("edit", EDITS, ids=lambda edit: edit.__name__)
def test_every_edit_of_the_gold_scores_alone(lab: Any, gold: Deck, edit: Edit) -> None:
    assert gold_score(lab, gold, edit) > 0


@each_case("edit", EDITS, ids=lambda edit: edit.__name__)
def test_every_edit_works_as_the_only_gold_change(lab: Any, edit: Edit) -> None:
    gold = edited(lab, (edit,))
    assert gold_score(lab, gold) == 0
    assert gold_score(lab, gold, edit) == 1
    other = EDITS[EDITS.index(edit) - 1]
    assert 0.4 < gold_score(lab, gold, edit, other) < 1
    assert gold_score(lab, gold, other) <= 0.5


def test_groups_weigh_the_same_regardless_of_text_length(lab: Any) -> None:
    gold = edited(lab, (long_text, move_box))
    assert gold_score(lab, gold, long_text) == pytest.approx(0.5)
    assert gold_score(lab, gold, move_box) == pytest.approx(0.5)


def test_same_edit_on_many_slides_is_one_group(lab: Any) -> None:
    def fade(deck: Any, *numbers: int) -> None:
        for number in numbers:
            lab.set_transition(deck.slides[number - 1], "<p:transition><p:fade/></p:transition>")

    def fade_and_move(deck: Any) -> None:
        fade(deck, 1, 3, 4, 5, 6)
        move_box(lab, deck)

    gold = lab.edited(fade_and_move)
    assert [len(group.parts) for group in plan_of(lab.original, gold).groups] == [5, 1]
    partial = lab.edited(lambda deck: fade(deck, 1, 3))
    result = score(GOLD, lab.original, partial, gold=gold).score
    assert result == pytest.approx(0.5 * 2 / 5)


def test_deck_wide_replacement_is_one_group(lab: Any) -> None:
    def rename(deck: Any, *numbers: int) -> None:
        for number in numbers:
            for text in deck.slides[number - 1]._element.iter():
                if text.tag.endswith("}t"):
                    text.text = (text.text or "").replace("Acme", "Bolt")

    gold = lab.edited(lambda deck: rename(deck, 1, 2, 5, 6))
    (group,) = plan_of(lab.original, gold).groups
    assert group.words == ("Acme", "Bolt")
    half = lab.edited(lambda deck: rename(deck, 1, 5))
    assert score(GOLD, lab.original, half, gold=gold).score == pytest.approx(0.5)


def test_sizes_score_gradually_and_colors_do_not(lab: Any) -> None:
    gold = edited(lab, (larger,))

    def halfway(deck: Any) -> None:
        run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
        run.font.size = Pt(29)  # from 18 to 40

    assert score(GOLD, lab.original, lab.edited(halfway), gold=gold).score == pytest.approx(0.5)
    gold = edited(lab, (recolor,))

    def nearly(deck: Any) -> None:
        lab.shape_named(deck, 5, "C").fill.fore_color.rgb = lab.rgb("803000")

    assert score(GOLD, lab.original, lab.edited(nearly), gold=gold).score == 0


def test_additional_wrong_value_costs_a_part(lab: Any) -> None:
    gold = edited(lab, (cell,))

    def edit(deck: Any) -> None:
        cell(lab, deck)
        lab.shape_named(deck, 3, "Sales").table.cell(1, 1).text = "99"

    result = score(GOLD, lab.original, lab.edited(edit), gold=gold).score
    assert result is not None
    assert 0.5 <= result <= 0.8


def test_new_text_without_its_color_scores_half(lab: Any) -> None:
    def red(deck: Any) -> None:
        retitle(lab, deck)
        deck.slides[1].shapes.title.text_frame.paragraphs[0].runs[0].font.color.rgb = lab.rgb(
            "CC0000"
        )

    gold = lab.edited(red)
    assert score(GOLD, lab.original, gold, gold=gold).score == 1
    result = gold_score(lab, gold, retitle)
    assert result == pytest.approx(0.5)


def test_new_slides_score_by_their_content(lab: Any) -> None:
    def copy_slide(deck: Any) -> Any:
        return lab.duplicate_slide(deck, 1, 2)

    def add_answers(deck: Any) -> None:
        copy = copy_slide(deck)
        copy.shapes.title.text = "Answers"
        copy.placeholders[1].text = "First, by the numbers\nSecond, next year\nThird, all of them"

    gold = lab.edited(add_answers)
    scores = [
        score(GOLD, lab.original, deck, gold=gold).score
        for deck in (
            lab.original,
            lab.edited(lambda deck: deck.slides.add_slide(deck.slide_layouts[6])),
            lab.edited(copy_slide),
            gold,
        )
    ]
    assert scores[0] == scores[1] == 0
    assert 0 < (scores[2] or 0) < 1
    assert scores[3] == 1


def test_moved_slide_scores_by_pairs_in_order(lab: Any) -> None:
    gold = lab.edited(lambda deck: lab.move_slide(deck, 5, 1))
    near = lab.edited(lambda deck: lab.move_slide(deck, 5, 2))
    assert score(GOLD, lab.original, near, gold=gold).score == pytest.approx(0.75)
    wrong = lab.edited(lambda deck: lab.move_slide(deck, 0, 1))
    assert score(GOLD, lab.original, wrong, gold=gold).score == 0


def test_slide_deletions_score_individually(lab: Any) -> None:
    def delete_two(deck: Any) -> None:
        lab.delete_slide(deck, 2)
        lab.delete_slide(deck, 0)

    gold = lab.edited(delete_two)
    first_deleted = lab.edited(lambda deck: lab.delete_slide(deck, 0))
    assert score(GOLD, lab.original, first_deleted, gold=gold).score == pytest.approx(0.5)
    all_but_one = lab.edited(lambda deck: [lab.delete_slide(deck, 0) for _ in range(5)])
    assert (score(GOLD, lab.original, all_but_one, gold=gold).score or 0) < 0.25


def test_damage_elsewhere_costs_most_of_the_score(lab: Any) -> None:
    gold = edited(lab, (retitle,))

    def retitle_and_delete(deck: Any) -> None:
        retitle(lab, deck)
        for index in (5, 4, 3):
            lab.delete_slide(deck, index)

    result = score(GOLD, lab.original, lab.edited(retitle_and_delete), gold=gold).score
    assert result is not None
    assert result < 0.5


def test_stacking_order_scores(lab: Any) -> None:
    def bring_to_front(deck: Any) -> None:
        box = lab.shape_named(deck, 5, "A")._element
        box.getparent().append(box)

    gold = lab.edited(bring_to_front)
    assert [part.kind for g in plan_of(lab.original, gold).groups for part in g.parts] == [
        "stacking"
    ]
    assert score(GOLD, lab.original, gold, gold=gold).score == 1
    assert gold_score(lab, gold) == 0


def test_resaved_gold_scores_fully(lab: Any) -> None:
    def edit(deck: Any) -> None:
        for each in EDITS:
            each(lab, deck)

    file = lab.edited_bytes(edit)
    again = lab.save(Presentation(io.BytesIO(file)))
    gold = read_deck(file)
    assert score(GOLD, lab.original, read_deck(again), gold=gold).score == 1
