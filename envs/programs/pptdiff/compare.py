"""Compute a PowerPointDiff of two decks."""

from pptarena.envs.programs.pptdiff.faithful import faithful_diff
from pptarena.envs.programs.pptdiff.model import PowerPointDiff
from pptarena.envs.programs.pptdiff.published import published_diff

__all__ = ["diff_presentations"]


def diff_presentations(original: bytes, current: bytes, *, quirks: bool = False) -> PowerPointDiff:
    """Return the differences between two decks in PPT-Eval's format.

    Args:
        original: The .pptx file before.
        current: The .pptx file after.
        quirks: Whether to reproduce all faults of the published comparison, `QUIRKS`. By default
            slides and shapes are matched by content, and every change counts.

    Raises:
        DeckError: If a file cannot be read.
    """
    return published_diff(original, current) if quirks else faithful_diff(original, current)
