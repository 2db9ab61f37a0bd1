"""Import of UIUC's cases, written here in its format."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from pptx import Presentation

from pptarena.benchmarks.outcome import Outcome
from pptarena.benchmarks.pptarena_uiuc.importing import import_cases
from pptarena.errors import TaskError
from pptarena.rewards import read_deck
from pptarena.rewards import score as rate
from pptarena.rewards.judges.protocol import EditQuestion, Judge, Verdict
from pptarena.tasks import Task
from pptarena.tasks.suite_loading import load_suite

Write = Callable[[list[Any]], Path]
ScoreDeck = Callable[[Task, bytes], "float | None"]


def write_deck(path: Path, title: str = "Harvest", *, bold: bool = False) -> None:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = title
    slide.placeholders[1].text = "Wheat\nRye"
    for paragraph in slide.placeholders[1].text_frame.paragraphs:
        paragraph.runs[0].font.bold = bold or None
    path.parent.mkdir(parents=True, exist_ok=True)
    presentation.save(str(path))


def make_case(number: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "name": f"Case {number}: Rename and Embolden (A)",
        "prompt": "Call the slide 'Yield' and make the list bold.",
        "style_target": "The title reads 'Yield'; all list items are bold.",
        "original": "Original/harvest.pptx",
        "ground_truth": "GroundTruth/harvest.pptx",
        "category": ["Content", "Styling"],
        "enhancement_notes": "",
        "edit_type": "Text & Typography",
        **more,
    }


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a copy with some cases."""

    def write_copy(cases: list[Any]) -> Path:
        copy = tmp_path / "PPTArena"
        write_deck(copy / "Original/harvest.pptx")
        write_deck(copy / "GroundTruth/harvest.pptx", "Yield", bold=True)
        (copy / "src").mkdir(exist_ok=True)
        (copy / "src/evaluation_pairs_refined.json").write_text(json.dumps(cases), "utf-8")
        return copy

    return write_copy


def import_all(copy: Path, **more: Any) -> tuple[dict[str, Task], list[Outcome]]:
    out = copy.parent / "out"
    outcomes = list(import_cases(copy, out, **more))
    tasks = load_suite(out) if any(each.task for each in outcomes) else ()
    return {task.id: task for task in tasks}, outcomes


def import_refused(copy: Path) -> Outcome:
    (outcome,) = import_all(copy)[1]
    assert outcome.task == ""
    assert not (copy.parent / "out").exists() or not list((copy.parent / "out").glob("*.json"))
    return outcome


def test_case_becomes_task_with_ground_truth_as_gold_deck(write: Write) -> None:
    tasks, outcomes = import_all(write([make_case()]))
    assert [each.task for each in outcomes] == ["uiuc-case-1-rename-and-embolden-a"]
    task = tasks["uiuc-case-1-rename-and-embolden-a"]
    assert task.instruction == "Call the slide 'Yield' and make the list bold."
    assert (task.edit_types, task.level) == (("text",), "L2")
    assert task.file_name == "harvest.pptx"
    match, judgment = task.rubric.root.children
    assert [each.check and each.check.name for each in (match, judgment)] == [
        "gold_match",
        "edit_judge",
    ]
    assert (match.critical, judgment.critical) == (True, False)
    assert judgment.args["style"] == "The title reads 'Yield'; all list items are bold."
    assert task.labels == {
        "category": ("Content", "Styling"),
        "edit type": ("Text & Typography",),
        "operations": ("2",),
        "slides": ("1",),
    }


def test_cases_of_hard_subset_are_labeled(write: Write) -> None:
    first, second = make_case(1, category="Layout"), make_case(2, category=None)
    copy = write([first, second])
    (copy / "agent_bench").mkdir()
    (copy / "agent_bench/subset25.json").write_text(json.dumps([first["name"]]), "utf-8")
    hard, other = (task.labels for _, task in sorted(import_all(copy)[0].items()))
    assert (hard["subset"], hard["category"]) == (("hard",), ("Layout",))
    assert not {"subset", "category"} & set(other)


@pytest.mark.slow
def test_original_scores_0_and_ground_truth_1(write: Write, score_deck: ScoreDeck) -> None:
    tasks, _ = import_all(write([make_case()]))
    (task,) = tasks.values()
    gold = task.gold_bytes()
    assert gold is not None
    assert score_deck(task, task.deck_bytes()) == 0.0
    assert score_deck(task, gold) == 1.0


@pytest.mark.parametrize(("verdict", "score"), [(0.0, 0.7), (0.5, 0.85), (1.0, 1.0)])
def test_judge_weighs_thirty_percent(write: Write, verdict: float, score: float) -> None:
    class JudgeStub:
        question: EditQuestion | None = None

        def judge_edit(self, question: EditQuestion) -> Verdict:
            self.question = question
            return Verdict(verdict, "an opinion")

    (task,) = import_all(write([make_case()]))[0].values()
    original, gold = read_deck(task.deck_bytes()), read_deck(task.gold_bytes() or b"")
    judge = cast(Judge, judge_stub := JudgeStub())
    assert rate(task.rubric, original, gold, judge=judge, gold=gold).score == pytest.approx(score)
    assert judge_stub.question == EditQuestion(task.instruction, make_case()["style_target"])
    assert rate(task.rubric, original, original, judge=judge, gold=gold).score == 0.0


