"""Edits of slides and of the entire deck."""

import random
from copy import deepcopy
from typing import Any

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml.ns import qn
from tests.scorer.single_edits import Expected, register_edit

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def _slide(deck: Any, rng: random.Random) -> tuple[int, Any]:
    number = rng.randrange(len(deck.slides)) + 1
    return number, deck.slides[number - 1]


@register_edit("add slide")
def _add(deck: Any, rng: random.Random) -> Expected | None:
    slide = deck.slides.add_slide(_slide(deck, rng)[1].slide_layout)
    if slide.shapes.title is not None:
        slide.shapes.title.text = "A slide that is new"
    return Expected(("slides",))


@register_edit("delete slide")
def _delete(deck: Any, rng: random.Random) -> Expected | None:
    if len(deck.slides) < 2:
        return None
    number, _ = _slide(deck, rng)
    ids = deck.slides._sldIdLst
    deck.part.drop_rel(ids[number - 1].rId)
    ids.remove(ids[number - 1])
    return Expected(("slides",), number)


@register_edit("move slide")
def _move(deck: Any, rng: random.Random) -> Expected | None:
    count = len(deck.slides)
    if count < 3:
        return None
    number = rng.randrange(count - 2) + 1
    ids = deck.slides._sldIdLst
    element = ids[number - 1]
    ids.remove(element)
    ids.append(element)
    return Expected(("order",), number)


@register_edit("layout")
def _layout(deck: Any, rng: random.Random) -> Expected | None:
    number, slide = _slide(deck, rng)
    layouts = list(slide.slide_layout.slide_master.slide_layouts)
    others = [each for each in layouts if each.name != slide.slide_layout.name]
    if not others:
        return None
    for rel in slide.part.rels.values():
        if rel.reltype == RELATIONSHIP_TYPE.SLIDE_LAYOUT:
            rel._target = rng.choice(others).part
    return Expected(("layout",), number)


@register_edit("notes")
def _notes(deck: Any, rng: random.Random) -> Expected | None:
    number, slide = _slide(deck, rng)
    frame = slide.notes_slide.notes_text_frame
    if frame is None:
        return None
    frame.text = f"{frame.text} Say this too."
    return Expected(("notes",), number)


@register_edit("transition")
def _transition(deck: Any, rng: random.Random) -> Expected | None:
    number, slide = _slide(deck, rng)
    root = slide._element
    for old in [e for e in root if _contains(e, "transition")]:
        root.remove(old)
    new = etree.SubElement(root, f"{{{_P}}}transition", spd="slow")
    etree.SubElement(new, f"{{{_P}}}wheel", spokes="3")
    root.remove(new)
    following = next((e for e in root if _contains(e, "timing") or e.tag == qn("p:extLst")), None)
    root.append(new) if following is None else following.addprevious(new)
    return Expected(("transition",), number)


def _contains(element: Any, name: str) -> bool:
    return element.tag == qn(f"p:{name}") or (
        "AlternateContent" in str(element.tag)
        and next(element.iter(f"{{{_P}}}{name}"), None) is not None
    )


@register_edit("animation removed")
def _remove_animation(deck: Any, rng: random.Random) -> Expected | None:
    animated = [
        (number, slide)
        for number, slide in enumerate(deck.slides, start=1)
        if any(node.get("presetClass") for node in slide._element.iter(f"{{{_P}}}cTn"))
    ]
    if not animated:
        return None
    number, slide = rng.choice(animated)
    node = next(n for n in slide._element.iter(f"{{{_P}}}cTn") if n.get("presetClass"))
    effect = node.getparent()
    effect.getparent().remove(effect)
    return Expected(("animation",), number)


@register_edit("hide slide")
def _hide(deck: Any, rng: random.Random) -> Expected | None:
    number, slide = _slide(deck, rng)
    hidden = slide._element.get("show") == "0"
    slide._element.set("show", "1" if hidden else "0")
    return Expected(("visibility",), number)


@register_edit("footer")
def _footer(deck: Any, rng: random.Random) -> Expected | None:
    number, slide = _slide(deck, rng)
    for shape in slide.shapes:
        placeholder = shape._element.find(f".//{{{_P}}}ph")
        if placeholder is not None and placeholder.get("type") == "ftr":
            return None
    placeholders = slide.slide_layout.placeholders
    footer = next((m for m in placeholders if "FOOTER" in str(m.placeholder_format.type)), None)
    if footer is None:
        return None
    copy = deepcopy(footer._element)
    slide.shapes._spTree.append(copy)
    body = copy.find(qn("p:txBody"))
    for paragraph in body.findall(qn("a:p")):
        body.remove(paragraph)
    run = etree.SubElement(etree.SubElement(body, qn("a:p")), qn("a:r"))
    etree.SubElement(run, qn("a:t")).text = "Confidential"
    return Expected(("shapes",), number)


@register_edit("background")
def _background(deck: Any, rng: random.Random) -> Expected | None:
    number, slide = _slide(deck, rng)
    slide.background.fill.solid()
    from pptx.dml.color import RGBColor

    color_type: Any = RGBColor
    slide.background.fill.fore_color.rgb = color_type.from_string("2B5B84")
    return Expected(("background",), number)


@register_edit("slide size")
def _slide_size(deck: Any, rng: random.Random) -> Expected | None:
    deck.slide_width += 914_400
    return Expected(("master",))


def _themes(deck: Any) -> list[Any]:
    return [
        rel.target_part
        for master in deck.slide_masters
        for rel in master.part.rels.values()
        if rel.reltype == RELATIONSHIP_TYPE.THEME
    ]


@register_edit("theme colour")
def _theme_color(deck: Any, rng: random.Random) -> Expected | None:
    slot = rng.choice(("accent1", "accent2", "dk1", "dk2", "lt2"))
    for part in _themes(deck):
        root: Any = etree.fromstring(part.blob)
        scheme = root.find(f".//{{{_A}}}clrScheme/{{{_A}}}{slot}")
        for child in list(scheme):
            scheme.remove(child)
        etree.SubElement(scheme, f"{{{_A}}}srgbClr", val="B3541E")
        part._blob = etree.tostring(root)
    return Expected(("master",))


@register_edit("theme font")
def _theme_font(deck: Any, rng: random.Random) -> Expected | None:
    font_slot = rng.choice(("majorFont", "minorFont"))
    part = next(iter(_themes(deck)))  # every changed master would be reported
    root: Any = etree.fromstring(part.blob)
    root.find(f".//{{{_A}}}{font_slot}/{{{_A}}}latin").set("typeface", "Georgia Pro")
    part._blob = etree.tostring(root)
    return Expected(("master",))


@register_edit("master style")
def _master_style(deck: Any, rng: random.Random) -> Expected | None:
    for master in deck.slide_masters:
        style = master._element.find(f".//{{{_P}}}titleStyle/{{{_A}}}lvl1pPr/{{{_A}}}defRPr")
        if style is not None:
            style.set("sz", str(int(style.get("sz") or 4400) + 700))
            return Expected(("master",))
    return None
