"""The share of attacks and variants that held, by kind."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from pptarena.audits.attacks.battery import AttackResult

__all__ = ["KindShare", "shares"]


@dataclass(frozen=True, slots=True)
class KindShare:
    """What the attacks, or variants, of one kind came to.

    Attributes:
        kind: Their kind.
        tried: How many were tried.
        held: How many scored what they deserve, within the allowance.
        worst: The largest score beyond what was deserved; for variants the largest loss.
    """

    kind: str
    tried: int
    held: int
    worst: float

    @property
    def share(self) -> float:
        """The share that held, in [0, 1]."""
        return self.held / self.tried

    def to_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        return asdict(self) | {"share": self.share}


def shares(results: Iterable[AttackResult]) -> tuple[KindShare, ...]:
    """Return the share held of each kind, in the order in which the kinds appear."""
    by_kind: dict[str, list[AttackResult]] = {}
    for each in results:
        by_kind.setdefault(each.kind, []).append(each)
    return tuple(
        KindShare(kind, len(some), sum(r.ok for r in some), max(_miss(r) for r in some))
        for kind, some in by_kind.items()
    )


def _miss(result: AttackResult) -> float:
    return abs(result.gain) if result.kind == "variant" else max(0.0, result.gain)
