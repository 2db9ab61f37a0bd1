"""Edits of slides and of the entire deck."""

import random
from copy import deepcopy
from typing import Any

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml.ns import qn
from tests.scorer.single_edits import Expected, edits

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def _slide(deck: Any, draw: random.Random) -> tuple[int, Any]:
    number = draw.randrange(len(deck.slides)) + 1
    return number, deck.slides[number - 1]


@edits("add slide")
def _add(deck: Any, draw: random.Random) -> Expected | None:
    slide = deck.slides.add_slide(_slide(deck, draw)[1].slide_layout)
    if slide.shapes.title is not None:
        slide.shapes.title.text = "A slide that is new"
    return Expected(("slides",))


@edits("delete slide")
def _delete(deck: Any, draw: random.Random) -> Expected | None:
    if len(deck.slides) < 2:
        return None
    number, _ = _slide(deck, draw)
    ids = deck.slides._sldIdLst
    deck.part.drop_rel(ids[number - 1].rId)
    ids.remove(ids[number - 1])
    return Expected(("slides",), number)


@edits("move slide")
def _move(deck: Any, draw: random.Random) -> Expected | None:
    count = len(deck.slides)
    if count < 3:
        return None
    number = draw.randrange(count - 2) + 1
    ids = deck.slides._sldIdLst
    element = ids[number - 1]
    ids.remove(element)
    ids.append(element)
    return Expected(("order",), number)


@edits("layout")
def _layout(deck: Any, draw: random.Random) -> Expected | None:
    number, slide = _slide(deck, draw)
    layouts = list(slide.slide_layout.slide_master.slide_layouts)
    others = [each for each in layouts if each.name != slide.slide_layout.name]
    if not others:
        return None
    for rel in slide.part.rels.values():
        if rel.reltype == RELATIONSHIP_TYPE.SLIDE_LAYOUT:
            rel._target = draw.choice(others).part
    return Expected(("layout",), number)


@edits("notes")
def _notes(deck: Any, draw: random.Random) -> Expected | None:
    number, slide = _slide(deck, draw)
    frame = slide.notes_slide.notes_text_frame
    if frame is None:
        return None
    frame.text = f"{frame.text} Say this too."
    return Expected(("notes",), number)


@edits("transition")
def _transition(deck: Any, draw: random.Random) -> Expected | None:
    number, slide = _slide(deck, draw)
    root = slide._element
    for old in [e for e in root if _holds(e, "transition")]:
        root.remove(old)
    new = etree.SubElement(root, f"{{{_P}}}transition", spd="slow")
    etree.SubElement(new, f"{{{_P}}}wheel", spokes="3")
    root.remove(new)
    behind = next((e for e in root if _holds(e, "timing") or e.tag == qn("p:extLst")), None)
    root.append(new) if behind is None else behind.addprevious(new)
    return Expected(("transition",), number)


def _holds(element: Any, name: str) -> bool:
    return element.tag == qn(f"p:{name}") or (
        "AlternateContent" in str(element.tag)
        and next(element.iter(f"{{{_P}}}{name}"), None) is not None
    )


@edits("animation removed")
def _still(deck: Any, draw: random.Random) -> Expected | None:
    moving = [
        (number, slide)
        for number, slide in enumerate(deck.slides, start=1)
        if any(node.get("presetClass") for node in slide._element.iter(f"{{{_P}}}cTn"))
    ]
    if not moving:
        return None
    number, slide = draw.choice(moving)
    node = next(n for n in slide._element.iter(f"{{{_P}}}cTn") if n.get("presetClass"))
    effect = node.getparent()
    effect.getparent().remove(effect)
    return Expected(("animation",), number)


@edits("hide slide")
def _hide(deck: Any, draw: random.Random) -> Expected | None:
    number, slide = _slide(deck, draw)
    hidden = slide._element.get("show") == "0"
    slide._element.set("show", "1" if hidden else "0")
    return Expected(("visibility",), number)


@edits("footer")
def _footer(deck: Any, draw: random.Random) -> Expected | None:
    number, slide = _slide(deck, draw)
    for shape in slide.shapes:
        mark = shape._element.find(f".//{{{_P}}}ph")
        if mark is not None and mark.get("type") == "ftr":
            return None
    models = slide.slide_layout.placeholders
    model = next((m for m in models if "FOOTER" in str(m.placeholder_format.type)), None)
    if model is None:
        return None
    copy = deepcopy(model._element)
    slide.shapes._spTree.append(copy)
    body = copy.find(qn("p:txBody"))
    for paragraph in body.findall(qn("a:p")):
        body.remove(paragraph)
    run = etree.SubElement(etree.SubElement(body, qn("a:p")), qn("a:r"))
    etree.SubElement(run, qn("a:t")).text = "Confidential"
    return Expected(("shapes",), number)


@edits("background")
def _background(deck: Any, draw: random.Random) -> Expected | None:
    number, slide = _slide(deck, draw)
    slide.background.fill.solid()
    from pptx.dml.color import RGBColor

    kind: Any = RGBColor
    slide.background.fill.fore_color.rgb = kind.from_string("2B5B84")
    return Expected(("background",), number)


@edits("slide size")
def _size(deck: Any, draw: random.Random) -> Expected | None:
    deck.slide_width += 914_400
    return Expected(("master",))


def _themes(deck: Any) -> list[Any]:
    return [
        rel.target_part
        for master in deck.slide_masters
        for rel in master.part.rels.values()
        if rel.reltype == RELATIONSHIP_TYPE.THEME
    ]


@edits("theme colour")
def _theme_color(deck: Any, draw: random.Random) -> Expected | None:
    slot = draw.choice(("accent1", "accent2", "dk1", "dk2", "lt2"))
    for part in _themes(deck):
        root: Any = etree.fromstring(part.blob)
        scheme = root.find(f".//{{{_A}}}clrScheme/{{{_A}}}{slot}")
        for child in list(scheme):
            scheme.remove(child)
        etree.SubElement(scheme, f"{{{_A}}}srgbClr", val="B3541E")
        part._blob = etree.tostring(root)
    return Expected(("master",))


@edits("theme font")
def _theme_font(deck: Any, draw: random.Random) -> Expected | None:
    which = draw.choice(("majorFont", "minorFont"))
    part = next(iter(_themes(deck)))  # a deck with several masters reports a change of each
    root: Any = etree.fromstring(part.blob)
    root.find(f".//{{{_A}}}{which}/{{{_A}}}latin").set("typeface", "Georgia Pro")
    part._blob = etree.tostring(root)
    return Expected(("master",))


@edits("master style")
def _master_style(deck: Any, draw: random.Random) -> Expected | None:
    for master in deck.slide_masters:
        style = master._element.find(f".//{{{_P}}}titleStyle/{{{_A}}}lvl1pPr/{{{_A}}}defRPr")
        if style is not None:
            style.set("sz", str(int(style.get("sz") or 4400) + 700))
            return Expected(("master",))
    return None
