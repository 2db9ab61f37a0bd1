"""Attacks with the slides of a deck: another file, slides and shapes twice or in another order."""

from copy import deepcopy
from typing import Any

from pptx.oxml.ns import qn

from pptarena.tasks.goals import goal_deck, has_goal
from pptarena.tasks.goals.editing import move_slide, open_deck
from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck, attack
from pptarena.tasks.quality.attacks.material import Material
from pptarena.tasks.quality.attacks.tools import add_text_box, slides_by_id
from pptarena.tasks.registry import siblings

__all__ = ["OTHER_FILES", "REPETITION"]

OTHER_FILES: list[Attack] = []
REPETITION: list[Attack] = []

_INCH = 914_400


@attack("goal, every slide twice", REPETITION)
def _twice(material: Material) -> AttackedDeck:
    """The target is reached, and every slide is followed by a copy of its shapes."""
    return AttackedDeck(_duplicate_slides(material), material.goal, 0.3)


@attack("goal, on a copy of the slide", REPETITION)
def _on_a_copy(material: Material) -> AttackedDeck | None:
    """Each changed slide is followed by a copy of the original slide."""
    changed_ids = {changed.id for changed in material.changed_slides if not changed.is_new}
    before = slides_by_id(open_deck(material.original))

    def edit(deck: Any) -> None:
        for number in range(len(deck.slides), 0, -1):
            slide = deck.slides[number - 1]
            if slide.slide_id in changed_ids:
                _copy_slide(deck, before[slide.slide_id], slide, number + 1)

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.8) if changed_ids else None


@attack("goal, every shape twice", REPETITION)
def _shapes_twice(material: Material) -> AttackedDeck:
    """The target is reached, and every shape except placeholders is duplicated in place."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for shape in list(slide.shapes):
                if not shape.is_placeholder and shape._element.tag != qn("p:graphicFrame"):
                    copy = deepcopy(shape._element)
                    shape._element.addnext(copy)
                    next(copy.iter(qn("p:cNvPr"))).set("id", str(9000 + shape.shape_id))

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.8)


@attack("goal, slides in reverse order", REPETITION)
def _reversed(material: Material) -> AttackedDeck:
    """The target is reached, and the slides are in reverse order."""

    def edit(deck: Any) -> None:
        for number in range(2, len(deck.slides) + 1):
            move_slide(deck, number, 1)

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.5)


@attack("goal, its slides cluttered", REPETITION)
def _cluttered(material: Material) -> AttackedDeck | None:
    """The target is reached, and each changed slide has six boxes of made-up words."""
    changed_ids = {changed.id for changed in material.changed_slides}

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for row in range(6) if id in changed_ids else ():
                box = deck.slide_width // 2, row * deck.slide_height // 6, 3 * _INCH, _INCH // 2
                add_text_box(slide, f"Xqvz wkyq {row}", box)

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.7)


def _duplicate_slides(material: Material) -> bytes:
    def edit(deck: Any) -> None:
        for number in range(len(deck.slides), 0, -1):
            slide = deck.slides[number - 1]
            _copy_slide(deck, slide, slide, number + 1)

    return material.edit_goal(edit)


def _copy_slide(deck: Any, source: Any, template: Any, to: int) -> None:
    """Add a slide with the shapes of `source` and the layout and related parts of `like`."""
    copy = deck.slides.add_slide(template.slide_layout)
    for placeholder in list(copy.shapes):
        placeholder._element.getparent().remove(placeholder._element)
    ids = {}
    for id, relation in template.part.rels.items():
        if not relation.reltype.endswith(("/slideLayout", "/notesSlide")):
            ids[id] = _copy_relation(copy.part, relation)
    for shape in source.shapes:
        element = deepcopy(shape._element)
        copy.shapes._spTree.append(element)
        for each in element.iter():
            for name in (qn("r:id"), qn("r:embed"), qn("r:link")):
                if each.get(name) in ids:
                    each.set(name, ids[each.get(name)])
    move_slide(deck, len(deck.slides), to)


def _copy_relation(part: Any, relation: Any) -> str:
    if relation.is_external:
        return str(part.relate_to(relation.target_ref, relation.reltype, is_external=True))
    return str(part.relate_to(relation.target_part, relation.reltype))


@attack("the original", OTHER_FILES)
def _original(material: Material) -> AttackedDeck:
    """Nothing is done at all."""
    return AttackedDeck(material.original)


@attack("another deck", OTHER_FILES)
def _another_deck(material: Material) -> AttackedDeck | None:
    """The file is the deck of another task."""
    others = (task for task in siblings(material.task) if task.deck != material.task.deck)
    other = next(others, None)
    return None if other is None else AttackedDeck(other.deck_bytes())


@attack("another task's goal", OTHER_FILES)
def _another_goal(material: Material) -> AttackedDeck | None:
    """The target of another task on the same deck is reached."""
    for task in siblings(material.task):
        if task.deck == material.task.deck and task.id != material.task.id and has_goal(task):
            return AttackedDeck(goal_deck(task))
    return None
