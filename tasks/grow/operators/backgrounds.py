"""Operator for slide backgrounds."""

from collections.abc import Iterator
from random import Random

from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.tasks.grow.ground import Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import of_slides, paint, sets
from pptarena.tasks.grow.slots import COLOR, COLORS

__all__ = ["OPERATORS"]

# Level AAA of WCAG 2; below it, small text becomes harder to read than before.
_READABLE = 7.0
_STANDS_OUT = 2.0


def _has_no_picture(site: Site) -> bool:
    """Return whether the slide has no picture that another background could hide."""
    return all(shape.picture is None for shape in site.slide.shapes)


def _draw_background(site: Site, rng: Random) -> Params | None:
    """Sample a color that keeps text legible and shapes distinguishable."""
    bare = [shape for shape in site.slide.shapes if shape.fill.kind == "none"]
    inks = {
        run.style.color or "#000000"
        for shape in bare
        for paragraph in shape.paragraphs
        for run in paragraph.runs
    }
    if any(shape.chart or shape.table for shape in site.slide.shapes):
        inks.add("#000000")
    known = [
        name
        for name, color in COLORS.items()
        if all(contrast_ratio(f"#{color}", ink) >= _READABLE for ink in inks)
        and all(contrast_ratio(f"#{color}", ink) >= least for ink, least in _areas(site))
    ]
    return {"color": rng.choice(known)} if known else None


def _areas(site: Site) -> Iterator[tuple[str, float]]:
    """Yield the colors of areas and lines with their required contrast, at most the current one."""
    behind = site.slide.background.color or "#FFFFFF"
    for shape in site.slide.shapes:
        for each in (shape.fill, shape.line.paint):
            if each.kind != "none":
                color = each.color or behind
                yield color, min(_STANDS_OUT, contrast_ratio(color, behind))
                break


OPERATORS = (
    Operator(
        "slide-background",
        "themes",
        "slide",
        of_slides(_has_no_picture),
        sets("set_background", color=paint),
        lambda site, params: [leaf("slide_background", slide=site.number, color=params["color"])],
        ("background",),
        (
            "give {it} a {color} background",
            "set the background of {it} to {color}",
            "color the background of {it} {color}",
            "make the background of {it} {color}",
            "fill the background of {it} with {color}",
        ),
        ("the background of {it} should be {color}", "{it} should have a {color} background"),
        params=_draw_background,
        slots={"color": COLOR},
        playable=always,
    ),
)
"""The operators of this module."""
