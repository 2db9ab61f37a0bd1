"""A PowerPointDiff of two decks."""

from pptarena.envs.programs.pptdiff.faithful import faithful_diff
from pptarena.envs.programs.pptdiff.model import PowerPointDiff
from pptarena.envs.programs.pptdiff.published import published_diff

__all__ = ["diff_presentations"]


def diff_presentations(original: bytes, current: bytes, *, quirks: bool = False) -> PowerPointDiff:
    """Return what differs between two decks, in the terms of PPT-Eval.

    Args:
        original: The .pptx file before.
        current: The .pptx file now.
        quirks: Whether to compare with all faults of the published comparison, `QUIRKS`. By
            default slides and shapes are matched by what they are, and every change counts.

    Raises:
        DeckError: If a file cannot be read.
    """
    return published_diff(original, current) if quirks else faithful_diff(original, current)
