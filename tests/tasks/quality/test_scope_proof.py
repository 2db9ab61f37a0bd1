"""Tasks whose own goal is outside their scope are found."""

from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.conftest import WriteTask

from pptarena.tasks import list_tasks
from pptarena.tasks.quality.proofs import goal_outside_scope
from pptarena.tasks.task_file import load_task

BOLD = {"slides": [1], "aspects": ["formatting"], "shapes": ["@title"]}


def _write_gold(folder: Path) -> None:
    """Write the target deck next to a task: a bold title, and another title on the second slide."""
    deck: Any = Presentation(str(folder / "garden.pptx"))
    deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True
    deck.slides[1].shapes.title.text = "Meadow"
    deck.save(str(folder / "gold.pptx"))


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (BOLD, ["slide 2: text changed of the title placeholder", "'Orchard' -> 'Meadow'"]),
        ({"slides": [2]}, ["slide 1: formatting changed of the title placeholder", "bold"]),
        ({**BOLD, "aspects": ["text"]}, ["slide 1: formatting", "slide 2: text"]),
        ({"slides": [3, 4]}, ["slide 1: formatting", "slide 2: text", "of the score"]),
        ({"parts": [BOLD, {"slides": [2], "aspects": ["text"], "shapes": ["@title"]}]}, []),
        ({"slides": "all"}, []),
        (None, []),
    ],
)
def test_goal_changes_outside_the_scope_are_reported(
    write_task: WriteTask, scope: dict[str, Any] | None, expected: list[str]
) -> None:
    folder = write_task("mine/bold-title", gold="gold.pptx", scope=scope)
    _write_gold(folder)
    report = "; ".join(goal_outside_scope(load_task(folder / "task.json")))
    assert bool(report) == bool(expected)
    for text in expected:
        assert text in report
    if expected:
        assert "Allow these changes in the scope" in report


def test_task_without_a_goal_is_skipped(write_task: WriteTask) -> None:
    assert goal_outside_scope(load_task(write_task("mine/bold-title") / "task.json")) == ()


@pytest.mark.slow
def test_starter_goals_are_within_their_scopes() -> None:
    assert [task.id for task in list_tasks("starter") if goal_outside_scope(task)] == []
