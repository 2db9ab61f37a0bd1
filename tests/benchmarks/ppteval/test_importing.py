"""PPT-Eval's tasks become a folder of tasks whose programs run in the sandbox."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.bubblewrap import needs_sandbox

from pptarena.benchmarks.outcome import Outcome
from pptarena.benchmarks.ppteval.importing import import_registry
from pptarena.benchmarks.ppteval.suite import PUBLISHED_STEPS
from pptarena.errors import TaskError
from pptarena.tasks import Task
from pptarena.tasks.suite_loading import load_suite

pytestmark = pytest.mark.slow

ScoreDeck = Callable[[Task, bytes], "float | None"]
Write = Callable[..., Path]

BOLD = """
def compute_score():
    from pptx import Presentation
    title = Presentation(modified_ppt_path).slides[0].shapes.title
    bold = any(run.font.bold for p in title.text_frame.paragraphs for run in p.runs)
    return f"bold: {bold}", float(bold)
"""
# A program that tries to read a file outside the sandbox.
READS_HOST_FILE = """
def compute_score():
    from pathlib import Path
    return str(Path("/etc/hostname").read_text()), 1.0
"""


def leaf(code: str, **more: Any) -> dict[str, Any]:
    scorer = {"type": "function", "function_code": code}
    return {"name": "leaf", "description": "", "is_critical": True, "scorer": scorer, **more}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a copy with one task and some changes."""

    def write_copy(code: str = BOLD, rubric: Any = None, **more: Any) -> Path:
        copy = tmp_path / "ppteval"
        for name in ("task_registry/rubrics", "data/files/PowerPoint"):
            (copy / name).mkdir(parents=True, exist_ok=True)
        presentation = Presentation()
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = "Harvest"
        presentation.save(str(copy / "data/files/PowerPoint/3.pptx"))
        root = {"name": "root", "description": "", "is_critical": True, "children": [leaf(code)]}
        rubric_file = copy / "task_registry/rubrics/3-002.json"
        rubric_file.write_text(json.dumps({"root": root} if rubric is None else rubric), "utf-8")
        entry = {
            "goal": "Make the title bold. ",
            "rubric_path": "task_registry/rubrics/3-002.json",
            "file_path": "data/files/PowerPoint/3.pptx",
            "tags": ["powerpoint"],
            "misc": {"difficulty": "Easy"},
            **more,
        }
        registry = json.dumps({"3-002": entry})
        (copy / "task_registry/tasks.json").write_text(registry, "utf-8")
        return copy

    return write_copy


def import_one(copy: Path) -> tuple[tuple[Task, ...], Outcome]:
    out = copy.parent / "out"
    (outcome,) = import_registry(copy, out)
    return (load_suite(out) if outcome.task else ()), outcome


def solved_deck(task: Task) -> bytes:
    presentation = Presentation(io.BytesIO(task.deck_bytes()))
    presentation.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def test_task_has_rubric_and_deck(write: Write) -> None:
    (task,), outcome = import_one(write())
    assert (outcome.name, outcome.task) == ("3-002", "ppteval-3-002")
    assert (task.instruction, task.difficulty) == ("Make the title bold.", "easy")
    assert (task.max_steps, task.file_name, task.gold) == (PUBLISHED_STEPS, "3.pptx", None)
    (program,) = task.rubric.root.children
    assert program.check is not None
    assert (program.check.name, program.args["code"]) == ("python", BOLD)
    assert "MIT" in task.source


@needs_sandbox
def test_programs_score_in_the_sandbox(write: Write, score_deck: ScoreDeck) -> None:
    (task,), _ = import_one(write())
    assert score_deck(task, task.deck_bytes()) == 0.0
    assert score_deck(task, solved_deck(task)) == 1.0


@needs_sandbox
def test_changes_not_covered_by_rubric_are_not_penalized(
    write: Write, score_deck: ScoreDeck
) -> None:
    (task,), _ = import_one(write())
    presentation = Presentation(io.BytesIO(solved_deck(task)))
    slide = presentation.slides[0]
    slide.placeholders[1]._element.getparent().remove(slide.placeholders[1]._element)
    file = io.BytesIO()
    presentation.save(file)
    assert score_deck(task, file.getvalue()) == 1.0


@needs_sandbox
def test_program_cannot_read_host_files(
    write: Write, score_deck: ScoreDeck, caplog: pytest.LogCaptureFixture
) -> None:
    (task,), _ = import_one(write(code=READS_HOST_FILE))
    assert not score_deck(task, solved_deck(task))
    assert "No such file or directory: '/etc/hostname'" in caplog.text


@pytest.mark.parametrize(
    ("changes", "cause", "message"),
    [
        ({"file_path": "../../../etc/passwd"}, "a path leads out of the copy", "file_path"),
        ({"rubric_path": "/etc/hostname"}, "a path leads out of the copy", "'/etc/hostname'"),
        ({"file_path": "data/files/PowerPoint/4.pptx"}, "a file is missing", "4.pptx"),
        ({"goal": ""}, "malformed", "goal: expected a text"),
        ({"rubric": {"root": leaf(" ")}}, "malformed", "expected code that is not empty"),
        ({"rubric": {"root": {"name": "x"}}}, "malformed", "'children' or 'scorer'"),
        ({"rubric": []}, "malformed", "expected an object with 'root'"),
        ({"file_path": "task_registry/tasks.json"}, "a deck cannot be read", "tasks.json"),
    ],
)
def test_malformed_tasks_are_rejected(
    write: Write, changes: dict[str, Any], cause: str, message: str
) -> None:
    tasks, outcome = import_one(write(**changes))
    assert (tasks, outcome.task, outcome.cause) == ((), "", cause)
    assert message in outcome.problem


def test_copy_without_valid_registry_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"task_registry/tasks\.json: No such file"):
        list(import_registry(tmp_path, tmp_path / "out"))
    (tmp_path / "task_registry").mkdir()
    (tmp_path / "task_registry/tasks.json").write_text("[]", "utf-8")
    with pytest.raises(TaskError, match="expected an object of tasks by id"):
        list(import_registry(tmp_path, tmp_path / "out"))
