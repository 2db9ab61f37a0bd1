"""Prove that a task's scope allows the edits that the task requests."""

from pptarena.decks import read_deck
from pptarena.decks.match.decks import match_decks
from pptarena.errors import UnscoredError
from pptarena.rewards.scope.damage import measure_damage
from pptarena.rewards.scope.outside import changes_outside
from pptarena.tasks import Task
from pptarena.tasks.goals import goals_of_turns, has_goal
from pptarena.tasks.turn import Turn

__all__ = ["goal_outside_scope"]

_SHOWN = 3


def goal_outside_scope(task: Task) -> tuple[str, ...]:
    """Return why a task's target deck counts as damage, one reason per affected turn.

    If a target deck has changes that the scope does not allow, even an agent that produces the
    target loses score. Turns without a scope or a known target deck are skipped.

    Args:
        task: The task.

    Raises:
        DeckError: If a deck cannot be read.
        TaskError: If a deck cannot be found.
    """
    if not has_goal(task):
        return ()
    files = task.deck_bytes(), *goals_of_turns(task)
    turns: tuple[Task | Turn, ...] = (task, *task.turns)
    found = []
    for number, turn in enumerate(turns[: len(files) - 1]):
        reason = _outside(turn, *files[number : number + 2])
        prefix = f"turn {number + 1}: " if number else ""
        found += [f"{prefix}{reason}"] if reason else []
    return tuple(found)


def _outside(turn: Task | Turn, before: bytes, after: bytes) -> str:
    if not turn.feasible or turn.scope is None:
        return ""
    original = read_deck(before)
    try:
        scope = turn.scope.on(original)
    except UnscoredError as error:
        return f"its scope does not fit the deck: {error}"
    match = match_decks(original, read_deck(after))
    outside = changes_outside(match, scope)
    if not outside:
        return ""
    kept = measure_damage(match, scope, outside).retained
    texts = list(dict.fromkeys(change.text for change in outside))
    named = "; ".join(texts[:_SHOWN])
    more = f"; and {len(texts) - _SHOWN} more" if len(texts) > _SHOWN else ""
    costs = f", which leaves {kept:.0%} of the score" if kept < 1 else ""
    return (
        f"its target deck has changes that its scope does not allow{costs}: {named}{more}. "
        "Allow these changes in the scope, or leave them out of the target deck"
    )
