"""Blind policies on text: colors, sizes, typefaces, spelling, lists, links."""

import re
from collections import Counter
from copy import deepcopy
from statistics import median
from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_COLOR_TYPE
from pptx.oxml.ns import qn
from pptx.util import Pt
from tests.scorer.blind.policy import Policy, bodies, every_shape, policy, runs_of, title_of

from pptarena.decks.visibility.contrast import contrast_ratio

__all__ = ["TEXT"]

TEXT: list[Policy] = []

_MISSPELT = {
    "accomodate": "accommodate", "adress": "address", "beleive": "believe", "calender": "calendar",
    "comittee": "committee", "definately": "definitely", "existance": "existence",
    "goverment": "government", "independant": "independent", "maintainance": "maintenance",
    "neccessary": "necessary", "occured": "occurred", "occurence": "occurrence",
    "posible": "possible", "recieve": "receive", "reccomend": "recommend", "seperate": "separate",
    "succesful": "successful", "teh": "the", "tommorow": "tomorrow", "untill": "until",
    "wich": "which", "writting": "writing",
}  # fmt: skip
_ARABIC = re.compile("[\u0590-\u07ff]")
_FORMULA = re.compile(r"\b(CO|H|O|N|CH|SO|NO)([2-4])(O?)\b")
_PALE = 3.0
_DARK = (0x22, 0x22, 0x22)
_POINTS = 4
_BACK_LINK = re.compile(r"back to (\w+)|^(contents)$", re.IGNORECASE)


@policy("darkens pale text", TEXT)
def _darken(deck: Any) -> None:
    color: Any = RGBColor
    for slide in deck.slides:
        for shape in every_shape(slide.shapes):
            if not shape.has_text_frame or _is_filled(shape):
                continue
            for paragraph in shape.text_frame.paragraphs:
                for run in paragraph.runs:
                    font = run.font.color
                    if font is None or font.type != MSO_COLOR_TYPE.RGB:
                        continue
                    if contrast_ratio(f"#{font.rgb}", "#FFFFFF") < _PALE:
                        font.rgb = color(*_DARK)


def _is_filled(shape: Any) -> bool:
    properties = shape._element.find(qn("p:spPr"))
    fill = None if properties is None else properties.find(qn("a:solidFill"))
    return fill is not None


@policy("corrects common spelling mistakes", TEXT)
def _fix_spelling(deck: Any) -> None:
    for slide in deck.slides:
        for text in slide._element.iter(qn("a:t")):
            for wrong, right in _MISSPELT.items():
                text.text = re.sub(rf"\b{wrong}\b", right, text.text or "")


@policy("sets all texts in one size", TEXT)
def _one_size(deck: Any) -> None:
    frames = [body for slide in deck.slides for body in bodies(slide)]
    sizes = [int(each.get("sz")) for body in frames for each in runs_of(body._element)
             if each.get("sz")]  # fmt: skip
    typical = round(median(sizes)) if sizes else 2000
    for body in frames:
        for each in runs_of(body._element):
            each.set("sz", str(typical))


@policy("sets odd lines in the size of their text", TEXT)
def _even_sizes(deck: Any) -> None:
    for slide in deck.slides:
        for body in bodies(slide):
            sizes = Counter(each.get("sz") for each in runs_of(body._element))
            typical = sizes.most_common(1)[0][0] if sizes else None
            for each in runs_of(body._element):
                if typical is not None:
                    each.set("sz", typical)
                else:
                    each.attrib.pop("sz", None)


@policy("sets all text in the typeface of the theme", TEXT)
def _one_typeface(deck: Any) -> None:
    for slide in deck.slides:
        for each in slide._element.iter(qn("a:rPr"), qn("a:endParaRPr")):
            for name in ("a:latin", "a:ea", "a:cs"):
                for font in each.findall(qn(name)):
                    each.remove(font)


@policy("sets odd lines in the typeface of their text", TEXT)
def _even_typefaces(deck: Any) -> None:
    for slide in deck.slides:
        for body in bodies(slide):
            fonts = [each.find(qn("a:latin")) for each in runs_of(body._element)]
            names = Counter(None if font is None else font.get("typeface") for font in fonts)
            typical = names.most_common(1)[0][0] if names else None
            for font in fonts:
                if font is not None and typical is not None:
                    font.set("typeface", typical)
                elif font is not None:
                    font.getparent().remove(font)


@policy("shortens long lists to four points", TEXT, is_safe=False)
def _shorten(deck: Any) -> None:
    for slide in deck.slides:
        for body in bodies(slide):
            for paragraph in body.text_frame.paragraphs[_POINTS:]:
                paragraph._p.getparent().remove(paragraph._p)


