"""Strategies: how a parent scores from its children.

Each is a pure function of the children's scores, their weights and of which are critical. A child
that could not be judged has the score None. It may be left out where only its share of a mean is
missing; it never opens a gate: where the score hangs on an unjudged critical child, the parent is
unjudged too.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pptarena.rewards.scored import ALMOST_ONE

__all__ = ["LAMBDA", "SEQUENTIAL", "STRATEGIES", "Scores", "combine", "first_short"]

LAMBDA = 0.3
"""What the non-critical children can cost at most under ``weighted``."""

SEQUENTIAL = "mind2web2_gate"
"""The one strategy with an order of children."""

Scores = Sequence[tuple[bool, float | None]]
"""Of each child, in order: whether it is critical, and its score in [0, 1] or None."""

_Weighted = Sequence[tuple[float, float]]
"""Scores in [0, 1] with their weights above 0."""


class _Child(NamedTuple):
    critical: bool
    score: float | None
    weight: float


def combine(
    strategy: str,
    children: Scores,
    *,
    weights: Sequence[float] | None = None,
    sequential: bool = False,
) -> float | None:
    """Return a parent's score in [0, 1], None if it cannot be told.

    Args:
        strategy: One of `STRATEGIES`.
        children: At least one.
        weights: What each child weighs in the means, all above 0; None for 1 each. A gate that
            hangs on a child hangs on it whatever it weighs.
        sequential: Whether children after the first one that is not fulfilled count 0. If a child
            before that one is unjudged, nobody knows which children count: the parent is
            unjudged, unless a critical child that is not fulfilled closes the gate in any case.

    Raises:
        ValueError: If there are no children at all, or not as many weights.
    """
    if not children:
        raise ValueError("expected at least one score")
    if sequential:
        children = _in_sequence(children)
    weights = [1.0] * len(children) if weights is None else weights
    return _FUNCTIONS[strategy](
        [_Child(*child, weight) for child, weight in zip(children, weights, strict=True)]
    )


def first_short(scores: Sequence[float | None]) -> int | None:
    """Return the index of the first child that is judged and not fulfilled, None without one."""
    for index, value in enumerate(scores):
        if value is not None and value < ALMOST_ONE:
            return index
    return None


def _weighted(children: Sequence[_Child]) -> float | None:
    """Aggregate as PPT-Eval does (arXiv 2606.31154), with lambda 0.3.

    It is ``max(0, mean(critical) - 0.3 * (1 - mean(other)))`` where there are both, else the mean.
    Unjudged children are left out of their mean. If all critical children are unjudged, so is the
    parent: what is not critical, such as "nothing else changed", says nothing about the goal.
    """
    critical, other = _judged(children)
    if not critical and any(child.critical for child in children):
        return None
    if critical and other:
        return max(0.0, _mean(critical) - LAMBDA * (1.0 - _mean(other)))
    return _mean(critical or other) if critical or other else None


def _ai_rubric_gate(children: Sequence[_Child]) -> float | None:
    """Aggregate as the strategy ``mind2web2`` of ai-rubric 0.2.5.

    A critical child at 0: 0. All critical ones at 1: the mean of the others, 1 without others.
    Otherwise, and without critical children: the mean of all. This is not monotone: where the
    others fall short, the last critical child's step from almost 1 to 1 can lower the score.
    """
    critical, other = _judged(children)
    if any(value <= 0.0 for value, _ in critical):
        return 0.0
    if len(critical) < sum(child.critical for child in children):
        return None
    if critical and all(value >= ALMOST_ONE for value, _ in critical):
        return _mean_of_others(children, other)
    return _mean([*critical, *other]) if critical or other else None


def _mind2web2_gate(children: Sequence[_Child]) -> float | None:
    """Aggregate as Mind2Web-2 itself (arXiv 2506.21506) gates, then averages.

    A critical child below 1: 0. Otherwise the mean of the others, 1 without others.
    """
    critical, other = _judged(children)
    if any(value < ALMOST_ONE for value, _ in critical):
        return 0.0
    if len(critical) < sum(child.critical for child in children):
        return None
    return _mean_of_others(children, other)


def _mean_of_others(children: Sequence[_Child], judged: _Weighted) -> float | None:
    """Return the mean of the judged non-critical children behind an open gate."""
    if all(child.critical for child in children):
        return 1.0
    return _mean(judged) if judged else None


def _in_sequence(children: Scores) -> Scores:
    """Return the children as they count: 0 after the first one that is not fulfilled."""
    values = [value for _, value in children]
    short = first_short(values)
    if short is None:
        # Unjudged ones may be short: all that follows them is open.
        unjudged = None in values
        return [(critical, None if unjudged else value) for critical, value in children]
    if None not in values[:short]:
        return [
            (critical, value if i <= short else 0.0) for i, (critical, value) in enumerate(children)
        ]
    closed = any(
        critical and value is not None and value < ALMOST_ONE for critical, value in children
    )
    # Whatever the unjudged ones are, such a critical child stays below 1.
    return [(critical, 0.0 if closed else None) for critical, _ in children]


def _judged(children: Sequence[_Child]) -> tuple[_Weighted, _Weighted]:
    """Return score and weight of the judged critical children, and of the judged others."""
    found = [(c.critical, (c.score, c.weight)) for c in children if c.score is not None]
    return [pair for critical, pair in found if critical], [
        pair for critical, pair in found if not critical
    ]


def _mean(values: _Weighted) -> float:
    return sum(value * weight for value, weight in values) / sum(weight for _, weight in values)


_FUNCTIONS: Mapping[str, Callable[[Sequence[_Child]], float | None]] = MappingProxyType(
    {
        "weighted": _weighted,
        "ai_rubric_gate": _ai_rubric_gate,
        "mind2web2_gate": _mind2web2_gate,
    }
)

STRATEGIES = tuple(_FUNCTIONS)
"""Names of the strategies, as rubrics write them; the first one is the default."""
