"""PowerPointDiff: the view of a diff that imported rubrics are written against."""

from pptarena.rewards.pptdiff.compare import diff_presentations
from pptarena.rewards.pptdiff.model import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideScreenshot,
    SlideTransition,
)
from pptarena.rewards.pptdiff.quirks import QUIRKS

__all__ = [
    "QUIRKS",
    "AnimationEffect",
    "PowerPointDiff",
    "Slide",
    "SlideScreenshot",
    "SlideTransition",
    "diff_presentations",
]
