"""Strategies: aggregate the scores of children into the score of their parent.

Each strategy is a pure function of the children's scores, weights and critical flags. An unscored
child has the score None. It is left out of means but never opens a gate: if the result depends on
an unscored critical child, the parent is unscored.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from pptarena.rewards.scored import ALMOST_ONE

__all__ = ["LAMBDA", "STRATEGIES", "Scores", "combine"]

LAMBDA = 0.3
"""Default of the maximum cost of the non-critical children under ``weighted``."""

Scores = Sequence[tuple[bool, float | None]]
"""For each child, in order: its critical flag, and its score in [0, 1] or None."""

_Weighted = Sequence[tuple[float, float]]
"""Scores in [0, 1] with positive weights."""


class _Child(NamedTuple):
    critical: bool
    score: float | None
    weight: float


def combine(
    strategy: str,
    children: Scores,
    *,
    weights: Sequence[float] | None = None,
    penalty: float = LAMBDA,
) -> float | None:
    """Return a parent's score in [0, 1], or None if it is unscored.

    Args:
        strategy: One of `STRATEGIES`.
        children: At least one.
        weights: Positive weights of the children in means; None for 1 each. Gates ignore weights.
        penalty: The lambda of ``weighted``, in [0, 1]; the other strategies have none.

    Raises:
        ValueError: If there are no children, or the number of weights differs.
    """
    if not children:
        raise ValueError("expected at least one score")
    weights = [1.0] * len(children) if weights is None else weights
    found = [_Child(*child, weight) for child, weight in zip(children, weights, strict=True)]
    return _weighted(found, penalty) if strategy == _WEIGHTED else _GATES[strategy](found)


def _weighted(children: Sequence[_Child], penalty: float) -> float | None:
    """Aggregate as PPT-Eval does (arXiv 2606.31154), which has a lambda of 0.3.

    The score is ``max(0, mean(critical) - lambda * (1 - mean(other)))``, or the mean if only one
    group exists. Unscored children are left out of their mean. If all critical children are
    unscored, so is the parent: non-critical children, such as "nothing else changed", do not
    measure the goal.
    """
    critical, other = _judged(children)
    if not critical and any(child.critical for child in children):
        return None
    if critical and other:
        return max(0.0, _mean(critical) - penalty * (1.0 - _mean(other)))
    return _mean(critical or other) if critical or other else None


def _ai_rubric_gate(children: Sequence[_Child]) -> float | None:
    """Aggregate like the strategy ``mind2web2`` of ai-rubric 0.2.5.

    If a critical child scores 0, the result is 0. If all critical children score 1, it is the mean
    of the others, or 1 without others. Otherwise, and without critical children, it is the mean of
    all. This is not monotone: when the last critical child rises from almost 1 to 1, the result can
    drop if the others score low.
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
    """Aggregate like Mind2Web-2 (arXiv 2506.21506): gate, then average.

    If a critical child scores below 1, the result is 0. Otherwise it is the mean of the others, or
    1 without others.
    """
    critical, other = _judged(children)
    if any(value < ALMOST_ONE for value, _ in critical):
        return 0.0
    if len(critical) < sum(child.critical for child in children):
        return None
    return _mean_of_others(children, other)


def _mean_of_others(children: Sequence[_Child], judged: _Weighted) -> float | None:
    """Return the mean of the scored non-critical children after an open gate."""
    if all(child.critical for child in children):
        return 1.0
    return _mean(judged) if judged else None


def _judged(children: Sequence[_Child]) -> tuple[_Weighted, _Weighted]:
    """Return the (score, weight) pairs of the scored critical and the scored other children."""
    found = [(c.critical, (c.score, c.weight)) for c in children if c.score is not None]
    return [pair for critical, pair in found if critical], [
        pair for critical, pair in found if not critical
    ]


def _mean(values: _Weighted) -> float:
    return sum(value * weight for value, weight in values) / sum(weight for _, weight in values)


_WEIGHTED = "weighted"
_GATES: Mapping[str, Callable[[Sequence[_Child]], float | None]] = MappingProxyType(
    {"ai_rubric_gate": _ai_rubric_gate, "mind2web2_gate": _mind2web2_gate}
)

STRATEGIES = (_WEIGHTED, *_GATES)
"""Names of the strategies in rubrics; the first one is the default."""
