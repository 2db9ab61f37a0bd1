"""Tasks whose own goal counts as damage are found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from pptarena.tasks import list_tasks
from pptarena.tasks.quality.proofs import goal_outside_scope
from pptarena.tasks.task_file import load_task

WriteTask = Callable[..., Path]
BOLD = {"slides": [1], "aspects": ["formatting"], "shapes": ["@title"]}


def _with_gold(folder: Path) -> None:
    """Write the target deck next to a task: a bold title, and another title on the second slide."""
    deck: Any = Presentation(str(folder / "garden.pptx"))
    deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font.bold = True
    deck.slides[1].shapes.title.text = "Meadow"
    deck.save(str(folder / "gold.pptx"))


@pytest.mark.parametrize(
    ("scope", "named"),
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
def test_what_of_a_goal_is_outside_of_its_scope_is_named(
    write_task: WriteTask, scope: dict[str, Any] | None, named: list[str]
) -> None:
    folder = write_task("mine/bold-title", gold="gold.pptx", scope=scope)
    _with_gold(folder)
    found = "; ".join(goal_outside_scope(load_task(folder / "task.json")))
    assert bool(found) == bool(named)
    for words in named:
        assert words in found
    if named:
        assert "Allow these changes in the scope" in found


def test_a_task_without_a_known_goal_is_left_out(write_task: WriteTask) -> None:
    assert goal_outside_scope(load_task(write_task("mine/bold-title") / "task.json")) == ()


@pytest.mark.slow
def test_no_packaged_goal_of_the_starter_suite_is_outside() -> None:
    assert [task.id for task in list_tasks("starter") if goal_outside_scope(task)] == []
