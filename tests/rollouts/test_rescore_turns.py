"""Scores of tasks of several turns, recomputed from the decks at the end of each turn."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.agents.goal_agent import GoalAgent
from pptarena.envs import actions
from pptarena.rewards import load_rubric, load_scope
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.play import play
from pptarena.rollouts.rescore import check_score
from pptarena.tasks import Task, Turn, get_task

pytestmark = pytest.mark.slow

Play = Callable[..., StoredEpisode]
ITALIC_TITLE = {
    "name": "goal",
    "critical": True,
    "children": [
        {
            "name": "italic",
            "critical": True,
            "check": "run_format",
            "args": {"slide": 1, "shape": "@title", "italic": True},
        }
    ],
}


@pytest.fixture
def of_turns(task: Task) -> Task:
    rubric = load_rubric({"version": 1, "strategy": "weighted", "root": ITALIC_TITLE})
    scope = load_scope({"slides": [1], "aspects": ["formatting"], "shapes": ["@title"]})
    impossible = Turn("Make it sing.", rubric, load_scope({}), feasible=False)
    turns = Turn("Now italic.", rubric, scope), impossible
    return replace(task, scope=scope, turns=turns, max_steps=30)


@pytest.fixture
def played(
    env: gym.Env[Any, Any],
    of_turns: Task,
    script: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Play:
    monkeypatch.setattr("pptarena.rollouts.rescore.get_task", lambda name: of_turns)

    def one(*steps: actions.Action) -> StoredEpisode:
        place = tmp_path / "runs/agent/task/seed-0"
        return play(
            env,
            script(*steps),
            agent_name="scripted",
            task=of_turns,
            seed=0,
            place=place,
            failed_place=place.with_name("failed"),
        )

    return one


ITALIC = actions.key("ctrl+i")


@pytest.mark.parametrize(
    ("ways", "score", "decks"),
    [
        (("bold", "done", "italic", "done", "fail"), 1.0, 2),
        (("bold", "done", "italic", "done", "done"), 3 / 4, 2),
        (("bold", "done", "done", "fail"), (1 + 0 + 1 + 1 / 2) / 4, 2),
        (("bold", "done", "italic", "unbold", "done", "fail"), (1 + 1 + 1 + 1 / 2) / 4, 2),
        (("done", "done", "done"), 0.0, 2),
    ],
)
def test_every_turn_is_scored_again(
    played: Play,
    solution: Sequence[actions.Action],
    ways: tuple[str, ...],
    score: float,
    decks: int,
) -> None:
    select, bold, done = solution
    known = {"bold": (select, bold), "unbold": (bold,), "italic": (ITALIC,), "done": (done,)}
    episode = played(*(step for way in ways for step in known.get(way, (actions.fail(),))))
    assert episode.meta.score == pytest.approx(score)
    stored = sorted(path.name for path in episode.folder.glob("turn_*.pptx"))
    assert stored == [f"turn_{number}.pptx" for number in range(1, decks + 1)]
    assert check_score(episode.folder, episode.meta) == ""
    wrong = replace(episode.meta, score=0.33)
    assert check_score(episode.folder, wrong).startswith("recorded 0.3300, recomputed")


def test_a_deck_between_turns_that_is_missing_is_named(
    played: Play, solution: Sequence[actions.Action]
) -> None:
    episode = played(*solution, actions.done(), actions.fail())
    (episode.folder / "turn_2.pptx").unlink()
    assert "turn_2.pptx" in check_score(episode.folder, episode.meta)


def test_an_episode_on_a_document_keeps_its_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    task = get_task("clinic-minutes")
    env = make_document_env()
    episode = play(
        env,
        GoalAgent([task]),
        agent_name="goal",
        task=task,
        seed=0,
        place=tmp_path / "runs/goal/clinic-minutes/seed-0",
        failed_place=tmp_path / "failed",
    )
    env.close()
    assert episode.meta.score == 1.0
    assert check_score(episode.folder, episode.meta) == ""


def test_damage_is_charged_again(played: Play, solution: Sequence[actions.Action]) -> None:
    select, bold, done = solution
    typed = (actions.key("F2"), actions.key("ctrl+a"), actions.type_text("Not asked for"))
    steps = (select, bold, done, ITALIC, *typed, actions.key("Escape"), done, actions.fail())
    episode = played(*steps)
    assert episode.meta.score is not None
    assert episode.meta.score < 0.9
    assert check_score(episode.folder, episode.meta) == ""