def test_subset_option_imports_only_hard_cases(write: Write) -> None:
    copy = write([make_case(1), make_case(2)])
    (copy / "agent_bench").mkdir()
    names = copy / "agent_bench/subset25.json"
    names.write_text(json.dumps([make_case(2)["name"], "Case 77"]), "utf-8")
    assert [each.name for each in import_all(copy, subset=True)[1]] == [make_case(2)["name"]]
    names.write_text('{"not": "a list"}', "utf-8")
    with pytest.raises(TaskError, match=r"subset25\.json: expected a list of names"):
        import_all(copy, subset=True)


@pytest.mark.parametrize(
    ("edit_type", "expected"),
    [
        ("Slide/Section Management & Footers", ("slides",)),
        ("Slide Transitions", ("transitions",)),
        ("SmartArt & Diagrams", ("diagrams",)),
        ("Template & Master-Level Edits", ("masters",)),
        (["Tables", "Charts"], ("tables", "charts")),
        ("of no kind we know", ("text",)),  # by what the ground truth changes
        (7, ("text",)),
    ],
)
def test_edit_types_are_mapped(write: Write, edit_type: Any, expected: tuple[str, ...]) -> None:
    tasks, _ = import_all(write([make_case(edit_type=edit_type)]))
    assert [task.edit_types for task in tasks.values()] == [expected]


@pytest.mark.parametrize(
    ("changes", "cause", "message"),
    [
        ({"original": "../../etc/passwd"}, "a path leads out of the copy", "below 'PPTArena'"),
        ({"ground_truth": "/etc/hostname"}, "a path leads out of the copy", "'/etc/hostname'"),
        ({"original": "Original/no.pptx"}, "a file is missing", "Original/no.pptx: No such file"),
        (
            {"original": "Original"},
            "a file is missing",
            "expected a plain file, found a folder",
        ),
        ({"original": "a\0b"}, "a path leads out of the copy", "original"),
        ({"original": None}, "malformed", "original: expected the path of a file, got None"),
        ({"prompt": " "}, "malformed", "prompt: expected a text"),
        ({"prompt": 3}, "malformed", "prompt: expected a text, got '3'"),
        ({"style_target": []}, "malformed", "style_target: expected a text"),
        (
            {"original": "GroundTruth/harvest.pptx"},
            "the ground truth changes nothing",
            "Rename and Embolden",
        ),
        (
            {"original": "src/evaluation_pairs_refined.json"},
            "a deck cannot be read",
            "original: src/evaluation_pairs_refined.json",
        ),
    ],
)
def test_malformed_cases_are_rejected(
    write: Write, changes: dict[str, Any], cause: str, message: str
) -> None:
    outcome = import_refused(write([make_case(**changes)]))
    assert outcome.cause == cause
    assert message in outcome.problem
    assert not outcome.expected


def test_broken_case_does_not_affect_others(write: Write) -> None:
    tasks, outcomes = import_all(
        write([make_case(1), "text", make_case(1), make_case(2, original="x")])
    )
    assert list(tasks) == ["uiuc-case-1-rename-and-embolden-a"]
    assert [each.name for each in outcomes[1:3]] == ["case 2", make_case(1)["name"]]
    assert "another case has the same id" in outcomes[2].problem
    assert [bool(each.task) for each in outcomes] == [True, False, False, False]


def test_git_lfs_pointers_are_reported_as_missing(write: Write) -> None:
    copy = write([make_case()])
    (copy / "Original/harvest.pptx").write_text("version https://git-lfs.github.com/spec/v1\n")
    outcome = import_refused(copy)
    assert (outcome.cause, "git lfs pull" in outcome.problem) == ("a deck is missing", True)


def test_links_and_special_files_are_rejected(write: Write, tmp_path: Path) -> None:
    copy = write([make_case()])
    path = copy / "Original/harvest.pptx"
    outside = tmp_path / "mine.pptx"
    path.rename(outside)
    path.symlink_to(outside)
    assert import_refused(copy).cause == "a path leads out of the copy"
    path.unlink()
    with path.open("wb") as file:
        file.truncate(2**40)  # sparse: takes no disk space
    assert import_refused(copy).cause == "a file is too large"
    path.unlink()
    os.mkfifo(path)
    assert import_refused(copy).cause == "a file is missing"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[", "a JSON file cannot be read"),
        ("[" * 100_000, "a JSON file cannot be read"),
        ("{}", "expected a list of cases"),
        ("[]", "expected a list of cases"),
    ],
)
def test_malformed_case_list_is_an_error(write: Write, text: str, message: str) -> None:
    copy = write([])
    (copy / "src/evaluation_pairs_refined.json").write_text(text, "utf-8")
    with pytest.raises(TaskError, match=message):
        import_all(copy)


def test_folder_without_case_list_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"expected src/evaluation_pairs_refined\.json or"):
        import_all(tmp_path)
    with pytest.raises(TaskError, match="expected the folder of your copy, found none"):
        import_all(tmp_path / "nowhere")
