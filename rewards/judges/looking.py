"""Show rendered slides to a model, up to five per request."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pptarena.errors import JudgeError, PPTArenaError
from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.prompt import Prompt
from pptarena.rewards.judges.protocol import SlideRenderer, Verdict
from pptarena.rewards.judges.replies import slides_parser

__all__ = ["Labels", "ShownSlide", "look_at", "render_deck"]

_SLIDES_PER_CALL = 5


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels of the two images of a slide."""

    first: str = "before the edit"
    second: str = "after the edit"


@dataclass(frozen=True, slots=True)
class ShownSlide:
    """A slide to judge.

    Attributes:
        label: Identifier in the reply.
        first: PNG file for comparison; None if there is none.
        second: PNG file to judge.
    """

    label: str
    first: bytes | None
    second: bytes

    def parts(self, labels: Labels) -> tuple[str | bytes, ...]:
        """Return the images with their labels, as parts of a prompt."""
        name = f"Slide {json.dumps(self.label)}, "
        if self.first is None:
            return f"{name}{labels.second}, a new slide (judge this one):", self.second
        second = f"{name}{labels.second} (judge this one):"
        return f"{name}{labels.first}:", self.first, second, self.second


def render_deck(renderer: SlideRenderer, deck: bytes, slide_count: int) -> tuple[bytes, ...]:
    """Return a PNG file of every slide of a .pptx file with `slide_count` slides.

    Raises:
        JudgeError: If rendering fails, or yields another number of slides.
    """
    try:
        found = renderer.render(deck)
    except PPTArenaError as error:
        raise JudgeError(f"the slides cannot be rendered: {error}") from error
    if len(found) != slide_count:
        raise JudgeError(f"expected pictures of {slide_count} slides, got {len(found)}")
    return found


def look_at(
    client: JudgeClient,
    slides: Sequence[ShownSlide],
    beginning: Prompt,
    scale: Any,
    labels: Labels | None = None,
) -> dict[str, Verdict]:
    """Return a verdict on each slide by label, with up to five slides per request.

    Args:
        client: Client of the model.
        slides: The slides.
        beginning: The question, to which the images are appended.
        scale: Type of the scores, such as `Share`.
        labels: Labels of the two images of a slide.

    Raises:
        JudgeError: If there is no valid reply for every slide.
    """
    found: dict[str, Verdict] = {}
    for start in range(0, len(slides), _SLIDES_PER_CALL):
        batch = slides[start : start + _SLIDES_PER_CALL]
        shown = (part for slide in batch for part in slide.parts(labels or Labels()))
        prompt = Prompt(beginning.system, (*beginning.parts, *shown))
        found |= client.ask(prompt, slides_parser([slide.label for slide in batch], scale))
    return found
