"""Import of sessions as tasks, and their evaluation by both checkers."""

import json
from pathlib import Path

import pytest

from pptarena.benchmarks.pptc import Executor, parse_calls
from pptarena.benchmarks.pptc.importing import Imported, import_sessions
from pptarena.benchmarks.pptc.labels import judge_session, judge_turn, load_labels
from pptarena.errors import TaskError
from pptarena.tasks import Task, load_task
from pptarena.tasks.suite_loading import load_suite

pytestmark = pytest.mark.slow

STAR = "insert_star();align_slide_left()"


def import_copy(copy: Path, form: str = "session") -> tuple[dict[str, Task], list[Imported]]:
    out = copy.parent / form
    outcomes = list(import_sessions(copy, out, form))
    return {task.id: task for task in load_suite(out)}, outcomes


def test_session_becomes_multi_turn_task(pptc_copy: Path) -> None:
    tasks, outcomes = import_copy(pptc_copy)
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
    first, other = outcomes
    assert (first.tasks, first.turns, first.joined, first.left_out, first.made) == (1, 4, 1, 0, 4)
    assert (other.tasks, other.turns, other.left_out) == (1, 2, 1)
    assert other.failed == ("choose_table(): expected a table on the slide, found none",)


def test_turn_becomes_task_that_starts_from_previous_label(pptc_copy: Path) -> None:
    tasks, outcomes = import_copy(pptc_copy, "turn")
    assert [each.tasks for each in outcomes] == [3, 1]
    last = tasks["pptc-create-3-turn-3"]
    assert (last.instruction, last.turns) == ("Make it red.", ())
    assert [each.user for each in last.dialogue] == [
        "Name the slide Tents.",
        "Stay here, please.\nAdd a star on the left.",
    ]
    assert last.dialogue[1].assistant == "move_to_slide(0);\ninsert_star();\nalign_slide_left()"
    before = tasks["pptc-create-3-turn-2"]
    assert last.deck_bytes() == before.gold_bytes()


def test_label_decks_of_copy_are_used(pptc_copy: Path) -> None:
    label = Executor()
    label.run(parse_calls("choose_title();insert_text('Other')"))
    folder = pptc_copy / "PPT_Label_File" / "Create_new_slides"
    folder.mkdir(parents=True)
    (folder / "5_0.pptx").write_bytes(label.to_bytes())
    tasks, outcomes = import_copy(pptc_copy)
    assert tasks["pptc-create-5"].gold_bytes() == label.to_bytes()
    assert [each.made for each in outcomes] == [4, 1]


def test_template_sessions_start_from_templates(pptc_copy: Path) -> None:
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
    tasks, outcomes = import_copy(pptc_copy)
    assert set(tasks) == {"pptc-create-3", "pptc-create-5", "pptc-edit-5"}
    assert tasks["pptc-edit-5"].deck_bytes() == template.to_bytes()
    (missing,) = [each for each in outcomes if each.problem]
    assert missing.name == "pptc-edit-3"
    assert "expected the deck that it edits at PPT_Base_File/" in missing.problem
    assert "or long_slides/3.pptx" in missing.problem


def test_labels_match_and_unchanged_decks_do_not(pptc_copy: Path) -> None:
    tasks, _ = import_copy(pptc_copy)
    task = tasks["pptc-create-3"]
    labels = load_labels(task.id, task.place)
    assert [label.prelude for label in labels] == [
        "move_to_slide(0)",
        "move_to_slide(0);choose_title()",
        "move_to_slide(0);choose_shape('star')",
    ]
    for label in labels:
        done, unchanged = judge_turn(label.gold, label), judge_turn(label.base, label)
        assert (done.published.verdict, done.strict.verdict) == ("match", "match")
        assert (unchanged.published.verdict, unchanged.strict.verdict) == ("mismatch", "mismatch")
    assert judge_session(labels[-1].gold, labels).strict.verdict == "match"
    assert judge_session(labels[0].gold, labels).published.verdict == "mismatch"


def test_published_checker_accepts_unchanged_deck_if_label_only_moves_shapes(
    pptc_copy: Path,
) -> None:
    tasks, _ = import_copy(pptc_copy)
    task = tasks["pptc-create-3"]
    first, *_ = load_labels(task.id, task.place)
    assert isinstance(first.gold, Path)
    assert isinstance(first.base, Path)
    moved = Executor(first.gold.read_bytes())
    moved.run(parse_calls("choose_title();set_left(900000)"))
    first.gold.write_bytes(moved.to_bytes())
    titled = Executor(first.base.read_bytes())
    titled.run(parse_calls("choose_title();insert_text('Tents')"))
    first.base.write_bytes(titled.to_bytes())
    result = judge_turn(first.base, first)
    assert (result.published.verdict, result.strict.verdict) == ("match", "mismatch")
    first.gold.write_bytes(titled.to_bytes())
    assert judge_turn(first.base, first).strict.verdict == "unjudged"
    assert "the label changes nothing" in judge_turn(first.base, first).strict.reasons[0]


def test_invalid_arguments_are_rejected(pptc_copy: Path) -> None:
    with pytest.raises(TaskError, match="form: expected one of session, turn"):
        list(import_sessions(pptc_copy, pptc_copy.parent / "x", "word"))
    with pytest.raises(TaskError, match="found none"):
        list(import_sessions(pptc_copy.parent, pptc_copy.parent / "x"))
    task_file = pptc_copy.parent / "own.json"
    deck_file = pptc_copy.parent / "own.pptx"
    deck_file.write_bytes(Executor().to_bytes())
    task_fields = {
        "version": 2,
        "id": "own",
        "deck": "own.pptx",
        "gold": "own.pptx",
        "instruction": "x",
    }
    task_file.write_text(json.dumps(task_fields), "utf-8")
    assert load_task(task_file).dialogue == ()
    with pytest.raises(TaskError, match="expected a task of 'pptarena tasks import pptc'"):
        load_labels("own", str(task_file))
