"""Slides shown to a model: paired with their pictures, screened, five to a request."""

from collections.abc import Sequence

from pptarena.errors import JudgeError, PPTArenaError
from pptarena.rewards.judges.client import JudgeClient
from pptarena.rewards.judges.prompts import Labels, ShownSlide, looks_prompt
from pptarena.rewards.judges.protocol import SlideRenderer, Verdict
from pptarena.rewards.judges.replies import Scale, slides_parser

__all__ = ["SLIDES_PER_CALL", "look_at", "render_deck"]

SLIDES_PER_CALL = 5


def render_deck(renderer: SlideRenderer, deck: bytes, slide_count: int) -> tuple[bytes, ...]:
    """Return a PNG file of every slide.

    Args:
        renderer: What makes them.
        deck: The .pptx file.
        slide_count: How many slides it has.

    Raises:
        JudgeError: If it fails, or shows another number of slides.
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
    labels: Labels,
    scale: Scale,
    *,
    question: str = "",
    instruction: str = "",
    style_target: str = "",
) -> dict[str, Verdict]:
    """Return a verdict on each slide by label; at most five slides go into one request.

    Raises:
        JudgeError: If there is no valid answer for all of them.
    """
    found: dict[str, Verdict] = {}
    for start in range(0, len(slides), SLIDES_PER_CALL):
        batch = slides[start : start + SLIDES_PER_CALL]
        prompt = looks_prompt(
            batch, labels, question=question, instruction=instruction, style_target=style_target
        )
        found |= client.ask(prompt, slides_parser([slide.label for slide in batch], scale))
    return found
