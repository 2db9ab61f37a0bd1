"""Scored rubric: its tree, the strategies that aggregate scores, and the reasons of parents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from pptarena.rewards.checking.result import pluralize

__all__ = [
    "ALMOST_ONE",
    "LAMBDA",
    "STRATEGIES",
    "ScoredNode",
    "Scores",
    "combine",
    "summary",
    "unscored_reason",
    "value_of",
]


ALMOST_ONE = 1 - 1e-9
"""Scores of at least this value count as full, because sums of fractions are rounded."""


@dataclass(frozen=True, slots=True)
class ScoredNode:
    """A node of a rubric with its score.

    Attributes:
        name: As in the rubric.
        critical: As in the rubric.
        score: In [0, 1]; None if unscored.
        reason: Explanation in plain text.
        children: Scored children.
        check: Name of a leaf's check; empty for a parent.
        kept: Factor in [0, 1] applied to `score` for damage to the rest of the deck; less than 1
            only at the root.
        looked: Whether rendered slides affected the score; only at the root.
        weight: As in the rubric.
        is_any: Whether the children are alternatives, of which the best one counts.
    """

    name: str
    critical: bool
    score: float | None
    reason: str
    children: tuple["ScoredNode", ...] = ()
    check: str = ""
    kept: float = 1.0
    looked: bool = False
    weight: float = 1.0
    is_any: bool = False

    @property
    def judged_share(self) -> float:
        """Scored share of the node, in [0, 1], weighted over the children."""
        if not self.children:
            return 0.0 if self.score is None else 1.0
        if self.is_any and self.score is not None and self.score >= ALMOST_ONE:
            # Once an alternative is fulfilled, the others need no score.
            return max(c.judged_share for c in self.children if c.score == self.score)
        scored_weight = sum(child.judged_share * child.weight for child in self.children)
        return scored_weight / sum(child.weight for child in self.children)

    def walk(self, location: str = "root") -> Iterator[tuple[str, "ScoredNode"]]:
        """Yield every node with its location, such as ``root/children/1``, parents first."""
        yield location, self
        for index, child in enumerate(self.children):
            yield from child.walk(f"{location}/children/{index}")

    def to_json(self) -> dict[str, Any]:
        """Return the tree as JSON data.

        Optional keys: ``judged_share`` and ``kept`` if less than 1, ``weight`` if not 1, ``looked``
        if rendered slides affected the score.
        """
        data: dict[str, Any] = {
            "name": self.name,
            "critical": self.critical,
            "score": self.score,
            "reason": self.reason,
            "children": [child.to_json() for child in self.children],
        }
        if self.judged_share < ALMOST_ONE:
            data["judged_share"] = self.judged_share
        if self.kept < 1:
            data["kept"] = self.kept
        if self.looked:
            data["looked"] = True
        if self.is_any:
            data["any"] = True
        if self.weight != 1:
            data["weight"] = self.weight
        return data | {"check": self.check} if self.check else data


_MAX_NAMED = 3


def unscored_reason(children: tuple[ScoredNode, ...]) -> str:
    """Return why a parent with these children is unscored."""
    if all(child.score is None for child in children):
        return summary(children)
    unscored = [child for child in children if child.score is None]
    first = next((child for child in unscored if child.critical), unscored[0])
    return f"unscored: its score depends on {first.name!r}, {first.reason}"


def summary(children: Sequence[ScoredNode]) -> str:
    """Return the reason for a parent's score.

    Parts below full score are listed, critical ones first, then by score, because they cost most.
    Only the first is explained, by its worst leaf; the other parts have reasons of their own.

    Args:
        children: The scored children, at least one.
    """
    scored = [child for child in children if child.score is not None]
    if not scored:
        return f"none of its {len(children)} parts could be scored: {children[0].reason}"
    parts = [*_scored_part_note(children, scored)]
    unfulfilled = sorted(
        (child for child in scored if value_of(child) < ALMOST_ONE), key=_cost_order
    )
    if not unfulfilled:
        parts.append("all parts are fulfilled" if len(scored) > 1 else scored[0].reason)
        return "; ".join(parts)
    parts.append(_fulfilled_count(scored, unfulfilled))
    parts.append(f"{_label_with_score(unfulfilled[0])}: {_worst_leaf(unfulfilled[0]).reason}")
    others = [_label_with_score(child) for child in unfulfilled[1:_MAX_NAMED]]
    if len(unfulfilled) > _MAX_NAMED:
        others.append(f"{len(unfulfilled) - _MAX_NAMED} more")
    return "; ".join([*parts, f"also short: {', '.join(others)}"] if others else parts)


def _worst_leaf(node: ScoredNode) -> ScoredNode:
    """Return the leaf below a node that costs most; the node itself if it is a leaf."""
    while node.children and not node.is_any:
        unfulfilled = [child for child in node.children if child.score is not None]
        unfulfilled = [child for child in unfulfilled if value_of(child) < ALMOST_ONE]
        if not unfulfilled:
            break
        node = min(unfulfilled, key=_cost_order)
    return node


def _scored_part_note(children: Sequence[ScoredNode], scored: Sequence[ScoredNode]) -> list[str]:
    if len(scored) < len(children):
        return [f"{len(scored)} of {len(children)} parts were scored"]
    share = sum(child.judged_share for child in children) / len(children)
    return [f"{share:.0%} of the items below were scored"] if share < ALMOST_ONE else []


def _fulfilled_count(scored: Sequence[ScoredNode], unfulfilled: Sequence[ScoredNode]) -> str:
    started = sum(value_of(child) > 0 for child in unfulfilled)
    verb = "is" if len(scored) == 1 else "are"
    fulfilled = (
        f"{len(scored) - len(unfulfilled)} of {pluralize(len(scored), 'part')} {verb} fulfilled"
    )
    return f"{fulfilled}, {started} in part" if started else fulfilled


def _label_with_score(child: ScoredNode) -> str:
    label = child.name if child.critical else f"{child.name}, not critical"
    if child.weight != 1:
        label += f", weight {child.weight:g}"
    return f"{label} ({value_of(child):.2f})"


def value_of(child: ScoredNode) -> float:
    """Return a node's score, or 0 if it is unscored."""
    return 0.0 if child.score is None else child.score


