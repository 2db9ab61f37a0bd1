"""Changes that the scope allows but no target contains are damage."""

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
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.rewards.scope.unexplained_changes import unexplained_changes
from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edit_deck

pytestmark = pytest.mark.slow

Edit = Callable[[Any], None]


def scored(task_id: str, *edits: Edit) -> ScoredNode:
    """Score the goal of a task after more edits, with the goal as its target."""
    task = get_task(task_id)
    goal = goal_deck(task)
    original, target = read_deck(task.deck_bytes()), read_deck(goal)
    current = read_deck(edit_deck(goal, *edits)) if edits else target
    return score(task.rubric, original, current, task.scope, targets=(target,))


def unrequested(task_id: str, *edits: Edit) -> list[str]:
    """Describe the unrequested changes within the scope."""
    task = get_task(task_id)
    goal = goal_deck(task)
    original, target = read_deck(task.deck_bytes()), read_deck(goal)
    match = match_decks(original, read_deck(edit_deck(goal, *edits)))
    assert task.scope is not None
    scope = task.scope.resolve(original)
    changes = unexplained_changes(match, scope, (target,), out_of_scope_changes(match, scope))
    return [change.text for change in changes]


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


def advance_immediately(number: int) -> Edit:
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
        covered = shape_named(deck, number, shape)
        frame = covered.left, covered.top, covered.width, covered.height
        box = slide_at(deck, number).shapes.add_textbox(*frame)
        box.text_frame.text = "SAMPLE SAMPLE SAMPLE"

    return edit


OUT_OF_SCOPE = {
    "text on the chart of the task": ("clinic-lying-bars", written_on(9, "Time of day"), 0.6),
    "a link on the shape of the task": ("aurora-grey-dawn", linked(4, "Dawn"), 0.6),
    "the slide of the task is hidden": ("negev-sand-background", hidden(15), 0.6),
    "the slide of the task advances immediately": (
        "thesis-campus-wipe",
        advance_immediately(14),
        0.6,
    ),
    "a remark in the shape of the task": ("harbor-contrast", remarked(11, "Haltestellentext"), 0.6),
    "the shape of the task is turned": ("harbor-contrast", turned(11, "Haltestellentext"), 0.8),
}


@each_case("name", OUT_OF_SCOPE)
def test_out_of_scope_changes_of_target_objects_limit_the_score(name: str) -> None:
    task_id, edit, maximum = OUT_OF_SCOPE[name]
    node = scored(task_id, edit)
    assert node.score is not None
    assert node.score <= maximum, node.reason


def test_linking_a_typed_address_to_itself_is_free() -> None:
    def link_to_itself(deck: Any) -> None:
        run = shape_named(deck, 11, "Haltestellentext").text_frame.paragraphs[0].runs[0]
        run.hyperlink.address = run.text

    assert "fact changed" in scored("harbor-contrast", linked(11, "Haltestellentext")).reason
    assert "fact changed" not in scored("harbor-contrast", link_to_itself).reason


def test_adding_a_missing_description_is_free() -> None:
    def described(deck: Any) -> None:
        table = shape_named(deck, 7, "Incidents by ward")
        table._element.nvGraphicFramePr.cNvPr.set("descr", "Incidents of each ward")

    assert scored("clinic-drop-2024", described).score == 1.0


def test_invisible_characters_in_renamed_words_are_free() -> None:
    def marked(deck: Any) -> None:
        for slide in deck.slides:
            for shape in slide.shapes:
                for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
                    for run in paragraph.runs:
                        if "TrailLight" in run.text:
                            run.text = run.text.replace("TrailLight", "\ufeffTrailLight")

    assert scored("meridian-rename-tent", marked).score == 1.0


SLOPPY = {
    "other cells of the table": ("clinic-drop-2024", other_wards),
    "values of the chart": ("ledger-axis", all_ones(7, "Net income")),
    "a box upside down": ("onboard-leader-level", turned(11, "Leader 4")),
    "a box of another size": ("onboard-leader-level", tall(11, "Leader 4")),
    "a coordinate that should stay": ("ledger-tile", aside(4, "Tile 2")),
    "other formatting of text": ("harbor-contrast", struck(11, "Haltestellentext")),
    "a slide that advances immediately": ("thesis-campus-wipe", advance_immediately(14)),
}


@each_case("task_id", sorted({task for task, _ in SLOPPY.values()}))
def test_target_itself_has_no_unrequested_changes(task_id: str) -> None:
    assert unrequested(task_id) == []
    assert scored(task_id).score == 1.0


@each_case("name", SLOPPY)
def test_unrequested_changes_are_reported_and_charged(name: str) -> None:
    task_id, edit = SLOPPY[name]
    assert unrequested(task_id, edit)
    node = scored(task_id, edit)
    assert node.score is not None
    assert node.score <= 0.95, node.reason


def test_partial_work_is_no_damage() -> None:
    task = get_task("clinic-late-report")
    original, target = read_deck(task.deck_bytes()), read_deck(goal_deck(task))
    half_done = edit_deck(
        task.deck_bytes(), lambda deck: rewrite_cell(deck, 7, "Incidents by ward", 3, 4, "42")
    )
    match = match_decks(original, read_deck(half_done))
    assert task.scope is not None
    assert unexplained_changes(match, task.scope.resolve(original), (target,), ()) == ()


def test_replacements_named_in_the_scope_are_free_everywhere() -> None:
    def notes(deck: Any) -> None:
        text = slide_at(deck, 8).notes_slide.notes_text_frame.text
        assert "TrailLite" in text
        set_notes(deck, 8, text.replace("TrailLite", "TrailLight"))

    assert unrequested("meridian-rename-tent", notes) == []


def test_free_changes_need_no_target() -> None:
    assert unrequested("field-photo-grid", aside(13, "Photo apples")) == []


def test_best_of_several_targets_counts() -> None:
    task = get_task("ledger-tile")
    original = read_deck(task.deck_bytes())
    goal = goal_deck(task)
    alternative = read_deck(edit_deck(goal, aside(4, "Tile 2")))
    assert task.scope is not None
    scope = task.scope.resolve(original)
    match = match_decks(original, alternative)
    assert unexplained_changes(match, scope, (read_deck(goal), alternative), ()) == ()


def test_scope_alone_decides_without_a_target() -> None:
    task = get_task("clinic-drop-2024")
    original = read_deck(task.deck_bytes())
    current = read_deck(edit_deck(goal_deck(task), other_wards))
    assert score(task.rubric, original, current, task.scope).score == 1.0


def test_effect_on_another_shape_is_unrequested() -> None:
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
        "animation added" in each for each in unrequested("resistance-questions-later", animated)
    )


def test_link_on_a_new_slide_must_match_the_target() -> None:
    def linked_title(deck: Any) -> None:
        slide_at(deck, 8).shapes.title.click_action.hyperlink.address = "https://other.example/"

    node = scored("field-quote-slide", linked_title)
    assert node.score is not None
    assert node.score <= 0.6
    assert "https://other.example/" in node.reason


def test_typed_link_does_not_excuse_another_link_on_the_shape() -> None:
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
    scope = load_scope({"slides": "all"}).resolve(original)
    addresses = []
    for foreign in (True, False):
        current = read_deck(edit_deck(goal_deck(task), with_box(foreign)))
        match = match_decks(original, current)
        changes = unexplained_changes(match, scope, (target,), out_of_scope_changes(match, scope))
        addresses.append([c.after for c in changes if c.kind == "hyperlinks_changed"])
    assert addresses == [["https://foreign.example/"], []]
