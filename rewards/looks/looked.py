"""What was found by looking at pictures of slides."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pptarena.decks.edits import Spot

__all__ = ["Looked", "Unseen"]


@dataclass(frozen=True, slots=True)
class Unseen:
    """Letters that cannot be read on the picture of a slide.

    Attributes:
        spot: Which.
        reason: Why, in plain words.
    """

    spot: Spot
    reason: str


@dataclass(frozen=True, slots=True)
class Looked:
    """What pictures of two decks say; all indexes count from 0.

    Attributes:
        lost: By slide and shape of the original: the share of it that can be seen no more.
        changed: By slide of the original: the share of its surface that looks different although
            no known change says why.
        unseen: By slide of the deck now: letters that cannot be read.
        shares: By slide and shape of the deck now: the share of a changed or new shape without
            text that can be seen.
        failed: Why the deck as it is now cannot be drawn; empty if it can.
    """

    lost: Mapping[tuple[int, int], float] = field(default_factory=dict)
    changed: Mapping[int, float] = field(default_factory=dict)
    unseen: Mapping[int, tuple[Unseen, ...]] = field(default_factory=dict)
    shares: Mapping[tuple[int, int], float] = field(default_factory=dict)
    failed: str = ""
