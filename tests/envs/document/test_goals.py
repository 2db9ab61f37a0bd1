"""What an edit of the file reaches, the document environment scores as the one with a screen."""

import pytest

from pptarena.agents.goal_agent import goal_program
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.grading import Grading
from pptarena.envs.machines.fake.document import FakeDocument
from pptarena.tasks import get_task, list_tasks
from pptarena.tasks.goals import goal_deck

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("task_id", [task.id for task in list_tasks("starter")])
def test_the_goal_is_reached_by_a_program(task_id: str, baselines: BaselineStore) -> None:
    task = get_task(task_id)
    assert task.solution
    env = PPTArenaDocEnv(task=task_id, judge=None)
    _, info = env.reset(seed=0)
    assert info["score"] == 0.0
    _, reward, _, _, info = env.step(ToolCall.of("run_program", code=goal_program(task)))
    assert info["action_error"] is None
    assert reward == info["score"] == 1.0

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
