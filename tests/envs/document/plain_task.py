"""A task without a request, on any deck."""

from pptarena.rewards import Scope
from pptarena.tasks.task import INTACT_RUBRIC, Task


def plain_task(name: str, deck: bytes) -> Task:
    """Return a task whose score is 1 while the deck is unchanged."""
    return Task(
        id=name,
        suite="here",
        difficulty="easy",
        level="L1",
        edit_types=(),
        deck=deck,
        instruction="Change nothing.",
        max_steps=50,
        rubric=INTACT_RUBRIC,
        scope=Scope(),
    )
