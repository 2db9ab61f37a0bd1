"""The decks at the end of turns, in an episode's folder, and scores recomputed from them."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from pptarena.envs.grading import score_held
from pptarena.errors import UnscoredError
from pptarena.rewards import Deck
from pptarena.tasks import Task

__all__ = ["ScoreTurn", "score_of_turns", "turn_file", "turn_files"]

ScoreTurn = Callable[[Task, int], float]
"""Scores a turn, as a task of its own, with its number from 1."""


def turn_file(turn: int) -> str:
    """Return the name, without its ending, of the deck at the end of a turn, from 1."""
    return f"turn_{turn}"


def turn_files(decks: Callable[[], Sequence[bytes]]) -> dict[str, bytes]:
    """Return the files of an episode's turns by their names; none where they were not kept."""
    try:
        return {f"{turn_file(turn)}.pptx": deck for turn, deck in enumerate(decks(), 1)}
    except UnscoredError:
        return {}  # the score then cannot be recomputed, and says so


def score_of_turns(
    task: Task, decks: Sequence[Deck], score_turn: ScoreTurn, *, is_over: bool
) -> float:
    """Return the score of an episode of several turns; see `TurnGrader` for the formula.

    Args:
        task: The task.
        decks: The deck at the beginning, at the end of each turn that is over, and at the end.
        score_turn: Scores a turn that began.
        is_over: Whether the last turn was ended, too, by ``done`` or ``fail``.
    """
    turns = [task.at(number) for number in range(1, len(decks))]
    own = [score_turn(turn, number) for number, turn in enumerate(turns, 1)]
    kept = 0.0
    if is_over and len(turns) == len(task.turns) + 1:
        found = [
            min(score, held)
            for turn, score, (before, _) in zip(turns, own, pairwise(decks), strict=True)
            if turn.kept
            and turn.feasible
            and (held := score_held(turn.rubric, before, decks[-1])) is not None
        ]
        kept = sum(found) / len(found) if found else sum(own) / len(own)
    return (sum(own) + kept) / (len(task.turns) + 2)
