"""Task files of version 2, with their own decks."""

import json
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import WriteTask

from pptarena.errors import TaskError
from pptarena.rewards import load_scope
from pptarena.tasks import Task, load_task
from pptarena.tasks.task import GOLD_RUBRIC
from pptarena.tasks.task_file import is_task, parse_task


def test_folder_is_a_task(write_task: WriteTask) -> None:
    folder = write_task("mine/bold-title")
    task = load_task(folder)
    assert (task.id, task.suite, task.place) == ("bold-title", "mine", str(folder / "task.json"))
    assert (task.difficulty, task.level, task.edit_types) == ("medium", "L1", ())
    assert (task.max_steps, task.feasible, task.gold) == (30, True, None)
    assert task.deck_bytes() == (folder / "garden.pptx").read_bytes()
    assert task.file_name == "garden.pptx"
    assert task.to_json()["deck"] == str(folder / "garden.pptx")
    assert load_task(str(folder / "task.json")) == task


def test_file_of_any_name_is_a_task(write_task: WriteTask) -> None:
    folder = write_task("mine/bold-title", paraphrases=["Embolden it. "], source="the garden club")
    file = (folder / "task.json").rename(folder / "whatever.json")
    task = load_task(file)
    assert (task.id, task.suite) == ("bold-title", "bold-title")
    assert (task.paraphrases, task.source) == (("Embolden it.",), "the garden club")
    assert task.worded(2).instruction == "Embolden it."
    with pytest.raises(TaskError, match="bold-title: no wording 3: the task has 2"):
        task.worded(3)


def test_yaml_and_json_are_equivalent(write_task: WriteTask) -> None:
    folder = write_task("bold-title")
    task = load_task(folder)
    file = folder / "task.json"
    value = json.loads(file.read_text("utf-8"))
    file.unlink()
    lines = "".join(f"{name}: {json.dumps(field)}\n" for name, field in value.items())
    (folder / "task.yaml").write_text(f"# a comment\n{lines}", "utf-8")
    assert replace(load_task(folder), place=task.place) == task


def test_missing_pyyaml_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "task.yml").write_text("version: 2", "utf-8")
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(TaskError, match="pip install pyyaml"):
        load_task(tmp_path)


def test_first_example_of_the_docs_is_valid(write_task: WriteTask) -> None:
    text = (Path(__file__).parents[2] / "docs/reference/task_file.md").read_text("utf-8")
    value = json.loads(text.partition("```json\n")[2].partition("```")[0])
    folder = write_task("bold-title", **value)
    (folder / "garden.pptx").rename(folder / "plan.pptx")
    task = load_task(folder)
    assert [child.name for child in task.rubric.root.children] == ["bold", "nothing else changed"]


def test_task_may_use_a_packaged_deck(write_task: WriteTask) -> None:
    task = load_task(write_task("retitle", deck="meridian"))
    assert (task.deck, task.file_name) == ("meridian", "meridian.pptx")


MALFORMED: dict[str, tuple[dict[str, Any], str]] = {
    "no deck file": ({"deck": "none.pptx"}, "a-task/task.json: deck: expected a .pptx file, there"),
    "the deck's path": ({"deck": "none.pptx"}, "a-task/none.pptx"),
    "no gold file": ({"gold": "gold.pptx"}, "gold: expected a .pptx file, there is none at "),
    "no rubric": ({"rubric": None}, "rubric: missing; expected an object, or a gold deck"),
    "no scope": ({"scope": None}, "scope: missing; expected an object, or a gold deck"),
    "impossible gold": ({"gold": "garden.pptx", "feasible": False}, "gold: expected none, since"),
    "paraphrase": ({"paraphrases": ["x", " "]}, "paraphrases/1: expected a text, got ' '"),
    "no such file": (
        {"files": ["a.png"]},
        "files/0: expected a file in the folder of the task, there is no 'a.png'",
    ),
    "misspelt rubric": (
        {"rubric": None, "rubrik": {}},
        "rubric: missing; expected an object, or a gold deck in its stead; "
        "the unknown field 'rubrik' may be meant",
    ),
    "misspelt field": ({"max_step": 9}, "unknown fields: 'max_step' (did you mean 'max_steps'?)"),
}


