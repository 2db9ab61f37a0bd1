"""The state at the start of a turn, and the part of its score that the deck already has."""

from dataclasses import dataclass, replace

from pptarena.decks.diff.compare import diff_matched
from pptarena.decks.match.decks import match_decks
from pptarena.envs.targets import TurnTargets
from pptarena.errors import UnscoredError
from pptarena.rewards import Deck, Scope, ScoredNode, score
from pptarena.rewards.context import TurnContext
from pptarena.rewards.scope.turns import carried_over
from pptarena.rewards.scored_tree import ALMOST_ONE
from pptarena.tasks import Task

__all__ = ["TurnStart", "begin_turn"]


@dataclass(frozen=True, slots=True)
class TurnStart:
    """The state at the start of a turn.

    Attributes:
        task: The turn, as `Task.at` returns it.
        scope: Its scope, with the positions of slides and shapes in the deck at its start.
        targets: The targets of the turn.
        context: The context of a turn after the first; None for others.
        unearned: The part of the turn's score, in [0, 1], that the deck already has at its start
            and would have without any work in the episode.
    """

    task: Task
    scope: Scope | None
    targets: TurnTargets
    context: TurnContext | None = None
    unearned: float = 0.0

    def wait_for_context(self) -> TurnContext | None:
        """Return the context of the turn, also of the first; waits for the targets."""
        return self.context or self.targets.context()

    def without_unearned(self, node: ScoredNode) -> ScoredNode:
        """Return the scored tree without the unearned part of the score.

        If a later turn is unscored because an earlier one removed its subject from the deck, it
        scores 0.
        """
        if self.context is None:
            return node
        if node.score is None:
            if not self._is_scored_on_first_deck():
                return node
            reason = f"the deck at the start of the turn lacks the turn's subject; {node.reason}"
            return replace(node, score=0.0, reason=reason)
        if self.unearned <= 0 or node.score <= 0:
            return node
        remaining = 1 - self.unearned
        score = (
            max(0.0, node.score - self.unearned) / remaining if remaining > 1 - ALMOST_ONE else 0.0
        )
        reason = f"{self.unearned:.0%} was fulfilled at the start and earns nothing; {node.reason}"
        return replace(node, score=score, reason=reason)

    def _is_scored_on_first_deck(self) -> bool:
        if self.context is None:
            return False
        base = self.context.reference or self.context.first
        return score(self.task.rubric, base, base).score is not None


def begin_turn(task: Task, original: Deck, targets: TurnTargets) -> TurnStart:
    """Return the state at the start of a turn.

    Args:
        task: The turn, as `Task.at` returns it.
        original: The deck at the start of the turn.
        targets: The targets of the turn.
    """
    context = targets.context() if targets.turn > 1 else None
    if context is None:
        return TurnStart(task, task.scope, targets)
    reference = context.reference
    if reference is not None and not diff_matched(match_decks(reference, original)):
        context = replace(context, reference=None)  # the reference is identical
    scope = _scope(task, original, context)
    start = TurnStart(task, scope, targets, context)
    return replace(start, unearned=_unearned(task, original, context)) if task.feasible else start


def _scope(task: Task, original: Deck, context: TurnContext) -> Scope | None:
    scope, reference = task.scope, context.reference
    if scope is None or reference is None:
        return scope
    try:
        return carried_over(scope.resolve(reference), reference, original)
    except UnscoredError:
        return scope


def _unearned(task: Task, original: Deck, context: TurnContext) -> float:
    """Return the turn's score at its start that it would also have without any work."""
    current = score(task.rubric, original, original, turn=context).score
    if not current:
        return 0.0
    untouched = score(task.rubric, context.reference or original, context.first).score
    return min(current, untouched or 0.0)
