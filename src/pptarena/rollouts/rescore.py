"""Recompute scores from the files of an episode: its decks and the actions that end turns.

This proves that a score is the score of these decks under the installed task. It does not prove
that the stored actions of an agent produced the decks; a replay does (`pptarena runs replay`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pptarena.envs.grading import can_render
from pptarena.envs.judging import Judging
from pptarena.errors import MachineOverloadedError, PPTArenaError, StoreError
from pptarena.rollouts.episode import DOCUMENT, IMPORTED, EpisodeMeta
from pptarena.rollouts.episode_files import read_deck_bytes, read_json
from pptarena.rollouts.grade_decks import TurnEnd, grade_decks
from pptarena.rollouts.replay import SAME_SCORE
from pptarena.rollouts.store import read_steps
from pptarena.rollouts.task_digest import task_digest
from pptarena.rollouts.turn_files import ENDS, turn_file
from pptarena.tasks import Task, get_task
from pptarena.tasks.scorer import has_programs

__all__ = ["Rescoring", "check_score", "is_saved_by_office", "recompute_score", "rescore_episode"]

_NO_JUDGE = "the rubric requires a judge or a gold deck that is not available on this computer"


@dataclass(frozen=True, slots=True)
class Rescoring:
    """The settings for scoring stored episodes again.

    Attributes:
        strategy: One of `pptarena.rewards.scored_tree.STRATEGIES`; empty for the rubric's own.
        penalty: The lambda of the strategy ``weighted``, in [0, 1]; None for 0.3.
        judging: The judge; without it, judged leaves are unscored.
    """

    strategy: str = ""
    penalty: float | None = None
    judging: Judging | None = None


def check_score(folder: Path, meta: EpisodeMeta) -> str:
    """Return why the score of an episode cannot be confirmed; empty if it can."""
    try:
        score = recompute_score(folder, meta)
    except PPTArenaError as error:
        return f"cannot be recomputed: {str(error).removeprefix(f'{folder}/')}"
    assert meta.score is not None, "unscored episodes have no score to check"
    # The document after an overload never scores higher than the one before it.
    is_confirmed = (
        meta.score - score < SAME_SCORE if meta.overload else abs(meta.score - score) < SAME_SCORE
    )
    return "" if is_confirmed else f"recorded {meta.score:.4f}, recomputed {score:.4f}"


def recompute_score(folder: Path, meta: EpisodeMeta) -> float:
    """Return the score of the stored decks under the installed task of the same id.

    The location of the task in the record is not trusted: the task is looked up by id. Programs of
    imported rubrics and judges are not run.

    Raises:
        StoreError: If the task differs from the record's, a deck is missing, or the rubric needs a
            service that is not available here.
        UnknownTaskError: If the task does not exist.
        DeckError: If a deck cannot be read.
        MachineError: If slides cannot be rendered.
    """
    task = get_task(meta.task)
    rubrics = (task.rubric, *(turn.rubric for turn in task.turns))
    if any(map(has_programs, rubrics)):
        raise StoreError(f"the rubric of {task.id} has programs, which are not run here")
    score: float | None = rescore_episode(folder, meta, task, Rescoring())["score"]
    if score is None:
        raise StoreError(_NO_JUDGE)
    return score


def rescore_episode(
    folder: Path, meta: EpisodeMeta, task: Task, settings: Rescoring
) -> dict[str, Any]:
    """Return the scored rubric of an episode's stored decks.

    Args:
        folder: Folder of the episode.
        meta: Its metadata.
        task: The task, in the version that was played. Programs of an imported rubric run in
            their sandbox.
        settings: How to score.

    Returns:
        The scored rubric as JSON; its ``score`` is None if it is unscored.

    Raises:
        StoreError: If the task differs from the record's, or a deck is missing.
        DeckError: If a deck cannot be read.
        MachineError: If slides cannot be rendered.
    """
    if meta.task_digest and meta.task_digest != task_digest(task):
        raise StoreError(f"the task {task.id} differs from the task that was played")
    task = task.worded(meta.wording)
    if task.collected:
        raise StoreError(f"{task.id} scores files next to the deck, which are not stored")
    rubric: Any = read_json(folder, "rubric.json")
    names, ends = _ends(folder, meta, task)
    original = read_deck_bytes(folder, "original.pptx")
    nodes = rubric.get("children") if isinstance(rubric, dict) and task.turns else [rubric]
    rendered = [_is_rendered(each) for each in nodes] if isinstance(nodes, list) else []
    if any(rendered) and not can_render():
        raise StoreError("its slides were rendered for the score, which requires the machine image")
    turns = [
        TurnEnd(
            read_deck_bytes(folder, f"{name}.pptx"),
            infeasible=ends[number : number + 1] == ["fail"],
            is_rendered=rendered[number : number + 1] == [True],
        )
        for number, name in enumerate(names)
    ]
    try:
        grader = grade_decks(
            task,
            original,
            turns,
            office=is_saved_by_office(meta),
            judging=settings.judging,
            strategy=settings.strategy,
            penalty=settings.penalty,
        )
    except MachineOverloadedError as error:
        raise StoreError(f"{folder}: {error}") from error
    return grader.rubric()


def _ends(folder: Path, meta: EpisodeMeta, task: Task) -> tuple[Sequence[str], list[str]]:
    """Return the files of the decks at the end of turns, and the actions that ended turns."""
    if not task.turns:
        return ("final",), [meta.end]
    if meta.machine == IMPORTED:
        kinds = [str(kind) for kind in read_json(folder, ENDS)]
    else:
        kinds = [step.action.kind for step in read_steps(folder)]
    ends = [kind for kind in kinds if kind in ("done", "fail")]
    turn_decks = [turn_file(turn + 1) for turn in range(min(len(ends), len(task.turns)))]
    return (*turn_decks, "final"), ends


def is_saved_by_office(meta: EpisodeMeta) -> bool:
    """Return whether an office application saved the decks."""
    if meta.machine == IMPORTED:
        return bool(meta.application)
    return meta.machine not in ("fake", DOCUMENT)


def _is_rendered(rubric: Any) -> bool:
    return isinstance(rubric, dict) and bool(rubric.get("looked"))
