"""Cases of UIUC's form, made here, become tasks: the original scores 0, the ground truth 1."""

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
Played = Callable[[Task, bytes], "float | None"]


def deck(path: Path, title: str = "Harvest", *, bold: bool = False) -> None:
    presentation = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    slide.shapes.title.text = title
    slide.placeholders[1].text = "Wheat\nRye"
    for paragraph in slide.placeholders[1].text_frame.paragraphs:
        paragraph.runs[0].font.bold = bold or None
    path.parent.mkdir(parents=True, exist_ok=True)
    presentation.save(str(path))


def case(number: int = 1, **more: Any) -> dict[str, Any]:
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
    """Write a copy as users have it, with cases of our own."""

    def made(cases: list[Any]) -> Path:
        copy = tmp_path / "PPTArena"
        deck(copy / "Original/harvest.pptx")
        deck(copy / "GroundTruth/harvest.pptx", "Yield", bold=True)
        (copy / "src").mkdir(exist_ok=True)
        (copy / "src/evaluation_pairs_refined.json").write_text(json.dumps(cases), "utf-8")
        return copy

    return made


def imported(copy: Path, **more: Any) -> tuple[dict[str, Task], list[Outcome]]:
    out = copy.parent / "out"
    found = list(import_cases(copy, out, **more))
    tasks = load_suite(out) if any(each.task for each in found) else ()
    return {task.id: task for task in tasks}, found


def refused(copy: Path) -> Outcome:
    (found,) = imported(copy)[1]
    assert found.task == ""
    assert not (copy.parent / "out").exists() or not list((copy.parent / "out").glob("*.json"))
    return found


def test_a_case_is_a_task_with_its_ground_truth_as_gold(write: Write) -> None:
    tasks, found = imported(write([case()]))
    assert [each.task for each in found] == ["uiuc-case-1-rename-and-embolden-a"]
    task = tasks["uiuc-case-1-rename-and-embolden-a"]
    assert task.instruction == "Call the slide 'Yield' and make the list bold."
    assert (task.edit_types, task.level) == (("text",), "L2")
    assert task.file_name == "harvest.pptx"
    match, judged = task.rubric.root.children
    assert [each.check and each.check.name for each in (match, judged)] == [
        "gold_match",
        "edit_judge",
    ]
    assert (match.critical, judged.critical) == (True, False)
    assert judged.args["style"] == "The title reads 'Yield'; all list items are bold."
    assert task.labels == {
        "category": ("Content", "Styling"),
        "edit type": ("Text & Typography",),
        "operations": ("2",),
        "slides": ("1",),
    }


def test_cases_of_the_hard_subset_are_labeled(write: Write) -> None:
    first, second = case(1, category="Layout"), case(2, category=None)
    copy = write([first, second])
    (copy / "agent_bench").mkdir()
    (copy / "agent_bench/subset25.json").write_text(json.dumps([first["name"]]), "utf-8")
    hard, other = (task.labels for _, task in sorted(imported(copy)[0].items()))
    assert (hard["subset"], hard["category"]) == (("hard",), ("Layout",))
    assert not {"subset", "category"} & set(other)


@pytest.mark.slow
def test_the_original_scores_0_and_the_ground_truth_1(write: Write, played: Played) -> None:
    tasks, _ = imported(write([case()]))
    (task,) = tasks.values()
    gold = task.gold_bytes()
    assert gold is not None
    assert played(task, task.deck_bytes()) == 0.0
    assert played(task, gold) == 1.0


@pytest.mark.parametrize(("said", "score"), [(0.0, 0.7), (0.5, 0.85), (1.0, 1.0)])
def test_a_judge_takes_a_third_at_most(write: Write, said: float, score: float) -> None:
    class Opinion:
        asked: EditQuestion | None = None

        def judge_edit(self, question: EditQuestion) -> Verdict:
            self.asked = question
            return Verdict(said, "an opinion")

    (task,) = imported(write([case()]))[0].values()
    original, gold = read_deck(task.deck_bytes()), read_deck(task.gold_bytes() or b"")
    judge = cast(Judge, opinion := Opinion())
    assert rate(task.rubric, original, gold, judge=judge, gold=gold).score == pytest.approx(score)
    assert opinion.asked == EditQuestion(task.instruction, case()["style_target"])
    assert rate(task.rubric, original, original, judge=judge, gold=gold).score == 0.0


def test_only_the_hard_subset_is_taken(write: Write) -> None:
    copy = write([case(1), case(2)])
    (copy / "agent_bench").mkdir()
    names = copy / "agent_bench/subset25.json"
    names.write_text(json.dumps([case(2)["name"], "Case 77"]), "utf-8")
    assert [each.name for each in imported(copy, subset=True)[1]] == [case(2)["name"]]
    names.write_text('{"not": "a list"}', "utf-8")
    with pytest.raises(TaskError, match=r"subset25\.json: expected a list of names"):
        imported(copy, subset=True)


@pytest.mark.parametrize(
    ("said", "ours"),
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
def test_kinds_of_edits_get_our_names(write: Write, said: Any, ours: tuple[str, ...]) -> None:
    tasks, _ = imported(write([case(edit_type=said)]))
    assert [task.edit_types for task in tasks.values()] == [ours]


@pytest.mark.parametrize(
    ("more", "cause", "said"),
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
def test_what_is_no_case_is_refused(
    write: Write, more: dict[str, Any], cause: str, said: str
) -> None:
    found = refused(write([case(**more)]))
    assert found.cause == cause
    assert said in found.problem
    assert not found.expected


def test_one_broken_case_does_not_cost_the_others(write: Write) -> None:
    tasks, found = imported(write([case(1), "text", case(1), case(2, original="x")]))
    assert list(tasks) == ["uiuc-case-1-rename-and-embolden-a"]
    assert [each.name for each in found[1:3]] == ["case 2", case(1)["name"]]
    assert "another case has the id" in found[2].problem
    assert [bool(each.task) for each in found] == [True, False, False, False]


def test_decks_that_were_not_fetched_are_named(write: Write) -> None:
    copy = write([case()])
    (copy / "Original/harvest.pptx").write_text("version https://git-lfs.github.com/spec/v1\n")
    found = refused(copy)
    assert (found.cause, "git lfs pull" in found.problem) == ("a deck is missing", True)


def test_links_and_huge_files_are_refused(write: Write, tmp_path: Path) -> None:
    copy = write([case()])
    place = copy / "Original/harvest.pptx"
    outside = tmp_path / "mine.pptx"
    place.rename(outside)
    place.symlink_to(outside)
    assert refused(copy).cause == "a path leads out of the copy"
    place.unlink()
    with place.open("wb") as file:
        file.truncate(2**40)  # takes no room on the disk
    assert refused(copy).cause == "a file is too large"
    place.unlink()
    os.mkfifo(place)
    assert refused(copy).cause == "a file is missing"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "a JSON file cannot be read"),
        ("[" * 100_000, "a JSON file cannot be read"),
        ("{}", "expected a list of cases"),
        ("[]", "expected a list of cases"),
    ],
)
def test_a_list_that_is_none_is_an_error(write: Write, text: str, said: str) -> None:
    copy = write([])
    (copy / "src/evaluation_pairs_refined.json").write_text(text, "utf-8")
    with pytest.raises(TaskError, match=said):
        imported(copy)


def test_a_folder_without_a_list_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"expected src/evaluation_pairs_refined\.json or"):
        imported(tmp_path)
    with pytest.raises(TaskError, match="expected the folder of your copy, there is none"):
        imported(tmp_path / "nowhere")
