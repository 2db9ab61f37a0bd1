"""Attacks that conceal the work: the changes are invisible, so they are worth nothing."""

import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

from pptx.oxml.ns import qn
from pptx.util import Emu

from pptarena.rewards import read_deck
from pptarena.rewards.scored import value_of
from pptarena.tasks.goals.editing import delete_slide, opened
from pptarena.tasks.quality.attacks.attack import Attack, Attempt, attack
from pptarena.tasks.quality.attacks.material import Material, Touch, shape_elements, shape_id
from pptarena.tasks.quality.attacks.tools import (
    cover,
    garbled,
    paint_letters,
    proxy,
    rewrite,
    slides_by_id,
    words_picture,
)
from pptarena.tasks.quality.attacks.unpacked import edited

__all__ = ["CONCEALMENT", "concealed"]

CONCEALMENT: list[Attack] = []

_INCH = 914_400
_WORDY = frozenset((qn("p:sp"), qn("p:graphicFrame")))
Conceal = Callable[[Any, Any, Any], None]


def concealed(
    material: Material, conceal: Conceal, only_words: bool = False, worth: float = 1.0
) -> Attempt | None:
    """Return the target deck with `conceal` applied to all shapes that it changes.

    Args:
        material: The task and its decks.
        conceal: Conceals a shape; its arguments are the deck, the slide and the XML element.
        only_words: Whether to conceal only shapes with text.
        worth: Share of the honest score that the attack deserves.
    """
    targets = {touch.id: touch.shapes for touch in material.touched if touch.shapes}
    done = []

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for element in list(shape_elements(slide)):
                wanted = _is_wordy(element) if only_words else _shows(element)
                if shape_id(element) in targets.get(id, ()) and wanted:
                    conceal(deck, slide, element)
                    done.append(element)

    deck = material.on_goal(edit)
    return Attempt(deck, _honest(material, only_words), worth) if done else None


@attack("goal, off the slide", CONCEALMENT)
def _off_the_slide(material: Material) -> Attempt | None:
    """What the goal changes is moved next to the slide."""

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        shape = proxy(slide, element)
        size = shape.width, shape.height
        shape.left, shape.top = Emu(deck.slide_width + _INCH), shape.top
        shape.width, shape.height = size

    return concealed(material, conceal)


@attack("goal, in the background's colour", CONCEALMENT)
def _invisible_colour(material: Material) -> Attempt | None:
    """The text that the target changes gets the color of its background."""
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
        paint_letters(element, colors[slide.slide_id])

    return concealed(material, conceal, only_words=True)


@attack("goal, in transparent letters", CONCEALMENT)
def _transparent(material: Material) -> Attempt | None:
    """The text that the target changes has no fill."""
    return concealed(material, lambda deck, slide, element: paint_letters(element, "none"), True)


@attack("goal, in letters of 1 pt", CONCEALMENT)
def _tiny(material: Material) -> Attempt | None:
    """The text that the target changes is one point high."""
    return concealed(material, lambda deck, slide, element: paint_letters(element, None, 1.0), True)


@attack("goal, under another shape", CONCEALMENT)
def _under_a_shape(material: Material) -> Attempt | None:
    """A rectangle covers what the goal changes."""
    covers: list[tuple[int, tuple[int, int, int, int]]] = []

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        shape = proxy(slide, element)
        box = shape.left, shape.top, shape.width, shape.height
        if any(int(placed.get("rot", 0)) for placed in element.iter(qn("a:xfrm"))):
            reach = math.isqrt(shape.width**2 + shape.height**2) // 2  # at any angle
            middle = shape.left + shape.width // 2, shape.top + shape.height // 2
            box = middle[0] - reach, middle[1] - reach, 2 * reach, 2 * reach
        covers.append((slide.slide_id, box))
        cover(slide, box)

    def put(deck: Any) -> None:
        slides = slides_by_id(deck)
        for id, box in covers:
            cover(slides[id], box)

    found = concealed(material, conceal)
    if found is None or not any(wanted.is_new_shape for wanted in material.wanted):
        return found
    # If a new shape is requested, such a rectangle may be part of the work.
    return replace(found, honest=edited(_reverted(material, keep_slides=True), put))


@attack("goal, hidden", CONCEALMENT)
def _hidden(material: Material) -> Attempt | None:
    """What the goal changes is hidden."""

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        next(element.iter(qn("p:cNvPr"))).set("hidden", "1")

    return concealed(material, conceal)


@attack("goal, pictures over its slides", CONCEALMENT)
def _pictures(material: Material) -> Attempt | None:
    """A picture with the words of each slide covers the slides that the goal changes."""
    slides = slides_by_id(opened(material.goal))
    shapes_of = {touch.id: touch.shapes for touch in material.touched if touch.shapes}
    targets = {
        id
        for id, shapes in shapes_of.items()
        if any(_shows(each) for each in shape_elements(slides[id]) if shape_id(each) in shapes)
    }
    if not targets:
        return None
    notes = [touch for touch in material.touched if touch.has_notes]

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            if id in targets:
                text = "\n".join(t.text or "" for t in slide._element.iter(qn("a:t")))
                picture = words_picture(text)
                slide.shapes.add_picture(picture, 0, 0, deck.slide_width, deck.slide_height)

    # Notes are not covered, but the slides are destroyed.
    return Attempt(material.on_goal(edit), _reverted(material), 0.7 if notes else 1.0)


