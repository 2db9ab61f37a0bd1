"""Attacks that destroy the deck, or everything except the work."""

from collections import Counter
from collections.abc import Collection
from typing import Any

from pptx import Presentation
from pptx.oxml.ns import qn
from pptx.util import Emu

from pptarena.decks.diff.change import Change
from pptarena.decks.diff.compare import diff_slide
from pptarena.decks.match.decks import DeckMatch, match_decks
from pptarena.tasks.goals.editing import delete_slide, opened
from pptarena.tasks.quality.attacks.attack import Attack, Attempt, attack
from pptarena.tasks.quality.attacks.material import Material, shape_elements, shape_id
from pptarena.tasks.quality.attacks.tools import (
    add_words,
    garbled,
    remove_shapes,
    slides_by_id,
    text_elements,
)
from pptarena.tasks.quality.attacks.unpacked import saved
from pptarena.tasks.targets import deck_facts

__all__ = ["DESTRUCTION"]

DESTRUCTION: list[Attack] = []

_SEVERAL = 2
_OF_NEW = frozenset(("text", "pictures", "tables", "charts", "diagrams"))
_OF_SLIDES = _OF_NEW | {"layout", "shapes", "geometry"}


@attack("delete all slides", DESTRUCTION)
def _all_slides(material: Material) -> Attempt:
    """Every slide of the deck is deleted."""

    def edit(deck: Any) -> None:
        while len(deck.slides):
            delete_slide(deck, 1)

    return Attempt(material.on_original(edit))


@attack("delete all shapes", DESTRUCTION)
def _all_shapes(material: Material) -> Attempt:
    """Every shape of every slide is deleted."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            remove_shapes(slide)

    return Attempt(material.on_original(edit))


@attack("delete the touched slides", DESTRUCTION)
def _touched_slides(material: Material) -> Attempt:
    """The slides that the goal changes are deleted."""
    touched = {touch.id for touch in material.touched}

    def edit(deck: Any) -> None:
        for number in range(len(deck.slides), 0, -1):
            if deck.slides[number - 1].slide_id in touched:
                delete_slide(deck, number)

    return Attempt(material.on_original(edit))


@attack("delete the touched shapes", DESTRUCTION)
def _touched_shapes(material: Material) -> Attempt | None:
    """The shapes that the goal changes, or that move on slides that it touches, are deleted."""
    targets = {touch.id: set(touch.shapes) for touch in material.touched if not touch.is_new}

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            moving = {int(each.get("spid")) for each in slide._element.iter(qn("p:spTgt"))}
            gone = targets.get(id, set()) | (moving if _loses_effects(material, id) else set())
            every = {shape_id(element) for element in shape_elements(slide)}
            if gone:
                remove_shapes(slide, every - gone)

    return Attempt(material.on_original(edit))


@attack("an empty deck", DESTRUCTION)
def _empty(material: Material) -> Attempt:
    """The file is another one, with one empty slide."""
    return Attempt(_with_texts([""]))


@attack("only the words of the goal", DESTRUCTION)
def _words_only(material: Material) -> Attempt:
    """The file is a new one: each slide of the goal as plain text in a layout of its own."""
    deck = _with_texts([_text(slide) for slide in opened(material.goal).slides])
    return Attempt(deck, _come_back(material, deck))


@attack("all words in one box", DESTRUCTION)
def _one_box(material: Material) -> Attempt:
    """The goal, but on every slide all text stands in one box and all else is gone."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            if len(slide.shapes):  # otherwise there is nothing to destroy
                _boxed(deck, slide)

    return Attempt(material.on_goal(edit))


@attack("goal, the other slides deleted", DESTRUCTION)
def _other_slides(material: Material) -> Attempt:
    """The target is reached, and all slides that it does not concern are deleted."""
    return Attempt(_without_slides(material, 1), material.goal, 0.0)


@attack("goal, half of the other slides deleted", DESTRUCTION)
def _half_of_the_slides(material: Material) -> Attempt:
    """The target is reached, and every second slide that it does not concern is deleted."""
    return Attempt(_without_slides(material, _SEVERAL), material.goal, 0.5)


@attack("goal, the other shapes deleted", DESTRUCTION)
def _other_shapes(material: Material) -> Attempt:
    """The target is reached, and every shape that it does not concern is deleted."""
    keep = {touch.id: touch.shapes for touch in material.touched}

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            remove_shapes(slide, keep.get(id, ()))

    return Attempt(material.on_goal(edit), material.goal, 0.0)


@attack("goal, the other words garbage", DESTRUCTION)
def _other_words(material: Material) -> Attempt:
    """The target is reached, and every other word of the deck is made up."""
    return Attempt.at_others(_with_garbage(material, 1), material, 0.1)