@pytest.mark.parametrize(("changes", "message"), MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_task_file_is_reported(
    write_task: WriteTask, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(TaskError) as excinfo:
        load_task(write_task("a-task", **changes))
    assert str(excinfo.value).startswith("a-task/task.json: ")
    assert message in str(excinfo.value)


def test_folder_must_have_one_task_file(write_task: WriteTask, tmp_path: Path) -> None:
    folder = write_task("a-task")
    (folder / "task.yaml").write_text("version: 2", "utf-8")
    with pytest.raises(TaskError, match=r"got task\.json and task\.yaml"):
        load_task(folder)
    with pytest.raises(TaskError, match=r"expected one of task\.json, .* in it, got none"):
        load_task(tmp_path)
    with pytest.raises(TaskError, match=r"garden\.pptx: expected a file that ends in \.json"):
        load_task(folder / "garden.pptx")


def test_missing_deck_is_reported_when_read(write_task: WriteTask) -> None:
    folder = write_task("a-task")
    task = load_task(folder)
    (folder / "garden.pptx").unlink()
    with pytest.raises(TaskError, match=r"deck: .*/a-task/garden\.pptx cannot be read"):
        task.deck_bytes()


def test_deck_may_be_bytes(write_task: WriteTask) -> None:
    task = replace(load_task(write_task("a-task")), deck=b"PK...", gold=b"PK")
    assert (task.deck_bytes(), task.gold_bytes(), task.file_name) == (b"PK...", b"PK", "deck.pptx")
    assert str(task.to_json()["deck"]).startswith("sha256:")


def test_is_task_distinguishes_tasks_from_rubrics(write_task: WriteTask, tmp_path: Path) -> None:
    folder = write_task("a-task")
    (tmp_path / "rubric.json").write_text('{"version": 1, "root": {}}', "utf-8")
    (tmp_path / "slip.json").write_text("{", "utf-8")
    assert is_task(folder)
    assert is_task(folder / "task.json")
    for name in ("rubric.json", "slip.json", "none.json", "a-task/garden.pptx", "."):
        assert not is_task(tmp_path / name)


def test_gold_deck_replaces_a_missing_rubric(write_task: WriteTask) -> None:
    task = load_task(write_task("a-task", gold="garden.pptx", rubric=None, scope=None))
    assert task.rubric is GOLD_RUBRIC
    assert task.scope is None
    assert pickle.loads(pickle.dumps(task)) == task


def test_explicit_rubric_and_scope_precede_the_gold_deck(write_task: WriteTask) -> None:
    task = load_task(write_task("a-task", gold="garden.pptx"))
    assert task.rubric is not GOLD_RUBRIC
    assert task.scope == load_scope({"slides": [1]})


def test_task_requires_a_rubric_or_a_gold_deck() -> None:
    with pytest.raises(TaskError, match="x: expected a rubric or a gold deck, got neither"):
        Task("x", "s", "easy", "L1", (), "meridian", "Do it.", 9)


def test_infeasible_task_needs_neither_rubric_nor_scope(write_task: WriteTask) -> None:
    folder = write_task("mine/no-such-slide", rubric=None, scope=None, feasible=False)
    task = load_task(folder)
    assert task.rubric.root.uses("nothing_else_changed")
    assert task.scope is not None
    assert task.scope.allows_nothing


def test_solution_is_a_list_of_edits(write_task: WriteTask) -> None:
    solution = [{"edit": "hide_slide", "slide": 2}]
    assert load_task(write_task("solved", solution=solution)).solution == tuple(solution)
    invalid = [*solution, {"edit": "hide_slide"}, {"edit": "hide"}]
    with pytest.raises(TaskError) as excinfo:
        load_task(write_task("wrong", solution=invalid))
    assert "solution/1: hide_slide.slide: the argument is missing" in str(excinfo.value)
    assert "solution/2: edit 'hide' not found" in str(excinfo.value)
    with pytest.raises(TaskError, match="solution: expected none, since a task that cannot"):
        load_task(write_task("refused", solution=solution, feasible=False))


def test_turns_are_loaded(write_task: WriteTask) -> None:
    single = write_task("first")
    value = json.loads((single / "task.json").read_text("utf-8"))
    goal = {name: value[name] for name in ("rubric", "scope")}
    later = [
        {**goal, "instruction": "And once more. ", "kept": False},
        {"instruction": "Now as in this deck.", "gold": "garden.pptx"},
        {"instruction": "Order lunch.", "feasible": False},
    ]
    task = load_task(write_task("mine/several", turns=later, kept=False))
    first, second, third, fourth = (task.at(number) for number in range(1, 5))
    assert (first.instruction, first.kept, first.turns) == (task.instruction, False, ())
    assert (second.instruction, second.rubric, second.kept) == (
        "And once more.",
        task.rubric,
        False,
    )
    assert (third.rubric, third.scope, third.gold) == (GOLD_RUBRIC, None, task.deck)
    assert (fourth.feasible, fourth.kept, fourth.deck) == (False, True, task.deck)
    assert task.to_json()["turns"] == [turn.instruction for turn in task.turns]
    assert "turns" not in load_task(single).to_json()


@pytest.mark.parametrize(
    ("turn", "message"),
    [
        ("Do it.", "turns/0: .*expected an object"),
        ({"instruction": " ", "gold": "garden.pptx"}, "turns/0: instruction: expected a text"),
        ({"instruction": "Do it."}, "turns/0: rubric: missing"),
        ({"instruction": "Do it.", "gold": "gone.pptx"}, "turns/0: gold"),
        ({"instruction": "Do it.", "gold": "garden.pptx", "max_steps": 3}, "turns/0: .*max_steps"),
    ],
)
def test_malformed_turns_are_reported(write_task: WriteTask, turn: Any, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_task(write_task("several", turns=[turn]))


@pytest.mark.parametrize(
    ("field", "value", "location"),
    [
        ("instruction", "ab\ud842", "instruction: U.D842, character 3"),
        ("id", "\udfb7", "id: U.DFB7"),
        ("source", "\ud842", "source: U.D842"),
        ("paraphrases", ["fine", "\ud842"], "paraphrases/1: U.D842"),
        ("rubric", {"root": {"args": {"text": "x\ud842"}}}, "rubric/root/args/text: U.D842"),
        ("rubric", {"ro\ud842t": {}}, "rubric: U.D842"),
        ("scope", [[["\ud842"]]], "scope/0/0/0: U.D842"),
    ],
)
def test_lone_surrogates_are_rejected_with_their_location(
    field: str, value: Any, location: str, write_task: WriteTask
) -> None:
    file = write_task("bold-title") / "task.json"
    task = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**task, field: value}), "utf-8")
    with pytest.raises(TaskError, match=f"{location}.*surrogate pair"):
        load_task(file)


