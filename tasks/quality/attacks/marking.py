"""Score a deck for a task without a judge."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from pptarena.errors import DeckError, TaskError
from pptarena.rewards import Deck, ScoredNode, read_deck, score
from pptarena.rewards.looks import Looker
from pptarena.tasks.targets import target_digest, target_files
from pptarena.tasks.task import Task

__all__ = ["mark", "marked", "read_known"]


def mark(
    task: Task,
    original: bytes,
    deck: bytes,
    looker: Looker | None = None,
    targets: Sequence[bytes] = (),
) -> float:
    """Return the score of a deck; 0 if the deck is unscored."""
    value = marked(task, original, deck, looker, targets).score
    return 0.0 if value is None else value


def marked(
    task: Task,
    original: bytes,
    deck: bytes,
    looker: Looker | None = None,
    targets: Sequence[bytes] = (),
) -> ScoredNode:
    """Return the scored tree of a deck.

    Args:
        task: The task.
        original: The task's deck.
        deck: The deck to score.
        looker: Runs the render check, as at the end of an episode; without it, only facts count.
        targets: Target decks; empty for those of the task itself.

    Raises:
        DeckError: If a deck cannot be read.
    """
    looks = None if looker is None or deck == original else looker(original, deck)
    known, now = read_known(original), read_known(deck)
    goals = (
        tuple(map(read_known, targets)) if targets else _facts(_Target(target_digest(task), task))
    )
    file = task.gold_bytes() if task.scope is None or task.rubric.root.uses("gold_match") else None
    gold = None if file is None else read_known(file)
    return score(task.rubric, known, now, task.scope, looks=looks, gold=gold, targets=goals)


@lru_cache(maxsize=6)
def read_known(deck: bytes) -> Deck:
    """Return the facts of a deck, with a small cache.

    Raises:
        DeckError: If the deck cannot be read.
    """
    return read_deck(deck)


@dataclass(frozen=True, slots=True)
class _Target:
    """The target of a task; equal if the digests are."""

    digest: str
    task: Task = field(compare=False)


@lru_cache(maxsize=64)
def _facts(target: _Target) -> tuple[Deck, ...]:
    try:
        return tuple(map(read_deck, target_files(target.task)))
    except (DeckError, TaskError):  # the solution is for another deck, so no target is known
        return ()
