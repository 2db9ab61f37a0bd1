"""Side effects of LibreOffice's own editing are not damage."""

from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.text import MSO_AUTO_SIZE
from pptx.oxml.ns import qn
from pptx.util import Cm, Emu, Pt
from tests.conftest import save
from tests.slide_edits import set_notes, shape_named

from pptarena.decks import Deck, read_deck
from pptarena.decks.match.decks import match_decks
from pptarena.rewards import load_scope
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.rewards.scope.unexplained_changes import unexplained_changes
from pptarena.tasks import get_task
from pptarena.tasks.goals import goal_deck
from pptarena.tasks.goals.editing import edit_deck

pytestmark = pytest.mark.slow

LINE_CM = 0.85  # of 18 pt, with the default line spacing
INSETS_CM = 0.254


def deck(height_cm: float) -> Deck:
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "A title"
    box = slide.shapes.add_textbox(Cm(2), Cm(8), Cm(12), Cm(height_cm))
    box.text_frame.text = "One line"
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(18)
    box.text_frame.auto_size = MSO_AUTO_SIZE.SHAPE_TO_FIT_TEXT
    return read_deck(save(presentation))


def unrequested(original: Deck, current: Deck, target: Deck) -> list[str]:
    match = match_decks(original, current)
    scope = load_scope({"slides": "all"}).resolve(original)
    outside = out_of_scope_changes(match, scope)
    return [each.text for each in unexplained_changes(match, scope, (target,), outside)]


@pytest.mark.parametrize("scope", [{"slides": "all"}, {"slides": []}])
@pytest.mark.parametrize(
    ("height_cm", "is_free"), [(LINE_CM * 0.896 + INSETS_CM, True), (2.0, False), (0.5, False)]
)
def test_self_fitting_box_may_take_the_height_of_its_text(
    scope: dict[str, Any], height_cm: float, is_free: bool
) -> None:
    original = deck(3.0)
    match = match_decks(original, deck(height_cm))
    resolved = load_scope(scope).resolve(original)
    outside = out_of_scope_changes(match, resolved)
    changes = (*outside, *unexplained_changes(match, resolved, (original,), outside))
    assert (not changes) == is_free


@pytest.mark.parametrize(("notes", "is_free"), [("Click to add Notes", True), ("Hello", False)])
def test_placeholder_prompt_of_empty_notes_is_ignored(notes: str, is_free: bool) -> None:
    file = get_task("harbor-contrast").deck_bytes()
    original = read_deck(file)
    number = next(s.index + 1 for s in original.slides if not s.notes)
    current = read_deck(edit_deck(file, lambda deck: set_notes(deck, number, notes)))
    match = match_decks(original, current)
    assert (
        not out_of_scope_changes(match, load_scope({"slides": []}).resolve(original))
    ) == is_free


def _turn_axis_title(presentation: Any) -> None:
    chart = shape_named(presentation, 7, "Net income").chart
    for body in chart.value_axis.axis_title._element.iter(qn("a:bodyPr")):
        body.set("rot", "-5400000")


def test_rotation_of_a_new_axis_title_is_allowed() -> None:
    task = get_task("ledger-axis")
    original, goal = read_deck(task.deck_bytes()), goal_deck(task)
    turned = read_deck(edit_deck(goal, _turn_axis_title))
    assert unrequested(original, turned, read_deck(goal)) == []
    assert unrequested(read_deck(goal), turned, read_deck(goal))  # no work on the chart explains it


@pytest.mark.parametrize(
    ("down_cm", "factor", "is_free"), [(2, 0.3, True), (4, 0.3, False), (0, 2, False)]
)
def test_box_may_shrink_when_its_text_changes_direction(
    down_cm: float, factor: float, is_free: bool
) -> None:
    def resize(presentation: Any) -> None:
        box = shape_named(presentation, 4, "速報")
        box.top, box.height = Emu(box.top + Cm(down_cm)), Emu(int(box.height * factor))

    task = get_task("kanto-read-across")
    goal = goal_deck(task)
    current = read_deck(edit_deck(goal, resize))
    changes = unrequested(read_deck(task.deck_bytes()), current, read_deck(goal))
    assert (not changes) == is_free
