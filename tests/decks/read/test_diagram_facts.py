"""SmartArt: levels and text from the data, or from the drawing if the data are unreadable."""

from pathlib import Path
from typing import Any

import pytest

from pptarena.decks import SmartArt, read_deck

_SHARED = Path(__file__).parents[4] / "shared" / "data" / "decks" / "python-pptx"


def _point(name: str, text: str, kind: str = "node") -> str:
    body = f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>"
    return f'<dgm:pt modelId="{name}" type="{kind}"><dgm:t>{body}</dgm:t></dgm:pt>'


def _link(start: str, end: str, order: int, kind: str = "parOf") -> str:
    return f'<dgm:cxn type="{kind}" srcId="{start}" destId="{end}" srcOrd="{order}"/>'


def _model(stage: Any, points: str, links: str) -> str:
    head = '<dgm:pt modelId="d" type="doc"><dgm:prSet loTypeId="urn:x/layout/list3"/></dgm:pt>'
    inside = f"<dgm:ptLst>{head}{points}</dgm:ptLst><dgm:cxnLst>{links}</dgm:cxnLst>"
    return f"{stage.with_namespaces('<dgm:dataModel>')}{inside}</dgm:dataModel>"


_POINTS = _point("b", "Second") + _point("a", "First") + _point("c", "Below", "asst")
_LINKS = _link("d", "a", 0) + _link("d", "b", 1) + _link("b", "c", 0) + _link("a", "x", 0, "presOf")


def _diagram(stage: Any, model: str, drawing: str = "", layout: str = "") -> SmartArt:
    ids = '<dgm:relIds r:dm="rId80" r:lo="rId81" r:qs="rId82" r:cs="rId83"/>'
    xml = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="909" name="D"/><p:cNvGraphicFramePr/>'
        '<p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData uri="x">'
        f"{ids}</a:graphicData></a:graphic></p:graphicFrame>"
    )
    parts = {"ppt/diagrams/d1.xml": model}
    rels = stage.rel("rId80", "diagramData", "/ppt/diagrams/d1.xml")
    if drawing:
        parts["ppt/diagrams/w1.xml"] = drawing
        rels += stage.rel("rId84", "diagramDrawing", "/ppt/diagrams/w1.xml")
    if layout:
        parts["ppt/diagrams/l1.xml"] = layout
        rels += stage.rel("rId81", "diagramLayout", "/ppt/diagrams/l1.xml")
    diagram: SmartArt = stage.shape(xml, rels=rels, parts=parts).smart_art
    return diagram


def test_nodes_follow_the_outline(stage: Any) -> None:
    diagram = _diagram(stage, _model(stage, _POINTS, _LINKS))
    assert diagram.nodes == ((0, "First"), (0, "Second"), (1, "Below"))
    assert diagram.layout == "list3"
    assert diagram.text == "First\nSecond\nBelow"
    with_drawing = _diagram(stage, _model(stage, _POINTS, _LINKS), _drawing(stage))
    assert with_drawing.nodes == diagram.nodes


def test_cyclic_connections_are_handled(stage: Any) -> None:
    links = _LINKS + _link("c", "b", 0) + _link("c", "d", 0)
    assert len(_diagram(stage, _model(stage, _POINTS, links)).nodes) == 3


def test_layout_names(stage: Any) -> None:
    layout = stage.with_namespaces('<dgm:layoutDef uniqueId="urn:microsoft.com/layout/process1"/>')
    first = _diagram(stage, _model(stage, _POINTS, _LINKS), layout=layout)
    assert first.layout == "process1"
    other = _diagram(stage, _model(stage, _POINTS, _LINKS), layout=layout.replace("/>", ' a="1"/>'))
    assert first.fingerprint != other.fingerprint


def _drawing(stage: Any) -> str:
    text = "<dsp:txBody><a:p><a:r><a:t>Drawn</a:t></a:r></a:p></dsp:txBody>"
    tree = f"<dsp:spTree><dsp:sp>{text}</dsp:sp></dsp:spTree>"
    return f"{stage.with_namespaces('<dsp:drawing>')}{tree}</dsp:drawing>"


@pytest.mark.parametrize("model", ["<broken", "<x/>"])
def test_drawing_replaces_unreadable_data(stage: Any, model: str) -> None:
    assert _diagram(stage, model, _drawing(stage)).nodes == ((0, "Drawn"),)
    assert _diagram(stage, model).nodes == ()


@pytest.mark.skipif(not _SHARED.exists(), reason="no shared decks")
def test_diagram_of_a_real_deck() -> None:
    shapes = read_deck(_SHARED / "shp-shapes.pptx").slides[0].shapes
    diagram = next(shape for shape in shapes if shape.smart_art)
    assert diagram.smart_art is not None
    assert diagram.smart_art.layout == "process1"
    assert [text.strip() for _, text in diagram.smart_art.nodes] == ["shapes[5]", "", "Smart Art"]
    assert "Smart Art" in diagram.all_text