def _cost_order(child: ScoredNode) -> tuple[bool, float]:
    return not child.critical, value_of(child)


LAMBDA = 0.3
"""Default of the maximum cost of the non-critical children under ``weighted``."""

Scores = Sequence[tuple[bool, float | None]]
"""For each child, in order: its critical flag, and its score in [0, 1] or None."""

_WeightedScores = Sequence[tuple[float, float]]
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
    weighted_children = [
        _Child(*child, weight) for child, weight in zip(children, weights, strict=True)
    ]
    return (
        _weighted(weighted_children, penalty)
        if strategy == _WEIGHTED
        else _GATE_STRATEGIES[strategy](weighted_children)
    )


def _weighted(children: Sequence[_Child], penalty: float) -> float | None:
    """Aggregate as PPT-Eval does (arXiv 2606.31154), which has a lambda of 0.3.

    The score is ``max(0, mean(critical) - lambda * (1 - mean(other)))``, or the mean if only one
    group exists. Unscored children are left out of their mean. If all critical children are
    unscored, so is the parent: non-critical children, such as "nothing else changed", do not
    measure the goal.
    """
    critical, other = _split_scored(children)
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
    critical, other = _split_scored(children)
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
    critical, other = _split_scored(children)
    if any(value < ALMOST_ONE for value, _ in critical):
        return 0.0
    if len(critical) < sum(child.critical for child in children):
        return None
    return _mean_of_others(children, other)


def _mean_of_others(children: Sequence[_Child], others: _WeightedScores) -> float | None:
    """Return the mean of the scored non-critical children after an open gate."""
    if all(child.critical for child in children):
        return 1.0
    return _mean(others) if others else None


def _split_scored(children: Sequence[_Child]) -> tuple[_WeightedScores, _WeightedScores]:
    """Return the (score, weight) pairs of the scored critical and the scored other children."""
    scored = [(c.critical, (c.score, c.weight)) for c in children if c.score is not None]
    return [pair for critical, pair in scored if critical], [
        pair for critical, pair in scored if not critical
    ]


def _mean(values: _WeightedScores) -> float:
    return sum(value * weight for value, weight in values) / sum(weight for _, weight in values)


_WEIGHTED = "weighted"
_GATE_STRATEGIES: Mapping[str, Callable[[Sequence[_Child]], float | None]] = MappingProxyType(
    {"ai_rubric_gate": _ai_rubric_gate, "mind2web2_gate": _mind2web2_gate}
)

STRATEGIES = (_WEIGHTED, *_GATE_STRATEGIES)
"""Names of the strategies in rubrics; the first one is the default."""
