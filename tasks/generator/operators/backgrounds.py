"""Operator for slide backgrounds."""

from collections.abc import Iterator
from random import Random

from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.tasks.generator.deck_context import Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import hex_color, single_edit, slide_targets
from pptarena.tasks.generator.slots import COLOR, COLORS

__all__ = ["OPERATORS"]

# Level AAA of WCAG 2; below it, small text becomes harder to read than before.
_MIN_TEXT_CONTRAST = 7.0
_MIN_SHAPE_CONTRAST = 2.0


def _has_no_picture(target: Target) -> bool:
    """Return whether the slide has no picture that another background could hide."""
    return all(shape.picture is None for shape in target.slide.shapes)


def _sample_background(target: Target, rng: Random) -> Params | None:
    """Sample a color that keeps text legible and shapes distinguishable."""
    unfilled = [shape for shape in target.slide.shapes if shape.fill.kind == "none"]
    text_colors = {
        run.style.color or "#000000"
        for shape in unfilled
        for paragraph in shape.paragraphs
        for run in paragraph.runs
    }
    if any(shape.chart or shape.table for shape in target.slide.shapes):
        text_colors.add("#000000")
    eligible = [
        name
        for name, color in COLORS.items()
        if all(contrast_ratio(f"#{color}", other) >= _MIN_TEXT_CONTRAST for other in text_colors)
        and all(
            contrast_ratio(f"#{color}", other) >= min_contrast
            for other, min_contrast in _shape_contrasts(target)
        )
    ]
    return {"color": rng.choice(eligible)} if eligible else None


def _shape_contrasts(target: Target) -> Iterator[tuple[str, float]]:
    """Yield the colors of areas and lines with their required contrast, at most the current one."""
    background = target.slide.background.color or "#FFFFFF"
    for shape in target.slide.shapes:
        for paint in (shape.fill, shape.line.paint):
            if paint.kind != "none":
                color = paint.color or background
                yield color, min(_MIN_SHAPE_CONTRAST, contrast_ratio(color, background))
                break


OPERATORS = (
    Operator(
        "slide-background",
        "themes",
        "slide",
        slide_targets(_has_no_picture),
        single_edit("set_background", color=hex_color),
        lambda target, params: [
            leaf("slide_background", slide=target.slide_number, color=params["color"])
        ],
        ("background",),
        (
            "give {it} a {color} background",
            "set the background of {it} to {color}",
            "color the background of {it} {color}",
            "make the background of {it} {color}",
            "fill the background of {it} with {color}",
        ),
        ("the background of {it} should be {color}", "{it} should have a {color} background"),
        params=_sample_background,
        slots={"color": COLOR},
        playable=always,
    ),
)
"""The operators of this module."""
