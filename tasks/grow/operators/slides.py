"""Operators on slides as a whole."""

from typing import Any

from pptarena.tasks.grow.edits import slide_of
from pptarena.tasks.grow.ground import Site
from pptarena.tasks.grow.operator import Operator, Params, leaf
from pptarena.tasks.grow.operators.common import as_macro, of_slides

__all__ = ["OPERATORS"]


def _hide(presentation: Any, site: Site, params: Params) -> None:
    slide_of(presentation, site)._element.set("show", "0")


OPERATORS = (
    Operator(
        "hide-slide",
        "slides",
        "slide",
        of_slides(lambda site: not site.slide.hidden),
        _hide,
        lambda site, params: [leaf("slide_hidden", slide=site.number)],
        ("visibility",),
        (
            "hide {it}",
            "take {it} out of the show without deleting it",
            "leave {it} out of the slide show, but keep it",
            "set {it} to hidden",
            "make the show skip {it}",
        ),
        ("{it} should be hidden", "the show should pass over {it}"),
        macros=lambda site, params: [as_macro(site, "hide_slide")],
    ),
)
"""The operators of this file."""
