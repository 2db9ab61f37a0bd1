"""Variants derived from the target deck: the same appearance, different XML.

Each variant edits all suitable objects that the target changes, and deserves the target's score.
"""

import re
from collections.abc import Callable, Collection
from copy import deepcopy
from random import Random
from typing import Any, Final

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.tasks.quality.attacks.attack import Attack, AttackedDeck
from pptarena.tasks.quality.attacks.changed_objects import ObjectType, changed_objects
from pptarena.tasks.quality.attacks.extra import Edit, Extra, ObjectContext
from pptarena.tasks.quality.attacks.material import Material
from pptarena.tasks.quality.attacks.tools import run_properties, text_elements
from pptarena.tasks.quality.attacks.uncompressed import edit_uncompressed

__all__ = ["EQUIVALENTS"]

EQUIVALENTS: list[Attack] = []
"""All variants."""

_TEXT: Final[tuple[ObjectType, ...]] = ("text", "table")
_SHAPES: Final[tuple[ObjectType, ...]] = ("text", "shape", "line", "picture", "table", "chart")
_NOTCHED = {"rightArrow": "notchedRightArrow"}
_P14_NAMESPACE = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_MC_NAMESPACE = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_HOST_URL = re.compile(r"https?://[^/?#]+")


def _variant(
    name: str, object_types: Collection[str], aspects: Collection[str] = ()
) -> Callable[[Edit], Edit]:
    """Register an edit that a viewer does not notice; its docstring becomes the summary."""

    def register(edit: Edit) -> Edit:
        summary = " ".join((edit.__doc__ or "").split())
        change = Extra(
            name, "variant", frozenset(object_types), summary, edit, aspects=frozenset(aspects)
        )
        EQUIVALENTS.append(Attack(name, summary, _make_variant(change), "variant"))
        return edit

    return register


def _make_variant(change: Extra) -> Callable[[Material], AttackedDeck | None]:
    def make(material: Material) -> AttackedDeck | None:
        all_objects = changed_objects(material.original, material.goal)
        objects = [changed_object for changed_object in all_objects if change.fits(changed_object)]
        results = []

        def edit(deck: Any) -> None:
            # Reverse order: an edit may add shapes, which shifts indexes.
            for changed_object in reversed(objects):
                results.append(change.edit(ObjectContext(deck, changed_object, Random(0))))

        if not objects:
            return None
        deck = edit_uncompressed(material.goal, edit)
        return AttackedDeck(deck, material.goal) if any(results) else None

    return make


@_variant("non-breaking spaces", _TEXT)
def _spaces(context: ObjectContext) -> bool:
    """A non-breaking space separates each figure from its unit."""
    return _in_new_lines(
        context, lambda text: re.sub(r"(?<=\d) (?=\S)", "\N{NO-BREAK SPACE}", text)
    )


@_variant("non-breaking hyphens", _TEXT)
def _hyphens(context: ObjectContext) -> bool:
    """Hyphens within words are non-breaking."""
    mark = "\N{NON-BREAKING HYPHEN}"
    return _in_new_lines(context, lambda text: re.sub(r"(?<=\w)-(?=\w)", mark, text))


@_variant("a byte order mark", ("text",))
def _byte_order_mark(context: ObjectContext) -> bool:
    """The first character is U+FEFF, as in text pasted from a file."""
    first = iter([True])
    return _in_new_lines(context, lambda text: f"\ufeff{text}" if next(first, False) else text)


@_variant("shrink on overflow", ("text",))
def _autofit(context: ObjectContext) -> bool:
    """Its text shrinks on overflow, as PowerPoint sets automatically."""
    for body in context.element.iter(qn("a:bodyPr")):
        if len(body):
            return False
        body.append(body.makeelement(qn("a:normAutofit")))
        return True
    return False


@_variant("formatting written out", ("text",))
def _explicit_formatting(context: ObjectContext) -> bool:
    """Size, bold and italic are explicit in every run, as Google Slides writes them."""
    shape = context.object.after
    if shape is None:
        return False
    paragraphs = list(context.element.iter(qn("a:p")))
    if len(paragraphs) != len(shape.paragraphs):
        return False
    for element, facts in zip(paragraphs, shape.paragraphs, strict=True):
        styles = {(r.style.size_pt, r.style.bold, r.style.italic) for r in facts.runs}
        if len(styles) == 1:
            size, bold, italic = styles.pop()
            for properties in run_properties(element):
                properties.set("sz", str(round(size * 100)))
                properties.set("b", str(int(bold)))
                properties.set("i", str(int(italic)))
    return True


@_variant("place written out", ("text", "picture"))
def _explicit_position(context: ObjectContext) -> bool:
    """The position inherited from its layout is explicit."""
    shape = context.shape
    box = shape.left, shape.top, shape.width, shape.height
    if None in box or not shape.is_placeholder:
        return False
    shape.left, shape.top, shape.width, shape.height = box
    return True


@_variant("insets written out", ("text",))
def _explicit_insets(context: ObjectContext) -> bool:
    """The default insets of its text are explicit, unless it is a placeholder."""
    if next(context.element.iter(qn("p:ph")), None) is not None:
        return False
    for body in context.element.iter(qn("a:bodyPr")):
        for name, value in (("lIns", 91_440), ("tIns", 45_720), ("rIns", 91_440), ("bIns", 45_720)):
            if body.get(name) is None:
                body.set(name, str(value))
        return True
    return False