def test_complete_surrogate_pair_is_accepted(write_task: WriteTask) -> None:
    file = write_task("bold-title") / "task.json"
    task = json.loads(file.read_text("utf-8"))
    text = json.dumps({**task, "instruction": "Write \U00020bb7."}, ensure_ascii=True)
    file.write_text(text, "utf-8")
    assert r"\ud842\udfb7" in text
    assert load_task(file).instruction == "Write \U00020bb7."


def test_all_problems_are_listed_with_their_locations(write_task: WriteTask) -> None:
    leaf = {"name": "bold", "check": "run_format", "args": {"slide": 1, "blod": True}}
    broken = [
        {"name": "", "check": "slide_cuont", "weight": 0},
        leaf | {"args": {"slide": "x", "shape": 3, "blod": True}},
        {"name": "x", "children": [{"name": "a", "check": "slide_count", "args": {}}, 7]},
    ]
    folder = write_task(
        "several",
        id="Not An Id",
        instruction=None,
        instructoin="Make it bold.",
        difficulty="impossible",
        edit_types=["text", "nonsense"],
        max_steps="30",
        demonstration=[{"kind": "clik", "amount": "1"}, {"kind": "key"}],
        macros=[{"name": "set_txt"}],
        turns=[{"instruction": "", "gold": "gone.pptx"}],
        deck="missing.pptx",
        files=["a.png"],
        rubric={"version": 2, "root": {"name": "r", "children": broken}},
        scope={"slides": "every", "parts": [{"aspcts": []}, {"cells": [[0, 1]]}]},
        colour="red",
    )
    with pytest.raises(TaskError) as excinfo:
        load_task(folder)
    text = str(excinfo.value)
    assert text.startswith("several/task.json: 26 problems:\n")
    with pytest.raises(TaskError) as parse_error:
        parse_task(json.loads((folder / "task.json").read_text()), folder, "mine", "")
    locations = [problem.partition(": ")[0] for problem in parse_error.value.problems]
    assert sorted(locations) == sorted(
        [
            *("id", "instruction", "difficulty", "edit_types/1", "max_steps", "deck", "files/0"),
            *("demonstration/0/kind", "demonstration/0/amount", "demonstration/1"),
            *("macros/0/macro", "turns/0", "turns/0", "the task"),
            *("rubric/version", "rubric/root/children/0/name", "rubric/root/children/0/weight"),
            *("rubric/root/children/0/check", "rubric/root/children/1/args"),
            *("rubric/root/children/1/args/slide", "rubric/root/children/1/args/shape"),
            *("rubric/root/children/2/children/0/args", "rubric/root/children/2/children/1"),
            *("scope/slides", "scope/parts/0", "scope/parts/1"),
        ]
    )
    assert "instruction: missing; expected a string; the unknown field 'instructoin' may be" in text
    assert "the task: unknown fields: 'colour'" in parse_error.value.problems


def test_single_problem_is_one_line(write_task: WriteTask) -> None:
    with pytest.raises(TaskError) as excinfo:
        load_task(write_task("mine/bold-title", level="L9"))
    assert str(excinfo.value).startswith("bold-title/task.json: level: expected one of L1")
    assert "\n" not in str(excinfo.value)
