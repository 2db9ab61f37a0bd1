"""For every task: the deck as it is scores 0, the deck as it should be scores 1."""

from collections.abc import Callable
from copy import deepcopy
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation
from pptx.oxml.ns import qn
from pptx.util import Cm

from pptarena.rewards import ScoredNode, read_deck, score
from pptarena.tasks import Task, list_tasks
from pptarena.tasks.decks.motion import set_transition

TASKS = list_tasks("bench")


def slide(deck: Any, number: int) -> Any:
    return deck.slides[number - 1]


def shape(deck: Any, number: int, name: str) -> Any:
    return next(shape for shape in slide(deck, number).shapes if shape.name == name)


def delete(deck: Any, number: int) -> None:
    entry = deck.slides._sldIdLst[number - 1]
    deck.part.drop_rel(entry.rId)
    deck.slides._sldIdLst.remove(entry)


def move(deck: Any, number: int, to: int) -> None:
    entries = deck.slides._sldIdLst
    entry = entries[number - 1]
    entries.remove(entry)
    entries.insert(to - 1, entry)


def hide_backup(deck: Any) -> None:
    slide(deck, 17)._element.set("show", "0")


def retitle_products(deck: Any) -> None:
    slide(deck, 7).shapes.title.text = "Tents are now our largest line"


def lecturer_name(deck: Any) -> None:
    font = slide(deck, 1).placeholders[1].text_frame.paragraphs[1].runs[0].font
    font.bold = font.italic = True


def rename_tent(deck: Any) -> None:
    for one in deck.slides:
        for text in one._element.iter(qn("a:t")):
            text.text = (text.text or "").replace("TrailLite", "TrailLight")


def cell_picture(deck: Any) -> None:
    picture = shape(deck, 5, "Cell")
    ratio = picture.height / picture.width
    picture.width = Cm(10.5)
    picture.height = round(picture.width * ratio)


def classes_table(deck: Any) -> None:
    table = shape(deck, 6, "Classes").table
    table.cell(4, 1).text_frame.paragraphs[0].runs[0].text = "DNA copying"
    notes = slide(deck, 6).notes_slide.notes_text_frame
    notes.text = "Fluoroquinolones act on gyrase and topoisomerase IV."


def board_version(deck: Any) -> None:
    line = slide(deck, 1).placeholders[1].text_frame.paragraphs[1]
    line.runs[0].text = "Supervisory board, 21 October 2026"
    for one in deck.slides:
        for old in one._element.findall(qn("p:transition")):
            one._element.remove(old)
        set_transition(one, "fade")
    delete(deck, 17)
    risks = 14
    delete(deck, 10)
    move(deck, risks - 1, 4)


def answers_slide(deck: Any) -> None:
    source = slide(deck, 19)
    copy = deck.slides.add_slide(source.slide_layout)
    for own in list(copy.shapes):
        own._element.getparent().remove(own._element)
    for element in source.shapes._spTree[2:]:
        copy.shapes._spTree.append(deepcopy(element))
    copy.shapes.title.text = "Answers"
    answers = (
        "True: the drug leaves before it can act",
        "One plasmid brings whole genes to many neighbours",
        "Treatment with the usual dose will probably fail",
    )
    for paragraph, text in zip(copy.placeholders[1].text_frame.paragraphs, answers, strict=True):
        paragraph.runs[0].text = text
    move(deck, 21, 20)
    timing = slide(deck, 17)._element.find(qn("p:timing"))
    timing.getparent().remove(timing)
    description = "Bacterial cell with four targets of antibiotics"
    shape(deck, 5, "Cell")._element.nvPicPr.cNvPr.set("descr", description)


GOALS: dict[str, Callable[[Any], None]] = {
    "meridian-hide-backup": hide_backup,
    "meridian-retitle-products": retitle_products,
    "resistance-lecturer-name": lecturer_name,
    "meridian-rename-tent": rename_tent,
    "resistance-cell-picture": cell_picture,
    "resistance-fix-classes-table": classes_table,
    "meridian-board-version": board_version,
    "resistance-answers-slide": answers_slide,
}


def scored(task: Task, *edits: Callable[[Any], None]) -> ScoredNode:
    """Score the task's deck after edits by python-pptx."""
    deck = Presentation(BytesIO(task.deck_bytes()))
    for edit in edits:
        edit(deck)
    stream = BytesIO()
    deck.save(stream)
    original = read_deck(task.deck_bytes())
    return score(task.rubric, original, read_deck(stream.getvalue()), task.scope)


def test_every_task_has_a_goal() -> None:
    assert set(GOALS) == {task.id for task in TASKS}


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_work_scores_nothing(task: Task) -> None:
    node = scored(task)
    assert node.score == 0.0, node.to_json()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_goal_scores_one(task: Task) -> None:
    node = scored(task, GOALS[task.id])
    assert node.score == 1.0, node.to_json()


def spoil(deck: Any) -> None:
    """Do what no task of the suite asks for."""
    slide(deck, 2).shapes.title.text = "Something else"
    title = slide(deck, 4).shapes.title
    box = title.left, title.top, title.width, title.height
    title.left, title.top, title.width, title.height = box[0] + Cm(4), *box[1:]
    slide(deck, 12).shapes.title.text = "Oops"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_damage_elsewhere_costs(task: Task) -> None:
    node = scored(task, GOALS[task.id], spoil)
    assert node.score is not None
    assert 0.65 <= node.score < 1.0, node.to_json()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_damage_alone_scores_nothing(task: Task) -> None:
    assert scored(task, spoil).score == 0.0


def only_the_backup_deleted(deck: Any) -> None:
    delete(deck, 17)


def only_the_cell_corrected(deck: Any) -> None:
    shape(deck, 6, "Classes").table.cell(4, 1).text_frame.paragraphs[0].runs[0].text = "DNA copying"


def only_the_animations_removed(deck: Any) -> None:
    root = slide(deck, 17)._element
    root.remove(root.find(qn("p:timing")))


HALVES: dict[str, Callable[[Any], None]] = {
    "meridian-board-version": only_the_backup_deleted,
    "resistance-fix-classes-table": only_the_cell_corrected,
    "resistance-answers-slide": only_the_animations_removed,
}


@pytest.mark.parametrize("task", [t for t in TASKS if t.id in HALVES], ids=lambda task: task.id)
def test_half_of_a_task_scores_in_between(task: Task) -> None:
    value = scored(task, HALVES[task.id]).score
    assert value is not None
    assert 0.0 < value < 1.0


def test_all_tasks_with_several_goals_have_a_half() -> None:
    several = {t.id for t in TASKS if sum(c.critical for c in t.rubric.root.children) > 1}
    assert several == set(HALVES)
