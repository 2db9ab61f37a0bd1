"""Targets, predicates and edits shared by several operators."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from pptx.util import Cm

from pptarena.decks import Shape
from pptarena.decks.visibility.text_layout import measure_text
from pptarena.edits import Solution
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Params
from pptarena.tasks.generator.slots import COLORS

__all__ = [
    "PHRASES",
    "STAMPS",
    "as_cm",
    "delete_shape",
    "has_text",
    "has_unstable_width",
    "hex_color",
    "is_selectable",
    "keeps_size",
    "make_edit",
    "param",
    "sample_from",
    "shape_targets",
    "single_edit",
    "slide_targets",
    "text_fits",
]

PHRASES = (
    "Results at a glance",
    "What we know so far",
    "Next steps",
    "Lessons of the spring",
    "Open questions",
    "Figures for the board",
    "The plan in short",
    "Summary and outlook",
    "Why it matters",
    "Risks we accept",
    "Three things to remember",
    "Status in October",
    "A second look",
    "Where we stand",
    "Facts for the reader",
    "Notes from the workshop",
)
"""Neutral texts that a task may request."""

STAMPS = ("Confidential", "Draft 3", "Internal", "For the board", "Not for print", "Archive")
"""Texts that appear on all or many slides."""


def shape_targets(fits: Callable[[Shape], bool]) -> Callable[[DeckContext], Iterator[Target]]:
    """Return a function that yields the visible, ungrouped shapes accepted by a predicate."""

    def targets(context: DeckContext) -> Iterator[Target]:
        for slide in context.deck.slides:
            for shape in slide.shapes:
                if shape.group is None and not shape.hidden and fits(shape):
                    yield Target(context, slide.index, shape.index)

    return targets


def slide_targets(
    fits: Callable[[Target], bool] = lambda target: True,
) -> Callable[[DeckContext], Iterator[Target]]:
    """Return a function that yields the slides accepted by a predicate."""

    def targets(context: DeckContext) -> Iterator[Target]:
        for slide in context.deck.slides:
            target = Target(context, slide.index)
            if fits(target):
                yield target

    return targets


def has_text(shape: Shape) -> bool:
    """Return whether a shape is a title, body or box whose text has letters or digits."""
    can_hold_text = shape.kind in ("text_box", "shape", "placeholder")
    return (
        can_hold_text
        and any(map(str.isalnum, shape.text))
        and shape.placeholder not in ("dt", "ftr", "sldNum")
    )


def keeps_size(target: Target) -> bool:
    """Return whether a shape keeps its size under any edit.

    LibreOffice refits a shape that grows with its text whenever it is edited, so that more than the
    requested change results.
    """
    return target.shape.autofit != "shape"


def has_unstable_width(shape: Shape) -> bool:
    """Return whether LibreOffice changes the width of a box at every layout."""
    return shape.autofit == "shape" and shape.frame is not None and not shape.frame.wrap


def text_fits(shape: Shape) -> bool:
    """Return whether the text of a shape fits, so that similar text may replace it."""
    need = measure_text(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
    fits_height = need.height_pt <= 1.1 * need.available_height_pt
    return fits_height and need.width_pt <= 1.1 * need.available_width_pt


def sample_from(key: str, *values: Any) -> Callable[[Target, Random], dict[str, Any]]:
    """Return a function that samples one of the values."""
    return lambda target, rng: {key: rng.choice(values)}


def is_selectable(text: str) -> bool:
    """Return whether the cursor needs one step for each character, as macros expect."""
    return all(ord(character) <= 0xFFFF for character in text)


def make_edit(target: Target, name: str, **more: Any) -> dict[str, Any]:
    """Return an edit of a target; see `pptarena.edits`."""
    return {"edit": name, **target.args, **more}


def single_edit(name: str, **arguments: Any) -> Callable[[Target, Params], Solution]:
    """Return a solution that consists of one edit of the target.

    Args:
        name: Name of the edit.
        arguments: Its arguments; functions are called with the operator's parameters.
    """

    def solution(target: Target, params: Params) -> Solution:
        values = {
            key: value(params) if callable(value) else value for key, value in arguments.items()
        }
        return [make_edit(target, name, **values)]

    return solution


def param(name: str) -> Callable[[Params], Any]:
    """Return a function that reads a parameter."""
    return lambda params: params[name]


def hex_color(params: Params) -> str:
    """Return the sampled color."""
    return f"#{COLORS[params['color']]}"


def as_cm(emu: float) -> float:
    """Return a length in centimeters, with higher precision than any application stores."""
    return round(emu / Cm(1), 3)


def delete_shape(target: Target, params: Params) -> Solution:
    """Return the edits that delete a shape, and the slide's animations if the shape has one."""
    is_animated = any(each.shape == target.shape_index for each in target.slide.animations)
    animation_edits = (
        [{"edit": "remove_animations", "slide": target.slide_number}] if is_animated else []
    )
    return [make_edit(target, "delete_shape"), *animation_edits]
