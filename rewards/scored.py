"""Scored rubric: the tree that scoring returns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["ALMOST_ONE", "ScoredNode"]

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
