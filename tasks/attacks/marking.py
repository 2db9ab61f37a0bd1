"""The score of a deck for a task, with no judge."""

from functools import lru_cache

from pptarena.rewards import Deck, ScoredNode, read_deck, score
from pptarena.tasks.task import Task

__all__ = ["mark", "marked"]


def mark(task: Task, original: bytes, deck: bytes) -> float:
    """Return what a deck scores; 0 if it cannot be read or nothing of it could be judged."""
    value = marked(task, original, deck).score
    return 0.0 if value is None else value


def marked(task: Task, original: bytes, deck: bytes) -> ScoredNode:
    """Return the scored tree of a deck.

    Raises:
        DeckError: If a deck cannot be read.
    """
    return score(task.rubric, _read(original), read_deck(deck), task.scope)


@lru_cache(maxsize=4)
def _read(deck: bytes) -> Deck:
    return read_deck(deck)
