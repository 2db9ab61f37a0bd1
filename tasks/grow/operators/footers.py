"""Operator for the footers of all slides."""

from collections.abc import Iterator
from typing import Any

from pptarena.decks import Shape
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params, leaf
from pptarena.tasks.grow.operators.common import STAMPS, chosen
from pptarena.tasks.grow.slots import TEXT, choice

__all__ = ["OPERATORS"]

_WHERE = {"existing": "wherever there is one", "all": "on all slides"}


def _footers(ground: Ground) -> Iterator[Site]:
    """Yield the deck if it has footers, or if all layouts have a footer placeholder."""
    slides = ground.deck.slides
    if any(slide.footer for slide in slides):
        yield Site(ground, detail={"where": "existing"})
        return
    layouts = [ground.deck.layout_of(slide) for slide in slides]
    has_places = all(layout and any(map(_is_footer, layout.shapes)) for layout in layouts)
    is_unused = not any(_is_footer(shape) for slide in slides for shape in slide.shapes)
    if slides and has_places and is_unused:
        yield Site(ground, detail={"where": "all"})


def _is_footer(shape: Shape) -> bool:
    return shape.placeholder == "ftr"


def _numbers(site: Site) -> list[int]:
    """Return the 1-based positions of the slides whose footer is meant."""
    every = site.detail["where"] == "all"
    return [slide.index + 1 for slide in site.deck.slides if every or slide.footer]


def _scope(site: Site, params: Params) -> dict[str, Any]:
    numbers = _numbers(site)
    if site.detail["where"] == "existing":
        return {"slides": numbers, "shapes": ["@footer"]}
    return {"slides": numbers, "aspects": ["shapes"], "shapes": [], "new_shapes": 1}


OPERATORS = (
    Operator(
        "set-footer",
        "masters",
        "deck",
        _footers,
        lambda site, params: [
            {"edit": "set_footer", "slides": _numbers(site), "text": params["text"]}
        ],
        lambda site, params: [leaf("footer_is", slides=_numbers(site), text=params["text"])],
        ("text",),
        (
            "set the footer to {text} {where}",
            "have the footer read {text} {where}",
            "make {text} the text of the footer {where}",
            "write {text} in the footer {where}",
            "use {text} for the footer {where}",
        ),
        (
            "the footer should read {text} {where}",
            "{where}, the footer should say {text}",
        ),
        params=chosen("text", *STAMPS),
        slots={"text": TEXT, "where": choice(_WHERE)},
        scope=_scope,
        whole=True,
        level=2,
    ),
)
"""The operators of this module."""
