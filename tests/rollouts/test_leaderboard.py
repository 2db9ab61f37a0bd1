"""Leaderboards: rows of runs, scores recomputed from the decks, and the page."""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.envs import actions
from pptarena.errors import StoreError
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.leaderboard import leaderboard
from pptarena.rollouts.leaderboard_page import leaderboard_page
from pptarena.rollouts.rescore import check_score
from pptarena.rollouts.task_digest import task_digest
from pptarena.tasks import Task

Run = Callable[..., StoredEpisode]
HOSTILE = "</td><script>alert(1)</script>'\"&lt;"


@pytest.fixture
def run(
    env: gym.Env[Any, Any],
    task: Task,
    script: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Play an episode of the task into a run, and make the task available."""
    monkeypatch.setattr("pptarena.rollouts.rescore.get_task", lambda name: task)

    def play_run(name: str, *steps: actions.Action) -> StoredEpisode:
        folder = tmp_path / "runs" / name / "agent" / task.id / "seed-0"
        return play_into(folder, env, script(*steps or (actions.done(),)), task)

    return play_run


def change_meta(episode: StoredEpisode, **changes: Any) -> None:
    meta = replace(episode.meta, **changes)
    (episode.folder / "meta.json").write_text(json.dumps(meta.to_json()), "utf-8")


@pytest.mark.slow
def test_best_run_is_first_and_rows_describe_the_run(
    run: Run, solution: Sequence[actions.Action], task: Task, tmp_path: Path
) -> None:
    run("idle")
    run("solved", *solution)
    (tmp_path / "runs/notes").mkdir()
    first, second = leaderboard(tmp_path / "runs", verify=True)
    assert (first.run, first.total.score.mean, second.run) == ("solved", 1.0, "idle")
    assert (first.checked, first.faults, second.faults) == (1, (), ())
    assert first.suites == ("tests",)
    assert first.seeds == (0,)
    assert first.machines == ("fake",)
    assert len(first.tasks_digest) == 64
    assert first.tasks_digest == second.tasks_digest
    assert json.loads(json.dumps(first.to_json()))["versions"]


def test_episodes_record_the_digest_of_their_task(run: Run, task: Task) -> None:
    assert run("idle").meta.task_digest == task_digest(task)
    assert task_digest(replace(task, instruction="Another one.")) != task_digest(task)


def test_score_that_the_decks_contradict_is_marked(
    run: Run, solution: Sequence[actions.Action], tmp_path: Path
) -> None:
    change_meta(run("forged"), score=1.0)
    run("honest", *solution)
    honest, forged = leaderboard(tmp_path / "runs", verify=True)
    name = "agent/first-title-bold/seed-0"
    assert forged.faults == ((name, "recorded 1.0000, recomputed 0.0000"),)
    page = leaderboard_page((honest, forged), "runs")
    assert "1 of 1 scores not confirmed" in page
    assert "all 1 scores recomputed" in page
    assert page.count('<tr class="bad-row">') == 1
    assert leaderboard(tmp_path / "runs")[0].checked is None


@pytest.mark.slow
def test_failed_recomputation_has_a_reason(
    run: Run, solution: Sequence[actions.Action], task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = run("solved", *solution)
    assert check_score(episode.folder, episode.meta) == ""
    assert check_score(episode.folder, replace(episode.meta, score=0.5)).startswith("recorded 0.5")
    other = replace(episode.meta, task_digest="0" * 64)
    assert "differs from the task that was played" in check_score(episode.folder, other)
    (episode.folder / "final.pptx").unlink()
    reason = check_score(episode.folder, episode.meta)
    assert reason.startswith("cannot be recomputed: final.pptx: No such file")
    monkeypatch.undo()
    assert "not found" in check_score(episode.folder, episode.meta)


def test_infeasible_task_is_solved_by_fail(
    run: Run, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = run("idle")
    impossible = replace(task, feasible=False)
    monkeypatch.setattr("pptarena.rollouts.rescore.get_task", lambda name: impossible)
    meta = replace(episode.meta, task_digest="", feasible=False)
    assert check_score(episode.folder, replace(meta, end="fail", score=1.0)) == ""
    assert check_score(episode.folder, replace(meta, end="done", score=0.0)) == ""
    assert "recomputed 0.0" in check_score(episode.folder, replace(meta, end="done", score=1.0))


def test_text_of_runs_is_escaped(run: Run, tmp_path: Path) -> None:
    episode = run("idle")
    change_meta(
        episode, agent=HOSTILE, suite=HOSTILE, application=HOSTILE, versions={"pptarena": HOSTILE},
        machine=HOSTILE, score=0.5, task=HOSTILE,
    )  # fmt: skip
    shutil.move(tmp_path / "runs/idle", tmp_path / "runs/<b>&'")
    page = leaderboard_page(leaderboard(tmp_path / "runs", verify=True), HOSTILE)
    assert "<script" not in page
    assert "<b>&'" not in page
    assert page.count("&lt;/td&gt;&lt;script&gt;") >= 6
    assert re.search(r"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]+=*'", page)


def test_folder_without_runs_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="expected folders of runs"):
        leaderboard(tmp_path)
    with pytest.raises(StoreError, match="nowhere does not exist"):
        leaderboard(tmp_path / "nowhere")
