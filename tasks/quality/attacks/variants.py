"""Legitimate variants: other ways to reach the target. Each deserves exactly the target's score."""

import re
from collections.abc import Callable
from copy import deepcopy
from datetime import datetime
from itertools import count
from typing import Any

from pptx.oxml.ns import qn

from pptarena.rewards import read_deck
from pptarena.tasks.goals.editing import move_slide
from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck, attack
from pptarena.tasks.quality.attacks.material import Material, shape_elements, shape_id
from pptarena.tasks.quality.attacks.tools import shape_proxy, slides_by_id, text_elements

__all__ = ["COMMON_VARIANTS"]

COMMON_VARIANTS: list[Attack] = []

_PX = 9_525
_NAME = qn("p:cNvPr")
_RUN = qn("a:r")
Change = Callable[[Any, Any], None]


def _edit_changed_shapes(material: Material, change: Change) -> AttackedDeck | None:
    """Return the target deck with ``change(slide, element)`` applied to all shapes it changes."""
    targets = {changed.id: changed.shapes for changed in material.changed_slides if changed.shapes}
    if not targets:
        return None

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for element in list(shape_elements(slide)):
                if shape_id(element) in targets.get(id, ()):
                    change(slide, element)

    return AttackedDeck(material.edit_goal(edit), material.goal)


@attack("goal", COMMON_VARIANTS)
def _goal(material: Material) -> AttackedDeck:
    """The target deck itself. It must score 1, or the other variants prove nothing."""
    return AttackedDeck(material.goal, material.goal)


@attack("saved by python-pptx", COMMON_VARIANTS)
def _saved(material: Material) -> AttackedDeck:
    """The target deck is loaded and saved again."""
    return AttackedDeck(material.edit_goal(), material.goal)


