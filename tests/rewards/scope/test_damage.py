"""The price of damage outside the scope, from free small damage to the entire score."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation as presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.packuri import PackURI
from pptx.util import Inches, Pt
from tests.conftest import save

from pptarena.decks import Paragraph, Run, RunStyle, Transition
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import match_decks
from pptarena.rewards import load_rubric, load_scope, read_deck, score
from pptarena.rewards.scope.content import content_units
from pptarena.rewards.scope.damage import (
    FREE_DAMAGE,
    MAX_DAMAGE,
    NO_DAMAGE,
    Damage,
    _weigh_out_of_sight,
    measure_damage,
)
from pptarena.rewards.scope.loss import aspect_loss
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck

Edit = Callable[[Any], object]
TITLE_2 = {"slides": [2], "aspects": ["text"], "shapes": ["@title"]}
DECK_WIDE = {"slides": "all", "aspects": ["transition"]}


def damage(lab: Any, edit: Edit, scope: dict[str, Any] | None = None) -> Damage:
    match = match_decks(lab.original, lab.edited(edit))
    loaded_scope = load_scope(DECK_WIDE if scope is None else scope)
    return measure_damage(match, loaded_scope, out_of_scope_changes(match, loaded_scope))


def remove(*names: str) -> Edit:
    def edit(deck: Any) -> None:
        for shape in list(deck.slides[4].shapes):
            if shape.name in names:
                shape._element.getparent().remove(shape._element)

    return edit


def retitle(deck: Any) -> None:
    deck.slides[1].shapes.title.text = "Something new"


def test_retained_score_falls_linearly() -> None:
    shares = (0.0, FREE_DAMAGE, (FREE_DAMAGE + MAX_DAMAGE) / 2, MAX_DAMAGE, 1.0)
    assert [Damage(share).retained for share in shares] == pytest.approx([1, 1, 0.5, 0, 0])


def test_changes_within_the_scope_are_no_damage(lab: Any) -> None:
    assert damage(lab, lambda deck: None) == NO_DAMAGE
    assert damage(lab, retitle, TITLE_2) == NO_DAMAGE


def test_removed_slide_counts_as_its_share_of_the_deck(lab: Any) -> None:
    result = damage(lab, lambda deck: lab.delete_slide(deck, 3))
    assert result.share == pytest.approx(0.245)
    assert result.reason == (
        "24% of the rest of the deck is damaged: 100% of slide 4; "
        "changes outside the task: slide 4: slide removed: 'Chart'; "
        "unrequested changes: 1 fact changed: slide 4: slide removed: 'Chart'"
    )


def test_reason_names_changes_and_their_locations(lab: Any) -> None:
    def edit(deck: Any) -> None:
        lab.shape_named(deck, 5, "Remark").text_frame.paragraphs[0].runs[0].font.size = Pt(60)
        deck.slides[0].shapes.title.text = "Other"

    reason = damage(lab, edit).reason
    assert "changes outside the task: slide 1: text changed of the ctrTitle placeholder" in reason
    assert "'Other'" in reason
    assert "slide 5: formatting changed of the text box 'Remark'" in reason
    assert "size" in reason


def test_reason_lists_the_worst_slides_and_counts_the_remaining_changes(lab: Any) -> None:
    def edit(deck: Any) -> None:
        for slide in deck.slides:
            slide.shapes.title.text = "Same"
        lab.delete_slide(deck, 5)

    causes = damage(lab, edit).reason.partition("; unrequested changes")[0]
    named = causes.partition("changes outside the task: ")[2].split("; ")
    assert named[0].startswith("slide 6: slide removed")
    assert len(named) == 4
    assert named[-1] == "and 3 more"


def test_reason_counts_one_added_slide(lab: Any) -> None:
    result = damage(lab, lambda deck: deck.slides.add_slide(deck.slide_layouts[6]))
    assert "1 slide was added" in result.reason


def test_removing_all_slides_is_full_damage(lab: Any) -> None:
    result = damage(lab, lambda deck: [lab.delete_slide(deck, i) for i in range(5, -1, -1)])
    assert (result.share, result.retained) == (1.0, 0.0)
    assert "parts of 3 more slides" in result.reason


def test_shapes_weigh_by_their_content(lab: Any) -> None:
    # A title, a remark, and three bare rectangles that weigh half.
    assert "29% of slide 5" in damage(lab, remove("Remark")).reason
    assert "43% of slide 5" in damage(lab, remove("Remark", "A")).reason


def test_slides_named_in_the_scope_weigh_more(lab: Any) -> None:
    edit = remove("A", "B", "C")
    named = {"slides": [5], "aspects": ["transition"]}
    assert damage(lab, edit, named).share == pytest.approx(0.72 * 1.5 / 3.5)
    assert damage(lab, edit, named | {"slides": [4]}).share == damage(lab, edit).share


@pytest.mark.parametrize(
    "small",
    [
        lambda deck: setattr(deck.slides[4].shapes[1], "left", Inches(1.2)),
        lambda deck: setattr(deck.slides[4].shapes[1], "name", "Another"),
        lambda deck: deck.slides[4].notes_slide.notes_text_frame.__setattr__("text", "A word"),
    ],
    ids=["a move", "a name", "notes"],
)
def test_small_damage_is_free(lab: Any, small: Edit) -> None:
    result = damage(lab, small)
    assert 0 < result.share <= FREE_DAMAGE
    assert result.retained == 1


def test_garbled_text_counts_as_lost(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[0].shapes.title.text = "Xqzv kwpf"
        deck.slides[0].placeholders[1].text = "Vqyx zwkz"

    assert "100% of slide 1" in damage(lab, edit).reason
    assert damage(lab, edit).share == pytest.approx(0.245 + 0.455 * 0.15)


def push_off_slide(deck: Any) -> None:
    remark = next(shape for shape in deck.slides[4].shapes if shape.name == "Remark")
    remark.left = deck.slide_width + Inches(1)


def test_moving_a_shape_off_the_slide_costs_as_much_as_deleting_it(lab: Any) -> None:
    assert "29% of slide 5" in damage(lab, push_off_slide).reason
    assert damage(lab, push_off_slide).share >= damage(lab, remove("Remark")).share > 0.2


def test_changed_title_retains_seventy_percent(lab: Any) -> None:
    def edit(deck: Any) -> None:
        deck.slides[4].shapes.title.text = "Shapes now"

    assert damage(lab, edit).retained == pytest.approx(0.7)


def test_unrequested_content_within_the_scope_retains_half(lab: Any) -> None:
    match = match_decks(lab.original, lab.edited(retitle))
    scope = load_scope({})
    changes = out_of_scope_changes(match, scope)
    result = measure_damage(match, scope, changes, unasked=changes)
    assert result.retained == pytest.approx(0.5)
    assert "unrequested changes: 1 fact changed: slide 2" in result.reason


@pytest.mark.parametrize(
    ("old", "new", "units"),
    [
        ("Our comittee met", "Our committee met", 0.15),
        ("20.6 million", "206.0 million", 1),
        ("North 12 South 15", "North 13 South 16", 2),
        ("Sales rose", "SALES ROSE", 0),
        ("Sales rose.", "Sales rose", 0),
        ("Sales rose", "Sales fell", 1),
        ("", "Something new", 0),
    ],
)
def test_content_units_of_text_changes(lab: Any, old: str, new: str, units: float) -> None:
    match = match_decks(lab.original, lab.original)
    change = Change("text_changed", "text", 1, 1, "a box", 0, old, new, "", 0, old, new)
    assert content_units(change, match) == pytest.approx(units)


@pytest.mark.parametrize(
    ("before", "after", "units"),
    [
        (False, True, 1),
        (True, False, 0),
        (Transition(), Transition(advance_after_sec=0.0), 1),
        (Transition(advance_after_sec=0.0), Transition(advance_after_sec=0.0, type="fade"), 0),
        (Transition(), Transition("fade", duration_sec=60.0), 1),
        (Transition(), Transition("fade", duration_sec=1.0, advance_after_sec=20.0), 0),
    ],
)
def test_content_units_of_unreadable_slides(
    lab: Any, before: object, after: object, units: float
) -> None:
    aspect: Any = "visibility" if isinstance(before, bool) else "transition"
    change = Change(f"{aspect}_changed", aspect, 1, 1, "", None, "", "", "", None, before, after)
    assert content_units(change, match_decks(lab.original, lab.original)) == units


def test_covered_content_is_lost(lab: Any) -> None:
    def add(width: float) -> Edit:
        def edit(deck: Any) -> None:
            size = Inches(width), Inches(width * 0.75)
            shape = deck.slides[4].shapes.add_shape(1, 0, 0, *size)
            shape.fill.solid()
            shape.fill.fore_color.rgb = lab.rgb("FFFFFF")

        return edit

    assert damage(lab, add(10)).share == pytest.approx(1 / 6)
    assert damage(lab, add(0.5)).share == pytest.approx(0.1 / 6)


def test_damage_of_hidden_added_and_moved_slides(lab: Any) -> None:
    def hide(deck: Any) -> None:
        for slide in deck.slides:
            slide._element.set("show", "0")

    def double(deck: Any) -> None:
        for _ in range(6):
            deck.slides.add_slide(deck.slide_layouts[6])

    def reverse(deck: Any) -> None:
        for number in range(1, 6):
            lab.move_slide(deck, number, 0)

    assert damage(lab, hide).retained == 0
    assert damage(lab, double).share == pytest.approx(0.6)
    assert "6 slides were added" in damage(lab, double).reason
    assert 0.2 < damage(lab, reverse).share < 0.4


def test_damage_lowers_only_the_root_score(lab: Any) -> None:
    leaf = {"name": "t", "check": "title_is", "args": {"slide": 2, "text": "Something new"}}
    rubric = load_rubric({"version": 1, "root": {"name": "root", "children": [leaf]}})

    def edit(deck: Any) -> None:
        retitle(deck)
        lab.delete_slide(deck, 5)
        lab.delete_slide(deck, 4)

    tree = score(rubric, lab.original, lab.edited(edit), load_scope(TITLE_2))
    assert tree.score == pytest.approx(tree.kept) == pytest.approx((0.7 - 1 / 3) / 0.65)
    assert tree.children[0].score == 1
    assert tree.reason.startswith("33% of the rest of the deck is damaged: 100% of slide 5, ")
    assert "which leaves 56% of the score" in tree.reason
    assert tree.to_json()["kept"] == tree.kept
    # Without a scope, no change counts as damage.
    assert score(rubric, lab.original, lab.edited(edit)).score == 1


def add_layout(deck: Any) -> None:
    """Add a layout with the name of an existing layout, as pasting a slide may do."""
    layout = deck.slide_layouts[1]
    part = type(layout.part).load(
        PackURI("/ppt/slideLayouts/slideLayout99.xml"),
        layout.part.content_type,
        layout.part.package,
        layout.part.blob,
    )
    part.relate_to(deck.slide_master.part, RT.SLIDE_MASTER)
    entry = deepcopy(deck.slide_master.slide_layouts._sldLayoutIdLst[0])
    entry.set("id", "2147490000")
    entry.rId = deck.slide_master.part.relate_to(part, RT.SLIDE_LAYOUT)
    deck.slide_master.slide_layouts._sldLayoutIdLst.append(entry)


def test_added_layout_is_free_and_allowed_with_a_new_slide(lab: Any) -> None:
    match = match_decks(lab.original, lab.edited(add_layout))
    scope = load_scope(TITLE_2)
    changes = out_of_scope_changes(match, scope)
    assert [change.kind for change in changes] == ["layout_added"]
    assert measure_damage(match, scope, changes).share == 0
    with_slides = load_scope({"slides": [2], "aspects": ["slides"], "new_slides": 1})
    assert out_of_scope_changes(match, with_slides) == ()


@pytest.mark.slow
def test_manual_copy_may_lack_the_slide_number() -> None:
    task = get_task("resistance-answers-slide")
    deck = presentation(BytesIO(goal_deck(task)))
    for shape in list(deck.slides[19].placeholders):
        if shape.placeholder_format.type == PP_PLACEHOLDER.SLIDE_NUMBER:
            shape._element.getparent().remove(shape._element)
    decks = read_deck(task.deck_bytes()), read_deck(save(deck))
    tree = score(task.rubric, *decks, task.scope)
    assert tree.kept == 1
    assert tree.score == pytest.approx(0.925)


@pytest.mark.slow
def test_hiding_most_of_the_work_counts_as_hiding_all() -> None:
    task = get_task("negev-mirror-process")
    goal = goal_deck(task)
    assert _score_with_tiny_text(task, goal, 3) > _score_with_tiny_text(task, goal, 4) == 0


def _score_with_tiny_text(task: Any, goal: bytes, boxes: int) -> float:
    """Score the goal with the text of the given number of its five boxes set to 1 pt."""
    deck = presentation(BytesIO(goal))
    group = [shape for shape in deck.slides[8].shapes if shape.name.startswith("Tariq ")]
    for shape in [each for each in group if each.has_text_frame][:boxes]:
        for run in shape.text_frame.paragraphs[0].runs:
            run.font.size = Pt(1)
    decks = read_deck(task.deck_bytes()), read_deck(save(deck))
    return score(task.rubric, *decks, task.scope).score or 0.0


def test_targets_of_the_task_must_stay_visible(lab: Any) -> None:
    about = {"slides": [5], "aspects": ["geometry"], "shapes": ["Remark"]}
    result = damage(lab, push_off_slide, about)
    assert (result.share, result.retained) == (MAX_DAMAGE, 0.0)
    assert result.reason.endswith("100% of the task's target is not visible")
    # With two targets, the other half of the work remains visible.
    both_shapes = {**about, "shapes": ["Remark", "@title"]}
    assert damage(lab, push_off_slide, both_shapes).share == pytest.approx(MAX_DAMAGE / 2)
    # A task may request invisibility.
    assert (
        damage(lab, push_off_slide, {**about, "aspects": ["geometry", "visibility"]}) == NO_DAMAGE
    )


@pytest.mark.parametrize(("share", "weight"), [(0.2, 0.2), (0.5, 0.5), (0.625, 0.75), (0.75, 1.0)])
def test_invisible_share_weighs_double_above_one_half(share: float, weight: float) -> None:
    assert _weigh_out_of_sight(share) == pytest.approx(weight)


def test_requested_deletion_is_not_invisibility(lab: Any) -> None:
    about = {"slides": [5], "aspects": ["shapes"], "shapes": ["Remark"]}
    assert damage(lab, remove("Remark"), about) == NO_DAMAGE


def test_emptying_a_shape_equals_deleting_it_if_the_target_does(lab: Any) -> None:
    def empty(deck: Any) -> None:
        lab.shape_named(deck, 5, "Remark").text_frame.clear()

    def loss(aspect: str, *targets: Any) -> float:
        about = load_scope({"slides": [5], "aspects": [aspect], "shapes": ["Remark"]})
        match = match_decks(lab.original, lab.edited(empty))
        return measure_damage(match, about, (), targets=targets).share

    deleted, reworded = lab.edited(remove("Remark")), lab.edited(retitle)
    assert loss("text") == loss("text", deleted) == loss("text", reworded, lab.edited(empty)) == 0
    assert loss("text", reworded) == loss("geometry") == loss("geometry", deleted) == MAX_DAMAGE


def test_changed_lines_cost_their_share_of_the_text(lab: Any) -> None:
    shape = lab.original.slides[1].shapes[0]
    rows = ("Eight of ten would come again", "The comittee meets every month")
    old, new = (
        replace(shape, paragraphs=tuple(Paragraph((Run(line, RunStyle()),)) for line in lines))
        for lines in (rows, ("The committee meets every month",))
    )
    values = "The comittee meets every month", "The committee meets every month"
    line = Change("text_changed", "text", 2, 2, "a box", 0, "", "", "", 0, *values)
    full_change = replace(line, value_before=old.text, value_after=new.text)
    assert aspect_loss(old, new, "text", [line]) == pytest.approx(1 / 11)
    assert aspect_loss(old, new, "text", [full_change]) >= 0.5


def test_unrequested_change_of_a_target_object_sets_a_ceiling(lab: Any) -> None:
    def turned(deck: Any) -> None:
        lab.shape_named(deck, 5, "Remark").rotation = 25

    match = match_decks(lab.original, lab.edited(turned))
    scope = load_scope(TITLE_2)
    changes = out_of_scope_changes(match, scope)
    (change,) = changes
    location = change.slide, change.shape_index
    unrequested = measure_damage(match, scope, changes, touched={location: {("text", "")}})
    assert 0.5 < unrequested.ceiling <= 0.8
    assert measure_damage(match, scope, changes).ceiling == 1.0
    requested = {location: {("geometry", change.what)}}
    assert measure_damage(match, scope, changes, touched=requested).ceiling == 1.0
