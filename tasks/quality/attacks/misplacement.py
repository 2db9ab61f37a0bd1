"""Attacks on the original deck: the requested text is placed where it is useless."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn
from pptx.util import Emu

from pptarena.rewards import read_deck
from pptarena.tasks.quality.attacks.attack import Attack, Attempt, attack
from pptarena.tasks.quality.attacks.material import Material, Wanted, shape_elements, shape_id
from pptarena.tasks.quality.attacks.tools import (
    add_words,
    cover,
    paint_letters,
    proxy,
    rewrite,
    slides_by_id,
    words_picture,
)

__all__ = ["MISPLACEMENT"]

MISPLACEMENT: list[Attack] = []

_INCH = 914_400
_HALF = 0.5
"""Loss from boxes with the requested text on all slides, if the task asks for such boxes."""
Put = Callable[[Any, Any, Wanted], None]


def _put(material: Material, put: Put, bare: Put | None = None) -> Attempt | None:
    """Return the original with ``put(deck, slide, wanted)`` applied to all requested text.

    Args:
        material: The task and its decks.
        put: Places text where it is useless.
        bare: Places the visible part of `put` without the text. If the task asks for a new shape,
            this may be part of the work, such as a rectangle without its text.
    """
    if not material.wanted:
        return None

    def done(put: Put) -> bytes:
        def edit(deck: Any) -> None:
            slides = slides_by_id(deck)
            for wanted in material.wanted:
                put(deck, slides[wanted.slide], wanted)

        return material.on_original(edit)

    is_work = bare is not None and any(wanted.is_new_shape for wanted in material.wanted)
    return Attempt(done(put), done(bare) if bare is not None and is_work else None)


def _middle(deck: Any) -> tuple[int, int, int, int]:
    return deck.slide_width // 4, deck.slide_height // 3, deck.slide_width // 2, _INCH


@attack("words in a picture", MISPLACEMENT)
def _in_a_picture(material: Material) -> Attempt | None:
    """A picture of the right words covers each slide that the goal changes."""
    size = deck_size(material)

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        slide.shapes.add_picture(words_picture(wanted.text), 0, 0, *size)

    return _put(material, put)


@attack("pictures over all slides", MISPLACEMENT)
def _pictures(material: Material) -> Attempt:
    """A picture of all the right words covers every slide."""
    text = "\n".join(wanted.text for wanted in material.wanted) or material.task.instruction
    size = deck_size(material)

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            slide.shapes.add_picture(words_picture(text), 0, 0, *size)

    return Attempt(material.on_original(edit))


@attack("words off the slide", MISPLACEMENT)
def _off_the_slide(material: Material) -> Attempt | None:
    """The right words are in a new box next to the slide."""

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        add_words(slide, wanted.text, (deck.slide_width + _INCH, 0, 4 * _INCH, _INCH))

    return _put(material, put)


@attack("words in the background's colour", MISPLACEMENT)
def _invisible_colour(material: Material) -> Attempt | None:
    """The right words stand in a new box, in the colour of the background."""
    colors = _backgrounds(material)
    kind: Any = RGBColor  # untyped in python-pptx

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        place, color = _middle(deck), colors[wanted.slide]
        on_unknown = any(_lies_over(place, shape) for shape in slide.shapes if _is_graphic(shape))
        box = add_words(slide, wanted.text, place)
        paint_letters(box._element, color)
        if on_unknown:  # The color of the picture or chart at this position is unknown.
            box.fill.solid()
            box.fill.fore_color.rgb = kind.from_string(color)

    return _put(material, put, lambda deck, slide, w: put(deck, slide, replace(w, text="")))


@attack("words of 1 pt", MISPLACEMENT)
def _tiny(material: Material) -> Attempt | None:
    """The right text is in a new box, in characters of one point."""
    return _put(
        material,
        lambda deck, slide, wanted: add_words(slide, wanted.text, _middle(deck), 1.0) and None,
    )


@attack("words under a shape", MISPLACEMENT)
def _under_a_shape(material: Material) -> Attempt | None:
    """The right words stand in a new box, covered by a rectangle."""

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        add_words(slide, wanted.text, _middle(deck), 12)
        bare(deck, slide, wanted)

    def bare(deck: Any, slide: Any, wanted: Wanted) -> None:
        cover(slide, _middle(deck), _backgrounds(material)[wanted.slide])

    return _put(material, put, bare)


@attack("words in a hidden shape", MISPLACEMENT)
def _hidden(material: Material) -> Attempt | None:
    """The right words stand in a new box that is hidden."""

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        box = add_words(slide, wanted.text, _middle(deck))
        box._element.nvSpPr.cNvPr.set("hidden", "1")

    return _put(material, put)


@attack("words in the notes", MISPLACEMENT)
def _in_notes(material: Material) -> Attempt | None:
    """The right words stand in the speaker notes."""

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        frame = slide.notes_slide.notes_text_frame
        frame.text = f"{frame.text}\n{wanted.text}"

    return _put(material, put)


@attack("words in alt texts", MISPLACEMENT)
def _in_alt_texts(material: Material) -> Attempt | None:
    """The right words are the alternative text of every shape of the slide."""

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        for element in shape_elements(slide):
            next(element.iter(qn("p:cNvPr"))).set("descr", wanted.text)

    attempt = _put(material, put)
    return attempt


@attack("words as names", MISPLACEMENT)
def _as_names(material: Material) -> Attempt | None:
    """The right words are the names and titles of the slide's shapes; nothing else is new."""

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        for element in shape_elements(slide):
            next(element.iter(qn("p:cNvPr"))).set("name", wanted.text)
            next(element.iter(qn("p:cNvPr"))).set("title", wanted.text)
        slide._element.cSld.set("name", wanted.text)

    return _put(material, put)


