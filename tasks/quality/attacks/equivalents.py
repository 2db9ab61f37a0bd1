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

from pptarena.tasks.quality.attacks.attack import Attack, Attempt
from pptarena.tasks.quality.attacks.extra import Edit, Extra, Scene
from pptarena.tasks.quality.attacks.material import Material
from pptarena.tasks.quality.attacks.tools import run_properties, text_elements
from pptarena.tasks.quality.attacks.touched import ObjectType, touched_objects
from pptarena.tasks.quality.attacks.unpacked import edited

__all__ = ["EQUIVALENTS"]

EQUIVALENTS: list[Attack] = []
"""All variants."""

_TEXT: Final[tuple[ObjectType, ...]] = ("text", "table")
_SHAPES: Final[tuple[ObjectType, ...]] = ("text", "shape", "line", "picture", "table", "chart")
_NOTCHED = {"rightArrow": "notchedRightArrow"}
_DRAWN = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_CHOICE = "http://schemas.openxmlformats.org/markup-compatibility/2006"
_HOST = re.compile(r"https?://[^/?#]+")


def _equal(name: str, on: Collection[str], aspects: Collection[str] = ()) -> Callable[[Edit], Edit]:
    """Register an edit that a viewer does not notice; its docstring becomes the summary."""

    def register(edit: Edit) -> Edit:
        summary = " ".join((edit.__doc__ or "").split())
        one = Extra(name, "variant", frozenset(on), summary, edit, aspects=frozenset(aspects))
        EQUIVALENTS.append(Attack(name, summary, _made(one), "variant"))
        return edit

    return register


def _made(one: Extra) -> Callable[[Material], Attempt | None]:
    def make(material: Material) -> Attempt | None:
        touched = touched_objects(material.original, material.goal)
        objects = [each for each in touched if one.fits(each)]
        done = []

        def edit(deck: Any) -> None:
            # Reverse order: an edit may add shapes, which shifts indexes.
            for each in reversed(objects):
                done.append(one.edit(Scene(deck, each, Random(0))))

        if not objects:
            return None
        deck = edited(material.goal, edit)
        return Attempt(deck, material.goal) if any(done) else None

    return make


@_equal("non-breaking spaces", _TEXT)
def _spaces(scene: Scene) -> bool:
    """A non-breaking space stands between a figure and its unit."""
    return _in_new_lines(scene, lambda text: re.sub(r"(?<=\d) (?=\S)", "\N{NO-BREAK SPACE}", text))


@_equal("non-breaking hyphens", _TEXT)
def _hyphens(scene: Scene) -> bool:
    """A non-breaking hyphen stands for each hyphen within a word."""
    mark = "\N{NON-BREAKING HYPHEN}"
    return _in_new_lines(scene, lambda text: re.sub(r"(?<=\w)-(?=\w)", mark, text))


@_equal("a byte order mark", ("text",))
def _mark(scene: Scene) -> bool:
    """U+FEFF is the first character, as of text pasted from a file."""
    first = iter([True])
    return _in_new_lines(scene, lambda text: f"\ufeff{text}" if next(first, False) else text)


@_equal("shrink on overflow", ("text",))
def _autofit(scene: Scene) -> bool:
    """Its text would shrink if it did not fit, as PowerPoint sets it by itself."""
    for body in scene.element.iter(qn("a:bodyPr")):
        if len(body):
            return False
        body.append(body.makeelement(qn("a:normAutofit")))
        return True
    return False


@_equal("formatting written out", ("text",))
def _written_out(scene: Scene) -> bool:
    """Size, weight and slant of its characters are written out, as Google Slides does."""
    shape = scene.object.now
    if shape is None:
        return False
    paragraphs = list(scene.element.iter(qn("a:p")))
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


@_equal("place written out", ("text", "picture"))
def _place(scene: Scene) -> bool:
    """The place that it has from its layout is written out."""
    shape = scene.shape
    box = shape.left, shape.top, shape.width, shape.height
    if None in box or not shape.is_placeholder:
        return False
    shape.left, shape.top, shape.width, shape.height = box
    return True


@_equal("insets written out", ("text",))
def _insets(scene: Scene) -> bool:
    """The usual insets of its text are written out, where it is no placeholder."""
    if next(scene.element.iter(qn("p:ph")), None) is not None:
        return False
    for body in scene.element.iter(qn("a:bodyPr")):
        for name, value in (("lIns", 91_440), ("tIns", 45_720), ("rIns", 91_440), ("bIns", 45_720)):
            if body.get(name) is None:
                body.set(name, str(value))
        return True
    return False


@_equal("a description added", ("picture", "chart", "table"))
def _described(scene: Scene) -> bool:
    """It has an unrequested alternative text, where it had none."""
    properties = next(scene.element.iter(qn("p:cNvPr")))
    if properties.get("descr") or "alt_text" in scene.object.aspects:
        return False
    properties.set("descr", "What this slide shows")
    return True


