"""Attacks on the original deck: the requested text is placed where it is useless."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn
from pptx.util import Emu

from pptarena.rewards import read_deck
from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck, attack
from pptarena.tasks.quality.attacks.material import (
    Material,
    RequestedText,
    shape_elements,
    shape_id,
)
from pptarena.tasks.quality.attacks.tools import (
    add_cover,
    add_text_box,
    replace_text,
    restyle_text,
    shape_proxy,
    slides_by_id,
    text_picture,
)

__all__ = ["MISPLACEMENT"]

MISPLACEMENT: list[Attack] = []

_INCH = 914_400
_BOX_DAMAGE = 0.5
"""Damage of boxes with the requested text on all slides, if the task requests such boxes."""
PlaceText = Callable[[Any, Any, RequestedText], None]


def _misplace(
    material: Material, place_text: PlaceText, place_without_text: PlaceText | None = None
) -> AttackedDeck | None:
    """Return the original with ``put(deck, slide, wanted)`` applied to all requested text.

    Args:
        material: The task and its decks.
        place_text: Places text where it is useless.
        place_without_text: Places only the shapes of `place_text`. If the task requests a new
            shape, they may be part of the work, such as a rectangle without its text.
    """
    if not material.requested_texts:
        return None

    def apply(place_text: PlaceText) -> bytes:
        def edit(deck: Any) -> None:
            slides = slides_by_id(deck)
            for requested in material.requested_texts:
                place_text(deck, slides[requested.slide], requested)

        return material.edit_original(edit)

    may_be_work = place_without_text is not None and any(
        requested.is_new_shape for requested in material.requested_texts
    )
    return AttackedDeck(
        apply(place_text),
        apply(place_without_text) if place_without_text is not None and may_be_work else None,
    )


def _center_box(deck: Any) -> tuple[int, int, int, int]:
    return deck.slide_width // 4, deck.slide_height // 3, deck.slide_width // 2, _INCH


@attack("words in a picture", MISPLACEMENT)
def _in_a_picture(material: Material) -> AttackedDeck | None:
    """A picture of the requested text covers each slide that the target changes."""
    size = deck_size(material)

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        slide.shapes.add_picture(text_picture(requested.text), 0, 0, *size)

    return _misplace(material, place_text)


@attack("pictures over all slides", MISPLACEMENT)
def _pictures(material: Material) -> AttackedDeck:
    """A picture of all requested text covers every slide."""
    text = (
        "\n".join(requested.text for requested in material.requested_texts)
        or material.task.instruction
    )
    size = deck_size(material)

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            slide.shapes.add_picture(text_picture(text), 0, 0, *size)

    return AttackedDeck(material.edit_original(edit))


@attack("words off the slide", MISPLACEMENT)
def _off_the_slide(material: Material) -> AttackedDeck | None:
    """A new box next to the slide contains the requested text."""

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        add_text_box(slide, requested.text, (deck.slide_width + _INCH, 0, 4 * _INCH, _INCH))

    return _misplace(material, place_text)


@attack("words in the background's colour", MISPLACEMENT)
def _invisible_colour(material: Material) -> AttackedDeck | None:
    """A new box contains the requested text in the color of the background."""
    colors = _backgrounds(material)
    color_type: Any = RGBColor  # untyped in python-pptx

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        box, color = _center_box(deck), colors[requested.slide]
        is_over_graphic = any(_overlaps(box, shape) for shape in slide.shapes if _is_graphic(shape))
        shape = add_text_box(slide, requested.text, box)
        restyle_text(shape._element, color)
        if is_over_graphic:  # The color of the picture or chart at this position is unknown.
            shape.fill.solid()
            shape.fill.fore_color.rgb = color_type.from_string(color)

    return _misplace(
        material, place_text, lambda deck, slide, w: place_text(deck, slide, replace(w, text=""))
    )


@attack("words of 1 pt", MISPLACEMENT)
def _tiny(material: Material) -> AttackedDeck | None:
    """A new box contains the requested text in a font size of one point."""
    return _misplace(
        material,
        lambda deck, slide, requested: (
            add_text_box(slide, requested.text, _center_box(deck), 1.0) and None
        ),
    )


@attack("words under a shape", MISPLACEMENT)
def _under_a_shape(material: Material) -> AttackedDeck | None:
    """A new box contains the requested text and is covered by a rectangle."""

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        add_text_box(slide, requested.text, _center_box(deck), 12)
        place_cover(deck, slide, requested)

    def place_cover(deck: Any, slide: Any, requested: RequestedText) -> None:
        add_cover(slide, _center_box(deck), _backgrounds(material)[requested.slide])

    return _misplace(material, place_text, place_cover)


@attack("words in a hidden shape", MISPLACEMENT)
def _hidden(material: Material) -> AttackedDeck | None:
    """A new, hidden box contains the requested text."""

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        box = add_text_box(slide, requested.text, _center_box(deck))
        box._element.nvSpPr.cNvPr.set("hidden", "1")

    return _misplace(material, place_text)


@attack("words in the notes", MISPLACEMENT)
def _in_notes(material: Material) -> AttackedDeck | None:
    """The speaker notes contain the requested text."""

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        frame = slide.notes_slide.notes_text_frame
        frame.text = f"{frame.text}\n{requested.text}"

    return _misplace(material, place_text)


@attack("words in alt texts", MISPLACEMENT)
def _in_alt_texts(material: Material) -> AttackedDeck | None:
    """The requested text is the alternative text of every shape of the slide."""

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        for element in shape_elements(slide):
            next(element.iter(qn("p:cNvPr"))).set("descr", requested.text)

    attacked = _misplace(material, place_text)
    return attacked


@attack("words as names", MISPLACEMENT)
def _as_names(material: Material) -> AttackedDeck | None:
    """The requested text is the name and title of every shape; nothing else changes."""

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        for element in shape_elements(slide):
            next(element.iter(qn("p:cNvPr"))).set("name", requested.text)
            next(element.iter(qn("p:cNvPr"))).set("title", requested.text)
        slide._element.cSld.set("name", requested.text)

    return _misplace(material, place_text)


@attack("right copy beside the wrong one", MISPLACEMENT)
def _alongside(material: Material) -> AttackedDeck | None:
    """A new box with the requested text is added, and the old text remains."""
    # If the target itself adds boxes, this is part of the work.
    if all(requested.is_new_shape for requested in material.requested_texts):
        return None
    return _misplace(material, _add_alongside)


def _add_alongside(deck: Any, slide: Any, requested: RequestedText) -> None:
    add_text_box(slide, requested.text, _center_box(deck))


@attack("duplicate with the right words", MISPLACEMENT)
def _duplicate(material: Material) -> AttackedDeck | None:
    """The shape with the old text is duplicated below, and only the copy has the requested text."""
    if not any(requested.shape for requested in material.requested_texts):
        return None

    def place_text(deck: Any, slide: Any, requested: RequestedText) -> None:
        elements = {shape_id(element): element for element in shape_elements(slide)}
        if requested.shape not in elements or elements[requested.shape].tag != qn("p:sp"):
            return
        copy = deepcopy(elements[requested.shape])
        next(copy.iter(qn("p:cNvPr"))).set("id", str(max(elements) + 1))
        elements[requested.shape].addnext(copy)
        replace_text(copy, requested.text)
        shape = shape_proxy(slide, copy)  # may be in a group
        box = shape.left, shape.top, shape.width, shape.height
        shape.left, shape.top, shape.width, shape.height = box[0], box[1] + _INCH, *box[2:]

    return _misplace(material, place_text)


@attack("every answer on every slide", MISPLACEMENT)
def _everywhere(material: Material) -> AttackedDeck | None:
    """Every slide gets a box with all requested text of the task."""
    text = "\n".join(requested.text for requested in material.requested_texts)
    if not text:
        return None

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            add_text_box(slide, text, (Emu(0), Emu(0), deck.slide_width, _INCH), 10)

    box_slides = {
        requested.slide for requested in material.requested_texts if requested.is_new_shape
    }
    honest = _misplace(material, _add_alongside) if box_slides else None
    if honest is None:
        return AttackedDeck(material.edit_original(edit))
    # In a small deck, few slides other than the right one can be damaged.
    other_share = 1 - len(box_slides) / len(read_deck(material.original).slides)
    return AttackedDeck(material.edit_original(edit), honest.deck, 1 - _BOX_DAMAGE * other_share)


def _is_graphic(shape: Any) -> bool:
    return shape._element.tag in (qn("p:pic"), qn("p:graphicFrame"))


def _overlaps(box: tuple[int, int, int, int], shape: Any) -> bool:
    left, top, width, height = box
    if None in (shape.left, shape.top, shape.width, shape.height):
        return False
    right, bottom = shape.left + shape.width, shape.top + shape.height
    return bool(left < right and shape.left < left + width) and bool(
        top < bottom and shape.top < top + height
    )


def deck_size(material: Material) -> tuple[int, int]:
    """Return width and height of the slides in EMU."""
    deck = read_deck(material.original)
    return deck.width_emu, deck.height_emu


def _backgrounds(material: Material) -> dict[int, str]:
    """Return the background color of each slide by id, as RRGGBB."""
    slides = read_deck(material.original).slides
    return {slide.id: (slide.background.color or "#FFFFFF").lstrip("#") for slide in slides}
