"""Attacks that conceal the work: the changes are invisible, so they are worth nothing."""

import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from pptx.oxml.ns import qn
from pptx.util import Emu

from pptarena.rewards import read_deck
from pptarena.rewards.scored_tree import value_of
from pptarena.tasks.goals.editing import delete_slide, open_deck
from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck, attack
from pptarena.tasks.quality.attacks.material import ChangedSlide, Material, shape_elements, shape_id
from pptarena.tasks.quality.attacks.tools import (
    add_cover,
    garble,
    replace_text,
    restyle_text,
    shape_proxy,
    slides_by_id,
    text_picture,
)
from pptarena.tasks.quality.attacks.uncompressed import edit_uncompressed

__all__ = ["CONCEALMENT", "concealed"]

CONCEALMENT: list[Attack] = []

_INCH = 914_400
_TEXT_TAGS = frozenset((qn("p:sp"), qn("p:graphicFrame")))
Conceal = Callable[[Any, Any, Any], None]


def concealed(
    material: Material, conceal: Conceal, only_text: bool = False, worth: float = 1.0
) -> AttackedDeck | None:
    """Return the target deck with `conceal` applied to all shapes that it changes.

    Args:
        material: The task and its decks.
        conceal: Conceals a shape; its arguments are the deck, the slide and the XML element.
        only_text: Whether to conceal only shapes with text.
        worth: Share of the honest score that the attack deserves.
    """
    targets = {changed.id: changed.shapes for changed in material.changed_slides if changed.shapes}
    hidden = []

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for element in list(shape_elements(slide)):
                is_relevant = _has_text(element) if only_text else _is_visible(element)
                if shape_id(element) in targets.get(id, ()) and is_relevant:
                    conceal(deck, slide, element)
                    hidden.append(element)

    deck = material.edit_goal(edit)
    return AttackedDeck(deck, _baseline(material, only_text), worth) if hidden else None


@attack("goal, off the slide", CONCEALMENT)
def _off_the_slide(material: Material) -> AttackedDeck | None:
    """The changed shapes are moved off the slide."""

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        shape = shape_proxy(slide, element)
        size = shape.width, shape.height
        shape.left, shape.top = Emu(deck.slide_width + _INCH), shape.top
        shape.width, shape.height = size

    return concealed(material, conceal)


@attack("goal, in the background's colour", CONCEALMENT)
def _invisible_colour(material: Material) -> AttackedDeck | None:
    """The changed text has the color of its background."""
    colors = _backgrounds(material.goal)

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        for filled in element.iter(qn("a:tcPr")):
            for fill in filled.findall(qn("a:solidFill")):
                filled.remove(fill)
        for filled in element.iter(qn("p:spPr")):
            for fill in filled.findall(qn("a:solidFill")):
                filled.remove(fill)
            _paint(filled, colors[slide.slide_id])
        for filled in element.iter(qn("a:tcPr")):
            _paint(filled, colors[slide.slide_id])
        restyle_text(element, colors[slide.slide_id])

    return concealed(material, conceal, only_text=True)


@attack("goal, in transparent letters", CONCEALMENT)
def _transparent(material: Material) -> AttackedDeck | None:
    """The changed text has no fill."""
    return concealed(material, lambda deck, slide, element: restyle_text(element, "none"), True)


@attack("goal, in letters of 1 pt", CONCEALMENT)
def _tiny(material: Material) -> AttackedDeck | None:
    """The changed text has a font size of one point."""
    return concealed(material, lambda deck, slide, element: restyle_text(element, None, 1.0), True)


