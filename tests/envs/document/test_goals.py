"""Target decks reached by calls have the same score as on the fake machine."""

import pytest

from pptarena.agents.goal_agent import goal_calls
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.document import PPTArenaDocEnv
from pptarena.envs.grading import Grading
from pptarena.envs.machines.fake.document import FakeDocument
from pptarena.tasks import get_task, list_tasks
from pptarena.tasks.goals import goal_deck

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("task_id", [task.id for task in list_tasks("starter")])
def test_calls_reach_the_target_deck(task_id: str, baselines: BaselineStore) -> None:
    task = get_task(task_id)
    assert task.solution
    env = PPTArenaDocEnv(task=task_id, judge=None)
    _, info = env.reset(seed=0)
    assert info["score"] == 0.0
    total = 0.0
    for call in goal_calls(task):
        _, reward, _, _, info = env.step(call)
        assert info["action_error"] is None
        total += float(reward)
    assert total == pytest.approx(1)
    assert info["score"] == 1.0

    original = task.deck_bytes()
    grader = Grading(baselines).grader(task, original, "fake", FakeDocument(original).save)
    for deck in (goal_deck(task), env.deck_bytes()):
        grader.grade(deck, is_last=True)
        assert grader.score == 1.0
        assert grader.rubric() == info["rubric"]
    env.close()
