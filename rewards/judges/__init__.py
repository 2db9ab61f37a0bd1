"""Judges: models that score what no program can, at a model service."""

from pptarena.decks.visibility.slide_images import Screening
from pptarena.rewards.judges.client import Budget, JudgeClient, JudgeConfig
from pptarena.rewards.judges.protocol import (
    Judge,
    SlidePair,
    SlideQuestion,
    SlideRenderer,
    TextQuestion,
    Verdict,
)
from pptarena.rewards.judges.rubric_judge import RubricJudge, explain

__all__ = [
    "Budget",
    "Judge",
    "JudgeClient",
    "JudgeConfig",
    "RubricJudge",
    "Screening",
    "SlidePair",
    "SlideQuestion",
    "SlideRenderer",
    "TextQuestion",
    "Verdict",
    "explain",
]
