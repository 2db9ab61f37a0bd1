"""A graded attempt at a task."""

from collections.abc import Callable
from dataclasses import dataclass

from pptarena.audits.meta_eval.standard import Grade

__all__ = ["Attempt"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a task and the grade that a person gave it.

    Attributes:
        task: Id of the task.
        id: Name of the attempt, unique within its task.
        grade: What a fair reviewer gives it.
        why: One sentence: what was done, and why it has that grade.
        deck: Returns the .pptx file as it was left.
        original: Returns the .pptx file that the attempt began with; None for the task's own deck.
    """

    task: str
    id: str
    grade: Grade
    why: str
    deck: Callable[[], bytes]
    original: Callable[[], bytes] | None = None
