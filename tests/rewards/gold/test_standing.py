"""How much of a gold deck another deck has: more work is never worth less."""

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
        for each in EDITS:  # in one order, whatever was drawn
            if each in edits:
                each(lab, deck)

    found: Deck = lab.edited(edit)
    return found


def worth(lab: Any, gold: Deck, *edits: Edit) -> float:
    node = score(GOLD, lab.original, edited(lab, edits), gold=gold)
    assert node.score is not None, node.reason
    return node.score


@pytest.fixture(scope="module")
def gold(lab: Any) -> Deck:
    return edited(lab, EDITS)


@settings(max_examples=25)
@given(data=st.data())
def test_more_of_the_gold_is_never_worth_less(lab: Any, gold: Deck, data: st.DataObject) -> None:
    more = data.draw(st.sets(st.sampled_from(EDITS)))
    less = data.draw(st.sets(st.sampled_from(sorted(more, key=EDITS.index)))) if more else more
    low, high = worth(lab, gold, *less), worth(lab, gold, *more)
    assert 0 <= low <= high <= 1
    assert (high == 0) == (not more)
    assert (high == 1) == (len(more) == len(EDITS))


@each_case("edit", EDITS, ids=lambda edit: edit.__name__)
def test_every_edit_of_the_gold_pays_alone(lab: Any, gold: Deck, edit: Edit) -> None:
    assert worth(lab, gold, edit) > 0


@each_case("edit", EDITS, ids=lambda edit: edit.__name__)
def test_every_edit_is_a_gold_of_its_own(lab: Any, edit: Edit) -> None:
    gold = edited(lab, (edit,))
    assert worth(lab, gold) == 0
    assert worth(lab, gold, edit) == 1
    other = EDITS[EDITS.index(edit) - 1]
    assert 0.4 < worth(lab, gold, edit, other) < 1
    assert worth(lab, gold, other) <= 0.5


def test_groups_weigh_the_same_however_long_their_text_is(lab: Any) -> None:
    gold = edited(lab, (long_text, move_box))
    assert worth(lab, gold, long_text) == pytest.approx(0.5)
    assert worth(lab, gold, move_box) == pytest.approx(0.5)


def test_the_same_edit_in_many_places_is_one_group(lab: Any) -> None:
    def fade(deck: Any, *numbers: int) -> None:
        for number in numbers:
            lab.set_transition(deck.slides[number - 1], "<p:transition><p:fade/></p:transition>")

    def whole(deck: Any) -> None:
        fade(deck, 1, 3, 4, 5, 6)
        move_box(lab, deck)

    gold = lab.edited(whole)
    assert [len(group.parts) for group in plan_of(lab.original, gold).groups] == [5, 1]
    two_of_five = lab.edited(lambda deck: fade(deck, 1, 3))
    found = score(GOLD, lab.original, two_of_five, gold=gold).score
    assert found == pytest.approx(0.5 * 2 / 5)


def test_one_word_for_another_in_the_whole_deck_is_one_group(lab: Any) -> None:
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


def test_a_size_half_way_is_worth_half_and_a_colour_is_right_or_wrong(lab: Any) -> None:
    gold = edited(lab, (larger,))

    def half(deck: Any) -> None:
        run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
        run.font.size = Pt(29)  # from 18 to 40

    assert score(GOLD, lab.original, lab.edited(half), gold=gold).score == pytest.approx(0.5)
    gold = edited(lab, (recolor,))

    def nearly(deck: Any) -> None:
        lab.shape_named(deck, 5, "C").fill.fore_color.rgb = lab.rgb("803000")

    assert score(GOLD, lab.original, lab.edited(nearly), gold=gold).score == 0


def test_a_wrong_value_beside_the_right_one_costs_a_part(lab: Any) -> None:
    gold = edited(lab, (cell,))

    def both(deck: Any) -> None:
        cell(lab, deck)
        lab.shape_named(deck, 3, "Sales").table.cell(1, 1).text = "99"

    found = score(GOLD, lab.original, lab.edited(both), gold=gold).score
    assert found is not None
    assert 0.5 <= found <= 0.8


