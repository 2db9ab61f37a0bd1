"""Generated attacks: unrequested formatting, shapes that cover slides, text pushed out of sight.

Sizes, colors and positions are drawn with the task's id as the seed: they differ between tasks and
are reproducible.
"""

import random
from collections.abc import Callable
from typing import Any

from lxml import etree
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Emu, Pt

from pptarena.tasks.goals.editing import set_transition
from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck, attack
from pptarena.tasks.quality.attacks.concealment import concealed
from pptarena.tasks.quality.attacks.material import (
    Material,
    shape_elements,
    shape_id,
    share_of_original_words,
)
from pptarena.tasks.quality.attacks.tools import add_cover, run_properties, slides_by_id

__all__ = ["STUFFING"]

STUFFING: list[Attack] = []

_BLOCK_CHARACTERS = "█■⬛▓"
_WORTH_OF_RESTYLED = 0.4
_WORTH_OF_RESTYLED_NEW = 0.85
Cover = Callable[[random.Random, Any, int, int], object]


def _rng(material: Material, name: str) -> random.Random:
    return random.Random(f"{material.task.id} {name}")


def _line(rng: random.Random, slide: Any, width: int, height: int) -> None:
    line = slide.shapes.add_connector(1, 0, height // 2, width, height // 2)
    line.line.width = Emu(round(height * rng.uniform(0.9, 1.5)))
    line.line.color.rgb = cover_color(rng)


def _outline(rng: random.Random, slide: Any, width: int, height: int) -> None:
    top = round(height * rng.uniform(0.3, 0.45))
    shape = slide.shapes.add_shape(1, width // 10, top, width * 8 // 10, height // 10)
    shape.fill.background()
    shape.line.color.rgb, shape.line.width = cover_color(rng), Pt(480)


def _hollow(rng: random.Random, slide: Any, width: int, height: int) -> None:
    shape_type = rng.choice((158, 18))
    margin = rng.uniform(0.3, 0.5)
    box = (-width * margin, -height * margin, width * (1 + 2 * margin), height * (1 + 2 * margin))
    shape = slide.shapes.add_shape(shape_type, *(Emu(round(each)) for each in box))
    shape.adjustments[0] = 0.5
    shape.fill.solid()
    shape.fill.fore_color.rgb = cover_color(rng)
    shape.line.fill.background()


def _translucent_covers(rng: random.Random, slide: Any, width: int, height: int) -> None:
    for _ in range(3):
        shape = add_cover(slide, (0, 0, width, height), f"{cover_color(rng)}")
        fill = shape.fill._xPr.find(qn("a:solidFill"))[0]
        etree.SubElement(fill, qn("a:alpha")).set("val", str(rng.randint(60, 89) * 1000))


def _block_characters(rng: random.Random, slide: Any, width: int, height: int) -> None:
    box = slide.shapes.add_textbox(0, -height, width, 3 * height)
    box.text_frame.word_wrap = True
    box.text_frame.text = rng.choice(_BLOCK_CHARACTERS) * 60
    font = box.text_frame.paragraphs[0].runs[0].font
    font.size, font.color.rgb = Pt(rng.randint(250, 400)), cover_color(rng)


def _pattern(rng: random.Random, slide: Any, width: int, height: int) -> None:
    add_cover(slide, (0, 0, width, height)).fill.patterned()


def _freeform(rng: random.Random, slide: Any, width: int, height: int) -> None:
    builder = slide.shapes.build_freeform(0, 0)
    builder.add_line_segments([(width, 0), (width, height), (0, height)])
    shape = builder.convert_to_shape()
    shape.fill.solid()
    shape.fill.fore_color.rgb = cover_color(rng)


_COVER_FUNCTIONS: dict[str, Cover] = {
    "a thick line": _line,
    "a thick outline": _outline,
    "a hollow shape": _hollow,
    "veils": _translucent_covers,
    "letters like blocks": _block_characters,
    "a pattern": _pattern,
    "a freeform": _freeform,
}


def cover_color(rng: random.Random) -> Any:
    """Return a random very light or very dark python-pptx color."""
    from pptx.dml.color import RGBColor

    color_type: Any = RGBColor  # untyped in python-pptx
    is_light = rng.random() < 0.5
    return color_type(
        *(rng.randint(225, 255) if is_light else rng.randint(0, 30) for _ in range(3))
    )


def _register_cover(name: str, add: Cover) -> None:
    def make(material: Material) -> AttackedDeck:
        rng = _rng(material, name)

        def edit(deck: Any) -> None:
            for slide in deck.slides:
                add(rng, slide, deck.slide_width, deck.slide_height)

        return AttackedDeck(material.edit_goal(edit), material.goal, 0.2)

    summary = f"The target is reached, and every slide is covered by {name}."
    STUFFING.append(Attack(f"goal, all under {name}", summary, make))


for _name, _put in _COVER_FUNCTIONS.items():
    _register_cover(_name, _put)


@attack("goal, shapes nobody asked for", STUFFING)
def _boxes(material: Material) -> AttackedDeck:
    """The target is reached, and every changed slide is full of colored boxes."""
    rng = _rng(material, "boxes")
    targets = {changed.id for changed in material.changed_slides}

    def edit(deck: Any) -> None:
        width, height = deck.slide_width, deck.slide_height
        for slide in deck.slides:
            for _ in range(20 if slide.slide_id in targets or not targets else 3):
                left, top = rng.randrange(width * 3 // 4), rng.randrange(height * 3 // 4)
                add_cover(slide, (left, top, width // 4, height // 4), str(cover_color(rng)))

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.4)


_FORMATS: tuple[tuple[str, str], ...] = (
    ("i", "1"), ("u", "sng"), ("strike", "sngStrike"), ("b", "1"), ("cap", "all"),
    ("baseline", "30000"), ("spc", "600"),
)  # fmt: skip


@attack("goal, every look at once", STUFFING)
def _random_formats(material: Material) -> AttackedDeck:
    """The target is reached, and all text of the deck has several random formats."""
    formats = _rng(material, "looks").sample(_FORMATS, 4)

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for properties in run_properties(slide._element):
                for name, value in formats:
                    properties.set(name, value)

    # The instruction does not specify the formatting of new text, so less of the work is undone.
    original_share = share_of_original_words(material)
    worth = _WORTH_OF_RESTYLED * original_share + _WORTH_OF_RESTYLED_NEW * (1 - original_share)
    return AttackedDeck(material.edit_goal(edit), material.goal, worth)


@attack("goal, slides that run away", STUFFING)
def _hasty(material: Material) -> AttackedDeck:
    """The target is reached, and every slide advances automatically before it can be read."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            if next(slide._element.iter(qn("p:transition")), None) is None:
                set_transition(slide, "fade")
            # LibreOffice writes each transition twice: with and without the newer duration
            # attribute.
            for transition in slide._element.iter(qn("p:transition")):
                transition.set("advTm", "0")

    return AttackedDeck(material.edit_goal(edit), material.goal, 0.55)


def _register_unreadable(
    name: str, change: Callable[[Any], None], hides: Callable[[Any], bool] = lambda element: True
) -> None:
    def make(material: Material) -> AttackedDeck | None:
        hidden = []

        def conceal(deck: Any, slide: Any, element: Any) -> None:
            if hides(element):
                change(element)
                hidden.append(element)

        attacked = concealed(material, conceal, only_text=True)
        return attacked if hidden else None

    STUFFING.append(Attack(f"goal, {name}", f"The changed text is {name}.", make))


def _has_several_characters(element: Any) -> bool:
    """Return whether a text has more than one character; spacing does not move a single one."""
    return any(len((text.text or "").strip()) > 1 for text in element.iter(qn("a:t")))


def _has_no_field(element: Any) -> bool:
    """Return whether a text has no fields, which the application would render left to right."""
    return next(element.iter(qn("a:fld")), None) is None


def _set_run_properties(**values: str) -> Callable[[Any], None]:
    def change(element: Any) -> None:
        for properties in run_properties(element):
            for name, value in values.items():
                properties.set(name, value)

    return change


def _add_line_breaks(element: Any) -> None:
    """Push text out of sight, whether it is anchored at the top, middle or bottom."""
    for paragraph in element.iter(qn("a:p")):
        runs = paragraph.findall(qn("a:r"))
        for _ in range(120 if runs else 0):
            runs[0].addprevious(runs[0].makeelement(qn("a:br")))
        for _ in range(60 if runs else 0):
            runs[-1].addnext(runs[-1].makeelement(qn("a:br")))


def _space_lines(element: Any) -> None:
    # Text sits at the bottom of its line, which would be visible with a bottom anchor.
    for body in element.iter(qn("a:bodyPr")):
        body.set("anchor", "t")
    for paragraph in element.iter(qn("a:p")):
        properties = paragraph.get_or_add_pPr()
        for old in properties.findall(qn("a:lnSpc")):
            properties.remove(old)
        xml = f'<a:lnSpc {nsdecls("a")}><a:spcPct val="9000000"/></a:lnSpc>'
        properties.insert(0, parse_xml(xml))


def _reverse_direction(element: Any) -> None:
    for text in element.iter(qn("a:t")):
        text.text = "\N{RIGHT-TO-LEFT OVERRIDE}" + (text.text or "")


_register_unreadable("in letters of 4 pt", _set_run_properties(sz="400"))
_register_unreadable(
    "in letters far apart", _set_run_properties(spc="30000"), _has_several_characters
)
_register_unreadable("in letters off their line", _set_run_properties(baseline="-9000000"))
_register_unreadable("behind line breaks", _add_line_breaks)
_register_unreadable("in lines far apart", _space_lines)
_register_unreadable("in letters that run backwards", _reverse_direction, _has_no_field)


def changed_ids(material: Material) -> dict[int, set[int]]:
    """Return the ids of the shapes that the target changes, by slide id."""
    return {changed.id: set(changed.shapes) for changed in material.changed_slides}


@attack("goal, its own words struck through", STUFFING)
def _struck(material: Material) -> AttackedDeck | None:
    """The target is reached, but the changed text is struck through and huge."""
    targets = changed_ids(material)
    texts = []

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for element in shape_elements(slide):
                if shape_id(element) in targets.get(id, ()):
                    texts.extend(element.iter(qn("a:t")))
                    _set_run_properties(strike="sngStrike", sz="6600")(element)

    deck = material.edit_goal(edit)
    return AttackedDeck(deck, material.goal, _WORTH_OF_RESTYLED_NEW) if texts else None
