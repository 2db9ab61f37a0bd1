"""Sites and predicates shared by several operators."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from pptx.util import Cm

from pptarena.decks import Shape
from pptarena.decks.visibility.text_place import text_need
from pptarena.edits import Solution
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Params
from pptarena.tasks.grow.slots import COLORS

__all__ = [
    "PHRASES",
    "STAMPS",
    "as_cm",
    "as_edit",
    "chosen",
    "delete_shape",
    "has_room",
    "is_loose",
    "is_selectable",
    "keeps_size",
    "of_shapes",
    "of_slides",
    "paint",
    "param",
    "sets",
    "with_text",
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


def of_shapes(fits: Callable[[Shape], bool]) -> Callable[[Ground], Iterator[Site]]:
    """Return a function that yields the visible, ungrouped shapes accepted by a predicate."""

    def sites(ground: Ground) -> Iterator[Site]:
        for slide in ground.deck.slides:
            for shape in slide.shapes:
                if shape.group is None and not shape.hidden and fits(shape):
                    yield Site(ground, slide.index, shape.index)

    return sites


def of_slides(
    fits: Callable[[Site], bool] = lambda site: True,
) -> Callable[[Ground], Iterator[Site]]:
    """Return a function that yields the slides accepted by a predicate."""

    def sites(ground: Ground) -> Iterator[Site]:
        for slide in ground.deck.slides:
            site = Site(ground, slide.index)
            if fits(site):
                yield site

    return sites


def with_text(shape: Shape) -> bool:
    """Return whether a shape is a title, body or box with actual text, not only dots."""
    known = shape.kind in ("text_box", "shape", "placeholder")
    return (
        known
        and any(map(str.isalnum, shape.text))
        and shape.placeholder not in ("dt", "ftr", "sldNum")
    )


def keeps_size(site: Site) -> bool:
    """Return whether a shape keeps its size under any edit.

    LibreOffice refits a shape that grows with its text whenever it is edited, so that more than the
    requested change results.
    """
    return site.shape.autofit != "shape"


def is_loose(shape: Shape) -> bool:
    """Return whether LibreOffice changes the width of a box at every layout."""
    return shape.autofit == "shape" and shape.frame is not None and not shape.frame.wrap


def has_room(shape: Shape) -> bool:
    """Return whether the text of a shape fits, so that similar text may replace it."""
    need = text_need(shape.paragraphs, shape.box, shape.frame, shape.autofit == "text")
    return need.height_pt <= 1.1 * need.room_height_pt and need.width_pt <= 1.1 * need.room_width_pt


def chosen(key: str, *values: Any) -> Callable[[Site, Random], dict[str, Any]]:
    """Return a function that samples one of the values."""
    return lambda site, rng: {key: rng.choice(values)}


def is_selectable(text: str) -> bool:
    """Return whether the cursor needs one step for each character, as macros expect."""
    return all(ord(character) <= 0xFFFF for character in text)


def as_edit(site: Site, name: str, **more: Any) -> dict[str, Any]:
    """Return an edit of a site; see `pptarena.edits`."""
    return {"edit": name, **site.args, **more}


def sets(name: str, **arguments: Any) -> Callable[[Site, Params], Solution]:
    """Return a function that returns one edit of a site.

    Args:
        name: The edit.
        arguments: Its arguments; a function receives the operator's parameters.
    """

    def solution(site: Site, params: Params) -> Solution:
        found = {key: each(params) if callable(each) else each for key, each in arguments.items()}
        return [as_edit(site, name, **found)]

    return solution


def param(name: str) -> Callable[[Params], Any]:
    """Return a function that reads a parameter."""
    return lambda params: params[name]


def paint(params: Params) -> str:
    """Return the sampled color."""
    return f"#{COLORS[params['color']]}"


def as_cm(emu: float) -> float:
    """Return a length in centimeters, more exact than any application stores it."""
    return round(emu / Cm(1), 3)


def delete_shape(site: Site, params: Params) -> Solution:
    """Return the edits that delete a shape, and the slide's animations if the shape has one."""
    is_animated = any(each.shape == site.shape_index for each in site.slide.animations)
    rest = [{"edit": "remove_animations", "slide": site.number}] if is_animated else []
    return [as_edit(site, "delete_shape"), *rest]
