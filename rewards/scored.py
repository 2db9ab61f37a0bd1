"""Scored rubric: the tree that scoring returns, and the reasons of its parents."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.rewards.checking.result import counted

__all__ = ["ALMOST_ONE", "ScoredNode", "summary", "value_of", "why_unjudged"]


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