@attack("goal, half of its words garbage", CONCEALMENT)
def _half_garbage(material: Material) -> Attempt | None:
    """Every second word that the goal puts on slides is made up."""
    several = sum(" " in wanted.text for wanted in material.wanted)
    # If half of the changed shapes hold numbers, single words or no text, garbling does little.
    touched = sum(len(touch.shapes) for touch in material.touched)
    if 2 * several <= touched or not _has_new_words(material):
        return None

    def conceal(deck: Any, slide: Any, element: Any) -> None:
        if element.tag == qn("p:sp"):
            lines = ("".join(t.text or "" for t in p.iter(qn("a:t"))) for p in _paragraphs(element))
            rewrite(element, "\n".join(garbled(line, 2) for line in lines))
        else:
            # Most cells hold one word, so count words across the table.
            texts = list(element.iter(qn("a:t")))
            cells = garbled(" \n ".join(text.text or "" for text in texts), 2).split(" \n ")
            for text, cell in zip(texts, cells, strict=True):
                text.text = cell

    found = concealed(material, conceal, only_words=True)
    # Half of the words are right, so half of the difference between the rest and all of the work is
    # deserved.
    return found and Attempt(found.deck, material.goal, _between(material, found))


def _between(material: Material, found: Attempt) -> float:
    low = 0.0 if found.honest is None else value_of(material.scorer().score(found.honest))
    return (1 + low) / 2


def _honest(material: Material, only_words: bool) -> bytes:
    """Return the target deck without the concealed work, in its best-scoring form."""
    key = "without its words" if only_words else "without its shapes"
    if key not in material.known:
        material.known[key] = _best_left(material) if only_words else _reverted(material)
    return material.known[key]


def _best_left(material: Material) -> bytes:
    # Charts and pictures of a new slide remain if that scores at least as much as no new slide. New
    # shapes without their text remain too.
    ways = [_reverted(material, True, keep_slides=kept) for kept in (True, False)]
    if any(wanted.is_new_shape for wanted in material.wanted):
        ways.append(_emptied(material))
    scorer = material.scorer()
    return max(ways, key=lambda deck: value_of(scorer.score(deck)))


def _emptied(material: Material) -> bytes:
    """Return the target deck without text in shapes that it adds to existing slides."""
    before = {s.slide_id: s for s in opened(material.original).slides}

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            known = before.get(slide.slide_id)
            old = {shape_id(each) for each in shape_elements(known)} if known else set()
            for element in shape_elements(slide) if known else ():
                if _is_wordy(element) and shape_id(element) not in old:
                    rewrite(element, "")

    return edited(material.goal, edit)


def _reverted(material: Material, only_words: bool = False, *, keep_slides: bool = False) -> bytes:
    """Return the target deck with the shapes that it changes reverted.

    Args:
        material: The task and its decks.
        only_words: Whether to revert only shapes with text.
        keep_slides: Whether to keep new slides, without those shapes.
    """
    before = {slide.slide_id: slide for slide in opened(material.original).slides}
    touched = {touch.id: touch for touch in material.touched}

    def edit(deck: Any) -> None:
        for number in range(len(deck.slides), 0, -1):
            slide = deck.slides[number - 1]
            touch = touched.get(slide.slide_id)
            if touch is not None and touch.is_new and not keep_slides:
                delete_slide(deck, number)
            elif touch is not None:
                _revert(before.get(slide.slide_id), slide, touch, only_words)

    return edited(material.goal, edit)


def _revert(before: Any, slide: Any, touch: Touch, only_words: bool) -> None:
    known = () if before is None else shape_elements(before)
    old = {shape_id(element): element for element in known}
    for element in list(shape_elements(slide)):
        id = shape_id(element)
        if id not in touch.shapes or (only_words and not _is_wordy(element)):
            continue
        if id in old:
            element.getparent().replace(element, deepcopy(old[id]))
        else:
            element.getparent().remove(element)


def _is_wordy(element: Any) -> bool:
    return element.tag in _WORDY and any(True for _ in element.iter(qn("a:t")))


def _shows(element: Any) -> bool:
    """Return whether a shape shows anything that could be hidden.

    Empty text placeholders show nothing, nor do media placeholders, which LibreOffice saves as
    pictures without an image.
    """
    if element.tag == qn("p:pic"):
        return next(element.iter(qn("a:blip")), None) is not None
    is_place = element.tag == qn("p:sp") and any(True for _ in element.iter(qn("p:ph")))
    return not is_place or any((each.text or "").strip() for each in element.iter(qn("a:t")))


def _has_new_words(material: Material) -> bool:
    before = {slide.id: slide.text for slide in read_deck(material.original).slides}
    return any(wanted.text not in before[wanted.slide] for wanted in material.wanted)


def _paragraphs(element: Any) -> list[Any]:
    return list(element.iter(qn("a:p")))


def _paint(properties: Any, color: str) -> None:
    fill = properties.makeelement(qn("a:solidFill"))
    fill.append(fill.makeelement(qn("a:srgbClr"), {"val": color}))
    place = 0
    for index, child in enumerate(properties):
        if child.tag in (qn("a:xfrm"), qn("a:prstGeom"), qn("a:custGeom")) or child.tag.endswith(
            ("lnL", "lnR", "lnT", "lnB")
        ):
            place = index + 1
    properties.insert(place, fill)


def _backgrounds(deck: bytes) -> dict[int, str]:
    slides = read_deck(deck).slides
    return {slide.id: (slide.background.color or "#FFFFFF").lstrip("#") for slide in slides}
