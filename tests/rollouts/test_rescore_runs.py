"""Rescoring of stored episodes with another strategy, another lambda and a varying judge."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest
from tests.rollouts.playing import play_into

from pptarena.envs import actions
from pptarena.envs.judging import Judging
from pptarena.rewards import load_rubric, load_scope
from pptarena.rewards.judges import JudgeConfig
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.imported_decks import DeckImporter, find_submissions
from pptarena.rollouts.rescore import Rescoring
from pptarena.rollouts.rescore_runs import EpisodeScores, rescore_episodes, rescored_rows
from pptarena.tasks import Task, get_task
from pptarena.tasks.goals import goal_deck

pytestmark = pytest.mark.slow

FORMAT = {"check": "run_format"}
PARTS: list[dict[str, Any]] = [
    {"name": "bold", **FORMAT, "args": {"slide": 1, "shape": "@title", "bold": True}},
    {**FORMAT, "name": "italic", "critical": False,
     "args": {"slide": 1, "shape": "@title", "italic": True}},
]  # fmt: skip
JUDGED: dict[str, Any] = {
    "name": "well done",
    "check": "judge",
    "args": {"question": "Is it well done?", "slide": 1},
}


def task_with_parts(task: Task, *parts: dict[str, Any], **more: Any) -> Task:
    root = {"name": "the title", "children": list(parts)}
    rubric = load_rubric({"version": 1, "root": root})
    scope = load_scope({"slides": [1], "aspects": ["formatting"], "shapes": ["@title"]})
    return replace(task, rubric=rubric, scope=scope, **more)


Play = Callable[..., StoredEpisode]


@pytest.fixture
def played(env: gym.Env[Any, Any], script: Callable[..., Any], tmp_path: Path) -> Play:
    def play_steps(task: Task, *steps: actions.Action) -> StoredEpisode:
        return play_into(tmp_path / "run/agent" / task.id / "seed-0", env, script(*steps), task)

    return play_steps


def rescore(
    episode: StoredEpisode, task: Task, rescoring: Rescoring, repeats: int = 1
) -> EpisodeScores:
    (scores,) = rescore_episodes([episode], rescoring, repeats, lambda id, place: task)
    return scores


def test_strategy_and_lambda_change_the_score(
    played: Play, solution: Sequence[actions.Action], task: Task
) -> None:
    both = task_with_parts(task, *PARTS)
    episode = played(both, *solution)
    assert episode.meta.score == pytest.approx(0.7)
    for rescoring, score in (
        (Rescoring(), 0.7),
        (Rescoring(penalty=0.5), 0.5),
        (Rescoring(penalty=0.0), 1.0),
        (Rescoring("mind2web2_gate"), 0.0),
        (Rescoring("ai_rubric_gate", 0.5), 0.0),
    ):
        scores = rescore(episode, both, rescoring, repeats=3)
        assert list(scores.scores) == pytest.approx([score])  # scored once, without a judge
        assert not scores.judged
        assert "italic" in scores.reason


def test_repeats_measure_the_variance_of_a_judge(
    played: Play, solution: Sequence[actions.Action], task: Task, server: Any
) -> None:
    both = task_with_parts(task, PARTS[0], JUDGED)
    episode = played(both, *solution)
    server.script = [f'{{"score": {score}, "reason": "ok"}}' for score in (1, 0.5, 0)]
    config = JudgeConfig(model="m", base_url=server.url, cache=False)
    with Judging(config) as judging:
        scores = rescore(episode, both, Rescoring(judging=judging), repeats=3)
    assert scores.scores == pytest.approx((1.0, 0.75, 0.5))
    assert scores.score == pytest.approx(0.75)
    assert scores.variance == pytest.approx(1 / 24)
    assert scores.variation == pytest.approx((1 / 24) ** 0.5 / 0.75)
    row, easy = rescored_rows([scores])
    assert (row.kind, easy.value, row.judged, row.episodes) == ("all", "easy", 1, 1)
    assert row.variance_mean == row.variance_median == scores.variance
    assert row.variation_mean == scores.variation
    assert (row.higher, row.lower) == (0, 1)
    assert scores.to_json()["coefficient_of_variation"] == scores.variation


def test_failed_rescoring_has_a_reason(
    played: Play, solution: Sequence[actions.Action], task: Task
) -> None:
    both = task_with_parts(task, *PARTS)
    episode = played(both, *solution)
    changed = rescore(episode, replace(both, instruction="Another one."), Rescoring())
    assert changed.scores == ()
    assert "differs from the task that was played" in changed.reason
    judged = task_with_parts(task, JUDGED, id="only-judged")
    judged_episode = played(judged, *solution)
    assert rescore(judged_episode, judged, Rescoring()).scores == ()
    (row, _) = rescored_rows([rescore(episode, both, Rescoring()), changed])
    assert (row.episodes, row.unscored, row.variance_mean) == (1, 1, None)
    failed = replace(episode, meta=replace(episode.meta, infra_error="lost"))
    assert list(rescore_episodes([failed], Rescoring(), 1, lambda id, place: both)) == []


def test_packaged_task_keeps_its_targets_with_another_strategy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    task = get_task("meridian-hide-backup")
    checked: list[Task] = []

    def has_target(checked_task: Task) -> bool:
        checked.append(checked_task)
        return False

    monkeypatch.setattr("pptarena.tasks.targets.has_target", has_target)
    (tmp_path / f"{task.id}.pptx").write_bytes(goal_deck(task))
    submissions = find_submissions(tmp_path, [task]).submissions
    (episode,) = DeckImporter(tmp_path / "run", "product").run(submissions)
    checked.clear()
    assert rescore(episode, task, Rescoring("mind2web2_gate", 0.5)).scores == (1.0,)
    assert checked
    assert all(checked_task.rubric == task.rubric for checked_task in checked)
