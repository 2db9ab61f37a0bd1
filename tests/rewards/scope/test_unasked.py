"""What the scope of a task allows and its target does not have is damage."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from pptx.chart.data import CategoryChartData
from pptx.oxml.ns import qn
from pptx.util import Emu, Pt
from tests.each_case import each_case
from tests.slide_edits import rewrite_cell, set_notes, shape_named, slide_at

from pptarena.decks.match.decks import match_decks
from pptarena.rewards import ScoredNode, load_scope, read_deck, score
from pptarena.rewards.scope.outside import changes_outside
from pptarena.rewards.scope.unasked import unasked_changes
from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edited

pytestmark = pytest.mark.slow

Edit = Callable[[Any], None]


def scored(task_id: str, *edits: Edit) -> ScoredNode:
    """Score the goal of a task after more edits, with the goal as its target."""
    task = get_task(task_id)
    goal = goal_deck(task)
    original, target = read_deck(task.deck_bytes()), read_deck(goal)
    now = read_deck(edited(goal, *edits)) if edits else target
    return score(task.rubric, original, now, task.scope, targets=(target,))


def unasked(task_id: str, *edits: Edit) -> list[str]:
    """Return the sentences of what was changed within the scope, and not asked for."""
    task = get_task(task_id)
    goal = goal_deck(task)
    original, target = read_deck(task.deck_bytes()), read_deck(goal)
    match = match_decks(original, read_deck(edited(goal, *edits)))
    assert task.scope is not None
    scope = task.scope.on(original)
    found = unasked_changes(match, scope, (target,), changes_outside(match, scope))
    return [change.text for change in found]


def other_wards(deck: Any) -> None:
    for row, name in enumerate(("Kitchen", "Garden", "Roof"), start=2):
        rewrite_cell(deck, 7, "Incidents by ward", row, 1, name)


def all_ones(number: int, shape: str) -> Edit:
    def edit(deck: Any) -> None:
        chart = shape_named(deck, number, shape).chart
        new_data: Any = CategoryChartData
        data = new_data()
        data.categories = list(chart.plots[0].categories)
        for series in chart.plots[0].series:
            data.add_series(series.name, [1.0] * len(series.values))
        chart.replace_data(data)

    return edit


def turned(number: int, shape: str) -> Edit:
    def edit(deck: Any) -> None:
        shape_named(deck, number, shape).rotation = 180

    return edit


def tall(number: int, shape: str) -> Edit:
    def edit(deck: Any) -> None:
        box = shape_named(deck, number, shape)
        box.width, box.height = Emu(box.width // 2), Emu(box.height * 3)

    return edit


def aside(number: int, shape: str) -> Edit:
    def edit(deck: Any) -> None:
        shape_named(deck, number, shape).left += Emu(300_000)

    return edit


def struck(number: int, shape: str) -> Edit:
    def edit(deck: Any) -> None:
        for paragraph in shape_named(deck, number, shape).text_frame.paragraphs:
            for run in paragraph.runs:
                run.font._rPr.set("strike", "sngStrike")
                run.font.size = Pt(12)

    return edit


def runs_away(number: int) -> Edit:
    def edit(deck: Any) -> None:
        for element in slide_at(deck, number)._element.iter():
            if element.tag.endswith("}transition"):
                element.set("advTm", "0")

    return edit


def linked(number: int, shape: str) -> Edit:
    def edit(deck: Any) -> None:
        shape_named(deck, number, shape).click_action.hyperlink.address = "https://other.example/"

    return edit


def hidden(number: int) -> Edit:
    def edit(deck: Any) -> None:
        slide_at(deck, number)._element.set("show", "0")

    return edit


def remarked(number: int, shape: str) -> Edit:
    def edit(deck: Any) -> None:
        runs = shape_named(deck, number, shape).text_frame.paragraphs[0].runs
        runs[-1].text += " (wrong: it is 412)"

    return edit


def written_on(number: int, shape: str) -> Edit:
    def edit(deck: Any) -> None:
        below = shape_named(deck, number, shape)
        place = below.left, below.top, below.width, below.height
        box = slide_at(deck, number).shapes.add_textbox(*place)
        box.text_frame.text = "SAMPLE SAMPLE SAMPLE"

    return edit


BESIDE = {
    "words on the chart of the task": ("clinic-lying-bars", written_on(9, "Time of day"), 0.6),
    "a link on the shape of the task": ("aurora-grey-dawn", linked(4, "Dawn"), 0.6),
    "the slide of the task is hidden": ("negev-sand-background", hidden(15), 0.6),
    "the slide of the task runs away": ("thesis-campus-wipe", runs_away(14), 0.6),
    "a remark in the shape of the task": ("harbor-contrast", remarked(11, "Haltestellentext"), 0.6),
    "the shape of the task is turned": ("harbor-contrast", turned(11, "Haltestellentext"), 0.8),
}


@each_case("name", BESIDE)
def test_what_the_scope_forbids_of_the_tasks_own_objects_costs_as_much(name: str) -> None:
    task_id, edit, most = BESIDE[name]
    node = scored(task_id, edit)
    assert node.score is not None
    assert node.score <= most, node.reason


def test_an_address_that_is_linked_as_it_is_typed_misleads_nobody() -> None:
    def addressed(deck: Any) -> None:
        run = shape_named(deck, 11, "Haltestellentext").text_frame.paragraphs[0].runs[0]
        run.hyperlink.address = run.text

    assert "fact changed" in scored("harbor-contrast", linked(11, "Haltestellentext")).reason
    assert "fact changed" not in scored("harbor-contrast", addressed).reason


def test_a_description_where_there_was_none_costs_nothing() -> None:
    def described(deck: Any) -> None:
        table = shape_named(deck, 7, "Incidents by ward")
        table._element.nvGraphicFramePr.cNvPr.set("descr", "Incidents of each ward")

    assert scored("clinic-drop-2024", described).score == 1.0


def test_invisible_marks_in_renamed_words_cost_nothing() -> None:
    def marked(deck: Any) -> None:
        for slide in deck.slides:
            for shape in slide.shapes:
                for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
                    for run in paragraph.runs:
                        if "TrailLight" in run.text:
                            run.text = run.text.replace("TrailLight", "\ufeffTrailLight")

    assert scored("meridian-rename-tent", marked).score == 1.0


SLOPPY = {
    "cells of the table beside the work": ("clinic-drop-2024", other_wards),
    "values of the chart": ("ledger-axis", all_ones(7, "Net income")),
    "a box on its head": ("onboard-leader-level", turned(11, "Leader 4")),
    "a box of another size": ("onboard-leader-level", tall(11, "Leader 4")),
    "a coordinate that should stay": ("ledger-tile", aside(4, "Tile 2")),
    "another look of words": ("harbor-contrast", struck(11, "Haltestellentext")),
    "a slide that runs away": ("thesis-campus-wipe", runs_away(14)),
}


@each_case("task_id", sorted({task for task, _ in SLOPPY.values()}))
def test_the_target_itself_has_nothing_unasked(task_id: str) -> None:
    assert unasked(task_id) == []
    assert scored(task_id).score == 1.0


@each_case("name", SLOPPY)
def test_what_no_target_explains_is_named_and_costs(name: str) -> None:
    task_id, edit = SLOPPY[name]
    assert unasked(task_id, edit)
    node = scored(task_id, edit)
    assert node.score is not None
    assert node.score <= 0.95, node.reason


def test_half_of_the_work_is_no_damage() -> None:
    task = get_task("clinic-late-report")
    original, target = read_deck(task.deck_bytes()), read_deck(goal_deck(task))
    half = edited(
        task.deck_bytes(), lambda deck: rewrite_cell(deck, 7, "Incidents by ward", 3, 4, "42")
    )
    match = match_decks(original, read_deck(half))
    assert task.scope is not None
    assert unasked_changes(match, task.scope.on(original), (target,), ()) == ()


def test_words_that_a_scope_names_are_free_everywhere() -> None:
    def notes(deck: Any) -> None:
        text = slide_at(deck, 8).notes_slide.notes_text_frame.text
        assert "TrailLite" in text
        set_notes(deck, 8, text.replace("TrailLite", "TrailLight"))

    assert unasked("meridian-rename-tent", notes) == []


def test_what_a_scope_frees_needs_no_target() -> None:
    assert unasked("field-photo-grid", aside(13, "Photo apples")) == []


def test_of_several_targets_the_best_counts() -> None:
    task = get_task("ledger-tile")
    original = read_deck(task.deck_bytes())
    goal = goal_deck(task)
    other = read_deck(edited(goal, aside(4, "Tile 2")))
    assert task.scope is not None
    scope = task.scope.on(original)
    match = match_decks(original, other)
    assert unasked_changes(match, scope, (read_deck(goal), other), ()) == ()


def test_without_a_target_the_scope_alone_decides() -> None:
    task = get_task("clinic-drop-2024")
    original = read_deck(task.deck_bytes())
    now = read_deck(edited(goal_deck(task), other_wards))
    assert score(task.rubric, original, now, task.scope).score == 1.0


def test_an_effect_on_another_shape_is_not_asked_for() -> None:
    def animated(deck: Any) -> None:
        slide = slide_at(deck, 18)
        timing = slide._element.find(qn("p:timing"))
        (effect,) = (e for e in timing.iter(qn("p:cTn")) if e.get("presetClass") == "entr")
        click = effect
        while click.getparent().getparent().get("nodeType") != "mainSeq":
            click = click.getparent()
        another = deepcopy(click)
        for target in another.iter(qn("p:spTgt")):
            target.set("spid", str(slide.shapes.title.shape_id))
        click.addnext(another)

    assert any(
        "animation added" in each for each in unasked("resistance-questions-later", animated)
    )


def test_a_link_of_a_new_slide_leads_where_the_target_leads() -> None:
    def linked_title(deck: Any) -> None:
        slide_at(deck, 8).shapes.title.click_action.hyperlink.address = "https://other.example/"

    node = scored("field-quote-slide", linked_title)
    assert node.score is not None
    assert node.score <= 0.6
    assert "https://other.example/" in node.reason


def test_a_typed_link_does_not_excuse_a_foreign_link_on_the_same_new_shape() -> None:
    def with_box(foreign: bool) -> Edit:
        def edit(deck: Any) -> None:
            box = slide_at(deck, 2).shapes.add_textbox(0, 0, 3_000_000, 400_000)
            run = box.text_frame.paragraphs[0].add_run()
            run.text = run.hyperlink.address = "https://typed.example/"
            if foreign:
                box.click_action.hyperlink.address = "https://foreign.example/"

        return edit

    task = get_task("harbor-contrast")
    original, target = read_deck(task.deck_bytes()), read_deck(goal_deck(task))
    scope = load_scope({"slides": "all"}).on(original)
    addresses = []
    for foreign in (True, False):
        now = read_deck(edited(goal_deck(task), with_box(foreign)))
        match = match_decks(original, now)
        found = unasked_changes(match, scope, (target,), changes_outside(match, scope))
        addresses.append([c.after for c in found if c.kind == "hyperlinks_changed"])
    assert addresses == [["https://foreign.example/"], []]
