"""The deck diff: typed changes between two decks."""

from pptarena.decks.diff.change import ASPECTS, Aspect, Change
from pptarena.decks.diff.compare import diff_decks, diff_matched, diff_slide

__all__ = ["ASPECTS", "Aspect", "Change", "diff_decks", "diff_matched", "diff_slide"]