@attack("other run splits", COMMON_VARIANTS)
def _split(material: Material) -> AttackedDeck | None:
    """Every run of the changed shapes is split in the middle of its text."""

    def change(slide: Any, element: Any) -> None:
        for run in list(element.iter(qn("a:r"))):
            text = run.find(qn("a:t")).text or ""
            copy = deepcopy(run)
            run.find(qn("a:t")).text = text[: len(text) // 2]
            copy.find(qn("a:t")).text = text[len(text) // 2 :]
            if len(text) > 1:
                run.addnext(copy)
            else:
                run.find(qn("a:t")).text = text

    return _edit_changed_shapes(material, change)


@attack("shape made again", COMMON_VARIANTS)
def _recreated(material: Material) -> AttackedDeck | None:
    """The changed shapes are recreated: other ids and names, the same appearance."""
    numbers = count(700)

    def change(slide: Any, element: Any) -> None:
        id, name = next(numbers), next(element.iter(_NAME))
        old = name.get("id")
        name.set("id", str(id))
        name.set("name", f"Object {id}")
        for target in slide._element.iter(qn("p:spTgt"), qn("p:bldP")):
            if target.get("spid") == old:
                target.set("spid", str(id))
        for end in slide._element.iter(qn("a:stCxn"), qn("a:endCxn")):
            if end.get("id") == old:
                end.set("id", str(id))

    return _edit_changed_shapes(material, change)


@attack("shape made again, on top", COMMON_VARIANTS)
def _on_top(material: Material) -> AttackedDeck | None:
    """The changed shapes are recreated on top, unless they would cover something."""
    covering = _overlapping_shapes(material)

    def change(slide: Any, element: Any) -> None:
        tree = slide.shapes._spTree
        if element.getparent() is tree and (slide.slide_id, shape_id(element)) not in covering:
            tree.remove(element)
            tree.append(element)

    return _edit_changed_shapes(material, change)


@attack("offset of a pixel", COMMON_VARIANTS)
def _one_pixel(material: Material) -> AttackedDeck | None:
    """The changed shapes are moved down and right by one pixel (at 96 dpi)."""
    return _edit_changed_shapes(material, lambda slide, element: _shift(slide, element, _PX))


@attack("offset of two pixels", COMMON_VARIANTS)
def _two_pixels(material: Material) -> AttackedDeck | None:
    """The changed shapes are moved down and right by two pixels (at 96 dpi)."""
    return _edit_changed_shapes(material, lambda slide, element: _shift(slide, element, 2 * _PX))


@attack("slides made again", COMMON_VARIANTS)
def _slides_recreated(material: Material) -> AttackedDeck | None:
    """The changed slides are recreated: a new part, id and relationship."""
    changed_ids = {changed.id for changed in material.changed_slides}

    def edit(deck: Any) -> None:
        numbers = count(9000)
        for entry in deck.slides._sldIdLst:
            if int(entry.get("id")) in changed_ids:
                entry.set("id", str(next(numbers)))

    return AttackedDeck(material.edit_goal(edit), material.goal)


@attack("ids renumbered", COMMON_VARIANTS)
def _renumbered(material: Material) -> AttackedDeck:
    """Every shape of every slide has a different id."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            numbers = {}
            for element in shape_elements(slide):
                name = next(element.iter(_NAME))
                numbers[name.get("id")] = str(int(name.get("id")) + 400)
                name.set("id", numbers[name.get("id")])
            for target in slide._element.iter(qn("p:spTgt"), qn("p:bldP")):
                target.set("spid", numbers[target.get("spid")])
            for end in slide._element.iter(qn("a:stCxn"), qn("a:endCxn")):
                end.set("id", numbers[end.get("id")])

    return AttackedDeck(material.edit_goal(edit), material.goal)


@attack("typographic signs", COMMON_VARIANTS)
def _typographic(material: Material) -> AttackedDeck | None:
    """Straight quotes and dots in the changed shapes are replaced as by autocorrect."""
    if not any(
        set("'\"") & set(requested.text) or "..." in requested.text
        for requested in material.requested_texts
    ):
        return None

    def change(slide: Any, element: Any) -> None:
        for text in text_elements(element):
            text.text = _typographic_text(text.text or "")

    return _edit_changed_shapes(material, change)


@attack("trailing blank", COMMON_VARIANTS)
def _trailing(material: Material) -> AttackedDeck | None:
    """Every paragraph of the changed shapes ends with a space."""
    return _edit_changed_shapes(material, lambda slide, element: _append(element, " "))


@attack("empty paragraph at the end", COMMON_VARIANTS)
def _empty_paragraph(material: Material) -> AttackedDeck | None:
    """The text of the changed shapes ends with an empty paragraph."""

    def change(slide: Any, element: Any) -> None:
        bodies = [*element.iter(qn("p:txBody")), *element.iter(qn("a:txBody"))]
        for body in bodies:
            body.append(body.makeelement(qn("a:p")))

    return _edit_changed_shapes(material, change)


@attack("a title broken by a line break", COMMON_VARIANTS)
def _broken(material: Material) -> AttackedDeck | None:
    """A line break replaces a space in each rewritten title."""
    scope = material.task.scope
    if scope is not None and any(part.words for part in scope.all_parts):
        return None  # If the scope covers single words, a line break is an additional change.
    titles = {s.slide_id: s.shapes.title for s in material.goal_slides}
    if not any(
        changed.shapes
        and (title := titles[changed.id]) is not None
        and " " in title.text
        and title.shape_id in changed.shapes
        for changed in material.changed_slides
    ):
        return None

    def change(slide: Any, element: Any) -> None:
        title = slide.shapes.title
        run = None if title is None or title._element is not element else element.find(f".//{_RUN}")
        before, blank, after = ("",) * 3 if run is None else run.text.rpartition(" ")
        if run is not None and blank:
            second_run = deepcopy(run)
            run.find(qn("a:t")).text, second_run.find(qn("a:t")).text = before, after
            run.addnext(second_run)
            run.addnext(run.makeelement(qn("a:br")))

    return _edit_changed_shapes(material, change)


@attack("other properties of the file", COMMON_VARIANTS)
def _properties(material: Material) -> AttackedDeck:
    """The file has a different author, modification time and view."""

    def edit(deck: Any) -> None:
        deck.core_properties.last_modified_by = "Somebody"
        deck.core_properties.revision = 77
        deck.core_properties.modified = datetime(2031, 2, 3, 4, 5, 6)
        for relation in deck.part.rels.values():
            if relation.reltype.endswith("/viewProps"):
                blob = relation.target_part.blob
                relation.target_part._blob = blob.replace(b"<p:gridSpacing", b"<p:gridSpacing ")

    return AttackedDeck(material.edit_goal(edit), material.goal)


@attack("theme colours for equal ones", COMMON_VARIANTS)
def _theme_colours(material: Material) -> AttackedDeck | None:
    """Theme colors of the changed shapes are replaced by their values, and vice versa."""
    deck = read_deck(material.goal)
    masters = {slide.id: deck.master_of(slide) for slide in deck.slides}

    def change(slide: Any, element: Any) -> None:
        master = masters[slide.slide_id]  # each master has its own theme
        palette = master.colors if master else {}
        names = {value.lstrip("#"): name for name, value in palette.items() if name[:3] == "acc"}
        for color in list(element.iter(qn("a:srgbClr"))):
            name = names.get(color.get("val", "").upper())
            if name is not None and len(color) == 0:
                _replace_color(color, "a:schemeClr", name)
        for color in list(element.iter(qn("a:schemeClr"))):
            value = palette.get(color.get("val", ""))
            if value is not None and len(color) == 0:
                _replace_color(color, "a:srgbClr", value.lstrip("#"))

    return _edit_changed_shapes(material, change)


@attack("slides moved and moved back", COMMON_VARIANTS)
def _moved_and_back(material: Material) -> AttackedDeck:
    """The first slide is moved to the end and back."""

    def edit(deck: Any) -> None:
        move_slide(deck, 1, len(deck.slides))
        move_slide(deck, len(deck.slides), 1)

    return AttackedDeck(material.edit_goal(edit), material.goal)


def _overlapping_shapes(material: Material) -> set[tuple[int, int]]:
    """Return slide and shape ids of the target's shapes that overlap another shape."""
    overlapping = set()
    for slide in material.goal_slides:
        boxes = [(shape.shape_id, shape) for shape in slide.shapes]
        for id, shape in boxes:
            if any(other is not shape and _overlap(shape, other) for _, other in boxes):
                overlapping.add((slide.slide_id, id))
    return overlapping


def _overlap(first: Any, second: Any) -> bool:
    if first.left is None or second.left is None:  # neither slide nor layout defines a position
        return True
    return bool(
        first.left < second.left + second.width
        and second.left < first.left + first.width
        and first.top < second.top + second.height
        and second.top < first.top + first.height
    )


def _shift(slide: Any, element: Any, emu: int) -> None:
    if element.getparent() is not slide.shapes._spTree:
        return
    shape = shape_proxy(slide, element)
    left, top, width, height = shape.left, shape.top, shape.width, shape.height
    if left is None:
        return
    shape.left, shape.top, shape.width, shape.height = left + emu, top + emu, width, height


def _append(element: Any, text: str) -> None:
    for paragraph in element.iter(qn("a:p")):
        texts = list(text_elements(paragraph))
        if texts:
            texts[-1].text = (texts[-1].text or "") + text


def _typographic_text(text: str) -> str:
    """Return a text with typographic punctuation, as inserted by autocorrect."""
    text = re.sub(r"(?<!\S)'", "\N{LEFT SINGLE QUOTATION MARK}", text.replace("...", "…"))
    text = re.sub(r'(?<!\S)"', "\N{LEFT DOUBLE QUOTATION MARK}", text)
    text = text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    return text.replace('"', "\N{RIGHT DOUBLE QUOTATION MARK}")


def _replace_color(color: Any, tag: str, value: str) -> None:
    color.getparent().replace(color, color.makeelement(qn(tag), {"val": value}))
