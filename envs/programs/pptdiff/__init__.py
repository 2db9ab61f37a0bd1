"""PowerPointDiff: the diff format that imported rubrics are written for."""

from pptarena.envs.programs.pptdiff.compare import diff_presentations
from pptarena.envs.programs.pptdiff.model import (
    AnimationEffect,
    PowerPointDiff,
    Slide,
    SlideScreenshot,
    SlideTransition,
)
from pptarena.envs.programs.pptdiff.quirks import QUIRKS

__all__ = [
    "QUIRKS",
    "AnimationEffect",
    "PowerPointDiff",
    "Slide",
    "SlideScreenshot",
    "SlideTransition",
    "diff_presentations",
]
