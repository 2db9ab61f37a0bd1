"""The document environment with ``baseline="application"`` scores decks as the screen does."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pptarena.decks.presentation import open_presentation, save_presentation
from pptarena.decks.slide_variants import shape_elements
from pptarena.envs.baseline import BaselineStore
from pptarena.envs.config import EnvConfig
from pptarena.envs.document import PPTArenaDocEnv, ToolCall
from pptarena.envs.document.part_cache import PartCache
from pptarena.envs.grading import Grading
from pptarena.tasks import Task, get_task, list_tasks
from pptarena.tasks.goals import goal_deck, goal_decks, has_goal
from pptarena.vm_images.office import Office

SAMPLE_TASKS = ["meridian-hide-backup", "kanto-rehearsal"]


@pytest.mark.image
@pytest.mark.slow
def test_sample_decks_score_alike_on_screen_and_document(tmp_path: Path) -> None:
    assert not [line for id in SAMPLE_TASKS for line in _differences(get_task(id), tmp_path)]


@pytest.mark.image
@pytest.mark.nightly
def test_all_decks_score_alike_on_screen_and_document(tmp_path: Path) -> None:
    tasks = [task for suite in ("bench", "extra") for task in list_tasks(suite) if has_goal(task)]
    assert not [line for task in tasks for line in _differences(task, tmp_path)]


def _differences(task: Task, folder: Path) -> Iterator[str]:
    variants = list(_variants(task))
    decks = {task.deck_bytes(), *(deck for _, turns in variants for deck in turns)}
    written = [PartCache().parts(open_presentation(deck).part.package).to_bytes() for deck in decks]
    Office().save_all([*decks, *written])  # in one run of the application; the results are cached
    for name, turns in variants:
        screen = _score_on_screen(task, turns, BaselineStore(folder))
        document = _score_on_document(task, turns)
        if document != pytest.approx(screen, abs=1e-9):
            yield f"{task.id}, {name}: {screen} on the screen, {document} on the document"


def _variants(task: Task) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """Yield possible results of an episode: one deck per completed turn."""
    target = goal_deck(task)
    yield "target", (target,)
    yield "target without a slide", (_without_slide(target),)
    yield "target with another title", (_retitled(target),)
    yield "original with another title", (_retitled(task.deck_bytes()),)
    if task.turns:
        targets = goal_decks(task)
        yield "targets of all turns", targets
        yield "targets of all turns, the last retitled", (*targets[:-1], _retitled(targets[-1]))


def _without_slide(deck: bytes) -> bytes:
    presentation = open_presentation(deck)
    entry = presentation.slides._sldIdLst[-1]
    presentation.part.drop_rel(entry.rId)
    presentation.slides._sldIdLst.remove(entry)
    return save_presentation(presentation)


def _retitled(deck: bytes) -> bytes:
    presentation = open_presentation(deck)
    for slide in presentation.slides:
        if slide.shapes.title is not None and shape_elements(slide._element):
            slide.shapes.title.text = "Damaged"
            break
    return save_presentation(presentation)


def _score_on_screen(task: Task, decks: tuple[bytes, ...], baselines: BaselineStore) -> float:
    file, saver = task.deck_bytes(), Office()
    grading = Grading.of(EnvConfig(judge=None), baselines, office=True)
    grader = grading.grader(task, file, "compared", lambda: saver.save(file))
    for number, deck in enumerate(decks):
        if number:
            grader.next_turn()
        grader.grade(saver.save(deck), is_last=True)
        grader.end_turn(infeasible=not _is_feasible(task, number))
    return grader.score


def _score_on_document(task: Task, decks: tuple[bytes, ...]) -> float:
    env = PPTArenaDocEnv(task=task, baseline="application", judge=None, score_when="end")
    env.reset(seed=0)
    episode = env._require_episode()
    for number, deck in enumerate(decks):
        is_cut_off = number == len(decks) - 1 and not episode.is_last_turn
        episode._document.replace(deck)
        episode._revision += 1
        if is_cut_off:
            episode.grade_final(infeasible=False)
        else:
            env.step(ToolCall("done" if _is_feasible(task, number) else "fail", {}))
    env.close()
    return episode.score


def _is_feasible(task: Task, turn: int) -> bool:
    """Return whether a turn, 0-based, is feasible."""
    return task.turns[turn - 1].feasible if turn else task.feasible
