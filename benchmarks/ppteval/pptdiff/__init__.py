"""PowerPointDiff: the view of a diff that imported rubrics are written against."""

from pptarena.benchmarks.ppteval.pptdiff.compare import diff_presentations
from pptarena.benchmarks.ppteval.pptdiff.model import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideScreenshot,
    SlideTransition,
)
from pptarena.benchmarks.ppteval.pptdiff.quirks import QUIRKS

__all__ = [
    "QUIRKS",
    "AnimationEffect",
    "PowerPointDiff",
    "Slide",
    "SlideScreenshot",
    "SlideTransition",
    "diff_presentations",
]
