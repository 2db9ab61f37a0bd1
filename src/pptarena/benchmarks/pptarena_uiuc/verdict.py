"""The verdict of the dual judge, and how its halves combine."""

from dataclasses import asdict, dataclass
from typing import Any

from pptarena.rewards.judges.protocol import Verdict

__all__ = ["DualVerdict", "SlideRating", "VisualRating"]


@dataclass(frozen=True, slots=True)
class SlideRating:
    """Visual rating of one slide.

    Attributes:
        slide: Current position, from 1, as text.
        score: From 0 to 5.
        reason: Explanation on one line.
        judged: Whether a model rated the slide; otherwise screening decided.
    """

    slide: str
    score: float
    reason: str
    judged: bool = True


@dataclass(frozen=True, slots=True)
class VisualRating:
    """Visual rating of an edit.

    Attributes:
        score: Mean over `slides`, from 0 to 5; 0 if nothing in the deck changed.
        slides: The rated slides.
    """

    score: float
    slides: tuple[SlideRating, ...]


@dataclass(frozen=True, slots=True)
class DualVerdict:
    """Verdict of the dual judge.

    Attributes:
        instruction: Verdict on instruction following; its score is from 0 to 5.
        visual: Visual rating; None if no visible change was made.
    """

    instruction: Verdict
    visual: VisualRating | None

    @property
    def score(self) -> float:
        """The score in [0, 1]: ``IF/5 * (1 + VQ/5) / 2``, or ``IF/5`` without a visible change.

        Two perfect halves give 1. An instruction not followed at all gives 0, however neat the
        slides. Bad visual quality costs at most half of the credit for following the instruction.
        """
        following = self.instruction.score / 5
        return following if self.visual is None else following * (1 + self.visual.score / 5) / 2

    @property
    def reason(self) -> str:
        """Both halves on one line; the visual half is explained by the worst slide."""
        instruction = f"instruction {self.instruction.score:g} of 5: {self.instruction.reason}"
        if self.visual is None or not self.visual.slides:
            return instruction
        worst = min(self.visual.slides, key=lambda slide: slide.score)
        visual = f"looks {self.visual.score:.1f} of 5, slide {worst.slide}: {worst.reason}"
        return f"{instruction}; {visual}"

    @property
    def published_score(self) -> float:
        """The mean of both halves in [0, 1], as on the leaderboard of the editing benchmark.

        Without a visible change, visual quality counts as 5, as in the original's screening. This
        score gives up to 0.5 to a neat edit that does something else.
        """
        visual = 5.0 if self.visual is None else self.visual.score
        return (self.instruction.score + visual) / 10

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "score": self.score,
            "published_score": self.published_score,
            "instruction": asdict(self.instruction),
            "visual": None if self.visual is None else asdict(self.visual),
        }
