"""Edits of the list of slides, and of slides as a whole."""

from typing import Literal

from pptx.oxml.ns import qn

from pptarena.decks.slide_variants import shape_elements
from pptarena.edits import slide_list
from pptarena.edits.markup import remove_transition, rgb
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import Color, Name, Position, SlideRef
from pptarena.errors import EditError

__all__ = [
    "add_slide",
    "delete_slide",
    "duplicate_slide",
    "hide_slide",
    "move_slide",
    "set_background",
]


def add_slide(
    deck: OpenDeck,
    layout: Name | None = None,
    position: Position | None = None,
    footers: bool = False,
) -> int:
    """Add an empty slide.

    Args:
        layout: Name of the layout; by default that of the slide before it.
        position: Position of the new slide, from 1; at the end by default.
        footers: Whether it gets the date, footer and number of the slide before it.
    """
    slides = deck.presentation.slides
    index = _index(position if position is not None else len(slides) + 1, len(slides) + 1)
    if layout is None and not index:
        raise EditError("expected a layout: there is no slide before the new one")
    new_layout = slides[index - 1].slide_layout if layout is None else deck.layout(layout)
    deck.require_room(slides=1, shapes=len(new_layout.placeholders))
    slide = slide_list.add_slide(deck.presentation, new_layout, index)
    if footers and index:
        slide_list.copy_footers(deck.presentation.slides[index - 1], slide)
    return int(slide.slide_id)


def duplicate_slide(
    deck: OpenDeck,
    slide: SlideRef,
    without: list[Literal["notes", "transition", "animations"]] | None = None,
) -> int:
    """Insert a copy of a slide, with its notes, after it.

    A chart on it is shared with the original: its data change for both.

    Args:
        slide: The slide.
        without: What the copy does not have; by default it has all.
    """
    index = deck.slide_index(slide)
    source = deck.presentation.slides[index]
    deck.require_room(slides=1, shapes=len(shape_elements(source._element)))
    excluded = without or []
    copy = slide_list.clone_slide(deck.presentation, index, notes="notes" not in excluded)
    if "transition" in excluded:
        remove_transition(copy._element)
    for timing in copy._element.findall(qn("p:timing")) if "animations" in excluded else ():
        copy._element.remove(timing)
    return int(copy.slide_id)


def move_slide(deck: OpenDeck, slide: SlideRef, position: Position) -> None:
    """Move a slide to another position.

    Args:
        slide: The slide.
        position: The new position, from 1.
    """
    index = deck.slide_index(slide)
    target = _index(position, len(deck.presentation.slides))
    slide_list.move_slide(deck.presentation, index, target)


def delete_slide(deck: OpenDeck, slide: SlideRef) -> None:
    """Delete a slide.

    Args:
        slide: The slide.
    """
    deck.slide(slide)  # a later slide may get its id
    slide_list.drop_slide(deck.presentation, deck.slide_index(slide))


def hide_slide(deck: OpenDeck, slide: SlideRef, hidden: bool = True) -> None:
    """Leave a slide out of the slide show, or show it again.

    Args:
        slide: The slide.
        hidden: Whether the show leaves it out.
    """
    element = deck.slide(slide)._element
    if hidden:
        element.set("show", "0")
    else:
        element.attrib.pop("show", None)


def set_background(deck: OpenDeck, slide: SlideRef, color: Color) -> None:
    """Give a slide a background of one color.

    Args:
        slide: The slide.
        color: As #RRGGBB.
    """
    fill = deck.slide(slide).background.fill
    fill.solid()
    fill.fore_color.rgb = rgb(color)


def _index(position: int, count: int) -> int:
    if position > count:
        raise EditError(f"expected a position from 1 to {count}, got {position}")
    return position - 1
