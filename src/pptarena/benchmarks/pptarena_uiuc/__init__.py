"""PPTArena (UIUC), a published benchmark of deck editing: its cases and its dual judge."""

from pptarena.benchmarks.pptarena_uiuc.dual import EVIDENCE, DualJudge, Evidence
from pptarena.benchmarks.pptarena_uiuc.published import PublishedJudge, published_style_target
from pptarena.benchmarks.pptarena_uiuc.style import style_target
from pptarena.benchmarks.pptarena_uiuc.verdict import DualVerdict, SlideRating, VisualRating

__all__ = [
    "EVIDENCE",
    "DualJudge",
    "DualVerdict",
    "Evidence",
    "PublishedJudge",
    "SlideRating",
    "VisualRating",
    "published_style_target",
    "style_target",
]