@attack("goal, under another shape", CONCEALMENT)
def _under_a_shape(material: Material) -> AttackedDeck | None:
    """A rectangle covers each changed shape."""
    boxes: list[tuple[int, tuple[int, int, int, int]]] = []

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        shape = shape_proxy(slide, element)
        box = shape.left, shape.top, shape.width, shape.height
        if any(int(transform.get("rot", 0)) for transform in element.iter(qn("a:xfrm"))):
            radius = math.isqrt(shape.width**2 + shape.height**2) // 2  # at any angle
            center = shape.left + shape.width // 2, shape.top + shape.height // 2
            box = center[0] - radius, center[1] - radius, 2 * radius, 2 * radius
        boxes.append((slide.slide_id, box))
        add_cover(slide, box)

    def add_covers(deck: Any) -> None:
        slides = slides_by_id(deck)
        for id, box in boxes:
            add_cover(slides[id], box)

    attacked = concealed(material, conceal)
    if attacked is None or not any(
        requested.is_new_shape for requested in material.requested_texts
    ):
        return attacked
    # If a new shape is requested, such a rectangle may be part of the work.
    return replace(
        attacked, baseline=edit_uncompressed(_revert_shapes(material, keep_slides=True), add_covers)
    )


@attack("goal, hidden", CONCEALMENT)
def _hidden(material: Material) -> AttackedDeck | None:
    """The changed shapes are hidden."""

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        next(element.iter(qn("p:cNvPr"))).set("hidden", "1")

    return concealed(material, conceal)


@attack("goal, pictures over its slides", CONCEALMENT)
def _pictures(material: Material) -> AttackedDeck | None:
    """A picture of its own text covers each changed slide."""
    slides = slides_by_id(open_deck(material.goal))
    shapes_of = {
        changed.id: changed.shapes for changed in material.changed_slides if changed.shapes
    }
    targets = {
        id
        for id, shapes in shapes_of.items()
        if any(_is_visible(each) for each in shape_elements(slides[id]) if shape_id(each) in shapes)
    }
    if not targets:
        return None
    notes = [changed for changed in material.changed_slides if changed.has_notes]

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            if id in targets:
                text = "\n".join(t.text or "" for t in slide._element.iter(qn("a:t")))
                picture = text_picture(text)
                slide.shapes.add_picture(picture, 0, 0, deck.slide_width, deck.slide_height)

    # Notes are not covered, but the slides are destroyed.
    return AttackedDeck(material.edit_goal(edit), _revert_shapes(material), 0.7 if notes else 1.0)


@attack("goal, half of its words garbage", CONCEALMENT)
def _half_garbage(material: Material) -> AttackedDeck | None:
    """Every second word of the changed text is made up."""
    multi_word_count = sum(" " in requested.text for requested in material.requested_texts)
    # If half of the changed shapes hold numbers, single words or no text, garbling does little.
    changed_ids = sum(len(changed.shapes) for changed in material.changed_slides)
    if 2 * multi_word_count <= changed_ids or not _has_new_text(material):
        return None

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        if element.tag == qn("p:sp"):
            lines = ("".join(t.text or "" for t in p.iter(qn("a:t"))) for p in _paragraphs(element))
            replace_text(element, "\n".join(garble(line, 2) for line in lines))
        else:
            # Most cells hold one word, so count words across the table.
            texts = list(element.iter(qn("a:t")))
            cells = garble(" \n ".join(text.text or "" for text in texts), 2).split(" \n ")
            for text, cell in zip(texts, cells, strict=True):
                text.text = cell

    attacked = concealed(material, conceal, only_text=True)
    # Half of the words are right, so half of the difference between the rest and all of the work is
    # deserved.
    return attacked and AttackedDeck(attacked.deck, material.goal, _half_worth(material, attacked))


def _half_worth(material: Material, attacked: AttackedDeck) -> float:
    baseline_score = (
        0.0 if attacked.baseline is None else value_of(material.scorer().score(attacked.baseline))
    )
    return (1 + baseline_score) / 2


def _baseline(material: Material, only_text: bool) -> bytes:
    """Return the target deck without the concealed work, in its best-scoring form."""
    key = "without its words" if only_text else "without its shapes"
    if key not in material.cache:
        material.cache[key] = _best_remainder(material) if only_text else _revert_shapes(material)
    return material.cache[key]


