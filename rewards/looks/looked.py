"""Result of the render check."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pptarena.decks.edits import Spot

__all__ = ["Looked", "Unseen"]


@dataclass(frozen=True, slots=True)
class Unseen:
    """Text that is illegible on the rendered slide.

    Attributes:
        spot: The text.
        reason: Explanation in plain text.
    """

    spot: Spot
    reason: str


@dataclass(frozen=True, slots=True)
class Looked:
    """Differences between two rendered decks; all indexes are 0-based.

    Attributes:
        lost: By slide and shape of the original: the share that is no longer visible.
        changed: By slide of the original: the share of its area that differs without a known
            change.
        unseen: By slide of the current deck: illegible text.
        shares: By slide and shape of the current deck: the visible share of a new or changed shape
            without text.
        failed: Why the current deck cannot be rendered; empty if it can.
    """

    lost: Mapping[tuple[int, int], float] = field(default_factory=dict)
    changed: Mapping[int, float] = field(default_factory=dict)
    unseen: Mapping[int, tuple[Unseen, ...]] = field(default_factory=dict)
    shares: Mapping[tuple[int, int], float] = field(default_factory=dict)
    failed: str = ""