@policy("moves points beyond the fourth into the notes", TEXT, is_safe=False)
def _into_notes(deck: Any) -> None:
    for slide in deck.slides:
        for body in bodies(slide):
            surplus = body.text_frame.paragraphs[_POINTS:]
            frame = slide.notes_slide.notes_text_frame if surplus else None
            if frame is None:
                continue
            frame.text = "\n".join([frame.text, *(each.text for each in surplus)]).strip()
            for paragraph in surplus:
                paragraph._p.getparent().remove(paragraph._p)


@policy("numbers all lists", TEXT)
def _number_lists(deck: Any) -> None:
    for slide in deck.slides:
        for body in bodies(slide):
            for paragraph in body.text_frame.paragraphs:
                properties = paragraph._p.get_or_add_pPr()
                for name in ("a:buNone", "a:buChar", "a:buAutoNum"):
                    for old in properties.findall(qn(name)):
                        properties.remove(old)
                numbering = properties.makeelement(qn("a:buAutoNum"), {"type": "arabicPeriod"})
                properties.append(numbering)


@policy("sets Arabic and Hebrew right to left", TEXT)
def _right_to_left(deck: Any) -> None:
    for slide in deck.slides:
        for shape in every_shape(slide.shapes):
            for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
                if _ARABIC.search(paragraph.text):
                    paragraph._p.get_or_add_pPr().set("rtl", "1")
                    paragraph._p.get_or_add_pPr().set("algn", "r")


@policy("makes all text horizontal", TEXT)
def _horizontal_text(deck: Any) -> None:
    for slide in deck.slides:
        for body in slide._element.iter(qn("a:bodyPr")):
            body.attrib.pop("vert", None)


@policy("sets the figures of formulas as subscripts", TEXT)
def _subscripts(deck: Any) -> None:
    for slide in deck.slides:
        for run in list(slide._element.iter(qn("a:r"))):
            _split_formula(run)


def _split_formula(run: Any) -> None:
    match = _FORMULA.search(run.t.text or "")
    if match is None:
        return
    text, at = run.t.text, match.start(2)
    subscript, rest = deepcopy(run), deepcopy(run)
    run.t.text, subscript.t.text, rest.t.text = text[:at], text[at], text[at + 1 :]
    subscript.get_or_add_rPr().set("baseline", "-25000")
    run.addnext(subscript)
    subscript.addnext(rest)
    _split_formula(rest)


@policy("corrects malformed URL schemes", TEXT)
def _fix_urls(deck: Any) -> None:
    for slide in deck.slides:
        for relation in slide.part.rels.values():
            if relation.is_external and ":" in relation._target:
                path = relation._target.partition("://")[2]
                if path and not relation._target.startswith(("http://", "https://", "mailto:")):
                    relation._target = f"https://{path}"


@policy("links lines of contents to their slides", TEXT)
def _link_contents(deck: Any) -> None:
    slides_by_title = {title_of(slide).lower(): slide for slide in reversed(list(deck.slides))}
    for slide in deck.slides:
        for shape in slide.shapes:
            text = shape.text_frame.text.strip().lower() if shape.has_text_frame else ""
            target = slides_by_title.get(text)
            if target is not None and target is not slide:
                shape.click_action.target_slide = target


@policy("links navigation boxes to their slides", TEXT)
def _link_back(deck: Any) -> None:
    titles = [(title_of(slide).lower(), slide) for slide in deck.slides]
    for slide in deck.slides:
        for shape in slide.shapes:
            match = (
                _BACK_LINK.search(shape.text_frame.text.strip()) if shape.has_text_frame else None
            )
            name = (match[1] or match[2]).lower() if match else ""
            target = next((s for title, s in titles if name and title.startswith(name)), None)
            if target is not None and target is not slide:
                shape.click_action.target_slide = target


@policy("makes titles not bold", TEXT)
def _titles_not_bold(deck: Any) -> None:
    for master in deck.slide_masters:
        for style in master._element.iter(qn("p:titleStyle")):
            for each in style.iter(qn("a:defRPr")):
                each.set("b", "0")


@policy("makes titles bold and 32 pt", TEXT)
def _even_titles(deck: Any) -> None:
    for slide in deck.slides:
        shape = slide.shapes.title
        for paragraph in () if shape is None else shape.text_frame.paragraphs:
            for run in paragraph.runs:
                run.font.bold, run.font.size = True, Pt(32)
