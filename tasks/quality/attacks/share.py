"""Share of attacks and variants that held, by kind."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from pptarena.tasks.quality.attacks.battery import AttackResult

__all__ = ["KindShare", "shares"]


@dataclass(frozen=True, slots=True)
class KindShare:
    """Results of the attacks or variants of one kind.

    Attributes:
        kind: The kind.
        tried: Number of attacks.
        held: Number of attacks with the deserved score, within the allowance.
        worst: Largest score above the deserved one; for variants, the largest deviation.
    """

    kind: str
    tried: int
    held: int
    worst: float

    @property
    def share(self) -> float:
        """Share that held, in [0, 1]."""
        return self.held / self.tried

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self) | {"share": self.share}


def shares(results: Iterable[AttackResult]) -> tuple[KindShare, ...]:
    """Return the share held of each kind, in order of first appearance."""
    by_kind: dict[str, list[AttackResult]] = {}
    for each in results:
        by_kind.setdefault(each.kind, []).append(each)
    return tuple(
        KindShare(kind, len(some), sum(r.ok for r in some), max(_miss(r) for r in some))
        for kind, some in by_kind.items()
    )


def _miss(result: AttackResult) -> float:
    return abs(result.gain) if result.kind == "variant" else max(0.0, result.gain)
