"""One more change of a slide: animations, links, background, other objects."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

from pptarena.decks.animating import add_entrance
from pptarena.tasks.goals.editing import set_transition
from pptarena.tasks.quality.attacks.extra import Scene, extra
from pptarena.tasks.quality.attacks.extras_masters import paint_background
from pptarena.tasks.quality.attacks.extras_text import falsified
from pptarena.tasks.quality.attacks.material import shape_elements, shape_id
from pptarena.tasks.quality.attacks.tools import cover, garbled, text_elements
from pptarena.tasks.quality.attacks.touched import ObjectType

__all__: list[str] = []

_SHOWN: Final[tuple[ObjectType, ...]] = ("text", "shape", "picture", "table", "chart", "line")
_CLICKED: Final[tuple[ObjectType, ...]] = ("text", "shape", "picture")
_SLIDE: Final[tuple[ObjectType, ...]] = ("slide",)
_ELSEWHERE = "https://elsewhere.example/"
_LATE_MS = "600000"


@extra("shown after ten minutes", "hidden", _SHOWN)
def _late(scene: Scene) -> bool:
    """It comes in by itself ten minutes after its slide."""
    effect = _entrance(scene, "afterEffect")
    if effect is not None:
        effect.find(f"{qn('p:stCondLst')}/{qn('p:cond')}").set("delay", _LATE_MS)
    return effect is not None


@extra("gone at once", "hidden", _SHOWN)
def _leaves(scene: Scene) -> bool:
    """It leaves by itself as soon as its slide is there."""
    effect = _entrance(scene, "withEffect")
    if effect is not None:
        effect.set("presetClass", "exit")
        for value in effect.iter(qn("p:strVal")):
            value.set("val", "hidden")
    return effect is not None


@extra("a click animation", "formatting", _SHOWN, of_new=False)
def _clicked(scene: Scene) -> bool:
    """It enters at an unrequested click."""
    return _entrance(scene, "clickEffect") is not None


@extra("effects ten minutes late", "hidden", _SLIDE, aspects=("animation",))
def _effects_late(scene: Scene) -> bool:
    """Every effect of the slide begins ten minutes later than asked."""
    done = False
    for effect in _effects(scene):
        for condition in effect.findall(f"{qn('p:stCondLst')}/{qn('p:cond')}"):
            condition.set("delay", _LATE_MS)
            done = True
    return done


@extra("effects undone at once", "hidden", _SLIDE, aspects=("animation",))
def _undone(scene: Scene) -> bool:
    """What an effect brings leaves again together with it."""
    ids = {target.get("spid") for effect in _effects(scene) if effect.get("presetClass") == "entr"
           for target in effect.iter(qn("p:spTgt"))}  # fmt: skip
    for id in sorted(ids):
        effect = _new_entrance(scene, str(id), "afterEffect")
        effect.set("presetClass", "exit")
        for value in effect.iter(qn("p:strVal")):
            value.set("val", "hidden")
    return bool(ids)


@extra("effects of a minute", "time", _SLIDE, aspects=("animation",))
def _slow(scene: Scene) -> bool:
    """Every effect of the slide takes a minute."""
    done = False
    for effect in _effects(scene):
        for behavior in effect.iter(qn("p:cTn")):
            if behavior is not effect and behavior.get("dur", "1") not in ("1", "indefinite"):
                behavior.set("dur", "60000")
                done = True
    return done


@extra("an effect on another shape", "time", _SLIDE, aspects=("animation",))
def _other_effect(scene: Scene) -> bool:
    """Another shape of the slide comes in at a click as well."""
    moving = {target.get("spid") for target in scene.element.iter(qn("p:spTgt"))}
    others = [str(shape_id(e)) for e in shape_elements(scene.slide) if _says(e)]
    others = [id for id in others if id not in moving]
    if others:
        _new_entrance(scene, others[0], "clickEffect")
    return bool(others)


@extra("the slide leaves by itself", "time", _SLIDE, aspects=("transition",))
def _runs_away(scene: Scene) -> bool:
    """The slide advances by itself after 0 s."""
    return _on_transition(scene, advTm="0")


@extra("a slide that leaves by itself", "same slide", _SLIDE)
def _leaves_slide(scene: Scene) -> bool:
    """The slide advances by itself after 0 s, where the task is not about its transition."""
    return "transition" not in scene.object.aspects and _on_transition(scene, advTm="0")


@extra("a transition of a minute", "time", _SLIDE, aspects=("transition",))
def _slow_transition(scene: Scene) -> bool:
    """The transition takes a minute."""
    name = "{http://schemas.microsoft.com/office/powerpoint/2010/main}dur"
    return _on_transition(scene, **{name: "60000"})


@extra("a glaring background", "formatting", _SLIDE)
def _background(scene: Scene) -> bool:
    """The slide has a red background of its own."""
    paint_background(scene.slide, "FF0000")
    return True


@extra("a background that fades to black", "unreadable", _SLIDE, aspects=("background",))
def _gradient(scene: Scene) -> bool:
    """The background goes from the color that it has to black."""
    stops = ((0, scene.background), (100_000, "000000"))
    listed = "".join(f'<a:gs pos="{at}"><a:srgbClr val="{rgb}"/></a:gs>' for at, rgb in stops)
    xml = (
        f'<a:gradFill {nsdecls("a")}><a:gsLst>{listed}</a:gsLst><a:lin ang="5400000"/></a:gradFill>'
    )
    for properties in scene.element.iter(qn("p:bgPr")):
        for old in properties.findall(qn("a:solidFill")):
            properties.replace(old, parse_xml(xml))
            return True
    return False


@extra("its notes emptied", "same slide", _SLIDE)
def _no_notes(scene: Scene) -> bool:
    """The speaker notes of the slide are gone."""
    if not scene.slide.has_notes_slide or "notes" in scene.object.aspects:
        return False
    frame = scene.slide.notes_slide.notes_text_frame
    if frame is None or not frame.text.strip():
        return False
    frame.text = ""
    return True


@extra("the slide hidden", "time", _SLIDE)
def _hidden(scene: Scene) -> bool:
    """A show leaves the slide out."""
    if scene.element.get("show") == "0":
        return False
    scene.element.set("show", "0")
    return True


@extra("the words of a neighbor", "same slide", _SLIDE)
def _neighbor_words(scene: Scene) -> bool:
    """The words of another shape of the slide are made up."""
    return _on_neighbor(scene, garbled)


@extra("the figures of a neighbor", "same slide", _SLIDE)
def _neighbor_figures(scene: Scene) -> bool:
    """The figures of another shape of the slide are others."""
    return _on_neighbor(scene, falsified)


@extra("a neighbor deleted", "same slide", _SLIDE)
def _neighbor_gone(scene: Scene) -> bool:
    """Another shape with text is removed from the slide; footers and numbers stay."""
    others = [each for each in _neighbors(scene) if not _is_footer(each)]
    if not others:
        return False
    gone = scene.rng.choice(others)
    id = str(shape_id(gone))
    gone.getparent().remove(gone)
    return not any(target.get("spid") == id for target in scene.element.iter(qn("p:spTgt")))


def _is_footer(element: Any) -> bool:
    place = next(element.iter(qn("p:ph")), None)
    return place is not None and place.get("type") in ("sldNum", "ftr", "dt")


@extra("another target of its links", "links", _CLICKED, aspects=("hyperlinks",))
def _other_target(scene: Scene) -> bool:
    """Its links lead to another site."""
    links = list(scene.element.iter(qn("a:hlinkClick")))
    for link in links:
        link.set(qn("r:id"), _related(scene))
        link.attrib.pop("action", None)
    return bool(links)


@extra("another target of half of its words", "links", _CLICKED, aspects=("hyperlinks",))
def _half_target(scene: Scene) -> bool:
    """The second half of each linked run leads to another site."""
    done = False
    for run in list(scene.element.iter(qn("a:r"))):
        text = run.find(qn("a:t")).text or ""
        if run.find(f"{qn('a:rPr')}/{qn('a:hlinkClick')}") is None or len(text) < 4:
            continue
        copy = deepcopy(run)
        run.addnext(copy)
        run.find(qn("a:t")).text = text[: len(text) // 2]
        copy.find(qn("a:t")).text = text[len(text) // 2 :]
        link = copy.find(f"{qn('a:rPr')}/{qn('a:hlinkClick')}")
        link.set(qn("r:id"), _related(scene))
        link.attrib.pop("action", None)
        done = True
    return done


@extra("another link on its area", "links", _CLICKED)
def _area(scene: Scene) -> bool:
    """A click on it leads to another site; words keep the links that they have."""
    properties = next(scene.element.iter(qn("p:cNvPr")))
    for old in properties.findall(qn("a:hlinkClick")):
        properties.remove(old)
    link = properties.makeelement(qn("a:hlinkClick"), {qn("r:id"): _related(scene)})
    properties.insert(0, link)
    return True


@extra("a link laid over it", "links", _CLICKED, aspects=("hyperlinks",))
def _laid_over(scene: Scene) -> bool:
    """A transparent rectangle that leads to another site lies over it."""
    shape = scene.shape
    if shape.left is None:
        return False
    overlay = cover(scene.slide, (shape.left, shape.top, shape.width, shape.height))
    color = overlay.fill._xPr.find(qn("a:solidFill"))[0]
    etree.SubElement(color, qn("a:alpha")).set("val", "0")
    link = {qn("r:id"): _related(scene)}
    overlay._element.nvSpPr.cNvPr.append(parse_xml(f"<a:hlinkClick {nsdecls('a', 'r')}/>"))
    overlay._element.nvSpPr.cNvPr[-1].attrib.update(link)
    return True


def _entrance(scene: Scene, trigger: str) -> Any:
    """Add an entrance animation of the object; None if it is animated already or in a group."""
    if scene.element.getparent().tag == qn("p:grpSp"):
        return None
    id = str(shape_id(scene.element))
    root = scene.slide._element
    if any(target.get("spid") == id for target in root.iter(qn("p:spTgt"))):
        return None
    return _new_entrance(scene, id, trigger)


def _new_entrance(scene: Scene, id: str, trigger: str) -> Any:
    add_entrance(scene.slide._element, id, "appear", trigger)
    return list(_effects(scene))[-1]


def _effects(scene: Scene) -> Iterator[Any]:
    """Yield the animation effects of the slide."""
    for node in scene.slide._element.iter(qn("p:cTn")):
        if node.get("presetClass"):
            yield node


def _on_transition(scene: Scene, **values: str) -> bool:
    found = list(scene.slide._element.iter(qn("p:transition")))
    if not found:
        set_transition(scene.slide, "fade")  # otherwise LibreOffice drops the time
        found = list(scene.slide._element.iter(qn("p:transition")))
    for transition in found:
        for name, value in values.items():
            transition.set(name, value)
    return True


def _says(element: Any) -> bool:
    return element.tag in (qn("p:sp"), qn("p:graphicFrame")) and any(
        (text.text or "").strip() for text in text_elements(element)
    )


def _neighbors(scene: Scene) -> list[Any]:
    """Return the shapes with text that the target leaves unchanged."""
    if scene.object.is_new:
        return []
    elements = list(shape_elements(scene.slide))
    return [e for index, e in enumerate(elements)
            if index not in scene.touched_shapes and _says(e)
            and e.getparent().tag != qn("p:grpSp")]  # fmt: skip


def _on_neighbor(scene: Scene, change: Any) -> bool:
    done = False
    others = _neighbors(scene)
    for element in scene.rng.sample(others, 1) if others else ():
        for text in text_elements(element):
            new = change(text.text or "")
            done |= new != text.text and next(text.iterancestors(qn("a:fld")), None) is None
            text.text = new
    return done


def _related(scene: Scene) -> str:
    return str(scene.slide.part.relate_to(_ELSEWHERE, RT.HYPERLINK, is_external=True))
