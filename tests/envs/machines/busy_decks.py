"""Decks that keep an application busy when it opens them, or make it show a dialog."""

import io
from collections.abc import Callable
from typing import Any

from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.util import Inches

__all__ = ["BUSY"]

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_ART = "urn:microsoft.com/office/officeart/2005/8"
_TYPES = "application/vnd.openxmlformats-officedocument.drawingml.diagram"
_DIAGRAM = {
    "Data": "<dgm:dataModel {ns}><dgm:ptLst><dgm:pt modelId='1' type='doc'>"
    f"<dgm:prSet loTypeId='{_ART}/layout/default' qsTypeId='{_ART}/quickstyle/simple1' "
    f"csTypeId='{_ART}/colors/accent1_2'/><dgm:spPr/></dgm:pt><dgm:pt modelId='2'>"
    "<dgm:prSet/><dgm:spPr/><dgm:t><a:bodyPr/><a:lstStyle/><a:p><a:r><a:t>One</a:t></a:r></a:p>"
    "</dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn modelId='3' srcId='1' destId='2' "
    "srcOrd='0' destOrd='0'/></dgm:cxnLst><dgm:bg/><dgm:whole/></dgm:dataModel>",
    "Layout": f"<dgm:layoutDef {{ns}} uniqueId='{_ART}/layout/default'><dgm:title val=''/>"
    "<dgm:desc val=''/><dgm:catLst/><dgm:layoutNode name='diagram'><dgm:alg type='snake'/>"
    "</dgm:layoutNode></dgm:layoutDef>",
    "QuickStyle": f"<dgm:styleDef {{ns}} uniqueId='{_ART}/quickstyle/simple1'>"
    "<dgm:title val=''/><dgm:desc val=''/><dgm:catLst/></dgm:styleDef>",
    "Colors": f"<dgm:colorsDef {{ns}} uniqueId='{_ART}/colors/accent1_2'><dgm:title val=''/>"
    "<dgm:desc val=''/><dgm:catLst/></dgm:colorsDef>",
}
_BLINK = f"""<p:timing xmlns:p="{_P}"><p:tnLst><p:par><p:cTn id="1" dur="indefinite"
 restart="never" nodeType="tmRoot"><p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2"
 dur="indefinite" nodeType="mainSeq"><p:childTnLst><p:par><p:cTn id="3" fill="hold"><p:stCondLst>
<p:cond delay="indefinite"/><p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond></p:stCondLst>
<p:childTnLst><p:par><p:cTn id="4" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>
<p:childTnLst><p:par><p:cTn id="5" presetID="35" presetClass="emph" presetSubtype="0"
 repeatCount="indefinite" fill="hold" nodeType="afterEffect"><p:stCondLst><p:cond delay="0"/>
</p:stCondLst><p:childTnLst><p:anim calcmode="discrete" valueType="str"><p:cBhvr><p:cTn id="6"
 dur="100" fill="hold"/><p:tgtEl><p:spTgt spid="2"/></p:tgtEl><p:attrNameLst>
<p:attrName>style.visibility</p:attrName></p:attrNameLst></p:cBhvr><p:tavLst><p:tav tm="0"><p:val>
<p:strVal val="hidden"/></p:val></p:tav><p:tav tm="50000"><p:val><p:strVal val="visible"/></p:val>
</p:tav></p:tavLst></p:anim></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par>
</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn></p:par>
</p:tnLst></p:timing>"""
_ADVANCE = (
    f'<p:transition xmlns:p="{_P}" spd="fast" advClick="0" advTm="0"><p:fade/></p:transition>'
)
_PROTECTED = (
    f'<p:modifyVerifier xmlns:p="{_P}" cryptProviderType="rsaAES" cryptAlgorithmClass="hash" '
    'cryptAlgorithmType="typeAny" cryptAlgorithmSid="14" spinCount="100000" '
    f'saltData="{"A" * 22}==" hashData="{"A" * 86}=="/>'
)


