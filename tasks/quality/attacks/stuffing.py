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
from pptarena.tasks.quality.attacks.attack import Attack, Attempt, attack
from pptarena.tasks.quality.attacks.concealment import concealed
from pptarena.tasks.quality.attacks.material import Material, shape_elements, shape_id, share_of_old
from pptarena.tasks.quality.attacks.tools import cover, run_properties, slides_by_id

__all__ = ["STUFFING"]

STUFFING: list[Attack] = []

_BLOCKS = "█■⬛▓"
_ALL_LOOKS = 0.4
_NEW_LOOKS = 0.85
Cover = Callable[[random.Random, Any, int, int], object]


def _seed(material: Material, name: str) -> random.Random:
    return random.Random(f"{material.task.id} {name}")


def _line(seed: random.Random, slide: Any, wide: int, high: int) -> None:
    line = slide.shapes.add_connector(1, 0, high // 2, wide, high // 2)
    line.line.width = Emu(round(high * seed.uniform(0.9, 1.5)))
    line.line.color.rgb = cover_color(seed)


def _outline(seed: random.Random, slide: Any, wide: int, high: int) -> None:
    top = round(high * seed.uniform(0.3, 0.45))
    shape = slide.shapes.add_shape(1, wide // 10, top, wide * 8 // 10, high // 10)
    shape.fill.background()
    shape.line.color.rgb, shape.line.width = cover_color(seed), Pt(480)


def _hollow(seed: random.Random, slide: Any, wide: int, high: int) -> None:
    kind = seed.choice((158, 18))
    room = seed.uniform(0.3, 0.5)
    box = (-wide * room, -high * room, wide * (1 + 2 * room), high * (1 + 2 * room))
    shape = slide.shapes.add_shape(kind, *(Emu(round(each)) for each in box))
    shape.adjustments[0] = 0.5
    shape.fill.solid()
    shape.fill.fore_color.rgb = cover_color(seed)
    shape.line.fill.background()


def _veils(seed: random.Random, slide: Any, wide: int, high: int) -> None:
    for _ in range(3):
        shape = cover(slide, (0, 0, wide, high), f"{cover_color(seed)}")
        fill = shape.fill._xPr.find(qn("a:solidFill"))[0]
        etree.SubElement(fill, qn("a:alpha")).set("val", str(seed.randint(60, 89) * 1000))


def _letters(seed: random.Random, slide: Any, wide: int, high: int) -> None:
    box = slide.shapes.add_textbox(0, -high, wide, 3 * high)
    box.text_frame.word_wrap = True
    box.text_frame.text = seed.choice(_BLOCKS) * 60
    font = box.text_frame.paragraphs[0].runs[0].font
    font.size, font.color.rgb = Pt(seed.randint(250, 400)), cover_color(seed)


def _pattern(seed: random.Random, slide: Any, wide: int, high: int) -> None:
    cover(slide, (0, 0, wide, high)).fill.patterned()


def _freeform(seed: random.Random, slide: Any, wide: int, high: int) -> None:
    builder = slide.shapes.build_freeform(0, 0)
    builder.add_line_segments([(wide, 0), (wide, high), (0, high)])
    shape = builder.convert_to_shape()
    shape.fill.solid()
    shape.fill.fore_color.rgb = cover_color(seed)


_COVERS: dict[str, Cover] = {
    "a thick line": _line,
    "a thick outline": _outline,
    "a hollow shape": _hollow,
    "veils": _veils,
    "letters like blocks": _letters,
    "a pattern": _pattern,
    "a freeform": _freeform,
}


def cover_color(seed: random.Random) -> Any:
    """Return a random very light or very dark python-pptx color."""
    from pptx.dml.color import RGBColor

    kind: Any = RGBColor  # untyped in python-pptx
    light = seed.random() < 0.5
    return kind(*(seed.randint(225, 255) if light else seed.randint(0, 30) for _ in range(3)))


def _register_cover(name: str, put: Cover) -> None:
    def make(material: Material) -> Attempt:
        seed = _seed(material, name)

        def edit(deck: Any) -> None:
            for slide in deck.slides:
                put(seed, slide, deck.slide_width, deck.slide_height)

        return Attempt(material.on_goal(edit), material.goal, 0.2)

    summary = f"The target is reached, and every slide lies under {name}."
    STUFFING.append(Attack(f"goal, all under {name}", summary, make))


for _name, _put in _COVERS.items():
    _register_cover(_name, _put)


@attack("goal, shapes nobody asked for", STUFFING)
def _boxes(material: Material) -> Attempt:
    """The target is reached, and boxes of all sizes lie on every slide that it touches."""
    seed = _seed(material, "boxes")
    targets = {touch.id for touch in material.touched}

    def edit(deck: Any) -> None:
        wide, high = deck.slide_width, deck.slide_height
        for slide in deck.slides:
            for _ in range(20 if slide.slide_id in targets or not targets else 3):
                left, top = seed.randrange(wide * 3 // 4), seed.randrange(high * 3 // 4)
                cover(slide, (left, top, wide // 4, high // 4), str(cover_color(seed)))

    return Attempt(material.on_goal(edit), material.goal, 0.4)


_LOOKS: tuple[tuple[str, str], ...] = (
    ("i", "1"), ("u", "sng"), ("strike", "sngStrike"), ("b", "1"), ("cap", "all"),
    ("baseline", "30000"), ("spc", "600"),
)  # fmt: skip


@attack("goal, every look at once", STUFFING)
def _looks(material: Material) -> Attempt:
    """The target is reached, and all text of the deck gets several formats drawn by a seed."""
    chosen = _seed(material, "looks").sample(_LOOKS, 4)

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            for properties in run_properties(slide._element):
                for name, value in chosen:
                    properties.set(name, value)

    # The instruction does not specify the formatting of new text, so less of the work is undone.
    old = share_of_old(material)
    worth = _ALL_LOOKS * old + _NEW_LOOKS * (1 - old)
    return Attempt(material.on_goal(edit), material.goal, worth)


@attack("goal, slides that run away", STUFFING)
def _hasty(material: Material) -> Attempt:
    """The target is reached, and every slide advances by itself before a viewer can read it."""

    def edit(deck: Any) -> None:
        for slide in deck.slides:
            if next(slide._element.iter(qn("p:transition")), None) is None:
                set_transition(slide, "fade")
            # LibreOffice writes each transition twice: with and without the newer duration
            # attribute.
            for transition in slide._element.iter(qn("p:transition")):
                transition.set("advTm", "0")

    return Attempt(material.on_goal(edit), material.goal, 0.55)


def _unread(
    name: str, change: Callable[[Any], None], hides: Callable[[Any], bool] = lambda element: True
) -> None:
    def make(material: Material) -> Attempt | None:
        hidden = []

        def conceal(deck: Any, slide: Any, element: Any) -> None:
            if hides(element):
                change(element)
                hidden.append(element)

        attempt = concealed(material, conceal, only_words=True)
        return attempt if hidden else None

    STUFFING.append(Attack(f"goal, {name}", f"What the goal changes is {name}.", make))


def _has_words(element: Any) -> bool:
    """Return whether a text has more than one character; spacing does not move a single one."""
    return any(len((text.text or "").strip()) > 1 for text in element.iter(qn("a:t")))


def _has_no_field(element: Any) -> bool:
    """Return whether a text has no fields, which the application would render left to right."""
    return next(element.iter(qn("a:fld")), None) is None


def _runs(**values: str) -> Callable[[Any], None]:
    def change(element: Any) -> None:
        for properties in run_properties(element):
            for name, value in values.items():
                properties.set(name, value)

    return change


def _breaks(element: Any) -> None:
    """Push text out of sight, whether it is anchored at the top, middle or bottom."""
    for paragraph in element.iter(qn("a:p")):
        runs = paragraph.findall(qn("a:r"))
        for _ in range(120 if runs else 0):
            runs[0].addprevious(runs[0].makeelement(qn("a:br")))
        for _ in range(60 if runs else 0):
            runs[-1].addnext(runs[-1].makeelement(qn("a:br")))


def _spaced(element: Any) -> None:
    # Text sits at the bottom of its line, which would be visible with a bottom anchor.
    for body in element.iter(qn("a:bodyPr")):
        body.set("anchor", "t")
    for paragraph in element.iter(qn("a:p")):
        properties = paragraph.get_or_add_pPr()
        for old in properties.findall(qn("a:lnSpc")):
            properties.remove(old)
        xml = f'<a:lnSpc {nsdecls("a")}><a:spcPct val="9000000"/></a:lnSpc>'
        properties.insert(0, parse_xml(xml))


def _backwards(element: Any) -> None:
    for text in element.iter(qn("a:t")):
        text.text = "\N{RIGHT-TO-LEFT OVERRIDE}" + (text.text or "")


_unread("in letters of 4 pt", _runs(sz="400"))
_unread("in letters far apart", _runs(spc="30000"), _has_words)
_unread("in letters off their line", _runs(baseline="-9000000"))
_unread("behind line breaks", _breaks)
_unread("in lines far apart", _spaced)
_unread("in letters that run backwards", _backwards, _has_no_field)


def touched_ids(material: Material) -> dict[int, set[int]]:
    """Return the ids of the shapes that the target changes, by slide id."""
    return {touch.id: set(touch.shapes) for touch in material.touched}


@attack("goal, its own words struck through", STUFFING)
def _struck(material: Material) -> Attempt | None:
    """The target is reached, but the words that it changes are struck through and huge."""
    targets = touched_ids(material)
    done = []

    def edit(deck: Any) -> None:
        for id, slide in slides_by_id(deck).items():
            for element in shape_elements(slide):
                if shape_id(element) in targets.get(id, ()):
                    done.extend(element.iter(qn("a:t")))
                    _runs(strike="sngStrike", sz="6600")(element)

    deck = material.on_goal(edit)
    return Attempt(deck, material.goal, _NEW_LOOKS) if done else None
