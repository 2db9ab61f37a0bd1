"""Tasks that have only a deck and a gold deck, on the fake machine."""

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from pptx import Presentation

from pptarena.envs import actions
from pptarena.errors import TaskError
from pptarena.rewards import load_rubric, load_scope
from pptarena.tasks import Task
from pptarena.tasks.scorer import Scorer

pytestmark = pytest.mark.slow

TITLE = {"slide": 1, "text": "Harvest"}


def retitled(deck: bytes, title: str) -> bytes:
    presentation = Presentation(BytesIO(deck))
    presentation.slides[0].shapes.title.text_frame.paragraphs[0].runs[0].text = title
    stream = BytesIO()
    presentation.save(stream)
    return stream.getvalue()


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path))
    env = gym.make("PPTArena-v0", machine="fake", disable_env_checker=True)
    yield env
    env.close()


@pytest.fixture
def task() -> Task:
    start = Task("t", "s", "easy", "L1", ("text",), "meridian", "Say so.", 9, gold="meridian")
    gold = retitled(start.deck_bytes(), "Harvest")
    return Task("t", "s", "easy", "L1", ("text",), "meridian", "Say so.", 9, gold=gold)


def type_title(env: Any, info: dict[str, Any], text: str) -> tuple[Any, ...]:
    title = next(n for n in info["a11y"]["nodes"] if n["name"].startswith("Title") and n["element"])
    env.step(actions.click(element=title["element"]))
    for action in (actions.key("F2"), actions.key("ctrl+a"), actions.type_text(text)):
        env.step(action)
    return env.step(actions.key("Escape"))  # type: ignore[no-any-return]


def test_change_of_the_gold_deck_is_rewarded(env: Any, task: Task) -> None:
    _, info = env.reset(options={"task": task})
    assert info["score"] == 0.0
    assert info["rubric"]["name"] == "as in the gold deck"
    info = type_title(env, info, "Harvest")[-1]
    assert info["score"] == 1.0


def test_other_change_is_not_rewarded(env: Any, task: Task) -> None:
    _, info = env.reset(options={"task": task})
    info = type_title(env, info, "Winter")[-1]
    assert info["score"] < 0.5


def test_unreadable_gold_deck_is_a_task_error(env: Any) -> None:
    task = Task("t", "s", "easy", "L1", (), "meridian", "Say so.", 9, gold=b"no deck")
    with pytest.raises(Exception, match="t: the gold deck cannot be read"):
        env.reset(options={"task": task})


def test_unneeded_gold_deck_is_not_read(task: Task) -> None:
    scope = load_scope({"slides": [1]})
    rubric = load_rubric({"version": 1, "root": {"name": "r", "check": "title_is", "args": TITLE}})
    with_rubric = replace(task, rubric=rubric, scope=scope, gold=b"no deck")
    assert Scorer(with_rubric).gold is None
    with pytest.raises(TaskError, match="the gold deck cannot be read"):
        _ = Scorer(replace(with_rubric, scope=None)).gold
