"""Scored rubric: its tree, the strategies that aggregate scores, and the reasons of parents."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from pptarena.rewards.checking.result import counted

__all__ = [
    "ALMOST_ONE",
    "LAMBDA",
    "STRATEGIES",
    "ScoredNode",
    "Scores",
    "combine",
    "summary",
    "value_of",
    "why_unjudged",
]


ALMOST_ONE = 1 - 1e-9
"""Scores from here on count as full, because sums of fractions round."""


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
        judged = sum(child.judged_share * child.weight for child in self.children)
        return judged / sum(child.weight for child in self.children)

    def walk(self, place: str = "root") -> Iterator[tuple[str, "ScoredNode"]]:
        """Yield every node with its location, such as ``root/children/1``, parents first."""
        yield place, self
        for index, child in enumerate(self.children):
            yield from child.walk(f"{place}/children/{index}")

    def to_json(self) -> dict[str, Any]:
        """Return the tree as JSON data.

        Optional keys: ``judged_share`` and ``kept`` if less than 1, ``weight`` if not 1, ``looked``
        if rendered slides affected the score.
        """
        found: dict[str, Any] = {
            "name": self.name,
            "critical": self.critical,
            "score": self.score,
            "reason": self.reason,
            "children": [child.to_json() for child in self.children],
        }
        if self.judged_share < ALMOST_ONE:
            found["judged_share"] = self.judged_share
        if self.kept < 1:
            found["kept"] = self.kept
        if self.looked:
            found["looked"] = True
        if self.is_any:
            found["any"] = True
        if self.weight != 1:
            found["weight"] = self.weight
        return found | {"check": self.check} if self.check else found


_NAMED = 3


def why_unjudged(children: tuple[ScoredNode, ...]) -> str:
    """Return why a parent with these children is unscored."""
    if all(child.score is None for child in children):
        return summary(children)
    unjudged = [child for child in children if child.score is None]
    first = next((child for child in unjudged if child.critical), unjudged[0])
    return f"not judged: its score depends on {first.name!r}, {first.reason}"


def summary(children: Sequence[ScoredNode]) -> str:
    """Return the reason for a parent's score.

    Parts below full score are listed, critical ones first, then by score, because they cost most.
    Only the first is explained, by its worst leaf; the other parts have reasons of their own.

    Args:
        children: The scored children, at least one.
    """
    judged = [child for child in children if child.score is not None]
    if not judged:
        return f"none of its {len(children)} parts could be judged: {children[0].reason}"
    parts = [*_judged_part(children, judged)]
    short = sorted((child for child in judged if value_of(child) < ALMOST_ONE), key=_cost_order)
    if not short:
        parts.append("all parts are fulfilled" if len(judged) > 1 else judged[0].reason)
        return "; ".join(parts)
    parts.append(_counted(judged, short))
    parts.append(f"{_named_short(short[0])}: {_worst_leaf(short[0]).reason}")
    others = [_named_short(child) for child in short[1:_NAMED]]
    if len(short) > _NAMED:
        others.append(f"{len(short) - _NAMED} more")
    return "; ".join([*parts, f"also short: {', '.join(others)}"] if others else parts)


def _worst_leaf(node: ScoredNode) -> ScoredNode:
    """Return the leaf below a node that costs most; the node itself if it is a leaf."""
    while node.children and not node.is_any:
        short = [child for child in node.children if child.score is not None]
        short = [child for child in short if value_of(child) < ALMOST_ONE]
        if not short:
            break
        node = min(short, key=_cost_order)
    return node


def _judged_part(children: Sequence[ScoredNode], judged: Sequence[ScoredNode]) -> list[str]:
    if len(judged) < len(children):
        return [f"{len(judged)} of {len(children)} parts were judged"]
    share = sum(child.judged_share for child in children) / len(children)
    return [f"{share:.0%} of what is beneath was judged"] if share < ALMOST_ONE else []


def _counted(judged: Sequence[ScoredNode], short: Sequence[ScoredNode]) -> str:
    begun = sum(value_of(child) > 0 for child in short)
    verb = "is" if len(judged) == 1 else "are"
    fulfilled = f"{len(judged) - len(short)} of {counted(len(judged), 'part')} {verb} fulfilled"
    return f"{fulfilled}, {begun} in part" if begun else fulfilled


def _named_short(child: ScoredNode) -> str:
    what = child.name if child.critical else f"{child.name}, not critical"
    if child.weight != 1:
        what += f", weight {child.weight:g}"
    return f"{what} ({value_of(child):.2f})"


def value_of(child: ScoredNode) -> float:
    """Return a node's score, or 0 if it is unscored."""
    return 0.0 if child.score is None else child.score


def _cost_order(child: ScoredNode) -> tuple[bool, float]:
    return not child.critical, value_of(child)


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
