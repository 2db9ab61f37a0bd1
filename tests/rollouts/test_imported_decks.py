"""Decks of other programs as episodes: discovery, scores, storage, reports and comparison."""

import io
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from pptarena.envs.image_office import image_office
from pptarena.errors import ConfigError, MachineError, StoreError
from pptarena.rewards import load_rubric, load_scope
from pptarena.rollouts.compare import compare, read_contenders
from pptarena.rollouts.episode import IMPORTED, StoredEpisode
from pptarena.rollouts.grade_decks import grade_decks
from pptarena.rollouts.imported_decks import DeckImporter, find_submissions
from pptarena.rollouts.leaderboard import leaderboard
from pptarena.rollouts.replay import read_replayable
from pptarena.rollouts.report import build_report
from pptarena.rollouts.rescore import check_score
from pptarena.rollouts.store import read_meta, read_steps
from pptarena.tasks import Task, Turn

ITALIC = {
    "version": 1,
    "root": {
        "name": "the title is italic",
        "check": "run_format",
        "args": {"slide": 1, "shape": "@title", "italic": True},
    },
}


def edited(file: bytes, **fonts: bool) -> bytes:
    """Return a deck with another font in the first title."""
    deck: Any = Presentation(io.BytesIO(file))
    for run in deck.slides[0].shapes.title.text_frame.paragraphs[0].runs:
        for name, value in fonts.items():
            setattr(run.font, name, value)
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PPTARENA_HOME", str(tmp_path / "home"))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    return folder


Import = Callable[..., list[StoredEpisode]]


