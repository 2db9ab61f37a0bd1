"""Graded submissions: the grades, and the stored submissions, built on demand."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any

from pptarena.edits import Solution, apply_solution
from pptarena.errors import ConfigError
from pptarena.suggestions import not_found
from pptarena.tasks.registry import get_task, list_tasks
from tools.meta_eval.edits import VOCABULARY

__all__ = ["SUBMISSION_FOLDERS", "Grade", "Submission", "grade_of_score", "stored_submissions"]

_FOLDER = Path(__file__).resolve().parent / "attempts"

SUBMISSION_FOLDERS = {
    "starter": _FOLDER,
    "office": _FOLDER / "office",
    "office-second": _FOLDER / "office-second",
}
"""Folder of the submissions by suite; one file ``<task>.json`` per task."""


class Grade(IntEnum):
    """Grade of a fair reviewer who knows only the instruction and the decks.

    Every separate request of an instruction has the same weight; a request about several places
    counts by the share of places. Side damage that needs repair costs one grade, or two if it
    outweighs the gain. Invisible properties (runs, ids, the order of edits) and whatever the
    instruction leaves open cost nothing.
    """

    NONE = 0
    """No request is fulfilled: no change, unrelated changes, or the wrong object."""
    SOME = 1
    """Less than half is achieved, or the right thing in a wrong form or place.

    The latter only if the result is on the right slide and visible to its audience.
    """
    SIGNIFICANT = 2
    """At least half but not all is achieved, or all of it with notable damage or a flaw."""
    PERFECT = 3
    """Everything is achieved, by any route, without damage."""

    @property
    def label(self) -> str:
        """The grade in lower case."""
        return self.name.lower()


def grade_of_score(score: float) -> Grade:
    """Return the grade whose bin contains a score.

    The bins are those of the PPTArena paper, table 1: 0, (0, 0.5), [0.5, 1) and 1.

    Args:
        score: A score from 0 to 1.
    """
    if score <= 0.0:
        return Grade.NONE
    if score >= 1.0:
        return Grade.PERFECT
    return Grade.SOME if score < 0.5 else Grade.SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Submission:
    """A submission for a task and the grade given by a reviewer.

    Attributes:
        task: Task id.
        id: Name of the submission, unique within its task.
        grade: The reviewer's grade.
        why: One sentence: what was done, and the reason for the grade.
        deck: Returns the submitted .pptx file.
        original: Returns the .pptx file that the submission started from; None for the task's deck.
    """

    task: str
    id: str
    grade: Grade
    why: str
    deck: Callable[[], bytes]
    original: Callable[[], bytes] | None = None


def stored_submissions(suite: str = "starter") -> tuple[Submission, ...]:
    """Return all submissions for the tasks of a suite, sorted by task and in file order.

    Args:
        suite: A key of `SUBMISSION_FOLDERS`, or ``bench`` for all submissions for tasks of the
            suite ``bench``.

    Raises:
        ConfigError: If there are no submissions for the suite.
    """
    if suite == "bench":
        ids = {task.id for task in list_tasks("bench")}
        all_submissions = (each for name in SUBMISSION_FOLDERS for each in stored_submissions(name))
        return tuple(each for each in all_submissions if each.task in ids)
    if suite not in SUBMISSION_FOLDERS:
        raise ConfigError(not_found("suite", suite, ("bench", *SUBMISSION_FOLDERS)))
    return tuple(
        _submission(path.stem, entry)
        for path in sorted(SUBMISSION_FOLDERS[suite].glob("*.json"))
        for entry in json.loads(path.read_text("utf-8"))
    )


def _submission(task: str, entry: dict[str, Any]) -> Submission:
    return Submission(
        task=task,
        id=entry["id"],
        grade=Grade[entry["grade"].upper()],
        why=entry["why"],
        deck=partial(_edit_deck, task, entry["edits"]),
    )


def _edit_deck(id: str, edits: Solution) -> bytes:
    task = get_task(id)
    return apply_solution(task.deck_bytes(), edits, task.files_bytes(), VOCABULARY)
