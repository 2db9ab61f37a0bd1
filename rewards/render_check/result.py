"""Result of the render check."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pptarena.decks.slide_variants import TextRange

__all__ = ["IllegibleText", "RenderCheckResult"]


@dataclass(frozen=True, slots=True)
class IllegibleText:
    """Text that is illegible on the rendered slide.

    Attributes:
        text_range: The text.
        reason: Explanation in plain text.
    """

    text_range: TextRange
    reason: str


@dataclass(frozen=True, slots=True)
class RenderCheckResult:
    """Differences between two rendered decks; all indexes are 0-based.

    Attributes:
        lost_shares: By slide and shape of the original: the share that is no longer visible.
        changed_shares: By slide of the original: the share of its area that differs without a
            known change.
        illegible_texts: By slide of the current deck: illegible text.
        visible_shares: By slide and shape of the current deck: the visible share of a new or
            changed shape without text.
        failure: Why the current deck cannot be rendered; empty if it can.
    """

    lost_shares: Mapping[tuple[int, int], float] = field(default_factory=dict)
    changed_shares: Mapping[int, float] = field(default_factory=dict)
    illegible_texts: Mapping[int, tuple[IllegibleText, ...]] = field(default_factory=dict)
    visible_shares: Mapping[tuple[int, int], float] = field(default_factory=dict)
    failure: str = ""
