"""What a gold deck says about a task that has no rubric or scope of its own."""

from pptarena.errors import TaskError
from pptarena.rewards import Rubric, Scope

__all__ = ["complete"]


def complete(original: bytes, gold: bytes) -> tuple[Rubric, Scope]:
    """Return the rubric and the scope that follow from a gold deck.

    Args:
        original: The .pptx file that the task starts from.
        gold: The .pptx file with the goal reached.

    Raises:
        TaskError: Always, so far: nothing derives them yet.
    """
    raise TaskError(
        "a task without a rubric needs one that follows from its gold deck, which this version "
        "does not make; give the task a rubric and a scope"
    )