@pytest.fixture
def imported(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Import:
    """Import results into the run ``runs/other`` and make their tasks available."""

    def import_results(*tasks: Task, agent: str = "product") -> list[StoredEpisode]:
        by_id = {task.id: task for task in tasks}
        monkeypatch.setattr("pptarena.rollouts.rescore.get_task", by_id.__getitem__)
        importer = DeckImporter(tmp_path / "runs/other", agent)
        return list(importer.run(find_submissions(results, tasks).submissions))

    return import_results


def test_deck_becomes_an_episode_without_steps(imported: Import, results: Path, task: Task) -> None:
    (results / f"{task.id}.pptx").write_bytes(edited(task.deck_bytes(), bold=True))
    (episode,) = imported(task)
    meta = read_meta(episode.folder)
    assert (meta.score, meta.steps, meta.end, meta.machine) == (1.0, 0, "done", IMPORTED)
    assert (meta.agent, meta.instruction) == ("product", task.instruction)
    assert read_steps(episode.folder) == ()
    assert json.loads((episode.folder / "rubric.json").read_text())["score"] == 1.0
    assert check_score(episode.folder, meta) == ""
    assert check_score(episode.folder, replace(meta, score=0.5)).startswith("recorded 0.5000")
    (again,) = imported(task)
    assert again == episode
    with pytest.raises(StoreError, match="no actions to repeat"):
        read_replayable(episode.folder)


def test_unchanged_deck_scores_0(imported: Import, results: Path, task: Task) -> None:
    (results / task.id).mkdir()
    (results / task.id / "any name.pptx").write_bytes(task.deck_bytes())
    assert [each.meta.score for each in imported(task)] == [0.0]


@pytest.mark.parametrize("content", [b"", b"not a deck", b"PK\x03\x04 torn"])
def test_unreadable_deck_scores_0(
    imported: Import, results: Path, task: Task, content: bytes
) -> None:
    (results / f"{task.id}.pptx").write_bytes(content)
    (episode,) = imported(task)
    meta = episode.meta
    assert (meta.score, meta.end, meta.infra_error) == (0.0, "overload", None)
    assert "the deck cannot be read" in str(meta.overload)
    assert check_score(episode.folder, meta) == ""


def test_symbolic_link_is_not_followed(
    imported: Import, results: Path, task: Task, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere.pptx").write_bytes(edited(task.deck_bytes(), bold=True))
    (results / f"{task.id}.pptx").symlink_to(tmp_path / "elsewhere.pptx")
    (episode,) = imported(task)
    assert episode.meta.score == 0.0
    assert "link" in str(episode.meta.overload)


def test_fail_file_declares_a_task_infeasible(imported: Import, results: Path, task: Task) -> None:
    impossible = replace(task, feasible=False, scope=load_scope({}))
    file = results / f"{task.id}.fail"
    file.touch()
    (episode,) = imported(impossible)
    assert (episode.meta.score, episode.meta.end) == (1.0, "fail")
    assert check_score(episode.folder, episode.meta) == ""
    assert [each.meta.score for each in imported(task, agent="other")] == [0.0]


def test_task_with_turns_needs_a_deck_for_each(imported: Import, results: Path, task: Task) -> None:
    scope = load_scope({"slides": [1], "aspects": ["formatting"], "shapes": ["@title"]})
    turns = (
        Turn("Now italic.", load_rubric(ITALIC), scope),
        Turn("Sing.", load_rubric(ITALIC), load_scope({}), feasible=False),
    )
    several = replace(task, scope=scope, turns=turns)
    folder = results / task.id
    folder.mkdir()
    first = edited(task.deck_bytes(), bold=True)
    (folder / "turn_1.pptx").write_bytes(first)
    (folder / "turn_2.pptx").write_bytes(edited(first, italic=True))
    with pytest.raises(ConfigError, match=r"has no result.*: first-title-bold has 0 decks"):
        find_submissions(results, [several])
    (folder / "final.fail").touch()
    (episode,) = imported(several)
    assert episode.meta.score == 1.0
    assert check_score(episode.folder, episode.meta) == ""
    (folder / "turn_2.pptx").write_bytes(b"torn")
    (torn,) = imported(several, agent="torn")
    assert torn.meta.score is not None
    assert 0 < torn.meta.score < 0.5
    assert check_score(torn.folder, torn.meta) == ""


def test_missing_ambiguous_and_unknown_results_are_reported(results: Path, task: Task) -> None:
    other = replace(task, id="second-title-bold")
    third = replace(task, id="third-title-bold")
    (results / f"{task.id}.pptx").touch()
    (results / f"{task.id[:-1]}.pptx").touch()
    (results / third.id).mkdir()
    (results / f"{third.id}.pptx").touch()
    search = find_submissions(results, [task, other, third])
    assert [each.task for each in search.submissions] == [task]
    assert search.missing[0] == (other, "no file")
    assert search.missing[1][1].startswith("more than one result")
    assert search.unknown == ((f"{task.id[:-1]}.pptx", task.id),)
    with pytest.raises(ConfigError, match=f"such as {other.id}.pptx"):
        find_submissions(results, [other])
    with pytest.raises(StoreError, match="cannot be read"):
        find_submissions(results / "nowhere", [task])


def test_missing_result_scores_0(task: Task, tmp_path: Path) -> None:
    importer = DeckImporter(tmp_path / "run", "product")
    meta = importer.store_missing(task).meta
    assert (meta.score, meta.end, meta.overload) == (0.0, "missing", None)


def test_imported_results_are_reported_compared_and_ranked(
    imported: Import, results: Path, task: Task, tmp_path: Path
) -> None:
    (results / f"{task.id}.pptx").write_bytes(edited(task.deck_bytes(), bold=True))
    imported(task)
    (results / f"{task.id}.pptx").write_bytes(task.deck_bytes())
    imported(task, agent="rival")
    assert build_report(tmp_path / "runs/other").episodes == 2
    comparison = compare(read_contenders([tmp_path / "runs/other"]).contenders)
    assert [each.played_on for each in comparison.standings] == [IMPORTED, IMPORTED]
    first, second = leaderboard(tmp_path / "runs", verify=True)
    assert (first.agent, second.agent) == ("product", "rival")
    assert (first.faults, second.faults) == ((), ())


def test_infrastructure_failure_is_retried(
    imported: Import, results: Path, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    (results / f"{task.id}.pptx").write_bytes(edited(task.deck_bytes(), bold=True))
    errors = [MachineError("no answer")]

    def grade(*arguments: Any, **options: Any) -> Any:
        if errors:
            raise errors.pop()
        return grade_decks(*arguments, **options)

    monkeypatch.setattr("pptarena.rollouts.imported_decks.grade_decks", grade)
    (episode,) = imported(task)
    assert (episode.meta.score, episode.meta.attempt) == (1.0, 2)
    failed = read_meta(episode.folder.with_name("seed-0.failed-1"))
    assert (failed.score, failed.infra_error) == (None, "MachineError: no answer")
    errors += [MachineError("no answer")] * 3
    (lost,) = imported(task, agent="other")
    assert (lost.meta.score, lost.meta.attempt, errors) == (None, 3, [])


@pytest.mark.image
def test_application_saves_and_renders_the_decks(
    results: Path, task: Task, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PPTARENA_HOME")
    monkeypatch.setattr("pptarena.rollouts.rescore.get_task", lambda id: task)
    (results / f"{task.id}.pptx").write_bytes(edited(task.deck_bytes(), bold=True))
    importer = DeckImporter(tmp_path / "run", "product", office=image_office())
    (episode,) = importer.run(find_submissions(results, [task]).submissions)
    assert episode.meta.score == 1.0
    assert "image" in episode.meta.application
    assert json.loads((episode.folder / "rubric.json").read_text())["looked"] is True
    assert check_score(episode.folder, episode.meta) == ""
    assert importer.manifest([task]).image in episode.meta.application


def test_attachments_of_a_result_are_scored(imported: Import, results: Path, task: Task) -> None:
    root = {"name": "a summary", "check": "slide_count", "file": "summary.pptx"}
    rubric = load_rubric({"version": 1, "root": {**root, "args": {"count": 3}}})
    export = replace(task, rubric=rubric, scope=load_scope({}))
    folder = results / task.id
    folder.mkdir()
    (folder / "deck.pptx").write_bytes(task.deck_bytes())
    assert [each.meta.score for each in imported(export)] == [0.0]
    (folder / "summary.pptx").write_bytes(task.deck_bytes())
    (episode,) = imported(export, agent="with summary")
    assert episode.meta.score == 1.0
    assert "are not stored" in check_score(episode.folder, episode.meta)
