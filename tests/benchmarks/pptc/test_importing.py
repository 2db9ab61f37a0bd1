"""Sessions become folders of tasks that can be played; both checkers judge what comes of them."""

import json
from pathlib import Path

import pytest

from pptarena.benchmarks.pptc import Executor, parse_calls
from pptarena.benchmarks.pptc.importing import Imported, import_sessions
from pptarena.benchmarks.pptc.labels import judge_session, judge_turn, labels_of
from pptarena.errors import TaskError
from pptarena.tasks import Task, load_task
from pptarena.tasks.suite_loading import load_suite

pytestmark = pytest.mark.slow

STAR = "insert_star();align_slide_left()"


def imported(copy: Path, form: str = "session") -> tuple[dict[str, Task], list[Imported]]:
    out = copy.parent / form
    found = list(import_sessions(copy, out, form))
    return {task.id: task for task in load_suite(out)}, found


def test_a_session_is_a_task_of_several_turns(pptc_copy: Path) -> None:
    tasks, found = imported(pptc_copy)
    assert set(tasks) == {"pptc-create-3", "pptc-create-5"}
    task = tasks["pptc-create-3"]
    assert task.instruction == "Name the slide Tents."
    assert [turn.instruction for turn in task.turns] == [
        "Stay here, please.\nAdd a star on the left.",
        "Make it red.",
    ]
    assert task.gold is not None
    assert all(turn.gold is not None for turn in task.turns)
    assert task.edit_types == ("text", "shapes", "arrangement")
    assert "MIT" in task.source
    first, other = found
    assert (first.tasks, first.turns, first.joined, first.left_out, first.made) == (1, 4, 1, 0, 4)
    assert (other.tasks, other.turns, other.left_out) == (1, 2, 1)
    assert other.failed == ("choose_table(): expected a table on the slide, found none",)


def test_a_turn_is_a_task_from_the_label_before(pptc_copy: Path) -> None:
    tasks, found = imported(pptc_copy, "turn")
    assert [each.tasks for each in found] == [3, 1]
    last = tasks["pptc-create-3-turn-3"]
    assert (last.instruction, last.turns) == ("Make it red.", ())
    assert [each.user for each in last.dialogue] == [
        "Name the slide Tents.",
        "Stay here, please.\nAdd a star on the left.",
    ]
    assert last.dialogue[1].assistant == "move_to_slide(0);\ninsert_star();\nalign_slide_left()"
    before = tasks["pptc-create-3-turn-2"]
    assert last.deck_bytes() == before.gold_bytes()


def test_decks_of_the_copy_are_taken(pptc_copy: Path) -> None:
    own = Executor()
    own.run(parse_calls("choose_title();insert_text('Other')"))
    place = pptc_copy / "PPT_Label_File" / "Create_new_slides"
    place.mkdir(parents=True)
    (place / "5_0.pptx").write_bytes(own.to_bytes())
    tasks, found = imported(pptc_copy)
    assert tasks["pptc-create-5"].gold_bytes() == own.to_bytes()
    assert [each.made for each in found] == [4, 1]


def test_templates_are_edited_where_there_are_any(pptc_copy: Path) -> None:
    sessions = pptc_copy / "PPT_test_input" / "Create_new_slides"
    edits = sessions.with_name("Edit_PPT_template")
    edits.mkdir()
    for each in sessions.iterdir():
        text = each.read_text("utf-8").replace("Create_new_slides", "Edit_PPT_template")
        (edits / each.name).write_text(text, "utf-8")
    template = Executor()
    template.run(parse_calls("create_slide();create_slide()"))
    (pptc_copy / "long_slides").mkdir()
    (pptc_copy / "long_slides" / "5.pptx").write_bytes(template.to_bytes())
    tasks, found = imported(pptc_copy)
    assert set(tasks) == {"pptc-create-3", "pptc-create-5", "pptc-edit-5"}
    assert tasks["pptc-edit-5"].deck_bytes() == template.to_bytes()
    (missing,) = [each for each in found if each.problem]
    assert missing.name == "pptc-edit-3"
    assert "expected the deck that it edits at PPT_Base_File/" in missing.problem
    assert "or long_slides/3.pptx" in missing.problem


def test_labels_pass_and_nothing_does_not(pptc_copy: Path) -> None:
    tasks, _ = imported(pptc_copy)
    task = tasks["pptc-create-3"]
    labels = labels_of(task.id, task.place)
    assert [label.prelude for label in labels] == [
        "move_to_slide(0)",
        "move_to_slide(0);choose_title()",
        "move_to_slide(0);choose_shape('star')",
    ]
    for label in labels:
        done, nothing = judge_turn(label.gold, label), judge_turn(label.base, label)
        assert (done.published.verdict, done.strict.verdict) == ("match", "match")
        assert (nothing.published.verdict, nothing.strict.verdict) == ("mismatch", "mismatch")
    assert judge_session(labels[-1].gold, labels).strict.verdict == "match"
    assert judge_session(labels[0].gold, labels).published.verdict == "mismatch"


def test_what_only_moves_passes_the_published_checker_for_nothing(pptc_copy: Path) -> None:
    tasks, _ = imported(pptc_copy)
    task = tasks["pptc-create-3"]
    first, *_ = labels_of(task.id, task.place)
    assert isinstance(first.gold, Path)
    assert isinstance(first.base, Path)
    deck = Executor(first.gold.read_bytes())
    deck.run(parse_calls("choose_title();set_left(900000)"))
    first.gold.write_bytes(deck.to_bytes())
    named = Executor(first.base.read_bytes())
    named.run(parse_calls("choose_title();insert_text('Tents')"))
    first.base.write_bytes(named.to_bytes())
    nothing = judge_turn(first.base, first)
    assert (nothing.published.verdict, nothing.strict.verdict) == ("match", "mismatch")
    first.gold.write_bytes(named.to_bytes())
    assert judge_turn(first.base, first).strict.verdict == "unjudged"
    assert "the label changes nothing" in judge_turn(first.base, first).strict.reasons[0]


def test_what_cannot_be_imported_is_refused(pptc_copy: Path) -> None:
    with pytest.raises(TaskError, match="form: expected one of session, turn"):
        list(import_sessions(pptc_copy, pptc_copy.parent / "x", "word"))
    with pytest.raises(TaskError, match="found none"):
        list(import_sessions(pptc_copy.parent, pptc_copy.parent / "x"))
    task = pptc_copy.parent / "own.json"
    deck = pptc_copy.parent / "own.pptx"
    deck.write_bytes(Executor().to_bytes())
    words = {"version": 2, "id": "own", "deck": "own.pptx", "gold": "own.pptx", "instruction": "x"}
    task.write_text(json.dumps(words), "utf-8")
    assert load_task(task).dialogue == ()
    with pytest.raises(TaskError, match="expected a task of 'pptarena tasks import pptc'"):
        labels_of("own", str(task))
