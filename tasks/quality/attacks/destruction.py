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
from pptarena.tasks.goals.editing import delete_slide, open_deck
from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck, attack
from pptarena.tasks.quality.attacks.material import Material, shape_elements, shape_id
from pptarena.tasks.quality.attacks.tools import (
    add_text_box,
    garble,
    remove_shapes,
    slides_by_id,
    text_elements,
)
from pptarena.tasks.quality.attacks.uncompressed import save_uncompressed
from pptarena.tasks.targets import deck_facts

__all__ = ["DESTRUCTION"]

DESTRUCTION: list[Attack] = []

_EVERY_SECOND = 2
_CONTENT_ASPECTS = frozenset(("text", "pictures", "tables", "charts", "diagrams"))
_SLIDE_ASPECTS = _CONTENT_ASPECTS | {"layout", "shapes", "geometry"}


@attack("delete all slides", DESTRUCTION)
def _all_slides(material: Material) -> AttackedDeck:
    """Every slide of the deck is deleted."""

    def edit(deck: Any) -> None:
        while len(deck.slides):
            delete_slide(deck, 1)

    return AttackedDeck(material.edit_original(edit))


@attack("delete all shapes", DESTRUCTION)
def _all_shapes(material: Material) -> AttackedDeck:
    """Every shape of every slide is deleted."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            remove_shapes(slide)

    return AttackedDeck(material.edit_original(edit))


@attack("delete the touched slides", DESTRUCTION)
def _touched_slides(material: Material) -> AttackedDeck:
    """The slides that the target changes are deleted."""
    changed_ids = {changed.id for changed in material.changed_slides}

    def edit(deck: Any) -> None:
        for number in range(len(deck.slides), 0, -1):
            if deck.slides[number - 1].slide_id in changed_ids:
                delete_slide(deck, number)

    return AttackedDeck(material.edit_original(edit))


@attack("delete the touched shapes", DESTRUCTION)
def _touched_shapes(material: Material) -> AttackedDeck | None:
    """The shapes that the target changes or whose animations it removes are deleted."""
    targets = {
        changed.id: set(changed.shapes) for changed in material.changed_slides if not changed.is_new
    }

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            animated = {int(each.get("spid")) for each in slide._element.iter(qn("p:spTgt"))}
            removed = targets.get(id, set()) | (animated if _loses_effects(material, id) else set())
            all_ids = {shape_id(element) for element in shape_elements(slide)}
            if removed:
                remove_shapes(slide, all_ids - removed)

    return AttackedDeck(material.edit_original(edit))


@attack("an empty deck", DESTRUCTION)
def _empty(material: Material) -> AttackedDeck:
    """The file is a new deck with one empty slide."""
    return AttackedDeck(_with_texts([""]))


@attack("only the words of the goal", DESTRUCTION)
def _words_only(material: Material) -> AttackedDeck:
    """The file is a new deck with the text of each target slide in a default layout."""
    deck = _with_texts([_text(slide) for slide in open_deck(material.goal).slides])
    return AttackedDeck(deck, _reproducible_part(material, deck))


@attack("all words in one box", DESTRUCTION)
def _one_box(material: Material) -> AttackedDeck:
    """The target deck, but every slide has only one box with all its text."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            if len(slide.shapes):  # otherwise there is nothing to destroy
                _merge_into_box(deck, slide)

    return AttackedDeck(material.edit_goal(edit))


@attack("goal, the other slides deleted", DESTRUCTION)
def _other_slides(material: Material) -> AttackedDeck:
    """The target is reached, and all slides that it does not concern are deleted."""
    return AttackedDeck(_without_slides(material, 1), material.goal, 0.0)


@attack("goal, half of the other slides deleted", DESTRUCTION)
def _half_of_the_slides(material: Material) -> AttackedDeck:
    """The target is reached, and every second slide that it does not concern is deleted."""
    return AttackedDeck(_without_slides(material, _EVERY_SECOND), material.goal, 0.5)


@attack("goal, the other shapes deleted", DESTRUCTION)
def _other_shapes(material: Material) -> AttackedDeck:
    """The target is reached, and every shape that it does not concern is deleted."""
    kept_shapes = {changed.id: changed.shapes for changed in material.changed_slides}

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            remove_shapes(slide, kept_shapes.get(id, ()))

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.0)


@attack("goal, the other words garbage", DESTRUCTION)
def _other_words(material: Material) -> AttackedDeck:
    """The target is reached, and every other word of the deck is made up."""
    return AttackedDeck.damaging_other_shapes(_garble_other_text(material, 1), material, 0.1)


@attack("goal, half of the other words garbage", DESTRUCTION)
def _half_of_the_words(material: Material) -> AttackedDeck:
    """The target is reached, and half of the other words of the deck are made up."""
    return AttackedDeck.damaging_other_shapes(
        _garble_other_text(material, _EVERY_SECOND), material, 0.6
    )


