"""Calls of the typed tools that want more than a table and a chart, and what they do.

The deck is `everything` with a film and a diagram on its second slide.
"""

import base64
from collections.abc import Callable
from io import BytesIO
from typing import Any

from PIL import Image
from pptx import Presentation
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pptx.util import Cm
from tests.envs.document.everything import everything

__all__ = ["CASES", "REFUSED", "deck_with_media"]

FIRST, SECOND = 256, 257
TITLE, TABLE, PICTURE, BOX, ROUND, GROUP, MEMBER = 2, 4, 6, 7, 8, 10, 11
FILM, DIAGRAM = 3, 4
PLACE = {"left_cm": 1, "top_cm": 2, "width_cm": 3}
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"


def _png() -> str:
    stream = BytesIO()
    Image.new("RGB", (30, 10), "blue").save(stream, "png")
    return base64.b64encode(stream.getvalue()).decode()


def deck_with_media() -> bytes:
    """Return the deck."""
    deck: Any = Presentation(BytesIO(everything()))
    slide = deck.slides[1]
    place = [Cm(each) for each in (1, 1, 4, 3)]
    slide.shapes.add_movie(BytesIO(b"no real film"), *place, mime_type="video/mp4")
    data = (
        f'<dgm:dataModel xmlns:dgm="{_DGM}" {nsdecls("a")}><dgm:ptLst><dgm:pt modelId="1">'
        "<dgm:prSet/><dgm:spPr/><dgm:t><a:bodyPr/><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t>"
        "</dgm:pt></dgm:ptLst><dgm:cxnLst/><dgm:bg/><dgm:whole/></dgm:dataModel>"
    )
    kind = "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml"
    name = PackURI("/ppt/diagrams/data1.xml")
    part = Part(name, kind, deck.part.package, data.encode())
    number = slide.part.relate_to(part, f"{_R}/diagramData")
    frame = (
        f'<p:graphicFrame {nsdecls("p", "a", "r")}><p:nvGraphicFramePr><p:cNvPr id="{DIAGRAM}" '
        'name="Diagram"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>'
        '<a:off x="0" y="0"/><a:ext cx="9" cy="9"/></p:xfrm><a:graphic><a:graphicData '
        f'uri="{_DGM}"><dgm:relIds xmlns:dgm="{_DGM}" r:dm="{number}" r:lo="{number}" '
        f'r:qs="{number}" r:cs="{number}"/></a:graphicData></a:graphic></p:graphicFrame>'
    )
    slide.shapes._spTree.append(parse_xml(frame))
    stream = BytesIO()
    deck.save(stream)
    return stream.getvalue()


def shape(deck: Any, number: int, shape_id: int) -> Any:
    return next(each for each in deck.slides[number - 1].shapes if each.shape_id == shape_id)


def ids(deck: Any) -> list[int]:
    return [each.shape_id for each in deck.slides[0].shapes]


def nodes(deck: Any, number: int, tag: str) -> list[Any]:
    return list(deck.slides[number - 1]._element.iter(qn(tag)))


def theme(deck: Any) -> bytes:
    kind = f"{_R}/theme"
    return bytes(deck.slide_masters[0].part.part_related_by(kind).blob)


def diagram(deck: Any) -> bytes:
    parts = deck.part.package.iter_parts()
    return bytes(next(each.blob for each in parts if "/diagrams/" in each.partname))


def texts(deck: Any) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in shape(deck, 1, TABLE).table.rows]


