"""Stored episodes under another strategy, another lambda and a judge that varies."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium as gym
import pytest

from pptarena.envs import actions
from pptarena.envs.judging import Judging
from pptarena.rewards import load_rubric, load_scope
from pptarena.rewards.judges import JudgeConfig
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.imported_decks import DeckImporter, find_submissions
from pptarena.rollouts.play import play
from pptarena.rollouts.rescore import Rescoring
from pptarena.rollouts.rescored_runs import EpisodeScores, rescore_episodes, rescored_rows
from pptarena.tasks import Task, get_task
from pptarena.tasks.goals import goal_deck

pytestmark = pytest.mark.slow

FORMAT = {"check": "run_format"}
PARTS: list[dict[str, Any]] = [
    {"name": "bold", **FORMAT, "args": {"slide": 1, "shape": "@title", "bold": True}},
    {
        "name": "italic",
        "critical": False,
        **FORMAT,
        "args": {"slide": 1, "shape": "@title", "italic": True},
    },
]
JUDGED: dict[str, Any] = {
    "name": "well done",
    "check": "judge",
    "args": {"question": "Is it well done?", "slide": 1},
}


def of_parts(task: Task, *parts: dict[str, Any], **more: Any) -> Task:
    root = {"name": "the title", "children": list(parts)}
    rubric = load_rubric({"version": 1, "root": root})
    scope = load_scope({"slides": [1], "aspects": ["formatting"], "shapes": ["@title"]})
    return replace(task, rubric=rubric, scope=scope, **more)


Play = Callable[..., StoredEpisode]


@pytest.fixture
def played(env: gym.Env[Any, Any], script: Callable[..., Any], tmp_path: Path) -> Play:
    def one(task: Task, *steps: actions.Action, agent: str = "scripted") -> StoredEpisode:
        place = tmp_path / "run" / agent / task.id / "seed-0"
        failed = place.with_name("failed")
        return play(
            env, script(*steps), agent_name=agent, task=task, seed=0, place=place,
            failed_place=failed,
        )  # fmt: skip

    return one


def again(episode: StoredEpisode, task: Task, how: Rescoring, repeats: int = 1) -> EpisodeScores:
    (found,) = rescore_episodes([episode], how, repeats, lambda id, place: task)
    return found


def test_strategy_and_lambda_change_the_score(
    played: Play, solution: Sequence[actions.Action], task: Task
) -> None:
    both = of_parts(task, *PARTS)
    episode = played(both, *solution)
    assert episode.meta.score == pytest.approx(0.7)
    for how, score in (
        (Rescoring(), 0.7),
        (Rescoring(penalty=0.5), 0.5),
        (Rescoring(penalty=0.0), 1.0),
        (Rescoring("mind2web2_gate"), 0.0),
        (Rescoring("ai_rubric_gate", 0.5), 0.0),
    ):
        found = again(episode, both, how, repeats=3)
        assert list(found.scores) == pytest.approx([score])  # scored once: nothing can vary
        assert not found.judged
        assert "italic" in found.reason


def test_repeats_measure_how_much_a_judge_varies(
    played: Play, solution: Sequence[actions.Action], task: Task, server: Any
) -> None:
    both = of_parts(task, PARTS[0], JUDGED)
    episode = played(both, *solution)
    server.script = [f'{{"score": {score}, "reason": "seen"}}' for score in (1, 0.5, 0)]
    config = JudgeConfig(model="m", base_url=server.url, cache=False)
    with Judging(config) as judging:
        found = again(episode, both, Rescoring(judging=judging), repeats=3)
    assert found.scores == pytest.approx((1.0, 0.75, 0.5))
    assert found.score == pytest.approx(0.75)
    assert found.variance == pytest.approx(1 / 24)
    assert found.variation == pytest.approx((1 / 24) ** 0.5 / 0.75)
    row, easy = rescored_rows([found])
    assert (row.kind, easy.value, row.judged, row.episodes) == ("all", "easy", 1, 1)
    assert row.variance_mean == row.variance_median == found.variance
    assert row.variation_mean == found.variation
    assert (row.higher, row.lower) == (0, 1)
    assert found.to_json()["coefficient_of_variation"] == found.variation


def test_what_cannot_be_scored_again_has_a_reason(
    played: Play, solution: Sequence[actions.Action], task: Task
) -> None:
    both = of_parts(task, *PARTS)
    episode = played(both, *solution)
    changed = again(episode, replace(both, instruction="Another one."), Rescoring())
    assert changed.scores == ()
    assert "another one here" in changed.reason
    judged = of_parts(task, JUDGED, id="only-judged")
    asked = played(judged, *solution)
    assert again(asked, judged, Rescoring()).scores == ()
    (row, _) = rescored_rows([again(episode, both, Rescoring()), changed])
    assert (row.episodes, row.unscored, row.variance_mean) == (1, 1, None)
    failed = replace(episode, meta=replace(episode.meta, infra_error="lost"))
    assert list(rescore_episodes([failed], Rescoring(), 1, lambda id, place: both)) == []


def test_a_packaged_task_keeps_its_targets_under_another_strategy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    task = get_task("meridian-hide-backup")
    seen: list[Task] = []

    def has_target(known: Task) -> bool:
        seen.append(known)
        return False

    monkeypatch.setattr("pptarena.tasks.targets.has_target", has_target)
    (tmp_path / f"{task.id}.pptx").write_bytes(goal_deck(task))
    found = find_submissions(tmp_path, [task]).submissions
    (episode,) = DeckImporter(tmp_path / "run", "product").run(found)
    seen.clear()
    assert again(episode, task, Rescoring("mind2web2_gate", 0.5)).scores == (1.0,)
    assert seen
    assert all(known.rubric == task.rubric for known in seen)
