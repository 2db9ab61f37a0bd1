"""What the dual judge found, and how its halves add up."""

from dataclasses import asdict, dataclass
from typing import Any

from pptarena.rewards.judges.protocol import Verdict

__all__ = ["DualVerdict", "SlideRating", "VisualRating"]


@dataclass(frozen=True, slots=True)
class SlideRating:
    """How one slide looks.

    Attributes:
        slide: Its position now, from 1, as text.
        score: From 0 to 5.
        reason: Why, on one line.
        judged: Whether a model looked at it; otherwise screening decided.
    """

    slide: str
    score: float
    reason: str
    judged: bool = True


@dataclass(frozen=True, slots=True)
class VisualRating:
    """How the slides look that count.

    Attributes:
        score: Mean over `slides`, from 0 to 5; 0 if nothing in the deck changed.
        slides: The slides that count.
    """

    score: float
    slides: tuple[SlideRating, ...]


@dataclass(frozen=True, slots=True)
class DualVerdict:
    """What the dual judge found.

    Attributes:
        instruction: Whether the edit did what was asked; its score is from 0 to 5.
        visual: How the slides look; None if nothing that can be seen changed.
    """

    instruction: Verdict
    visual: VisualRating | None

    @property
    def score(self) -> float:
        """One number in [0, 1]: ``IF/5 * (1 + VQ/5) / 2``, or ``IF/5`` where nothing can be seen.

        Both perfect give 1, an instruction not followed at all gives 0 however neat the slides
        are, and bad looks cost at most half of what following the instruction earned.
        """
        following = self.instruction.score / 5
        return following if self.visual is None else following * (1 + self.visual.score / 5) / 2

    @property
    def reason(self) -> str:
        """Both halves on one line; of looks, the slide that looks worst."""
        words = f"instruction {self.instruction.score:g} of 5: {self.instruction.reason}"
        if self.visual is None or not self.visual.slides:
            return words
        worst = min(self.visual.slides, key=lambda slide: slide.score)
        looks = f"looks {self.visual.score:.1f} of 5, slide {worst.slide}: {worst.reason}"
        return f"{words}; {looks}"

    @property
    def published_score(self) -> float:
        """The mean of both in [0, 1], as the leaderboard of the editing benchmark has it.

        Where nothing that can be seen changed, visual quality counts as 5, as screening does
        there. It pays up to a half for a neat edit that is not the one asked for.
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
