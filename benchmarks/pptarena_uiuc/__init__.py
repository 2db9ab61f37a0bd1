"""PPTArena, the published benchmark of editing decks: its dual judge."""

from pptarena.benchmarks.pptarena_uiuc.dual import DualJudge
from pptarena.benchmarks.pptarena_uiuc.verdict import DualVerdict, SlideRating, VisualRating

__all__ = ["DualJudge", "DualVerdict", "SlideRating", "VisualRating"]
