"""A graded submission for a task."""

from collections.abc import Callable
from dataclasses import dataclass

from pptarena.audits.meta_eval.standard import Grade

__all__ = ["Attempt"]


@dataclass(frozen=True, slots=True)
class Attempt:
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