def _best_remainder(material: Material) -> bytes:
    # Charts and pictures of a new slide remain if that scores at least as much as no new slide. New
    # shapes without their text remain too.
    candidates = [_revert_shapes(material, True, keep_slides=keep) for keep in (True, False)]
    if any(requested.is_new_shape for requested in material.requested_texts):
        candidates.append(_without_new_text(material))
    scorer = material.scorer()
    return max(candidates, key=lambda deck: value_of(scorer.score(deck)))


def _without_new_text(material: Material) -> bytes:
    """Return the target deck without text in shapes that it adds to existing slides."""
    before = {s.slide_id: s for s in open_deck(material.original).slides}

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            original_slide = before.get(slide.slide_id)
            old = (
                {shape_id(each) for each in shape_elements(original_slide)}
                if original_slide
                else set()
            )
            for element in shape_elements(slide) if original_slide else ():
                if _has_text(element) and shape_id(element) not in old:
                    replace_text(element, "")

    return edit_uncompressed(material.goal, edit)


def _revert_shapes(
    material: Material, only_text: bool = False, *, keep_slides: bool = False
) -> bytes:
    """Return the target deck with the shapes that it changes reverted.

    Args:
        material: The task and its decks.
        only_text: Whether to revert only shapes with text.
        keep_slides: Whether to keep new slides, without those shapes.
    """
    before = {slide.slide_id: slide for slide in open_deck(material.original).slides}
    changed_ids = {changed.id: changed for changed in material.changed_slides}

    def edit(deck: Any) -> None:
        for number in range(len(deck.slides), 0, -1):
            slide = deck.slides[number - 1]
            changed = changed_ids.get(slide.slide_id)
            if changed is not None and changed.is_new and not keep_slides:
                delete_slide(deck, number)
            elif changed is not None:
                _revert_slide(before.get(slide.slide_id), slide, changed, only_text)

    return edit_uncompressed(material.goal, edit)


def _revert_slide(before: Any, slide: Any, changed: ChangedSlide, only_text: bool) -> None:
    elements = () if before is None else shape_elements(before)
    old = {shape_id(element): element for element in elements}
    for element in list(shape_elements(slide)):
        id = shape_id(element)
        if id not in changed.shapes or (only_text and not _has_text(element)):
            continue
        if id in old:
            element.getparent().replace(element, deepcopy(old[id]))
        else:
            element.getparent().remove(element)


def _has_text(element: Any) -> bool:
    return element.tag in _TEXT_TAGS and any(True for _ in element.iter(qn("a:t")))


def _is_visible(element: Any) -> bool:
    """Return whether a shape shows anything that could be hidden.

    Empty text placeholders show nothing, nor do media placeholders, which LibreOffice saves as
    pictures without an image.
    """
    if element.tag == qn("p:pic"):
        return next(element.iter(qn("a:blip")), None) is not None
    is_placeholder = element.tag == qn("p:sp") and any(True for _ in element.iter(qn("p:ph")))
    return not is_placeholder or any((each.text or "").strip() for each in element.iter(qn("a:t")))


def _has_new_text(material: Material) -> bool:
    before = {slide.id: slide.text for slide in read_deck(material.original).slides}
    return any(
        requested.text not in before[requested.slide] for requested in material.requested_texts
    )


def _paragraphs(element: Any) -> list[Any]:
    return list(element.iter(qn("a:p")))


def _paint(properties: Any, color: str) -> None:
    fill = properties.makeelement(qn("a:solidFill"))
    fill.append(fill.makeelement(qn("a:srgbClr"), {"val": color}))
    position = 0
    for index, child in enumerate(properties):
        if child.tag in (qn("a:xfrm"), qn("a:prstGeom"), qn("a:custGeom")) or child.tag.endswith(
            ("lnL", "lnR", "lnT", "lnB")
        ):
            position = index + 1
    properties.insert(position, fill)


def _backgrounds(deck: bytes) -> dict[int, str]:
    slides = read_deck(deck).slides
    return {slide.id: (slide.background.color or "#FFFFFF").lstrip("#") for slide in slides}