@attack("right copy beside the wrong one", MISPLACEMENT)
def _beside(material: Material) -> Attempt | None:
    """A new box with the right words is next to the shape with the wrong ones."""
    # If the target itself adds boxes, this is part of the work.
    if all(wanted.is_new_shape for wanted in material.wanted):
        return None
    return _put(material, _beside_it)


def _beside_it(deck: Any, slide: Any, wanted: Wanted) -> None:
    add_words(slide, wanted.text, _middle(deck))


@attack("duplicate with the right words", MISPLACEMENT)
def _duplicate(material: Material) -> Attempt | None:
    """The shape with the wrong words is duplicated, a little lower, and the copy is right."""
    if not any(wanted.shape for wanted in material.wanted):
        return None

    def put(deck: Any, slide: Any, wanted: Wanted) -> None:
        elements = {shape_id(element): element for element in shape_elements(slide)}
        if wanted.shape not in elements or elements[wanted.shape].tag != qn("p:sp"):
            return
        copy = deepcopy(elements[wanted.shape])
        next(copy.iter(qn("p:cNvPr"))).set("id", str(max(elements) + 1))
        elements[wanted.shape].addnext(copy)
        rewrite(copy, wanted.text)
        shape = proxy(slide, copy)  # may be in a group
        box = shape.left, shape.top, shape.width, shape.height
        shape.left, shape.top, shape.width, shape.height = box[0], box[1] + _INCH, *box[2:]

    return _put(material, put)


@attack("every answer on every slide", MISPLACEMENT)
def _everywhere(material: Material) -> Attempt | None:
    """Every slide gets a box with all the right words of the task."""
    text = "\n".join(wanted.text for wanted in material.wanted)
    if not text:
        return None

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            add_words(slide, text, (Emu(0), Emu(0), deck.slide_width, _INCH), 10)

    places = {wanted.slide for wanted in material.wanted if wanted.is_new_shape}
    placed = _put(material, _beside_it) if places else None
    if placed is None:
        return Attempt(material.on_original(edit))
    # In a small deck, few slides other than the right one can be damaged.
    others = 1 - len(places) / len(read_deck(material.original).slides)
    return Attempt(material.on_original(edit), placed.deck, 1 - _HALF * others)


def _is_graphic(shape: Any) -> bool:
    return shape._element.tag in (qn("p:pic"), qn("p:graphicFrame"))


def _lies_over(box: tuple[int, int, int, int], shape: Any) -> bool:
    left, top, wide, high = box
    if None in (shape.left, shape.top, shape.width, shape.height):
        return False
    right, bottom = shape.left + shape.width, shape.top + shape.height
    return bool(left < right and shape.left < left + wide) and bool(
        top < bottom and shape.top < top + high
    )


def deck_size(material: Material) -> tuple[int, int]:
    """Return width and height of the slides in EMU."""
    deck = read_deck(material.original)
    return deck.width_emu, deck.height_emu


def _backgrounds(material: Material) -> dict[int, str]:
    """Return the background color of each slide by id, as RRGGBB."""
    slides = read_deck(material.original).slides
    return {slide.id: (slide.background.color or "#FFFFFF").lstrip("#") for slide in slides}
