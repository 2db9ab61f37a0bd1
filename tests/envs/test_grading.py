"""What the running score is when there is nothing to score, or no verdict."""

from dataclasses import replace

import pytest

from pptarena.envs import PPTArenaEnv, grading
from pptarena.envs.actions import click, key, wait
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.config import EnvConfig
from pptarena.rewards import ScoredNode, load_rubric
from pptarena.tasks import Task
from pptarena.tasks.scorer import Scorer


def select_title(env: PPTArenaEnv) -> None:
    _, info = env.reset(seed=0)
    shape = next(node for node in info["a11y"]["nodes"] if node["name"] == "Title 1")
    env.step(click(shape["element"]))


@pytest.mark.slow
def test_without_a_verdict_the_score_stays_and_the_rubric_says_so(
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


def test_info_cannot_be_used_to_change_the_rubric(bold_task: Task) -> None:
    env = PPTArenaEnv(task=bold_task, machine="fake")
    _, info = env.reset(seed=0)
    info["rubric"]["score"] = 1.0
    info["rubric"]["children"].clear()
    again = env.step(wait(0))[4]["rubric"]
    assert again["score"] == 0.0


def test_a_leaf_that_the_application_never_saves_is_named_once(
    bold_task: Task, caplog: pytest.LogCaptureFixture
) -> None:
    args = {"slide": 1, "effect": "fly_in", "build": "paragraph"}
    leaf = {"name": "marked", "check": "animation_timing", "args": args}
    rubric = load_rubric({"version": 1, "root": {"name": "all", "children": [leaf]}})
    task, deck = replace(bold_task, rubric=rubric), bold_task.deck_bytes()
    for office in (False, True, True):
        grading.Grading(BaselineStore(), office=office).grader(task, deck, "any", lambda: deck)
    (said,) = [record.getMessage() for record in caplog.records]
    assert "the leaf 'marked' cannot be earned in LibreOffice: LibreOffice writes" in said


def test_slides_that_cannot_be_rendered_are_reported_once_and_only_in_an_episode(
    bold_task: Task, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(grading, "find_image", lambda: None)
    grading._warn_not_rendered.cache_clear()
    made = [
        grading.Grading.of(EnvConfig(), BaselineStore(), drawable=True),
        grading.Grading.of(EnvConfig(), BaselineStore(), drawable=True),
    ]
    assert not any(each.looks for each in made)
    assert "not rendered" not in caplog.text
    deck = bold_task.deck_bytes()
    for each in made:
        each.grader(bold_task, deck, "test", lambda: deck)
    assert caplog.text.count("final slides are not rendered") == 1
    assert not grading.can_look()
    assert caplog.text.count("final slides are not rendered") == 1
    grading._warn_not_rendered.cache_clear()
