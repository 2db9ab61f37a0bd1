"""Scores of tasks with several turns, recomputed from the deck of each turn."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.agents.goal_agent import GoalAgent
from pptarena.envs import actions
from pptarena.rewards import load_rubric, load_scope
from pptarena.rollouts.env import make_document_env
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.rescore import check_score
from pptarena.tasks import Task, Turn, get_task

pytestmark = pytest.mark.slow

Play = Callable[..., StoredEpisode]
IS_ITALIC = {
    **{"name": "italic", "critical": True, "check": "run_format"},
    "args": {"slide": 1, "shape": "@title", "italic": True},
}
ITALIC_TITLE = {"name": "goal", "critical": True, "children": [IS_ITALIC]}


@pytest.fixture
def task_with_turns(task: Task) -> Task:
    rubric = load_rubric({"version": 1, "strategy": "weighted", "root": ITALIC_TITLE})
    scope = load_scope({"slides": [1], "aspects": ["formatting"], "shapes": ["@title"]})
    impossible = Turn("Make it sing.", rubric, load_scope({}), feasible=False)
    turns = Turn("Now italic.", rubric, scope), impossible
    return replace(task, scope=scope, turns=turns, max_steps=30)


@pytest.fixture
def played(
    env: gym.Env[Any, Any],
    task_with_turns: Task,
    script: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Play:
    monkeypatch.setattr("pptarena.rollouts.rescore.get_task", lambda name: task_with_turns)

    def play_steps(*steps: actions.Action) -> StoredEpisode:
        return play_into(tmp_path / "runs/agent/task/seed-0", env, script(*steps), task_with_turns)

    return play_steps


ITALIC = actions.key("ctrl+i")


@pytest.mark.parametrize(
    ("edits", "score", "decks"),
    [
        (("bold", "done", "italic", "done", "fail"), 1.0, 2),
        (("bold", "done", "italic", "done", "done"), 3 / 4, 2),
        (("bold", "done", "done", "fail"), (1 + 0 + 1 + 1 / 2) / 4, 2),
        (("bold", "done", "italic", "unbold", "done", "fail"), (1 + 1 + 1 + 1 / 2) / 4, 2),
        (("done", "done", "done"), 0.0, 2),
    ],
)
def test_score_of_every_turn_is_recomputed(
    played: Play,
    solution: Sequence[actions.Action],
    edits: tuple[str, ...],
    score: float,
    decks: int,
) -> None:
    select, bold, done = solution
    actions_by_edit = {
        "bold": (select, bold),
        "unbold": (bold,),
        "italic": (ITALIC,),
        "done": (done,),
    }
    episode = played(
        *(step for edit in edits for step in actions_by_edit.get(edit, (actions.fail(),)))
    )
    assert episode.meta.score == pytest.approx(score)
    stored = sorted(path.name for path in episode.folder.glob("turn_*.pptx"))
    assert stored == [f"turn_{number}.pptx" for number in range(1, decks + 1)]
    assert check_score(episode.folder, episode.meta) == ""
    wrong = replace(episode.meta, score=0.33)
    assert check_score(episode.folder, wrong).startswith("recorded 0.3300, recomputed")


def test_missing_deck_of_a_turn_is_named(played: Play, solution: Sequence[actions.Action]) -> None:
    episode = played(*solution, actions.done(), actions.fail())
    (episode.folder / "turn_2.pptx").unlink()
    assert "turn_2.pptx" in check_score(episode.folder, episode.meta)


def test_turns_of_a_document_episode_are_recomputed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    task = get_task("clinic-minutes")
    env = make_document_env()
    folder = tmp_path / "runs/goal/clinic-minutes/seed-0"
    episode = play_into(folder, env, GoalAgent([task]), task)
    env.close()
    assert episode.meta.score == 1.0
    assert check_score(episode.folder, episode.meta) == ""


def test_damage_penalty_is_recomputed(played: Play, solution: Sequence[actions.Action]) -> None:
    select, bold, done = solution
    typed = (actions.key("F2"), actions.key("ctrl+a"), actions.type_text("Not asked for"))
    steps = (select, bold, done, ITALIC, *typed, actions.key("Escape"), done, actions.fail())
    episode = played(*steps)
    assert episode.meta.score is not None
    assert episode.meta.score < 0.9
    assert check_score(episode.folder, episode.meta) == ""
