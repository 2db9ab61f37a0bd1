"""Tool calls that are rejected on `everything` with a video and a diagram on its second slide."""

import base64
from io import BytesIO
from typing import Any

from PIL import Image
from pptx import Presentation
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Cm
from tests.envs.document.everything import everything

__all__ = ["REFUSED", "deck_with_media"]

FIRST, SECOND = 256, 257
TITLE, TABLE, PICTURE, BOX, ROUND, GROUP, MEMBER = 2, 4, 6, 7, 8, 10, 11
FILM, DIAGRAM = 3, 4
POSITION = {"left_cm": 1, "top_cm": 2, "width_cm": 3}
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def _png() -> str:
    stream = BytesIO()
    Image.new("RGB", (30, 10), "blue").save(stream, "png")
    return base64.b64encode(stream.getvalue()).decode()


def deck_with_media() -> bytes:
    """Return `everything` with a video and a diagram on its second slide."""
    deck: Any = Presentation(BytesIO(everything()))
    slide = deck.slides[1]
    position = [Cm(each) for each in (1, 1, 4, 3)]
    slide.shapes.add_movie(BytesIO(b"no real film"), *position, mime_type="video/mp4")
    data = (
        f'<dgm:dataModel xmlns:dgm="{_DGM}" {nsdecls("a")}><dgm:ptLst><dgm:pt modelId="1">'
        "<dgm:prSet/><dgm:spPr/><dgm:t><a:bodyPr/><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t>"
        "</dgm:pt></dgm:ptLst><dgm:cxnLst/><dgm:bg/><dgm:whole/></dgm:dataModel>"
    )
    kind = "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"
    name = PackURI("/ppt/diagrams/data1.xml")
    part = Part(name, kind, deck.part.package, data.encode())
    relation = slide.part.relate_to(part, f"{_R}/diagramData")
    frame = (
        f'<p:graphicFrame {nsdecls("p", "a", "r")}><p:nvGraphicFramePr><p:cNvPr id="{DIAGRAM}" '
        'name="Diagram"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>'
        '<a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData '
        f'uri="{_DGM}"><dgm:relIds xmlns:dgm="{_DGM}" r:dm="{relation}" r:lo="{relation}" '
        f'r:qs="{relation}" r:cs="{relation}"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    slide.shapes._spTree.append(parse_xml(frame))
    stream = BytesIO()
    deck.save(stream)
    return stream.getvalue()


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("add_connector", {"slide": FIRST, "start": BOX, "end": MEMBER}, "is in a group"),
    ("group_shapes", {"slide": FIRST, "shapes": [BOX, BOX]}, "different ids"),
    ("group_shapes", {"slide": FIRST, "shapes": [TITLE, BOX]}, "placeholders cannot be grouped"),
    ("ungroup_shape", {"slide": FIRST, "shape": BOX}, "is no group"),
    ("distribute_shapes", {"slide": FIRST, "shapes": [7, 8], "along": "vertical"}, "at least 3"),
    ("add_picture", {"slide": FIRST, "data": "####", **POSITION}, "PNG or JPEG"),
    ("add_picture", {"slide": FIRST, "data": "R0lGODlhAQABAAAAACw=", **POSITION}, "PNG or JPEG"),
    ("crop_picture", {"slide": FIRST, "shape": BOX, "left": 0.1}, "is no picture"),
    ("crop_picture", {"slide": FIRST, "shape": PICTURE, "left": 0.5, "right": 0.5}, "twentieth"),
    ("set_media", {"slide": FIRST, "shape": BOX, "muted": True}, "no film or sound"),
    ("set_diagram_text", {"slide": FIRST, "shape": BOX, "old": "a", "new": "b"}, "no diagram"),
    (
        "set_diagram_text",
        {"slide": SECOND, "shape": DIAGRAM, "old": "None", "new": "b"},
        "no entry",
    ),
    ("add_row", {"slide": FIRST, "shape": TABLE, "cells": ["a"], "position": 1}, "3 cells"),
    ("delete_row", {"slide": FIRST, "shape": TABLE, "position": 3}, "from 1 to 2"),
    ("set_advance", {"slide": FIRST, "seconds": -1}, "from 0"),
    ("set_layout", {"slide": FIRST, "layout": "None such"}, "no layout is called"),
    ("set_theme_color", {"slot": "accent9", "color": "#123456"}, "accent1"),
]