@_equal("marks of the spell checker", _TEXT)
def _spelling(scene: Scene) -> bool:
    """Its runs say that they were checked, and paragraphs end with properties of their own."""
    done = False
    for properties in run_properties(scene.element):
        properties.set("dirty", "0")
        properties.set("err", "1")
        done = True
    for paragraph in scene.element.iter(qn("a:p")):
        if paragraph.find(qn("a:endParaRPr")) is None and paragraph.find(qn("a:r")) is not None:
            paragraph.append(paragraph.makeelement(qn("a:endParaRPr"), {"lang": "en-US"}))
    return done


@_equal("colors in small letters", _SHAPES)
def _colors(scene: Scene) -> bool:
    """Colors are written with the digits a to f."""
    done = False
    for color in scene.element.iter(qn("a:srgbClr")):
        done |= color.get("val") != color.get("val").lower()
        color.set("val", color.get("val").lower())
    return done


@_equal("crop rounded", ("picture",))
def _rounded(scene: Scene) -> bool:
    """What is cut off differs by a tenth of a percent."""
    done = False
    for crop in scene.element.iter(qn("a:srcRect")):
        for name, value in crop.attrib.items():
            crop.set(name, str(int(value) + 100))
            done = True
    return done


@_equal("margins of cells written out", ("table",))
def _margins(scene: Scene) -> bool:
    """The usual margins of its cells are written out."""
    for cell in scene.element.iter(qn("a:tc")):
        properties = cell.get_or_add_tcPr()
        for name, value in (("marL", 91_440), ("marR", 91_440), ("marT", 45_720), ("marB", 45_720)):
            if properties.get(name) is None:
                properties.set(name, str(value))
    return True


@_equal("defaults of the chart written out", ("chart",))
def _chart(scene: Scene) -> bool:
    """The chart states that its corners are square and its dates count from 1900."""
    space = scene.shape.chart._chartSpace
    for name, value in (("c:roundedCorners", "0"), ("c:date1904", "0")):
        if space.find(qn(name)) is None:
            space.insert(0, space.makeelement(qn(name), {"val": value}))
    return True


@_equal("notched arrows", ("shape", "text"), aspects=("shapes",))
def _notched(scene: Scene) -> bool:
    """New block arrows are notched."""
    done = False
    for geometry in scene.element.iter(qn("a:prstGeom")) if scene.object.is_new else ():
        if geometry.get("prst") in _NOTCHED:
            geometry.set("prst", _NOTCHED[geometry.get("prst")])
            done = True
    return done


@_equal("a slash after the address", ("text", "shape", "picture"), aspects=("hyperlinks",))
def _slash(scene: Scene) -> bool:
    """An address of a host alone ends with a slash."""
    done = False
    for link in scene.element.iter(qn("a:hlinkClick")):
        relation = scene.slide.part.rels.get(link.get(qn("r:id")))
        if relation is not None and relation.is_external and _HOST.fullmatch(relation.target_ref):
            relation._target = f"{relation.target_ref}/"
            done = True
    return done


@_equal("an empty list of effects", ("slide",))
def _empty_timing(scene: Scene) -> bool:
    """The slide has a list of effects without any, as PowerPoint leaves it."""
    if scene.element.find(qn("p:timing")) is not None:
        return False
    root = '<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"/>'
    xml = f"<p:timing {nsdecls('p')}><p:tnLst><p:par>{root}</p:par></p:tnLst></p:timing>"
    behind = scene.element.find(qn("p:extLst"))
    timing = parse_xml(xml)
    scene.element.append(timing) if behind is None else behind.addprevious(timing)
    return True


@_equal("empty notes", ("slide",))
def _notes(scene: Scene) -> bool:
    """The slide has a page for notes without any, as the notes view makes it."""
    if scene.slide.has_notes_slide:
        return False
    return scene.slide.notes_slide is not None


@_equal("transition in the dialect of PowerPoint 2010", ("slide",), aspects=("transition",))
def _transition(scene: Scene) -> bool:
    """The transition is a choice: with its length in milliseconds, and without."""
    found = scene.element.find(qn("p:transition"))
    if found is None:
        return False
    names = f'xmlns:mc="{_CHOICE}" xmlns:p14="{_DRAWN}"'
    content = '<mc:Choice Requires="p14"/><mc:Fallback/>'
    choice = parse_xml(f"<mc:AlternateContent {names}>{content}</mc:AlternateContent>")
    found.addprevious(choice)
    speeds = {"fast": "500", "med": "750", "slow": "1000"}
    timed = deepcopy(found)
    timed.set(f"{{{_DRAWN}}}dur", speeds[found.get("spd", "fast")])
    choice[0].append(timed)
    choice[1].append(found)
    return True


def _in_new_lines(scene: Scene, change: Callable[[str], str]) -> bool:
    """Change the text of paragraphs that do not occur in the original."""
    kept = scene.kept_lines
    done = False
    for paragraph in scene.element.iter(qn("a:p")):
        texts = list(text_elements(paragraph))
        if "".join(text.text or "" for text in texts) in kept:
            continue
        for text in texts:
            new = change(text.text or "")
            done |= new != text.text
            text.text = new
    return done