def test_new_words_in_another_type_are_not_all_there_is(lab: Any) -> None:
    def red(deck: Any) -> None:
        retitle(lab, deck)
        deck.slides[1].shapes.title.text_frame.paragraphs[0].runs[0].font.color.rgb = lab.rgb(
            "CC0000"
        )

    gold = lab.edited(red)
    assert score(GOLD, lab.original, gold, gold=gold).score == 1
    found = worth(lab, gold, retitle)
    assert found == pytest.approx(0.5)


def test_new_slides_pay_by_what_is_on_them(lab: Any) -> None:
    def copied(deck: Any) -> Any:
        return lab.duplicate_slide(deck, 1, 2)

    def answered(deck: Any) -> None:
        copy = copied(deck)
        copy.shapes.title.text = "Answers"
        copy.placeholders[1].text = "First, by the numbers\nSecond, next year\nThird, all of them"

    gold = lab.edited(answered)
    scores = [
        score(GOLD, lab.original, deck, gold=gold).score
        for deck in (
            lab.original,
            lab.edited(lambda deck: deck.slides.add_slide(deck.slide_layouts[6])),
            lab.edited(copied),
            gold,
        )
    ]
    assert scores[0] == scores[1] == 0
    assert 0 < (scores[2] or 0) < 1
    assert scores[3] == 1


def test_a_moved_slide_pays_by_the_pairs_in_order(lab: Any) -> None:
    gold = lab.edited(lambda deck: lab.move_slide(deck, 5, 1))
    near = lab.edited(lambda deck: lab.move_slide(deck, 5, 2))
    assert score(GOLD, lab.original, near, gold=gold).score == pytest.approx(0.75)
    wrong = lab.edited(lambda deck: lab.move_slide(deck, 0, 1))
    assert score(GOLD, lab.original, wrong, gold=gold).score == 0


def test_slides_that_should_go_pay_when_they_are_gone(lab: Any) -> None:
    def both(deck: Any) -> None:
        lab.delete_slide(deck, 2)
        lab.delete_slide(deck, 0)

    gold = lab.edited(both)
    one = lab.edited(lambda deck: lab.delete_slide(deck, 0))
    assert score(GOLD, lab.original, one, gold=gold).score == pytest.approx(0.5)
    all_but_one = lab.edited(lambda deck: [lab.delete_slide(deck, 0) for _ in range(5)])
    assert (score(GOLD, lab.original, all_but_one, gold=gold).score or 0) < 0.25


def test_damage_elsewhere_takes_most_of_the_score(lab: Any) -> None:
    gold = edited(lab, (retitle,))

    def ruined(deck: Any) -> None:
        retitle(lab, deck)
        for index in (5, 4, 3):
            lab.delete_slide(deck, index)

    found = score(GOLD, lab.original, lab.edited(ruined), gold=gold).score
    assert found is not None
    assert found < 0.5


def test_what_lies_over_what_pays(lab: Any) -> None:
    def raised(deck: Any) -> None:
        box = lab.shape_named(deck, 5, "A")._element
        box.getparent().append(box)

    gold = lab.edited(raised)
    assert [part.kind for g in plan_of(lab.original, gold).groups for part in g.parts] == [
        "stacking"
    ]
    assert score(GOLD, lab.original, gold, gold=gold).score == 1
    assert worth(lab, gold) == 0


def test_a_gold_saved_again_is_the_gold(lab: Any) -> None:
    def edit(deck: Any) -> None:
        for each in EDITS:
            each(lab, deck)

    file = lab.edited_bytes(edit)
    again = lab.save(Presentation(io.BytesIO(file)))
    gold = read_deck(file)
    assert score(GOLD, lab.original, read_deck(again), gold=gold).score == 1