CASES: list[tuple[str, dict[str, Any], Callable[[Any], object], object]] = [
    (
        "add_shape",
        {"slide": FIRST, "outline": "star", **PLACE, "height_cm": 2, "text": "New"},
        lambda d: (d.slides[0].shapes[-1].text_frame.text, d.slides[0].shapes[-1].height.cm),
        ("New", 2.0),
    ),
    (
        "add_connector",
        {"slide": FIRST, "start": BOX, "end": ROUND, "kind": "elbow"},
        lambda d: [
            (d.slides[0].shapes[-1]._element.find(f".//{qn(tag)}").get("id"))
            for tag in ("a:stCxn", "a:endCxn")
        ],
        [str(BOX), str(ROUND)],
    ),
    (
        "group_shapes",
        {"slide": FIRST, "shapes": [ROUND, PICTURE]},
        lambda d: [each.shape_id for each in d.slides[0].shapes[-1].shapes],
        [PICTURE, ROUND],
    ),
    (
        "ungroup_shape",
        {"slide": FIRST, "shape": GROUP},
        lambda d: (GROUP in ids(d), MEMBER in ids(d)),
        (False, True),
    ),
    (
        "align_shapes",
        {"slide": FIRST, "shapes": [BOX, PICTURE, ROUND], "to": "bottom"},
        lambda d: {shape(d, 1, e).top + shape(d, 1, e).height for e in (BOX, PICTURE, ROUND)},
        {1_080_000},
    ),
    (
        "distribute_shapes",
        {"slide": FIRST, "shapes": [BOX, PICTURE, ROUND], "along": "horizontal"},
        lambda d: [shape(d, 1, e).left for e in (BOX, PICTURE, ROUND)],
        [360_000, 360_000 + 720_000 + 106_000, 1_800_000],
    ),
    (
        "add_picture",
        {"slide": FIRST, "data": _png(), **PLACE, "alt_text": "Blue"},
        lambda d: d.slides[0].shapes[-1].height.cm,
        1.0,
    ),
    (
        "crop_picture",
        {"slide": FIRST, "shape": PICTURE, "left": 0.25, "bottom": 0.5},
        lambda d: (shape(d, 1, PICTURE).crop_left, shape(d, 1, PICTURE).crop_bottom),
        (0.25, 0.5),
    ),
    (
        "set_media",
        {
            **{"slide": SECOND, "shape": FILM, "volume_pct": 30, "muted": True},
            **{"shown_when_stopped": False, "repeat": "until_stopped"},
        },
        lambda d: [dict(each.attrib) for each in nodes(d, 2, "p:cMediaNode")],
        [{"vol": "30000", "mute": "1", "showWhenStopped": "0"}],
    ),
    (
        "set_diagram_text",
        {"slide": SECOND, "shape": DIAGRAM, "old": "Plan", "new": "Build"},
        lambda d: b"<a:t>Build</a:t>" in diagram(d),
        True,
    ),
    (
        "add_row",
        {"slide": FIRST, "shape": TABLE, "cells": ["a", "b", "c"], "position": 2},
        texts,
        [["Month", "", ""], ["a", "b", "c"], ["", "", ""]],
    ),
    (
        "delete_row",
        {"slide": FIRST, "shape": TABLE, "position": 1},
        texts,
        [["", "", ""]],
    ),
    (
        "add_animation",
        {"slide": SECOND, "shape": TITLE, "effect": "fly_in", "start": "after_previous"},
        lambda d: [
            (each.get("presetID"), each.get("nodeType"))
            for each in nodes(d, 2, "p:cTn")
            if each.get("presetClass") == "entr"
        ],
        [("2", "afterEffect")],
    ),
    (
        "set_advance",
        {"slide": FIRST, "seconds": 2.5},
        lambda d: [each.get("advTm") for each in nodes(d, 1, "p:transition")],
        ["2500"],
    ),
    (
        "set_layout",
        {"slide": FIRST, "layout": "Title Only"},
        lambda d: d.slides[0].slide_layout.name,
        "Title Only",
    ),
    (
        "set_theme_color",
        {"slot": "accent2", "color": "#123456"},
        lambda d: b'<a:accent2><a:srgbClr val="123456"/></a:accent2>' in theme(d),
        True,
    ),
    (
        "set_theme_font",
        {"which": "headings", "font": "Georgia"},
        lambda d: b'<a:majorFont><a:latin typeface="Georgia"/>' in theme(d),
        True,
    ),
    (
        "set_master_background",
        {"color": "#EEEEEE"},
        lambda d: str(d.slide_masters[0].background.fill.fore_color.rgb),
        "EEEEEE",
    ),
]

REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("add_connector", {"slide": FIRST, "start": BOX, "end": MEMBER}, "is in a group"),
    ("group_shapes", {"slide": FIRST, "shapes": [BOX, BOX]}, "different ids"),
    ("group_shapes", {"slide": FIRST, "shapes": [TITLE, BOX]}, "placeholders cannot be grouped"),
    ("ungroup_shape", {"slide": FIRST, "shape": BOX}, "is no group"),
    ("distribute_shapes", {"slide": FIRST, "shapes": [7, 8], "along": "vertical"}, "at least 3"),
    ("add_picture", {"slide": FIRST, "data": "####", **PLACE}, "PNG or JPEG"),
    ("add_picture", {"slide": FIRST, "data": "R0lGODlhAQABAAAAACw=", **PLACE}, "PNG or JPEG"),
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