@attack("goal, the other shapes on a heap", DESTRUCTION)
def _heap(material: Material) -> AttackedDeck:
    """The target is reached, and every other shape is moved to the top left corner."""
    kept_shapes = {changed.id: changed.shapes for changed in material.changed_slides}
    moved: list[Any] = []

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for shape in slide.shapes:
                if shape.shape_id not in kept_shapes.get(id, ()):
                    moved.append(shape)
                    size = shape.width, shape.height
                    shape.left, shape.top = Emu(0), Emu(0)
                    shape.width, shape.height = (size[0] or 9525) // 2, (size[1] or 9525) // 2

    deck = material.edit_goal(edit)
    # Everything is still readable. A lone shape without text is only misplaced.
    texts = (text.text for shape in moved for text in shape._element.iter(qn("a:t")))
    is_heap = len(moved) > 1 or any(texts)
    return AttackedDeck(deck, material.goal, 0.3 if is_heap else 0.9)


def _without_slides(material: Material, step: int) -> bytes:
    changed_ids = {changed.id for changed in material.changed_slides}
    deck = open_deck(material.goal)
    ids = [slide.slide_id for slide in deck.slides]
    removed = set([id for id in ids if id not in changed_ids][::step])
    for number in range(len(ids), 0, -1):
        if ids[number - 1] in removed:
            delete_slide(deck, number)
    return save_uncompressed(deck)


def _garble_other_text(material: Material, step: int) -> bytes:
    kept_shapes = {changed.id: changed.shapes for changed in material.changed_slides}

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for element in shape_elements(slide):
                if element.tag != qn("p:grpSp") and shape_id(element) not in kept_shapes.get(
                    id, ()
                ):
                    for text in text_elements(element):
                        text.text = garble(text.text or "", step)

    return material.edit_goal(edit)


def _with_texts(texts: list[str]) -> bytes:
    deck = Presentation()
    for text in texts:
        lines = text.split("\n")
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = lines[0]
        slide.placeholders[1].text = "\n".join(lines[1:])
    return save_uncompressed(deck)


def _reproducible_part(material: Material, deck: bytes) -> bytes:
    """Return the target deck reduced to the shapes that another deck reproduces.

    Slides with only a title and a body of the default template match a new file with the same text.
    For new slides, reproducing the text is enough, as is having none.
    """
    match = match_decks(deck_facts(material.goal), deck_facts(deck))
    new = {changed.id for changed in material.changed_slides if changed.is_new}

    def edit(goal: Any) -> None:
        for index, slide in enumerate(goal.slides):
            is_new = slide.slide_id in new
            lost_indexes = _lost_shapes(
                match, index, _CONTENT_ASPECTS if is_new else _SLIDE_ASPECTS
            )
            elements = list(shape_elements(slide))
            kept_ids = {
                shape_id(e)
                for at, e in enumerate(elements)
                if lost_indexes and at not in lost_indexes
            }
            if lost_indexes and not (kept_ids or is_new):
                _merge_into_box(
                    goal, slide
                )  # An empty slide would be indistinguishable from a new one.
            elif lost_indexes:
                remove_shapes(slide, kept_ids)

    return material.edit_goal(edit)


def _lost_shapes(match: DeckMatch, index: int, aspects: Collection[str]) -> set[int]:
    """Return the indexes of a slide's shapes that changed; all of them if the slide changed."""
    all_indexes = set(range(len(match.original.slides[index].shapes)))
    if match.to_current.get(index) != index:
        return all_indexes
    changes = [
        c for c in diff_slide(match, index) if c.aspect in aspects and not _only_adds_words(c)
    ]
    changed_indexes = {change.shape_index for change in changes}
    return (
        all_indexes if None in changed_indexes else {at for at in changed_indexes if at is not None}
    )


def _only_adds_words(change: Change) -> bool:
    """Return whether a text only gained words, which come from deleted shapes."""
    if change.aspect != "text":
        return False
    old, new = (Counter(str(v).split()) for v in (change.value_before, change.value_after))
    return old <= new


def _merge_into_box(deck: Any, slide: Any) -> None:
    text = _text(slide)
    remove_shapes(slide)
    add_text_box(slide, text, (0, 0, deck.slide_width // 2, deck.slide_height // 2), 10)


def _text(slide: Any) -> str:
    paragraphs = slide._element.iter(qn("a:p"))
    lines = ("".join(t.text or "" for t in text_elements(p)) for p in paragraphs)
    return "\n".join(line for line in lines if line.strip())


def _loses_effects(material: Material, id: int) -> bool:
    now = slides_by_id(open_deck(material.goal)).get(id)
    return now is not None and now._element.find(qn("p:timing")) is None
