"""Ratings of stored runs by judges: means by group and agreement between judges."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pptarena.benchmarks.pptarena_uiuc import DualVerdict, SlideRating, VisualRating
from pptarena.benchmarks.pptarena_uiuc.judged_runs import (
    Rater,
    agreements,
    judged_rows,
    rate_episodes,
)
from pptarena.errors import JudgeError
from pptarena.rewards.judges import Verdict
from pptarena.rollouts.episode import StoredEpisode
from pptarena.rollouts.imported_decks import DeckImporter, find_submissions
from pptarena.tasks import Task, list_tasks
from pptarena.tasks.goals import goal_deck

pytestmark = pytest.mark.slow

TASKS = [
    replace(task, labels={"category": ("Content", "Layout")[: index % 2 + 1]})
    for index, task in enumerate(list_tasks("starter")[:3])
]


def verdict(adherence: float, visual: float | None) -> DualVerdict:
    rating = None
    if visual is not None:
        rating = VisualRating(visual, (SlideRating("1", visual, "seen"),))
    return DualVerdict(Verdict(adherence, "done"), rating)


class ScriptedJudge:
    """Returns the verdicts of a list in turn; None makes the judge fail."""

    def __init__(self, *verdicts: DualVerdict | None) -> None:
        self.verdicts = list(verdicts)
        self.requests: list[Mapping[str, Any]] = []

    def judge(self, instruction: str, original: bytes, current: bytes, **more: Any) -> DualVerdict:
        self.requests.append({"instruction": instruction, "same": original == current, **more})
        scripted = self.verdicts.pop(0)
        if scripted is None:
            raise JudgeError("no valid answer")
        return scripted


@pytest.fixture
def episodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[StoredEpisode]:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    folder = tmp_path / "results"
    folder.mkdir()
    for task in TASKS:
        (folder / f"{task.id}.pptx").write_bytes(goal_deck(task))
    importer = DeckImporter(tmp_path / "run", "product")
    return list(importer.run(find_submissions(folder, TASKS).submissions))


def find(id: str, path: str) -> Task:
    return next(task for task in TASKS if task.id == id)


def unused(deck: bytes) -> bytes:
    raise AssertionError("no target is saved")


def test_rows_have_means_by_category_and_difficulty(episodes: list[StoredEpisode]) -> None:
    first = ScriptedJudge(verdict(5, 4), verdict(3, None), verdict(1, 2))
    second = ScriptedJudge(verdict(5, 4), None, verdict(2, 5))
    raters = [Rater("a", first), Rater("b", second)]
    ratings = list(rate_episodes(episodes, raters, save=unused, find=find))
    assert [each["instruction"] for each in first.requests] == [task.instruction for task in TASKS]
    assert not any(each["same"] for each in first.requests)
    rows = judged_rows(ratings)
    total, other = rows[:2]
    assert (total.rater, total.kind, total.episodes, total.unrated) == ("a", "all", 3, 0)
    assert (total.instruction.mean, total.visual.mean) == (3.0, 3.0)
    assert total.score.mean == pytest.approx((1 * 0.9 + 0.6 + 0.2 * 0.7) / 3)
    assert total.published.mean == pytest.approx((0.9 + 0.8 + 0.3) / 3)
    assert (other.rater, other.episodes, other.unrated) == ("b", 2, 1)
    by_group = {(row.kind, row.value, row.rater): row.instruction.mean for row in rows}
    assert by_group["category", "Content", "a"] == 3.0
    assert by_group["category", "Layout", "a"] == 3.0
    assert by_group["category", "Layout", "b"] is None
    assert {kind for kind, _, _ in by_group} == {"all", "category", "difficulty"}
    assert [each.problem for each in ratings] == ["", "b: no valid answer", ""]
    adherence, visual = agreements(ratings)
    assert (adherence.score, adherence.episodes, adherence.difference) == ("IF", 2, 0.5)
    assert (adherence.distance, adherence.equal, adherence.tau_b) == (0.5, 0.5, 1.0)
    assert (visual.score, visual.distance, visual.tau_b) == ("VQ", 1.5, -1.0)
    assert json.dumps([total.to_json(), ratings[0].to_json(), adherence.to_json()])


def test_unjudged_episode_has_a_reason(episodes: list[StoredEpisode]) -> None:
    (episodes[0].folder / "final.pptx").unlink()
    judge = ScriptedJudge(verdict(5, 4), verdict(5, 4))
    ratings = list(rate_episodes(episodes, [Rater("a", judge)], save=unused, find=find))
    assert ratings[0].verdicts == {}
    assert "final.pptx" in ratings[0].problem
    (row, *_) = judged_rows(ratings)
    assert (row.episodes, row.unrated, row.instruction.mean) == (2, 1, 5.0)
    assert agreements(ratings) == ()
    lost = replace(episodes[1], meta=replace(episodes[1].meta, infra_error="lost"))
    assert list(rate_episodes([lost], [Rater("a", judge)], save=unused, find=find)) == []


@pytest.mark.parametrize(("is_office", "expected"), [(False, b"gold"), (True, b"saved gold")])
def test_target_is_saved_by_the_same_application_as_the_decks(
    episodes: list[StoredEpisode],
    monkeypatch: pytest.MonkeyPatch,
    is_office: bool,
    expected: bytes,
) -> None:
    monkeypatch.setattr(Task, "gold_bytes", lambda task: b"gold")
    meta = replace(episodes[0].meta, application="LibreOffice" if is_office else "")
    judge, other = ScriptedJudge(verdict(5, 4)), ScriptedJudge(verdict(5, 4))
    episode = replace(episodes[0], meta=meta)
    save: Callable[[bytes], bytes] = lambda deck: b"saved " + deck  # noqa: E731
    list(rate_episodes([episode], [Rater("a", judge)], save=save, find=find))
    assert judge.requests[0]["reference"] == expected
    options: dict[str, Any] = {"save": save, "references": False}
    list(rate_episodes([episode], [Rater("a", other)], find=find, **options))
    assert other.requests[0]["reference"] is None
