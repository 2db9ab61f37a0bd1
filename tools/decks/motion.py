"""Animations as XML, which python-pptx does not support."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls

from pptarena.edits.markup import insert_motion

__all__ = ["Appear", "animate"]

_NS = nsdecls("p", "a")
_MS = 500


@dataclass(frozen=True)
class Appear:
    """A fade-in of a shape, or of one of its paragraphs, on a click.

    Attributes:
        shape: The shape.
        paragraph: Index of the paragraph; None for the entire shape.
    """

    shape: Any
    paragraph: int | None = None


def animate(slide: Any, effects: Sequence[Appear]) -> None:
    """Add animations to a slide, one click each, in order."""
    ids = count(3)
    clicks = "".join(_click(effect, ids) for effect in effects)
    builds = dict.fromkeys(e.shape.shape_id for e in effects if e.paragraph is not None)
    listed = "".join(f'<p:bldP spid="{shape}" grpId="0" build="p"/>' for shape in builds)
    xml = (
        f'<p:timing {_NS}><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" '
        'nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2" '
        f'dur="indefinite" nodeType="mainSeq"><p:childTnLst>{clicks}</p:childTnLst></p:cTn>'
        '<p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>'
        '</p:prevCondLst><p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/>'
        "</p:tgtEl></p:cond></p:nextCondLst></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>"
        f"{f'<p:bldLst>{listed}</p:bldLst>' if listed else ''}</p:timing>"
    )
    insert_motion(slide._element, parse_xml(xml))


def _click(effect: Appear, ids: Any) -> str:
    one, two, three, four, five = (next(ids) for _ in range(5))
    target = _target(effect)
    return (
        f'<p:par><p:cTn id="{one}" fill="hold"><p:stCondLst><p:cond delay="indefinite"/>'
        f'</p:stCondLst><p:childTnLst><p:par><p:cTn id="{two}" fill="hold"><p:stCondLst>'
        f'<p:cond delay="0"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="{three}" '
        'presetID="10" presetClass="entr" presetSubtype="0" fill="hold" grpId="0" '
        'nodeType="clickEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>'
        f'<p:set><p:cBhvr><p:cTn id="{four}" dur="1" fill="hold"><p:stCondLst>'
        f'<p:cond delay="0"/></p:stCondLst></p:cTn>{target}<p:attrNameLst><p:attrName>'
        "style.visibility</p:attrName></p:attrNameLst></p:cBhvr><p:to>"
        '<p:strVal val="visible"/></p:to></p:set><p:animEffect transition="in" filter="fade">'
        f'<p:cBhvr><p:cTn id="{five}" dur="{_MS}"/>{target}</p:cBhvr></p:animEffect>'
        "</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn>"
        "</p:par>"
    )


def _target(effect: Appear) -> str:
    spid = effect.shape.shape_id
    if effect.paragraph is None:
        return f'<p:tgtEl><p:spTgt spid="{spid}"/></p:tgtEl>'
    n = effect.paragraph
    return (
        f'<p:tgtEl><p:spTgt spid="{spid}"><p:txEl><p:pRg st="{n}" end="{n}"/></p:txEl>'
        "</p:spTgt></p:tgtEl>"
    )
