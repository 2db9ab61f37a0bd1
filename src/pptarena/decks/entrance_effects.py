"""Add entrance effects to shapes, in the markup that PowerPoint writes."""

from collections.abc import Iterator

from lxml import etree
from lxml.etree import _Element
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn

__all__ = ["EFFECTS", "add_entrance"]

# Preset number, preset variant and filter of each effect.
_FILTERS = {"fade": (10, 0, "fade"), "wipe": (22, 8, "wipe(left)"), "box": (4, 16, "box(in)")}
EFFECTS = ("appear", "fly_in", *_FILTERS)
"""Names of the effects."""


def _target(id: str) -> str:
    return f'<p:tgtEl><p:spTgt spid="{id}"/></p:tgtEl>'


def _behaviors(effect: str, id: str) -> str:
    appearance = (
        '<p:set><p:cBhvr><p:cTn dur="1" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>'
        f"</p:cTn>{_target(id)}<p:attrNameLst><p:attrName>style.visibility</p:attrName>"
        '</p:attrNameLst></p:cBhvr><p:to><p:strVal val="visible"/></p:to></p:set>'
    )
    if effect == "appear":
        return appearance
    if effect == "fly_in":
        return appearance + _motion("ppt_x", "#ppt_x", id) + _motion("ppt_y", "1+#ppt_h/2", id)
    return (
        f'{appearance}<p:animEffect transition="in" filter="{_FILTERS[effect][2]}"><p:cBhvr>'
        f'<p:cTn dur="500"/>{_target(id)}</p:cBhvr></p:animEffect>'
    )


def _motion(name: str, start: str, id: str) -> str:
    return (
        '<p:anim calcmode="lin" valueType="num"><p:cBhvr additive="base"><p:cTn dur="500" '
        f'fill="hold"/>{_target(id)}<p:attrNameLst><p:attrName>{name}</p:attrName></p:attrNameLst>'
        f'</p:cBhvr><p:tavLst><p:tav tm="0"><p:val><p:strVal val="{start}"/></p:val></p:tav>'
        f'<p:tav tm="100000"><p:val><p:strVal val="#{name}"/></p:val></p:tav></p:tavLst></p:anim>'
    )


def _effect(effect: str, trigger: str, id: str) -> str:
    preset, variant = {"appear": (1, 0), "fly_in": (2, 4)}.get(effect) or _FILTERS[effect][:2]
    delay = "indefinite" if trigger == "clickEffect" else "0"
    start = '<p:stCondLst><p:cond delay="{}"/></p:stCondLst>'
    return (
        f'<p:par {nsdecls("p")}><p:cTn fill="hold">{start.format(delay)}<p:childTnLst><p:par>'
        f'<p:cTn fill="hold">{start.format(0)}<p:childTnLst><p:par><p:cTn presetID="{preset}" '
        f'presetClass="entr" presetSubtype="{variant}" fill="hold" nodeType="{trigger}">'
        f"{start.format(0)}<p:childTnLst>{_behaviors(effect, id)}</p:childTnLst></p:cTn></p:par>"
        "</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>"
    )


_EMPTY_TIMING = (
    f'<p:timing {nsdecls("p")}><p:tnLst><p:par><p:cTn dur="indefinite" restart="never" '
    'nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn dur="indefinite" '
    'nodeType="mainSeq"><p:childTnLst/></p:cTn><p:prevCondLst><p:cond evt="onPrev" delay="0">'
    "<p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:prevCondLst><p:nextCondLst>"
    '<p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond></p:nextCondLst>'
    "</p:seq></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"
)


def add_entrance(slide: _Element, shape: str, effect: str, trigger: str) -> None:
    """Append an entrance effect for a shape to the effects of its slide.

    Args:
        slide: Root element of the slide.
        shape: Id of the shape.
        effect: One of `EFFECTS`.
        trigger: ``clickEffect``, ``afterEffect`` or ``withEffect``.

    Raises:
        ValueError: If the slide's timing has no list of effects.
    """
    timing = slide.find(qn("p:timing"))
    if timing is None:
        timing = parse_xml(_EMPTY_TIMING)
        extensions = slide.find(qn("p:extLst"))
        slide.append(timing) if extensions is None else extensions.addprevious(timing)
    main = next(_main_sequences(timing), None)
    if main is None:  # a slide with media only: media nodes are siblings of the main sequence
        nodes = timing.find("/".join(map(qn, ("p:tnLst", "p:par", "p:cTn", "p:childTnLst"))))
        if nodes is None:
            raise ValueError("the timing of the slide has no list of effects")
        template = parse_xml(_EMPTY_TIMING)
        nodes.insert(0, next(template.iter(qn("p:seq"))))
        main = next(_main_sequences(timing))
    children = main.find(qn("p:childTnLst"))
    if children is None:
        raise ValueError("the main sequence of the slide has no list of effects")
    children.append(etree.fromstring(_effect(effect, trigger, shape)))
    for number, node in enumerate(timing.iter(qn("p:cTn")), start=1):
        node.set("id", str(number))


def _main_sequences(timing: _Element) -> Iterator[_Element]:
    return (each for each in timing.iter(qn("p:cTn")) if each.get("nodeType") == "mainSeq")
