"""Operator for the footers of all slides."""

from collections.abc import Iterator
from typing import Any

from pptarena.decks import Shape
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params, leaf
from pptarena.tasks.generator.operators.common import STAMPS, sample_from
from pptarena.tasks.generator.slots import TEXT, choice

__all__ = ["OPERATORS"]

_EXTENTS = {"existing": "wherever there is one", "all": "on all slides"}


def _footer_targets(context: DeckContext) -> Iterator[Target]:
    """Yield the deck if it has footers, or if all layouts have a footer placeholder."""
    slides = context.deck.slides
    if any(slide.footer for slide in slides):
        yield Target(context, detail={"where": "existing"})
        return
    layouts = [context.deck.layout_of(slide) for slide in slides]
    has_placeholders = all(layout and any(map(_is_footer, layout.shapes)) for layout in layouts)
    is_unused = not any(_is_footer(shape) for slide in slides for shape in slide.shapes)
    if slides and has_placeholders and is_unused:
        yield Target(context, detail={"where": "all"})


def _is_footer(shape: Shape) -> bool:
    return shape.placeholder == "ftr"


def _slide_numbers(target: Target) -> list[int]:
    """Return the 1-based positions of the slides whose footer is to be set."""
    is_everywhere = target.detail["where"] == "all"
    return [slide.index + 1 for slide in target.deck.slides if is_everywhere or slide.footer]


def _scope(target: Target, params: Params) -> dict[str, Any]:
    numbers = _slide_numbers(target)
    if target.detail["where"] == "existing":
        return {"slides": numbers, "shapes": ["@footer"]}
    return {"slides": numbers, "aspects": ["shapes"], "shapes": [], "new_shapes": 1}


OPERATORS = (
    Operator(
        "set-footer",
        "masters",
        "deck",
        _footer_targets,
        lambda target, params: [
            {"edit": "set_footer", "slides": _slide_numbers(target), "text": params["text"]}
        ],
        lambda target, params: [
            leaf("footer_is", slides=_slide_numbers(target), text=params["text"])
        ],
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
        params=sample_from("text", *STAMPS),
        slots={"text": TEXT, "where": choice(_EXTENTS)},
        scope=_scope,
        deck_wide=True,
        level=2,
    ),
)
"""The operators of this module."""
