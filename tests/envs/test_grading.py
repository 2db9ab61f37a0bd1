"""The running score without a verdict, and warnings about rubrics."""

from dataclasses import replace

import pytest
from tests.envs.title_steps import select_title

from pptarena.envs import PPTArenaEnv, grading
from pptarena.envs.actions import key, wait
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.config import EnvConfig
from pptarena.rewards import ScoredNode, load_rubric
from pptarena.tasks import Task
from pptarena.tasks.scorer import Scorer


@pytest.mark.slow
def test_unscored_deck_keeps_the_last_score(
    bold_task: Task, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake")
    select_title(env)
    assert env.step(key("ctrl+b"))[1] == 1.0

    def undecided(*_: object, **__: object) -> ScoredNode:
        return ScoredNode(name="root", critical=True, score=None, reason="no verdict", children=())

    with monkeypatch.context() as patch:
        patch.setattr(Scorer, "score", undecided)
        _, reward, _, _, info = env.step(key("ctrl+b"))
    assert (reward, info["score"], info["rubric"]["score"]) == (0.0, 1.0, None)
    assert info["rubric"]["reason"] == "no verdict"
    assert "could not be scored: no verdict" in caplog.text
    assert env.step(key("ctrl+z"))[4]["rubric"]["score"] == 1.0


def test_changing_info_does_not_change_the_rubric(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake")
    _, info = env.reset(seed=0)
    info["rubric"]["score"] = 1.0
    info["rubric"]["children"].clear()
    again = env.step(wait(0))[4]["rubric"]
    assert again["score"] == 0.0


def test_leaf_unreachable_in_the_application_is_reported_once(
    bold_task: Task, caplog: pytest.LogCaptureFixture
) -> None:
    args = {"slide": 1, "effect": "fly_in", "build": "paragraph"}
    leaf = {"name": "marked", "check": "animation_timing", "args": args}
    rubric = load_rubric({"version": 1, "root": {"name": "all", "children": [leaf]}})
    task, deck = replace(bold_task, rubric=rubric), bold_task.deck_bytes()
    for office in (False, True, True):
        grading.Grading(BaselineStore(), office=office).grader(task, deck, "any", lambda: deck)
    (message,) = [record.getMessage() for record in caplog.records]
    assert "the leaf 'marked' cannot be earned in LibreOffice: LibreOffice writes" in message


def test_missing_renderer_is_reported_once_and_only_in_an_episode(
    bold_task: Task, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(grading, "find_image", lambda: None)
    grading._warn_not_rendered.cache_clear()
    gradings = [grading.Grading.of(EnvConfig(), BaselineStore(), office=True) for _ in range(2)]
    assert not any(each.renders for each in gradings)
    assert "not rendered" not in caplog.text
    deck = bold_task.deck_bytes()
    for each in gradings:
        each.grader(bold_task, deck, "test", lambda: deck)
    assert caplog.text.count("final slides are not rendered") == 1
    assert not grading.can_render()
    assert caplog.text.count("final slides are not rendered") == 1
    grading._warn_not_rendered.cache_clear()
