"""Stored runs rated by judges: means by group, judges side by side, other evidence."""

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


def verdict(following: float, visual: float | None) -> DualVerdict:
    looks = None
    if visual is not None:
        looks = VisualRating(visual, (SlideRating("1", visual, "seen"),))
    return DualVerdict(Verdict(following, "done"), looks)


class Scripted:
    """Gives the next verdict of a list; None is a judge that does not answer."""

    def __init__(self, *verdicts: DualVerdict | None) -> None:
        self.verdicts = list(verdicts)
        self.asked: list[Mapping[str, Any]] = []

    def judge(self, instruction: str, original: bytes, current: bytes, **more: Any) -> DualVerdict:
        self.asked.append({"instruction": instruction, "same": original == current, **more})
        found = self.verdicts.pop(0)
        if found is None:
            raise JudgeError("no valid answer")
        return found


@pytest.fixture
def episodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[StoredEpisode]:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))
    folder = tmp_path / "results"
    folder.mkdir()
    for task in TASKS:
        (folder / f"{task.id}.pptx").write_bytes(goal_deck(task))
    importer = DeckImporter(tmp_path / "run", "product")
    return list(importer.run(find_submissions(folder, TASKS).submissions))


def find(id: str, place: str) -> Task:
    return next(task for task in TASKS if task.id == id)


def unused(deck: bytes) -> bytes:
    raise AssertionError("no target is saved")


def test_means_by_category_and_difficulty(episodes: list[StoredEpisode]) -> None:
    first = Scripted(verdict(5, 4), verdict(3, None), verdict(1, 2))
    second = Scripted(verdict(5, 4), None, verdict(2, 5))
    raters = [Rater("a", first), Rater("b", second)]
    found = list(rate_episodes(episodes, raters, save=unused, find=find))
    assert [each["instruction"] for each in first.asked] == [task.instruction for task in TASKS]
    assert not any(each["same"] for each in first.asked)
    rows = judged_rows(found)
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
    assert [each.problem for each in found] == ["", "b: no valid answer", ""]
    following, visual = agreements(found)
    assert (following.score, following.episodes, following.difference) == ("IF", 2, 0.5)
    assert (following.distance, following.equal, following.tau_b) == (0.5, 0.5, 1.0)
    assert (visual.score, visual.distance, visual.tau_b) == ("VQ", 1.5, -1.0)
    assert json.dumps([total.to_json(), found[0].to_json(), following.to_json()])


def test_an_episode_that_cannot_be_judged_has_a_reason(episodes: list[StoredEpisode]) -> None:
    (episodes[0].folder / "final.pptx").unlink()
    judge = Scripted(verdict(5, 4), verdict(5, 4))
    found = list(rate_episodes(episodes, [Rater("a", judge)], save=unused, find=find))
    assert found[0].verdicts == {}
    assert "final.pptx" in found[0].problem
    (row, *_) = judged_rows(found)
    assert (row.episodes, row.unrated, row.instruction.mean) == (2, 1, 5.0)
    assert agreements(found) == ()
    lost = replace(episodes[1], meta=replace(episodes[1].meta, infra_error="lost"))
    assert list(rate_episodes([lost], [Rater("a", judge)], save=unused, find=find)) == []


@pytest.mark.parametrize(("office", "saved"), [(False, b"gold"), (True, b"saved gold")])
def test_the_target_is_saved_as_the_decks_were(
    episodes: list[StoredEpisode],
    monkeypatch: pytest.MonkeyPatch,
    office: bool,
    saved: bytes,
) -> None:
    monkeypatch.setattr(Task, "gold_bytes", lambda task: b"gold")
    meta = replace(episodes[0].meta, application="LibreOffice" if office else "")
    judge, other = Scripted(verdict(5, 4)), Scripted(verdict(5, 4))
    episode = replace(episodes[0], meta=meta)
    save: Callable[[bytes], bytes] = lambda deck: b"saved " + deck  # noqa: E731
    list(rate_episodes([episode], [Rater("a", judge)], save=save, find=find))
    assert judge.asked[0]["reference"] == saved
    options: dict[str, Any] = {"save": save, "references": False}
    list(rate_episodes([episode], [Rater("a", other)], find=find, **options))
    assert other.asked[0]["reference"] is None