@attack("goal, half of the other words garbage", DESTRUCTION)
def _half_of_the_words(material: Material) -> Attempt:
    """The target is reached, and half of the other words of the deck are made up."""
    return Attempt.at_others(_with_garbage(material, _SEVERAL), material, 0.6)


@attack("goal, the other shapes on a heap", DESTRUCTION)
def _heap(material: Material) -> Attempt:
    """The target is reached, and every other shape is moved to the top left corner."""
    keep = {touch.id: touch.shapes for touch in material.touched}
    moved: list[Any] = []

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for shape in slide.shapes:
                if shape.shape_id not in keep.get(id, ()):
                    moved.append(shape)
                    size = shape.width, shape.height
                    shape.left, shape.top = Emu(0), Emu(0)
                    shape.width, shape.height = (size[0] or 9525) // 2, (size[1] or 9525) // 2

    deck = material.on_goal(edit)
    # Everything is still readable. A lone shape without text is only misplaced.
    texts = (text.text for shape in moved for text in shape._element.iter(qn("a:t")))
    is_heap = len(moved) > 1 or any(texts)
    return Attempt(deck, material.goal, 0.3 if is_heap else 0.9)


def _without_slides(material: Material, every: int) -> bytes:
    touched = {touch.id for touch in material.touched}
    deck = opened(material.goal)
    ids = [slide.slide_id for slide in deck.slides]
    gone = set([id for id in ids if id not in touched][::every])
    for number in range(len(ids), 0, -1):
        if ids[number - 1] in gone:
            delete_slide(deck, number)
    return saved(deck)


def _with_garbage(material: Material, every: int) -> bytes:
    keep = {touch.id: touch.shapes for touch in material.touched}

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for element in shape_elements(slide):
                if element.tag != qn("p:grpSp") and shape_id(element) not in keep.get(id, ()):
                    for text in text_elements(element):
                        text.text = garbled(text.text or "", every)

    return material.on_goal(edit)


def _with_texts(texts: list[str]) -> bytes:
    deck = Presentation()
    for text in texts:
        lines = text.split("\n")
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = lines[0]
        slide.placeholders[1].text = "\n".join(lines[1:])
    return saved(deck)


def _come_back(material: Material, deck: bytes) -> bytes:
    """Return the target deck reduced to the shapes that another deck reproduces.

    Slides with only a title and a body of the default template match a new file with the same text.
    For new slides, reproducing the text is enough, as is having none.
    """
    match = match_decks(deck_facts(material.goal), deck_facts(deck))
    new = {touch.id for touch in material.touched if touch.is_new}

    def edit(goal: Any) -> None:
        for index, slide in enumerate(goal.slides):
            is_new = slide.slide_id in new
            lost = _lost(match, index, _OF_NEW if is_new else _OF_SLIDES)
            elements = list(shape_elements(slide))
            kept = {shape_id(e) for at, e in enumerate(elements) if lost and at not in lost}
            if lost and not (kept or is_new):
                _boxed(goal, slide)  # An empty slide would be indistinguishable from a new one.
            elif lost:
                remove_shapes(slide, kept)

    return material.on_goal(edit)


def _lost(match: DeckMatch, index: int, aspects: Collection[str]) -> set[int]:
    """Return the indexes of a slide's shapes that changed; all of them if the slide changed."""
    every = set(range(len(match.original.slides[index].shapes)))
    if match.to_current.get(index) != index:
        return every
    changes = [c for c in diff_slide(match, index) if c.aspect in aspects and not _says_more(c)]
    found = {change.shape_index for change in changes}
    return every if None in found else {at for at in found if at is not None}


def _says_more(change: Change) -> bool:
    """Return whether a text only gained words, which come from deleted shapes."""
    if change.aspect != "text":
        return False
    old, new = (Counter(str(v).split()) for v in (change.value_before, change.value_after))
    return old <= new


def _boxed(deck: Any, slide: Any) -> None:
    text = _text(slide)
    remove_shapes(slide)
    add_words(slide, text, (0, 0, deck.slide_width // 2, deck.slide_height // 2), 10)


def _text(slide: Any) -> str:
    paragraphs = slide._element.iter(qn("a:p"))
    lines = ("".join(t.text or "" for t in text_elements(p)) for p in paragraphs)
    return "\n".join(line for line in lines if line.strip())


def _loses_effects(material: Material, id: int) -> bool:
    now = slides_by_id(opened(material.goal)).get(id)
    return now is not None and now._element.find(qn("p:timing")) is None
