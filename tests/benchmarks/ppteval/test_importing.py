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

Played = Callable[[Task, bytes], "float | None"]
Write = Callable[..., Path]

BOLD = """
def compute_score():
    from pptx import Presentation
    title = Presentation(modified_ppt_path).slides[0].shapes.title
    bold = any(run.font.bold for p in title.text_frame.paragraphs for run in p.runs)
    return f"bold: {bold}", float(bold)
"""
# A program that would leave the sandbox, if there were a way out of it.
SPIES = """
def compute_score():
    from pathlib import Path
    return str(Path("/etc/hostname").read_text()), 1.0
"""


def leaf(code: str, **more: Any) -> dict[str, Any]:
    scorer = {"type": "function", "function_code": code}
    return {"name": "leaf", "description": "", "is_critical": True, "scorer": scorer, **more}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a copy with one task, and what is different in it."""

    def made(code: str = BOLD, rubric: Any = None, **more: Any) -> Path:
        copy = tmp_path / "ppteval"
        for name in ("task_registry/rubrics", "data/files/PowerPoint"):
            (copy / name).mkdir(parents=True, exist_ok=True)
        presentation = Presentation()
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = "Harvest"
        presentation.save(str(copy / "data/files/PowerPoint/3.pptx"))
        root = {"name": "root", "description": "", "is_critical": True, "children": [leaf(code)]}
        place = copy / "task_registry/rubrics/3-002.json"
        place.write_text(json.dumps({"root": root} if rubric is None else rubric), "utf-8")
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

    return made


def imported(copy: Path) -> tuple[tuple[Task, ...], Outcome]:
    out = copy.parent / "out"
    (found,) = import_registry(copy, out)
    return (load_suite(out) if found.task else ()), found


def goal_of(task: Task) -> bytes:
    presentation = Presentation(io.BytesIO(task.deck_bytes()))
    presentation.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def test_a_task_comes_with_its_rubric_and_deck(write: Write) -> None:
    (task,), found = imported(write())
    assert (found.name, found.task) == ("3-002", "ppteval-3-002")
    assert (task.instruction, task.difficulty) == ("Make the title bold.", "easy")
    assert (task.max_steps, task.file_name, task.gold) == (PUBLISHED_STEPS, "3.pptx", None)
    (program,) = task.rubric.root.children
    assert program.check is not None
    assert (program.check.name, program.args["code"]) == ("python", BOLD)
    assert "MIT" in task.source


@needs_sandbox
def test_its_programs_judge_in_the_sandbox(write: Write, played: Played) -> None:
    (task,), _ = imported(write())
    assert played(task, task.deck_bytes()) == 0.0
    assert played(task, goal_of(task)) == 1.0


@needs_sandbox
def test_nothing_is_taken_off_for_what_the_rubric_does_not_name(
    write: Write, played: Played
) -> None:
    (task,), _ = imported(write())
    presentation = Presentation(io.BytesIO(goal_of(task)))
    slide = presentation.slides[0]
    slide.placeholders[1]._element.getparent().remove(slide.placeholders[1]._element)
    file = io.BytesIO()
    presentation.save(file)
    assert played(task, file.getvalue()) == 1.0


@needs_sandbox
def test_a_program_that_looks_around_sees_nothing(
    write: Write, played: Played, caplog: pytest.LogCaptureFixture
) -> None:
    (task,), _ = imported(write(code=SPIES))
    assert not played(task, goal_of(task))
    assert "No such file or directory: '/etc/hostname'" in caplog.text


@pytest.mark.parametrize(
    ("more", "cause", "said"),
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
def test_what_is_no_task_is_refused(
    write: Write, more: dict[str, Any], cause: str, said: str
) -> None:
    tasks, found = imported(write(**more))
    assert (tasks, found.task, found.cause) == ((), "", cause)
    assert said in found.problem


def test_a_copy_without_a_registry_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"task_registry/tasks\.json: No such file"):
        list(import_registry(tmp_path, tmp_path / "out"))
    (tmp_path / "task_registry").mkdir()
    (tmp_path / "task_registry/tasks.json").write_text("[]", "utf-8")
    with pytest.raises(TaskError, match="expected an object of tasks by id"):
        list(import_registry(tmp_path, tmp_path / "out"))
