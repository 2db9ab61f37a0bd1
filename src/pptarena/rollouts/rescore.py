"""Recompute scores from the files of an episode: its decks and the actions that end turns.

This proves that a score is the score of these decks under the installed task. It does not prove
that the stored actions of an agent produced the decks; a replay does (`pptarena runs replay`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pptarena.envs.baseline import KnownBaseline
from pptarena.envs.gold_deck import gold_deck
from pptarena.envs.grader import looks_of, paid_for_intact
from pptarena.envs.grading import Grading, can_look
from pptarena.envs.python_checks import has_programs
from pptarena.envs.targets import target_decks
from pptarena.errors import PPTArenaError, StoreError
from pptarena.rewards import Deck, Scope, read_deck, score
from pptarena.rewards.looks import Looks
from pptarena.rollouts.episode import EpisodeMeta
from pptarena.rollouts.play_document import DOCUMENT
from pptarena.rollouts.reading import read_deck_bytes, read_json
from pptarena.rollouts.replay import SAME_SCORE
from pptarena.rollouts.store import read_steps
from pptarena.rollouts.task_digest import task_digest
from pptarena.rollouts.turn_files import turn_file
from pptarena.tasks import Task, get_task
from pptarena.tasks.task import INTACT_RUBRIC

__all__ = ["check_score", "recomputed_score"]

_UNJUDGED = "the rubric asks for a judge or a gold deck that is not to be had here"


def check_score(folder: Path, meta: EpisodeMeta) -> str:
    """Return why the score of an episode cannot be confirmed; empty if it can."""
    try:
        found = recomputed_score(folder, meta)
    except PPTArenaError as error:
        return f"cannot be recomputed: {str(error).removeprefix(f'{folder}/')}"
    assert meta.score is not None, "unscored episodes claim nothing"
    # The document after an overload never scores better than the one before.
    same = (
        meta.score - found < SAME_SCORE if meta.overload else abs(meta.score - found) < SAME_SCORE
    )
    return "" if same else f"recorded {meta.score:.4f}, recomputed {found:.4f}"


def recomputed_score(folder: Path, meta: EpisodeMeta) -> float:
    """Return the score of the stored decks under the installed task of the same id.

    The location of the task in the record is not trusted: the task is looked up by id. Programs of
    imported rubrics and judges are not run.

    Raises:
        StoreError: If the task differs from the record's, a deck is missing, or the rubric needs a
            service that is not available here.
        UnknownTaskError: If there is no such task.
        DeckError: If a deck cannot be read.
        MachineError: If slides cannot be rendered.
    """
    task = get_task(meta.task)
    if meta.task_digest and meta.task_digest != task_digest(task):
        raise StoreError(f"the task {task.id} is another one here than the one that was played")
    task = task.worded(meta.wording)
    rubrics = (task.rubric, *(turn.rubric for turn in task.turns))
    if any(map(has_programs, rubrics)):
        raise StoreError(f"the rubric of {task.id} has programs, which are not run here")
    rubric: Any = read_json(folder, "rubric.json")
    office = meta.machine not in ("fake", DOCUMENT)
    if task.turns:
        return _recomputed_turns(task, folder, rubric, office)
    if not task.feasible and meta.end != "fail":
        return 0.0
    before, after = (read_deck_bytes(folder, f"{name}.pptx") for name in ("original", "final"))
    return _recomputed(task, before, after, rubric, office)


def _recomputed_turns(task: Task, folder: Path, rubric: Any, office: bool) -> float:
    kinds = [step.action.kind for step in read_steps(folder)]
    ends = [kind for kind in kinds if kind in ("done", "fail")]
    between = [turn_file(turn + 1) for turn in range(min(len(ends), len(task.turns)))]
    names = ("original", *between, "final")
    files = [read_deck_bytes(folder, f"{name}.pptx") for name in names]
    scored = rubric.get("children") if isinstance(rubric, dict) else None
    looked = [_is_looked(each) for each in scored] if isinstance(scored, list) else []
    if any(looked) and not can_look():
        raise StoreError("its slides were drawn to be scored, and there is no image here")
    grading = Grading(KnownBaseline(files[0]), looks=any(looked), office=office)
    grader = grading.grader(task, task.deck_bytes(), "", lambda: files[0])
    for number, file in enumerate(files[1:], 1):
        grader.grade(file, is_last=looked[number - 1 : number] == [True])
        if number <= len(ends):
            grader.end_turn(infeasible=ends[number - 1] == "fail")
        if number < len(files) - 1:
            grader.next_turn()
    if grader.rubric()["score"] is None:
        raise StoreError(_UNJUDGED)
    return grader.score


def _is_looked(rubric: Any) -> bool:
    return isinstance(rubric, dict) and bool(rubric.get("looked"))


def _recomputed(task: Task, before: bytes, after: bytes, rubric: Any, office: bool) -> float:
    original = read_deck(before)
    current = original if after == before else read_deck(after)
    targets = target_decks(task, saved=office)
    found = _scored(task, original, current, _looks(rubric, before, after), office, targets)
    if found is None:
        raise StoreError(_UNJUDGED)
    return found


def _scored(
    task: Task,
    original: Deck,
    current: Deck,
    looks: Looks | None,
    office: bool,
    targets: Sequence[Deck],
) -> float | None:
    if not task.feasible:
        scope = task.scope or Scope()
        intact = score(INTACT_RUBRIC, original, current, scope, looks=looks).score
        return paid_for_intact(intact)
    gold = gold_deck(task, saved=office)
    decks = original, current
    tree = score(task.rubric, *decks, task.scope, looks=looks, gold=gold, targets=targets)
    return tree.score


def _looks(rubric: Any, before: bytes, after: bytes) -> Looks | None:
    """Return the render check, if the recorded score depends on it."""
    if not _is_looked(rubric):
        return None
    if not can_look():
        raise StoreError("its slides were drawn to be scored, and there is no image here")
    return looks_of(lambda: before, after)
