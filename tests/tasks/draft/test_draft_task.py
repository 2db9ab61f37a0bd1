"""The leaves of a drafted task score 0 on the original and 1 on the gold deck."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from lxml import etree
from pptx.oxml.ns import qn
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

from pptarena.errors import TaskError
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.tasks import EDIT_TYPES, Task, list_tasks
from pptarena.tasks.draft import Draft, draft_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.quality.proofs import judge_leaves
from pptarena.tasks.task import DIFFICULTIES, LEVELS

Edit = Callable[[Any, Any], None]


def body(lab: Any, deck: Any) -> None:
    deck.slides[1].placeholders[1].text = "Results\nOutlook\nQuestions\nThanks"


def box_text(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 5, "Remark").text_frame.text = "Acme grows"


def notes(lab: Any, deck: Any) -> None:
    deck.slides[5].notes_slide.notes_text_frame.text = "Thank them all"


def row(lab: Any, deck: Any) -> None:
    table = lab.shape_named(deck, 3, "Sales").table
    copy = deepcopy(table._tbl.tr_lst[2])
    table._tbl.append(copy)
    for text, each in zip(("West", "7", "9"), copy.tc_lst, strict=True):
        each.txBody.p_lst[0].r_lst[0].t.text = text


def bold_and_large(lab: Any, deck: Any) -> None:
    bold(lab, deck)
    lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0].font.size = Pt(40)


def size_and_turn(lab: Any, deck: Any) -> None:
    shape = lab.shape_named(deck, 5, "A")
    shape.width, shape.rotation = lab.inches(1.8), 30


def outline(lab: Any, deck: Any) -> None:
    line = lab.shape_named(deck, 5, "C").line
    line.color.rgb, line.width = lab.rgb("AA3300"), Pt(4)


def delete(lab: Any, deck: Any) -> None:
    lab.delete_slide(deck, 2)


def delete_two(lab: Any, deck: Any) -> None:
    lab.delete_slide(deck, 3)
    lab.delete_slide(deck, 0)


def move(lab: Any, deck: Any) -> None:
    lab.move_slide(deck, 5, 1)


def copied(lab: Any, deck: Any) -> None:
    lab.duplicate_slide(deck, 1, 2).shapes.title.text = "Answers"


def fade(lab: Any, deck: Any) -> None:
    for slide in deck.slides:
        lab.set_transition(slide, "<p:transition><p:wipe/></p:transition>")


def still(lab: Any, deck: Any) -> None:
    root = deck.slides[4]._element
    root.remove(root.find(qn("p:timing")))


def described(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 4, "Logo")._element.nvPicPr.cNvPr.set("descr", "The new logo")


def cropped(lab: Any, deck: Any) -> None:
    lab.shape_named(deck, 4, "Logo").crop_left = 0.25


def chart_title(lab: Any, deck: Any) -> None:
    chart = lab.shape_named(deck, 4, "Revenue chart").chart
    chart.chart_title.text_frame.text = "Revenue by year"


def new_box(lab: Any, deck: Any) -> None:
    box = deck.slides[1].shapes.add_textbox(Inches(6), Inches(5), Inches(3), Inches(1))
    box.name, box.text_frame.text = "Hint", "Questions are welcome"


def two_boxes(lab: Any, deck: Any) -> None:
    new_box(lab, deck)
    box = deck.slides[1].shapes.add_textbox(Inches(6), Inches(6), Inches(3), Inches(1))
    box.name, box.text_frame.text = "Aside", "And so are answers"


def footers(lab: Any, deck: Any) -> None:
    for slide in deck.slides:
        box = slide.shapes.add_textbox(Inches(6), Inches(7), Inches(3), Inches(0.4))
        box.name, box.text_frame.text = "Mark", "Confidential"


def linked(lab: Any, deck: Any) -> None:
    run = lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0]
    run.hyperlink.address = "https://example.org/"


def raised(lab: Any, deck: Any) -> None:
    box = lab.shape_named(deck, 5, "A")._element
    box.getparent().append(box)


def renamed(lab: Any, deck: Any) -> None:
    for slide in deck.slides:
        for text in slide._element.iter(qn("a:t")):
            text.text = (text.text or "").replace("Acme", "Bolt")


def background(lab: Any, deck: Any) -> None:
    deck.slides[1].background.fill.solid()
    deck.slides[1].background.fill.fore_color.rgb = lab.rgb("FFEECC")


def layout(lab: Any, deck: Any) -> None:
    slide = deck.slides[4]
    other = deck.slide_layouts[6]
    for rel in slide.part.rels.values():
        if rel.reltype.endswith("/slideLayout"):
            rel._target = other.part


def properties(lab: Any, deck: Any) -> None:
    deck.core_properties.title = "The annual report"


def theme(lab: Any, deck: Any) -> None:
    part = next(
        rel.target_part
        for rel in deck.slide_masters[0].part.rels.values()
        if rel.reltype.endswith("/theme")
    )
    root = etree.fromstring(part.blob)
    accent = root.find(f".//{qn('a:accent1')}")
    assert accent is not None
    accent[0].set("val", "008844")
    part._blob = etree.tostring(root)


def slide_size(lab: Any, deck: Any) -> None:
    deck.slide_width = Inches(13.333)


def looped(lab: Any, deck: Any) -> None:
    part = next(
        rel.target_part for rel in deck.part.rels.values() if rel.reltype.endswith("/presProps")
    )
    root = etree.fromstring(part.blob)
    show = etree.SubElement(root, qn("p:showPr"), loop="1")
    root.insert(0, show)
    part._blob = etree.tostring(root)


# Edits, and the checks of their drafts apart from `nothing_else_changed`.
CASES: list[tuple[Edit, list[str]]] = [
    (retitle, ["title_is"]),
    (body, ["paragraphs_are"]),
    (box_text, ["shape_text_is"]),
    (notes, ["notes_are"]),
    (cell, ["table_cell_is"]),
    (row, ["table_has_row"]),
    (bold, ["run_format"]),
    (bold_and_large, ["run_format"]),
    (centered, ["paragraph_alignment"]),
    (move_box, ["shape_position"]),
    (size_and_turn, ["shape_size", "shape_rotation"]),
    (recolor, ["shape_fill_color"]),
    (outline, ["shape_line"]),
    (hide, ["slide_hidden"]),
    (delete, ["slide_deleted"]),
    (delete_two, ["slide_deleted"]),
    (move, ["slide_moved"]),
    (copied, ["slide_added", "gold_match"]),
    (fade, ["transition_is"]),
    (still, ["animation_none"]),
    (described, ["alt_text_is"]),
    (drop_logo, ["shape_deleted"]),
    (cropped, ["picture_cropped"]),
    (new_data, ["chart_has_series"]),
    (chart_title, ["chart_title_is"]),
    (new_box, ["shape_exists", "gold_match"]),
    (two_boxes, ["shape_exists", "gold_match", "shape_exists", "gold_match"]),
    (footers, ["shape_exists", "gold_match"]),
    (linked, ["hyperlink_is"]),
    (raised, ["gold_match"]),
    (renamed, ["text_replaced_everywhere"]),
    (background, ["slide_background"]),
    (layout, ["slide_layout_is"]),
    (properties, ["document_property_is"]),
    (theme, ["theme_colors_are"]),
    (slide_size, ["slide_size_is"]),
    (looped, ["gold_match"]),
]


def leaves(node: dict[str, Any]) -> list[dict[str, Any]]:
    below = [leaf for child in node.get("children", ()) for leaf in leaves(child)]
    return [node] if "check" in node else below


def require_valid_draft(draft: Draft, original: Any, gold: Any) -> None:
    """Assert that scores, proofs and fields of a draft are correct."""
    rubric, scope = load_rubric(draft.task["rubric"]), load_scope(draft.task["scope"])
    assert scope == draft.scope
    for deck, expected in ((original, 0), (gold, 1)):
        node = score(rubric, original, deck, scope, gold=gold)
        assert node.score == expected, node.to_json()
        assert node.judged_share == 1
    proofs = judge_leaves(rubric, scope, original, gold, gold)
    assert [f"{proof.name}: {proof.verdict}" for proof in proofs if proof.verdict != "ok"] == []
    task = draft.task
    assert task["difficulty"] in DIFFICULTIES
    assert task["level"] in LEVELS
    assert task["edit_types"]
    assert set(task["edit_types"]) <= set(EDIT_TYPES)
    assert task["max_steps"] >= 15


@pytest.mark.slow
@each_case("edit, checks", CASES, ids=lambda each: getattr(each, "__name__", ""))
def test_draft_is_valid_and_uses_the_suitable_check(
    lab: Any, edit: Edit, checks: list[str]
) -> None:
    gold = lab.edited(lambda deck: edit(lab, deck))
    draft = draft_task(lab.original, gold, id="a-draft", instruction="Do it.")
    require_valid_draft(draft, lab.original, gold)
    assert [leaf["check"] for leaf in leaves(draft.task["rubric"]["root"])] == [
        *checks,
        "nothing_else_changed",
    ]
    compared = [] if checks != ["gold_match"] else [draft.task["rubric"]["root"]["children"][0]]
    assert list(draft.compared) == [node["name"] for node in compared]


@pytest.mark.slow
@each_case("task", list_tasks("starter"), ids=lambda task: task.id)
def test_starter_tasks_can_be_drafted_from_their_goals(task: Task) -> None:
    original, gold = read_deck(task.deck_bytes()), read_deck(goal_deck(task))
    draft = draft_task(original, gold, id=task.id, instruction=task.instruction)
    require_valid_draft(draft, original, gold)
    assert draft.compared == ()
    node = score(task.rubric, original, gold, draft.scope)
    assert node.score == 1.0


def test_draft_has_version_2_and_ordered_fields(lab: Any) -> None:
    gold = lab.edited(lambda deck: retitle(lab, deck))
    task = draft_task(lab.original, gold, id="retitle", instruction="Retitle slide 2.").task
    assert list(task) == [
        *("version", "id", "difficulty", "level", "edit_types", "deck", "gold", "instruction"),
        *("max_steps", "rubric", "scope"),
    ]
    assert (task["version"], task["deck"], task["gold"]) == (2, "deck.pptx", "gold.pptx")
    assert (task["difficulty"], task["level"], task["edit_types"]) == ("easy", "L1", ["text"])


@pytest.mark.slow
def test_many_changes_make_a_hard_task_of_several_types(lab: Any) -> None:
    def edit(deck: Any) -> None:
        for each in (retitle, recolor, cell, fade):
            each(lab, deck)

    gold = lab.edited(edit)
    task = draft_task(lab.original, gold, id="several", instruction="Do it.").task
    assert (task["difficulty"], task["level"]) == ("hard", "L2")
    assert set(task["edit_types"]) == {"text", "shapes", "tables", "transitions"}
    names = [child["name"] for child in task["rubric"]["root"]["children"]]
    assert len(names) == len(set(names)) == 5


def test_names_are_not_shortened(lab: Any) -> None:
    old = lab.original.slides[1].shapes[0].text
    new = "An outline of this long meeting, in four parts of equal size"
    assert len(new) == 60  # descriptions shorten longer texts

    def edit(deck: Any) -> None:
        deck.slides[1].shapes.title.text = new

    task = draft_task(lab.original, lab.edited(edit), id="long", instruction="Do it.").task
    name = task["rubric"]["root"]["children"][0]["name"]
    assert name.endswith(f"'{old}' -> '{new}'")


@pytest.mark.slow
def test_half_of_the_work_scores_half(lab: Any) -> None:
    def edit(deck: Any) -> None:
        retitle(lab, deck)
        recolor(lab, deck)

    gold = lab.edited(edit)
    draft = draft_task(lab.original, gold, id="two", instruction="Do it.")
    rubric = load_rubric(draft.task["rubric"])
    current = lab.edited(lambda deck: retitle(lab, deck))
    node = score(rubric, lab.original, current, draft.scope, gold=gold)
    assert node.score == pytest.approx(0.5)


def test_unchanged_gold_deck_is_rejected(lab: Any) -> None:
    with pytest.raises(TaskError, match="expected a gold deck that differs"):
        draft_task(lab.original, read_deck(lab.base), id="none", instruction="Do it.")
