"""Tasks in the real application: their macros solve them, one is replayed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.macro_agent import MacroAgent
from pptarena.decks import read_deck
from pptarena.decks.selectors import find_shape
from pptarena.rollouts.env import make_env
from pptarena.rollouts.play import play
from pptarena.rollouts.replay import replay_episode
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.macros import load_macros

pytestmark = pytest.mark.image
Env = gym.Env[Any, Any]
# The last one has several turns, and a table of rows so low that the bar for tables moves them.
TASKS = (*list_tasks("bench"), get_task("ledger-corrections"))
REPLAYED = "resistance-cell-picture"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Env]:
    env = make_env("sandbox")
    yield env
    env.close()


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_macros_score_1(sandbox: Env, task: Task, tmp_path: Path) -> None:
    episode = play(
        sandbox,
        MacroAgent(),
        agent_name="macro",
        task=task,
        seed=0,
        place=tmp_path / "episode",
        failed_place=tmp_path / "failed",
    )
    meta = episode.meta
    assert (meta.infra_error, meta.agent_error) == (None, None)
    assert meta.score == 1.0, (episode.folder / "rubric.json").read_text()
    assert meta.steps <= task.max_steps
    if task.id == REPLAYED:
        assert replay_episode(sandbox, episode.folder).same_score


def test_macros_that_no_task_of_the_bench_has(sandbox: Env, tmp_path: Path) -> None:
    cell = {"slide": 5, "shape": "Cell"}
    body = {"slide": 5, "shape": "@body"}
    macros = load_macros(
        [
            {"macro": "rotate", **cell, "degrees": 30},
            {"macro": "position", **cell, "left_cm": 15.0, "top_cm": 4.5},
            {"macro": "paragraph_align", **body, "align": "right", "paragraph": 3},
            {"macro": "link", **body, "words": "Ribosomes", "url": "https://example.org/"},
            {"macro": "fill_color", "slide": 5, "shape": "@title", "color": "FFCC00"},
            {"macro": "insert_slide", "after": 5},
            {"macro": "move_slide", "slide": 7, "to": 8},
        ]
    )
    task = replace(get_task(REPLAYED), macros=macros, max_steps=100)
    episode = play(
        sandbox,
        MacroAgent(lambda id: task),
        agent_name="macro",
        task=task,
        seed=0,
        place=tmp_path / "episode",
        failed_place=tmp_path / "failed",
    )
    assert (episode.meta.infra_error, episode.meta.agent_error) == (None, None)
    before, after = (read_deck(episode.folder / name) for name in ("original.pptx", "final.pptx"))
    slide = after.slides[4]
    picture, text, title = (find_shape(slide, words) for words in ("Cell", "@body", "@title"))
    assert picture is not None
    assert text is not None
    assert title is not None
    assert picture.box.rotation_deg == pytest.approx(30, abs=0.1)
    assert title.fill.color == "#FFCC00"
    assert [line.align for line in text.paragraphs] == ["left", "left", "right", "left"]
    assert "https://example.org/" in repr(text.paragraphs[1])
    titles = [each.title for each in after.slides]
    old = [each.title for each in before.slides]
    assert titles == [*old[:5], "", old[6], old[5], *old[7:]]
