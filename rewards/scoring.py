"""Scoring: a rubric and two decks give a scored tree.

Pure: no clock, no files, no network; only a judge, where the caller gives one, may ask a model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import CheckSpec
from pptarena.rewards.checks.view import View
from pptarena.rewards.deck import Deck
from pptarena.rewards.judges.protocol import Judge
from pptarena.rewards.matching import match_decks
from pptarena.rewards.rubric import Rubric, RubricNode
from pptarena.rewards.scope import Scope

__all__ = ["LAMBDA", "ScoredNode", "score", "weighted"]

LAMBDA = 0.3
"""What the non-critical children can cost at most."""

_ALMOST_ONE = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class ScoredNode:
    """A node of a rubric with its score.

    Attributes:
        name: As in the rubric.
        critical: As in the rubric.
        score: In [0, 1]; None if it could not be judged.
        reason: Why, in plain words.
        children: Scored the same way.
        check: Name of a leaf's check, empty for a parent.
    """

    name: str
    critical: bool
    score: float | None
    reason: str
    children: tuple["ScoredNode", ...] = ()
    check: str = ""

    @property
    def judged_share(self) -> float:
        """How much of it was judged, in [0, 1]: the children of a parent weigh the same."""
        if not self.children:
            return 0.0 if self.score is None else 1.0
        return _mean([child.judged_share for child in self.children])

    def to_json(self) -> dict[str, Any]:
        """Return the tree as plain data; ``judged_share`` is there where it is less than 1."""
        found: dict[str, Any] = {
            "name": self.name,
            "critical": self.critical,
            "score": self.score,
            "reason": self.reason,
            "children": [child.to_json() for child in self.children],
        }
        if self.judged_share < _ALMOST_ONE:
            found["judged_share"] = self.judged_share
        return found | {"check": self.check} if self.check else found


def score(
    rubric: Rubric,
    original: Deck,
    current: Deck,
    scope: Scope | None = None,
    judge: Judge | None = None,
) -> ScoredNode:
    """Return the scored tree of a rubric.

    Args:
        rubric: What to check.
        original: The deck as the application saves it unchanged.
        current: The deck as the application saves it now.
        scope: The part of the deck that may change; None for nothing.
        judge: Answers what no program can check; without one such leaves are not judged.
    """
    before = View(match_decks(original, original), scope, judge)
    now = before if current is original else View(match_decks(original, current), scope, judge)
    return _score(rubric.root, before, now)


def weighted(critical: Sequence[float], other: Sequence[float]) -> float:
    """Return a parent's score from those of its children.

    It is ``max(0, mean(critical) - 0.3 * (1 - mean(other)))`` where there are both, else the mean.
    Source: the rubric aggregation of PPT-Eval (arXiv 2606.31154) with lambda 0.3.

    Args:
        critical: Scores of the critical children, in [0, 1].
        other: Scores of the other children, in [0, 1].

    Raises:
        ValueError: If there are no children at all.
    """
    if not critical and not other:
        raise ValueError("expected at least one score")
    if critical and other:
        return max(0.0, _mean(critical) - LAMBDA * (1.0 - _mean(other)))
    return _mean(critical or other)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _score(node: RubricNode, before: View, now: View) -> ScoredNode:
    if node.check is not None:
        value, reason = _judge(node.check, node.args, before, now)
        return ScoredNode(node.name, node.critical, value, reason, check=node.check.name)
    children = tuple(_score(child, before, now) for child in node.children)
    value = _combine(children)
    return ScoredNode(node.name, node.critical, value, _summary(children), children)


def _judge(check: CheckSpec, args: object, before: View, now: View) -> tuple[float | None, str]:
    try:
        found = check.run(now, args)
        if not check.is_goal or found.score <= 0.0:
            return _bounded(found.score), found.reason
        start = _bounded(found.score if now is before else check.run(before, args).score)
    except UnscoredError as error:
        return None, f"not judged: {error}"
    value = _bounded(found.score)
    if start <= 0.0 or start >= _ALMOST_ONE:
        return value, found.reason
    progress = max(0.0, (value - start) / (1.0 - start))
    if value >= _ALMOST_ONE:
        return 1.0, found.reason
    return progress, f"{found.reason} (the original was at {start:.0%}; progress counts)"


def _bounded(value: float) -> float:
    return 1.0 if value >= _ALMOST_ONE else max(0.0, value)


def _combine(children: Sequence[ScoredNode]) -> float | None:
    judged = [(child.critical, child.score) for child in children if child.score is not None]
    if not judged:
        return None
    critical = [value for is_critical, value in judged if is_critical]
    return weighted(critical, [value for is_critical, value in judged if not is_critical])


def _summary(children: Sequence[ScoredNode]) -> str:
    judged = [child for child in children if child.score is not None]
    if not judged:
        return f"none of its {len(children)} parts could be judged"
    parts = []
    if len(judged) < len(children):
        parts.append(f"{len(judged)} of {len(children)} parts were judged")
    elif (share := _mean([child.judged_share for child in children])) < _ALMOST_ONE:
        parts.append(f"{share:.0%} of what is beneath was judged")
    short = [child for child in judged if child.score is not None and child.score < _ALMOST_ONE]
    if not short:
        parts.append("all parts are fulfilled" if len(judged) > 1 else judged[0].reason)
    else:
        parts.append(f"{len(judged) - len(short)} of {len(judged)} parts are fulfilled")
        parts += [f"{child.name} ({child.score:.2f}): {child.reason}" for child in short[:3]]
        if len(short) > 3:
            parts.append(f"and {len(short) - 3} more fall short")
    return "; ".join(parts)
