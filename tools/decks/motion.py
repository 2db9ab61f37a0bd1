"""Animations as XML, which python-pptx does not support."""

from collections.abc import Sequence
from itertools import count
from typing import Any

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls

from pptarena.edits.markup import insert_motion

__all__ = ["animate"]

_NS = nsdecls("p", "a")
_DURATION_MS = 500


def animate(slide: Any, shapes: Sequence[Any]) -> None:
    """Let shapes of a slide fade in, one click each, in order."""
    ids = count(3)
    clicks = "".join(_click(shape, ids) for shape in shapes)
    xml = (
        f'<p:timing {_NS}><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" '
        'nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2" '
        f'dur="indefinite" nodeType="mainSeq"><p:childTnLst>{clicks}</p:childTnLst></p:cTn>'
        '<p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>'
        '</p:prevCondLst><p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/>'
        "</p:tgtEl></p:cond></p:nextCondLst></p:seq></p:childTnLst></p:cTn></p:par></p:tnLst>"
        "</p:timing>"
    )
    insert_motion(slide._element, parse_xml(xml))


def _click(shape: Any, ids: Any) -> str:
    outer_id, middle_id, effect_id, set_id, fade_id = (next(ids) for _ in range(5))
    target = f'<p:tgtEl><p:spTgt spid="{shape.shape_id}"/></p:tgtEl>'
    return (
        f'<p:par><p:cTn id="{outer_id}" fill="hold"><p:stCondLst><p:cond delay="indefinite"/>'
        f'</p:stCondLst><p:childTnLst><p:par><p:cTn id="{middle_id}" fill="hold"><p:stCondLst>'
        f'<p:cond delay="0"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="{effect_id}" '
        'presetID="10" presetClass="entr" presetSubtype="0" fill="hold" grpId="0" '
        'nodeType="clickEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst><p:childTnLst>'
        f'<p:set><p:cBhvr><p:cTn id="{set_id}" dur="1" fill="hold"><p:stCondLst>'
        f'<p:cond delay="0"/></p:stCondLst></p:cTn>{target}<p:attrNameLst><p:attrName>'
        "style.visibility</p:attrName></p:attrNameLst></p:cBhvr><p:to>"
        '<p:strVal val="visible"/></p:to></p:set><p:animEffect transition="in" filter="fade">'
        f'<p:cBhvr><p:cTn id="{fade_id}" dur="{_DURATION_MS}"/>{target}</p:cBhvr></p:animEffect>'
        "</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn>"
        "</p:par>"
    )