@_variant("a description added", ("picture", "chart", "table"))
def _described(context: ObjectContext) -> bool:
    """It has an alternative text although none was requested."""
    properties = next(context.element.iter(qn("p:cNvPr")))
    if properties.get("descr") or "alt_text" in context.object.aspects:
        return False
    properties.set("descr", "What this slide shows")
    return True


@_variant("marks of the spell checker", _TEXT)
def _spelling(context: ObjectContext) -> bool:
    """Its runs have marks of the spell checker, and its paragraphs have end properties."""
    done = False
    for properties in run_properties(context.element):
        properties.set("dirty", "0")
        properties.set("err", "1")
        done = True
    for paragraph in context.element.iter(qn("a:p")):
        if paragraph.find(qn("a:endParaRPr")) is None and paragraph.find(qn("a:r")) is not None:
            paragraph.append(paragraph.makeelement(qn("a:endParaRPr"), {"lang": "en-US"}))
    return done


@_variant("colors in small letters", _SHAPES)
def _colors(context: ObjectContext) -> bool:
    """Colors are written in lowercase hexadecimal digits."""
    done = False
    for color in context.element.iter(qn("a:srgbClr")):
        done |= color.get("val") != color.get("val").lower()
        color.set("val", color.get("val").lower())
    return done


@_variant("crop rounded", ("picture",))
def _rounded(context: ObjectContext) -> bool:
    """Its crop differs by a tenth of a percent."""
    done = False
    for crop in context.element.iter(qn("a:srcRect")):
        for name, value in crop.attrib.items():
            crop.set(name, str(int(value) + 100))
            done = True
    return done


@_variant("margins of cells written out", ("table",))
def _explicit_margins(context: ObjectContext) -> bool:
    """The default margins of its cells are explicit."""
    for cell in context.element.iter(qn("a:tc")):
        properties = cell.get_or_add_tcPr()
        for name, value in (("marL", 91_440), ("marR", 91_440), ("marT", 45_720), ("marB", 45_720)):
            if properties.get(name) is None:
                properties.set(name, str(value))
    return True


@_variant("defaults of the chart written out", ("chart",))
def _explicit_chart_defaults(context: ObjectContext) -> bool:
    """The defaults for square corners and dates from 1900 are explicit."""
    space = context.shape.chart._chartSpace
    for name, value in (("c:roundedCorners", "0"), ("c:date1904", "0")):
        if space.find(qn(name)) is None:
            space.insert(0, space.makeelement(qn(name), {"val": value}))
    return True


@_variant("notched arrows", ("shape", "text"), aspects=("shapes",))
def _notched(context: ObjectContext) -> bool:
    """New block arrows are notched."""
    done = False
    for geometry in context.element.iter(qn("a:prstGeom")) if context.object.is_new else ():
        if geometry.get("prst") in _NOTCHED:
            geometry.set("prst", _NOTCHED[geometry.get("prst")])
            done = True
    return done


@_variant("a slash after the address", ("text", "shape", "picture"), aspects=("hyperlinks",))
def _slash(context: ObjectContext) -> bool:
    """Addresses that consist only of a host end with a slash."""
    done = False
    for link in context.element.iter(qn("a:hlinkClick")):
        relation = context.slide.part.rels.get(link.get(qn("r:id")))
        if (
            relation is not None
            and relation.is_external
            and _HOST_URL.fullmatch(relation.target_ref)
        ):
            relation._target = f"{relation.target_ref}/"
            done = True
    return done


@_variant("an empty list of effects", ("slide",))
def _empty_timing(context: ObjectContext) -> bool:
    """The slide has an empty list of effects, as PowerPoint leaves it."""
    if context.element.find(qn("p:timing")) is not None:
        return False
    root = '<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"/>'
    xml = f"<p:timing {nsdecls('p')}><p:tnLst><p:par>{root}</p:par></p:tnLst></p:timing>"
    behind = context.element.find(qn("p:extLst"))
    timing = parse_xml(xml)
    context.element.append(timing) if behind is None else behind.addprevious(timing)
    return True


@_variant("empty notes", ("slide",))
def _notes(context: ObjectContext) -> bool:
    """The slide has an empty notes page, as the notes view creates it."""
    if context.slide.has_notes_slide:
        return False
    return context.slide.notes_slide is not None


@_variant("transition in the dialect of PowerPoint 2010", ("slide",), aspects=("transition",))
def _transition(context: ObjectContext) -> bool:
    """The transition is an alternate content block, with and without a duration in milliseconds."""
    found = context.element.find(qn("p:transition"))
    if found is None:
        return False
    names = f'xmlns:mc="{_MC_NAMESPACE}" xmlns:p14="{_P14_NAMESPACE}"'
    content = '<mc:Choice Requires="p14"/><mc:Fallback/>'
    choice = parse_xml(f"<mc:AlternateContent {names}>{content}</mc:AlternateContent>")
    found.addprevious(choice)
    speeds = {"fast": "500", "med": "750", "slow": "1000"}
    timed = deepcopy(found)
    timed.set(f"{{{_P14_NAMESPACE}}}dur", speeds[found.get("spd", "fast")])
    choice[0].append(timed)
    choice[1].append(found)
    return True


def _in_new_lines(context: ObjectContext, change: Callable[[str], str]) -> bool:
    """Change the text of paragraphs that do not occur in the original."""
    original_lines = context.original_lines
    done = False
    for paragraph in context.element.iter(qn("a:p")):
        texts = list(text_elements(paragraph))
        if "".join(text.text or "" for text in texts) in original_lines:
            continue
        for text in texts:
            new = change(text.text or "")
            done |= new != text.text
            text.text = new
    return done
