"""One more change of a slide: animations, links, background, other objects."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.decks.entrance_effects import add_entrance
from pptarena.tasks.goals.editing import set_transition
from pptarena.tasks.quality.attacks.changed_objects import ObjectType
from pptarena.tasks.quality.attacks.extra import ObjectContext, extra
from pptarena.tasks.quality.attacks.extras_masters import paint_background
from pptarena.tasks.quality.attacks.extras_text import change_digits
from pptarena.tasks.quality.attacks.material import shape_elements, shape_id
from pptarena.tasks.quality.attacks.tools import add_cover, garble, text_elements

__all__: list[str] = []

_VISIBLE_TYPES: Final[tuple[ObjectType, ...]] = (
    "text",
    "shape",
    "picture",
    "table",
    "chart",
    "line",
)
_CLICKABLE_TYPES: Final[tuple[ObjectType, ...]] = ("text", "shape", "picture")
_SLIDE: Final[tuple[ObjectType, ...]] = ("slide",)
_OTHER_URL = "https://elsewhere.example/"
_DELAY_MS = "600000"


@extra("shown after ten minutes", "hidden", _VISIBLE_TYPES)
def _late(context: ObjectContext) -> bool:
    """It appears automatically ten minutes after its slide."""
    effect = _entrance(context, "afterEffect")
    if effect is not None:
        effect.find(f"{qn('p:stCondLst')}/{qn('p:cond')}").set("delay", _DELAY_MS)
    return effect is not None


@extra("gone at once", "hidden", _VISIBLE_TYPES)
def _leaves(context: ObjectContext) -> bool:
    """It disappears as soon as its slide is shown."""
    effect = _entrance(context, "withEffect")
    if effect is not None:
        effect.set("presetClass", "exit")
        for value in effect.iter(qn("p:strVal")):
            value.set("val", "hidden")
    return effect is not None


@extra("a click animation", "formatting", _VISIBLE_TYPES, on_new_objects=False)
def _clicked(context: ObjectContext) -> bool:
    """It appears only on a click."""
    return _entrance(context, "clickEffect") is not None


@extra("effects ten minutes late", "hidden", _SLIDE, aspects=("animation",))
def _effects_late(context: ObjectContext) -> bool:
    """Every effect of the slide starts ten minutes late."""
    done = False
    for effect in _effects(context):
        for condition in effect.findall(f"{qn('p:stCondLst')}/{qn('p:cond')}"):
            condition.set("delay", _DELAY_MS)
            done = True
    return done


@extra("effects undone at once", "hidden", _SLIDE, aspects=("animation",))
def _effects_undone(context: ObjectContext) -> bool:
    """Every shape that appears in an effect disappears right after it."""
    ids = {target.get("spid") for effect in _effects(context) if effect.get("presetClass") == "entr"
           for target in effect.iter(qn("p:spTgt"))}  # fmt: skip
    for id in sorted(ids):
        effect = _new_entrance(context, str(id), "afterEffect")
        effect.set("presetClass", "exit")
        for value in effect.iter(qn("p:strVal")):
            value.set("val", "hidden")
    return bool(ids)


@extra("effects of a minute", "time", _SLIDE, aspects=("animation",))
def _slow(context: ObjectContext) -> bool:
    """Every effect of the slide takes a minute."""
    done = False
    for effect in _effects(context):
        for behavior in effect.iter(qn("p:cTn")):
            if behavior is not effect and behavior.get("dur", "1") not in ("1", "indefinite"):
                behavior.set("dur", "60000")
                done = True
    return done


@extra("an effect on another shape", "time", _SLIDE, aspects=("animation",))
def _other_effect(context: ObjectContext) -> bool:
    """Another shape of the slide appears on a click as well."""
    moving = {target.get("spid") for target in context.element.iter(qn("p:spTgt"))}
    others = [str(shape_id(e)) for e in shape_elements(context.slide) if _has_text(e)]
    others = [id for id in others if id not in moving]
    if others:
        _new_entrance(context, others[0], "clickEffect")
    return bool(others)


@extra("the slide leaves by itself", "time", _SLIDE, aspects=("transition",))
def _runs_away(context: ObjectContext) -> bool:
    """The slide advances automatically after 0 s."""
    return _set_transition_attributes(context, advTm="0")


@extra("a slide that leaves by itself", "same slide", _SLIDE)
def _leaves_slide(context: ObjectContext) -> bool:
    """The slide advances automatically after 0 s, in a task that is not about its transition."""
    return "transition" not in context.object.aspects and _set_transition_attributes(
        context, advTm="0"
    )


@extra("a transition of a minute", "time", _SLIDE, aspects=("transition",))
def _slow_transition(context: ObjectContext) -> bool:
    """The transition takes a minute."""
    name = "{http://schemas.microsoft.com/office/powerpoint/2010/main}dur"
    return _set_transition_attributes(context, **{name: "60000"})


@extra("a glaring background", "formatting", _SLIDE)
def _background(context: ObjectContext) -> bool:
    """The slide has a red background of its own."""
    paint_background(context.slide, "FF0000")
    return True


@extra("a background that fades to black", "unreadable", _SLIDE, aspects=("background",))
def _gradient(context: ObjectContext) -> bool:
    """The background is a gradient from its color to black."""
    stops = ((0, context.background), (100_000, "000000"))
    listed = "".join(f'<a:gs pos="{at}"><a:srgbClr val="{rgb}"/></a:gs>' for at, rgb in stops)
    xml = (
        f'<a:gradFill {nsdecls("a")}><a:gsLst>{listed}</a:gsLst><a:lin ang="5400000"/></a:gradFill>'
    )
    for properties in context.element.iter(qn("p:bgPr")):
        for old in properties.findall(qn("a:solidFill")):
            properties.replace(old, parse_xml(xml))
            return True
    return False


@extra("its notes emptied", "same slide", _SLIDE)
def _no_notes(context: ObjectContext) -> bool:
    """The speaker notes of the slide are deleted."""
    if not context.slide.has_notes_slide or "notes" in context.object.aspects:
        return False
    frame = context.slide.notes_slide.notes_text_frame
    if frame is None or not frame.text.strip():
        return False
    frame.text = ""
    return True


@extra("the slide hidden", "time", _SLIDE)
def _hidden(context: ObjectContext) -> bool:
    """The slide is hidden in the slide show."""
    if context.element.get("show") == "0":
        return False
    context.element.set("show", "0")
    return True


@extra("the words of a neighbor", "same slide", _SLIDE)
def _neighbor_words(context: ObjectContext) -> bool:
    """The words of another shape of the slide are made up."""
    return _change_neighbor(context, garble)


@extra("the figures of a neighbor", "same slide", _SLIDE)
def _neighbor_figures(context: ObjectContext) -> bool:
    """The figures of another shape of the slide are changed."""
    return _change_neighbor(context, change_digits)


@extra("a neighbor deleted", "same slide", _SLIDE)
def _neighbor_deleted(context: ObjectContext) -> bool:
    """Another shape with text is removed from the slide; footers and numbers stay."""
    others = [each for each in _neighbors(context) if not _is_footer(each)]
    if not others:
        return False
    removed = context.rng.choice(others)
    id = str(shape_id(removed))
    removed.getparent().remove(removed)
    return not any(target.get("spid") == id for target in context.element.iter(qn("p:spTgt")))


def _is_footer(element: Any) -> bool:
    placeholder = next(element.iter(qn("p:ph")), None)
    return placeholder is not None and placeholder.get("type") in ("sldNum", "ftr", "dt")


@extra("another target of its links", "links", _CLICKABLE_TYPES, aspects=("hyperlinks",))
def _other_target(context: ObjectContext) -> bool:
    """Its links lead to another website."""
    links = list(context.element.iter(qn("a:hlinkClick")))
    for link in links:
        link.set(qn("r:id"), _add_relation(context))
        link.attrib.pop("action", None)
    return bool(links)


@extra("another target of half of its words", "links", _CLICKABLE_TYPES, aspects=("hyperlinks",))
def _half_target(context: ObjectContext) -> bool:
    """The second half of each linked run leads to another website."""
    done = False
    for run in list(context.element.iter(qn("a:r"))):
        text = run.find(qn("a:t")).text or ""
        if run.find(f"{qn('a:rPr')}/{qn('a:hlinkClick')}") is None or len(text) < 4:
            continue
        copy = deepcopy(run)
        run.addnext(copy)
        run.find(qn("a:t")).text = text[: len(text) // 2]
        copy.find(qn("a:t")).text = text[len(text) // 2 :]
        link = copy.find(f"{qn('a:rPr')}/{qn('a:hlinkClick')}")
        link.set(qn("r:id"), _add_relation(context))
        link.attrib.pop("action", None)
        done = True
    return done


@extra("another link on its area", "links", _CLICKABLE_TYPES)
def _area(context: ObjectContext) -> bool:
    """A click on it leads to another website; links of its text remain."""
    properties = next(context.element.iter(qn("p:cNvPr")))
    for old in properties.findall(qn("a:hlinkClick")):
        properties.remove(old)
    link = properties.makeelement(qn("a:hlinkClick"), {qn("r:id"): _add_relation(context)})
    properties.insert(0, link)
    return True


@extra("a link laid over it", "links", _CLICKABLE_TYPES, aspects=("hyperlinks",))
def _laid_over(context: ObjectContext) -> bool:
    """A transparent rectangle with a link to another website covers it."""
    shape = context.shape
    if shape.left is None:
        return False
    overlay = add_cover(context.slide, (shape.left, shape.top, shape.width, shape.height))
    color = overlay.fill._xPr.find(qn("a:solidFill"))[0]
    etree.SubElement(color, qn("a:alpha")).set("val", "0")
    link = {qn("r:id"): _add_relation(context)}
    overlay._element.nvSpPr.cNvPr.append(parse_xml(f"<a:hlinkClick {nsdecls('a', 'r')}/>"))
    overlay._element.nvSpPr.cNvPr[-1].attrib.update(link)
    return True


def _entrance(context: ObjectContext, trigger: str) -> Any:
    """Add an entrance animation of the object; None if it is animated already or in a group."""
    if context.element.getparent().tag == qn("p:grpSp"):
        return None
    id = str(shape_id(context.element))
    root = context.slide._element
    if any(target.get("spid") == id for target in root.iter(qn("p:spTgt"))):
        return None
    return _new_entrance(context, id, trigger)


def _new_entrance(context: ObjectContext, id: str, trigger: str) -> Any:
    add_entrance(context.slide._element, id, "appear", trigger)
    return list(_effects(context))[-1]


def _effects(context: ObjectContext) -> Iterator[Any]:
    """Yield the animation effects of the slide."""
    for node in context.slide._element.iter(qn("p:cTn")):
        if node.get("presetClass"):
            yield node


def _set_transition_attributes(context: ObjectContext, **values: str) -> bool:
    transitions = list(context.slide._element.iter(qn("p:transition")))
    if not transitions:
        set_transition(context.slide, "fade")  # otherwise LibreOffice drops the time
        transitions = list(context.slide._element.iter(qn("p:transition")))
    for transition in transitions:
        for name, value in values.items():
            transition.set(name, value)
    return True


def _has_text(element: Any) -> bool:
    return element.tag in (qn("p:sp"), qn("p:graphicFrame")) and any(
        (text.text or "").strip() for text in text_elements(element)
    )


def _neighbors(context: ObjectContext) -> list[Any]:
    """Return the shapes with text that the target leaves unchanged."""
    if context.object.is_new:
        return []
    elements = list(shape_elements(context.slide))
    return [e for index, e in enumerate(elements)
            if index not in context.changed_shapes and _has_text(e)
            and e.getparent().tag != qn("p:grpSp")]  # fmt: skip


def _change_neighbor(context: ObjectContext, change: Any) -> bool:
    done = False
    others = _neighbors(context)
    for element in context.rng.sample(others, 1) if others else ():
        for text in text_elements(element):
            new = change(text.text or "")
            done |= new != text.text and next(text.iterancestors(qn("a:fld")), None) is None
            text.text = new
    return done


def _add_relation(context: ObjectContext) -> str:
    return str(context.slide.part.relate_to(_OTHER_URL, RT.HYPERLINK, is_external=True))