def _diagram(deck: Any) -> None:
    """Add SmartArt as PowerPoint 2007 saves it: without the drawing that shows it."""
    slide = deck.slides[0]
    namespaces = f'xmlns:dgm="{_DGM}" xmlns:a="{_A}" xmlns:r="{_R}"'
    relations = {}
    for name, text in _DIAGRAM.items():
        kind = f"{_TYPES}{name.removeprefix('Quick')}+xml"
        number = len(slide.part.rels)
        part = Part(
            *(PackURI(f"/ppt/diagrams/{name.lower()}{number}.xml"), kind, slide.part.package),
            text.format(ns=namespaces).encode(),
        )
        relations[name] = slide.part.relate_to(part, f"{_R}/diagram{name}")
    slide.shapes._spTree.append(
        parse_xml(
            f'<p:graphicFrame xmlns:p="{_P}" {namespaces}><p:nvGraphicFramePr>'
            f'<p:cNvPr id="{len(slide.shapes) + 20}" name="Diagram"/>'
            "<p:cNvGraphicFramePr/><p:nvPr/>"
            '</p:nvGraphicFramePr><p:xfrm><a:off x="1000000" y="3000000"/>'
            '<a:ext cx="4000000" cy="2000000"/></p:xfrm><a:graphic>'
            f'<a:graphicData uri="{_DGM}"><dgm:relIds r:dm="{relations["Data"]}" '
            f'r:lo="{relations["Layout"]}" r:qs="{relations["QuickStyle"]}" '
            f'r:cs="{relations["Colors"]}"/></a:graphicData></a:graphic></p:graphicFrame>'
        )
    )


def _two_diagrams(deck: Any) -> None:
    _diagram(deck)
    _diagram(deck)


def _animated_pictures(format: str, count: int) -> Callable[[Any], None]:
    def add(deck: Any) -> None:
        frames = [Image.new("RGB", (80, 60), (20 * number, 80, 0)) for number in range(12)]
        stream = io.BytesIO()
        frames[0].save(stream, format, save_all=True, append_images=frames[1:], duration=10, loop=0)
        for number in range(count):
            deck.slides[0].shapes.add_picture(stream, Inches(number), Inches(5))

    return add


def _video(deck: Any) -> None:
    film = io.BytesIO(b"\0\0\0\x18ftypmp42" + bytes(500))
    deck.slides[0].shapes.add_movie(film, 0, Inches(4), Inches(2), Inches(2))


def _blinking(deck: Any) -> None:
    deck.slides[0]._element.append(parse_xml(_BLINK))


def _advancing(deck: Any) -> None:
    for slide in deck.slides:
        slide._element.append(parse_xml(_ADVANCE))


def _protected(deck: Any) -> None:
    deck.part._element.append(parse_xml(_PROTECTED))


def _object(deck: Any) -> None:
    shapes = deck.slides[0].shapes
    shapes.add_ole_object(io.BytesIO(bytes(10_000_000)), "Package", 0, Inches(5))


def _unknown_font(deck: Any) -> None:
    run = deck.slides[0].placeholders[1].text_frame.paragraphs[0].runs[0]
    run.font.name = "No Such Font"
    etree.SubElement(run._r.rPr, f"{{{_A}}}ea", typeface="None Such Either")


def _deck_with(edit: Callable[[Any], None]) -> bytes:
    deck = Presentation()
    for title in ("First", "Second"):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = "Point"
    edit(deck)
    stream = io.BytesIO()
    deck.save(stream)
    return stream.getvalue()


BUSY: dict[str, Callable[[], bytes]] = {
    name: lambda edit=edit: _deck_with(edit)  # type: ignore[misc]
    for name, edit in {
        "a diagram without a drawing": _diagram,
        "two diagrams without a drawing": _two_diagrams,
        "a moving GIF": _animated_pictures("GIF", 1),
        "ten moving GIFs": _animated_pictures("GIF", 10),
        "a moving PNG": _animated_pictures("PNG", 1),
        "a broken film": _video,
        "text that never stops blinking": _blinking,
        "slides that advance immediately": _advancing,
        "a password for changes": _protected,
        "a large object": _object,
        "an unknown font": _unknown_font,
    }.items()
}
"""Builders of decks by name; the title of the first slide is "First"."""
