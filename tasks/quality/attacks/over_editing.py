"""Attacks that over-edit: the work is done everywhere, or more than once."""

from collections.abc import Callable
from typing import Any

from pptx.oxml.ns import qn

from pptarena.rewards import read_deck
from pptarena.tasks.goals.editing import open_deck
from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck, attack
from pptarena.tasks.quality.attacks.material import (
    Material,
    shape_elements,
    shape_id,
    share_of_original_words,
)
from pptarena.tasks.quality.attacks.tools import restyle_text, slides_by_id, text_picture

__all__ = ["OVER_EDITING"]

OVER_EDITING: list[Attack] = []

_RESTYLING_DAMAGE = 0.4
_RETITLING_DAMAGE = 0.3


@attack("goal, all slides hidden", OVER_EDITING)
def _all_hidden(material: Material) -> AttackedDeck:
    """The target is reached, and every slide is hidden."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            slide._element.set("show", "0")

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.1)


@attack("goal, everything bold and italic", OVER_EDITING)
def _all_bold(material: Material) -> AttackedDeck:
    """The target is reached, and all text of the deck is bold and italic."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for run in slide._element.iter(qn("a:r")):
                run.get_or_add_rPr().set("b", "1")
                run.get_or_add_rPr().set("i", "1")

    # The formatting of new text is unspecified; only other text had its own formatting.
    return AttackedDeck(
        material.edit_goal(edit),
        material.goal,
        1 - _RESTYLING_DAMAGE * share_of_original_words(material),
    )


@attack("goal, other letters of 1 pt", OVER_EDITING)
def _tiny(material: Material) -> AttackedDeck:
    """The target is reached, and all other text of the deck has a font size of one point."""

    def change(slide: Any, element: Any) -> None:
        restyle_text(element, None, 1.0)

    return AttackedDeck.damaging_other_shapes(_edit_other_shapes(material, change), material, 0.1)


@attack("goal, other letters in the background's colour", OVER_EDITING)
def _invisible(material: Material) -> AttackedDeck:
    """The target is reached, and all other characters have the color of the background."""
    slides = read_deck(material.goal).slides
    colors = {slide.id: (slide.background.color or "#FFFFFF").lstrip("#") for slide in slides}

    def change(slide: Any, element: Any) -> None:
        restyle_text(element, colors[slide.slide_id])

    # Text on colored boxes and bands stays readable.
    return AttackedDeck.damaging_other_shapes(_edit_other_shapes(material, change), material, 0.5)


@attack("goal, other letters transparent", OVER_EDITING)
def _transparent(material: Material) -> AttackedDeck:
    """The target is reached, and all other characters of the deck have no fill."""

    def change(slide: Any, element: Any) -> None:
        restyle_text(element, "none")

    return AttackedDeck.damaging_other_shapes(_edit_other_shapes(material, change), material, 0.1)


@attack("goal, pictures over all slides", OVER_EDITING)
def _covered(material: Material) -> AttackedDeck:
    """The target is reached, and a picture of its words covers every slide."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            text = "\n".join(t.text or "" for t in slide._element.iter(qn("a:t")))
            size = deck.slide_width, deck.slide_height
            slide.shapes.add_picture(text_picture(text), 0, 0, *size)

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.0)


@attack("goal, no animation left", OVER_EDITING)
def _no_animation(material: Material) -> AttackedDeck | None:
    """The target is reached, and all animations and transitions of the deck are removed."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for name in ("p:timing", "p:transition"):
                for element in slide._element.findall(qn(name)):
                    slide._element.remove(element)

    attacked = material.edit_goal(edit)
    return AttackedDeck(attacked, material.goal, 0.9)


@attack("goal, one alt text for all", OVER_EDITING)
def _alt_texts(material: Material) -> AttackedDeck:
    """The target is reached, and every shape has the alternative text of one target shape."""
    text = _alt_text(material)

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for element in shape_elements(slide):
                next(element.iter(qn("p:cNvPr"))).set("descr", text)

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.7)


@attack("goal, one title for all", OVER_EDITING)
def _titles(material: Material) -> AttackedDeck | None:
    """The target is reached, and every slide has the title of the first slide that it changes."""
    slides = slides_by_id(open_deck(material.goal))
    titles = [slides[changed.id].shapes.title for changed in material.changed_slides]
    text = next((title.text for title in titles if title is not None), "")
    if not text:
        return None

    titles_by_slide = [s.shapes.title for s in slides.values() if s.shapes.title is not None]
    changed_share = sum(title.text != text for title in titles_by_slide) / len(slides)

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            if slide.shapes.title is not None:
                slide.shapes.title.text = text

    return AttackedDeck(
        material.edit_goal(edit), material.goal, 1 - _RETITLING_DAMAGE * changed_share
    )


@attack("goal, one notes text for all", OVER_EDITING)
def _notes(material: Material) -> AttackedDeck:
    """The target is reached, and all slides have the same notes."""
    text = next((text for _, text in material.requested_notes), material.task.instruction)

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            slide.notes_slide.notes_text_frame.text = text

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.8)


@attack("goal, all pictures enlarged", OVER_EDITING)
def _pictures(material: Material) -> AttackedDeck:
    """The target is reached, and every picture is enlarged by half."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for shape in slide.shapes:
                if shape._element.tag == qn("p:pic"):
                    size = shape.width, shape.height
                    shape.width, shape.height = int(size[0] * 1.5), int(size[1] * 1.5)

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.9)


def _edit_other_shapes(material: Material, change: Callable[[Any, Any], None]) -> bytes:
    """Return the target deck with ``change(slide, element)`` applied to all unrelated shapes."""
    kept_shapes = {changed.id: changed.shapes for changed in material.changed_slides}

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for element in list(shape_elements(slide)):
                if element.tag != qn("p:grpSp") and shape_id(element) not in kept_shapes.get(
                    id, ()
                ):
                    change(slide, element)

    return material.edit_goal(edit)


def _alt_text(material: Material) -> str:
    """Return the first alternative text of a shape that the target changes."""
    slides = slides_by_id(open_deck(material.goal))
    for changed in material.changed_slides:
        for element in shape_elements(slides[changed.id]):
            text = next(element.iter(qn("p:cNvPr"))).get("descr", "")
            if text and shape_id(element) in changed.shapes:
                return str(text)
    return "picture"
