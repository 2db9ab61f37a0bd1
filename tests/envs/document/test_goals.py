"""What an edit of the file reaches, the document environment scores as the one with a screen."""

import ast
from pathlib import Path
from types import ModuleType

import pytest

from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.grading import Grading
from pptarena.envs.machines.fake.document import FakeDocument
from pptarena.tasks import get_task, list_tasks
from pptarena.tasks.goals import bench, editing, goal_deck


def source(module: ModuleType) -> str:
    """Return the program text of a module without what it imports from this package."""
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    tree.body = [each for each in tree.body if not _is_ours(each)]
    return ast.unparse(tree)


def _is_ours(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and str(node.module).startswith("pptarena")


@pytest.mark.parametrize("task_id", [task.id for task in list_tasks("starter")])
def test_the_goal_is_reached_by_a_program(task_id: str, baselines: BaselineStore) -> None:
    assert task_id in bench.BENCH_GOALS
    env = PPTArenaDocEnv(task=task_id, judge=None)
    _, info = env.reset(seed=0)
    assert info["score"] == 0.0
    code = f"{source(editing)}\n{source(bench)}\nBENCH_GOALS[{task_id!r}](presentation)"
    _, reward, _, _, info = env.step(ToolCall.of("run_program", code=code))
    assert info["action_error"] is None
    assert reward == info["score"] == 1.0

    task = get_task(task_id)
    opened = task.deck_bytes()
    grader = Grading(baselines).grader(task, opened, "fake", FakeDocument(opened).save)
    for deck in (goal_deck(task), env.deck_bytes()):
        grader.grade(deck, is_last=True)
        assert grader.score == 1.0
        assert grader.rubric() == info["rubric"]
    env.close()


def test_a_goal_is_reached_by_typed_calls() -> None:
    env = PPTArenaDocEnv(task="meridian-rename-tent", judge=None)
    env.reset(seed=0)
    call = ToolCall.of("replace_text", old="TrailLite", new="TrailLight")
    _, reward, _, _, info = env.step(call)
    assert (reward, info["score"]) == (1.0, 1.0)
    env.close()
