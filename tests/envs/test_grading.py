"""What the running score is when there is nothing to score, or no verdict."""

import pytest

from pptarena.envs import PPTArenaEnv, grading
from pptarena.envs.actions import click, key, wait
from pptarena.rewards import Deck, Rubric, Scope, ScoredNode
from pptarena.rewards.judges import Judge
from pptarena.tasks import Task


def select_title(env: PPTArenaEnv) -> None:
    _, info = env.reset(seed=0)
    shape = next(node for node in info["a11y"]["nodes"] if node["name"] == "Title 1")
    env.step(click(shape["element"]))


def test_without_a_verdict_the_score_stays_and_the_rubric_says_so(
    bold_task: Task, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake")
    select_title(env)
    assert env.step(key("ctrl+b"))[1] == 1.0

    def undecided(
        rubric: Rubric,
        original: Deck,
        current: Deck,
        scope: Scope | None,
        judge: Judge | None,
        leaves: object,
        looks: object,
        gold: object,
    ) -> ScoredNode:
        return ScoredNode(name="root", critical=True, score=None, reason="no verdict", children=())

    with monkeypatch.context() as patch:
        patch.setattr(grading, "score", undecided)
        _, reward, _, _, info = env.step(key("ctrl+b"))
    assert (reward, info["score"], info["rubric"]["score"]) == (0.0, 1.0, None)
    assert info["rubric"]["reason"] == "no verdict"
    assert "could not be scored: no verdict" in caplog.text
    assert env.step(key("ctrl+z"))[4]["rubric"]["score"] == 1.0


def test_info_cannot_be_used_to_change_the_rubric(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake")
    _, info = env.reset(seed=0)
    info["rubric"]["score"] = 1.0
    info["rubric"]["children"].clear()
    again = env.step(wait(0))[4]["rubric"]
    assert again["score"] == 0.0
