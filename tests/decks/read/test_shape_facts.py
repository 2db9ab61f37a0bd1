"""Shapes: effects, outlines, connectors, group fills, marks, and fingerprints."""

import io
from typing import Any

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_AUTO_SHAPE_TYPE
from pptx.spec import autoshape_types

from pptarena.decks import Effect, GradientStop, Link
from pptarena.decks.read.geometry import _default_adjustments


@pytest.mark.parametrize(
    ("xml", "expected"),
    [
        (
            '<a:effectLst><a:outerShdw blurRad="50800" dist="38100" dir="2700000" algn="tl" '
            'rotWithShape="0"><a:prstClr val="black"><a:alpha val="40000"/></a:prstClr>'
            "</a:outerShdw></a:effectLst>",
            Effect(
                "shadow",
                "#000000",
                (("opacity", 40), ("blur", 4), ("distance", 3), ("direction", 45)),
            ),
        ),
        (
            '<a:effectLst><a:glow rad="63500"><a:schemeClr val="accent2"/></a:glow></a:effectLst>',
            Effect("glow", "#C0504D", (("radius", 5),)),
        ),
        (
            '<a:effectLst><a:softEdge rad="12700"/></a:effectLst>',
            Effect("soft_edge", None, (("radius", 1),)),
        ),
        (
            '<a:effectLst><a:innerShdw blurRad="12700"><a:srgbClr val="112233"/></a:innerShdw>'
            "</a:effectLst>",
            Effect("inner_shadow", "#112233", (("blur", 1),)),
        ),
        (
            '<a:effectLst><a:reflection stA="52000" endA="300" endPos="35000" dir="5400000" '
            'sy="-100000"/></a:effectLst>',
            Effect(
                "reflection",
                None,
                (
                    ("scale_y", -100),
                    ("start_opacity", 52),
                    ("end_opacity", 0.3),
                    ("end", 35),
                    ("direction", 90),
                ),
            ),
        ),
        (
            '<a:scene3d><a:camera prst="perspectiveFront"><a:rot lat="0" lon="1200000" rev="0"/>'
            '</a:camera><a:lightRig rig="threePt" dir="t"/></a:scene3d>',
            Effect("3d_rotation", detail="camera=perspectiveFront angles=0,20,0"),
        ),
        (
            '<a:sp3d><a:bevelT w="127000" h="63500" prst="angle"/></a:sp3d>',
            Effect("bevel", detail="top angle 10x5"),
        ),
    ],
)
def test_effects(stage: Any, xml: str, expected: Effect) -> None:
    assert stage.box(xml).effects == (expected,)


def test_no_effects(stage: Any) -> None:
    flat = '<a:scene3d><a:camera prst="orthographicFront"/><a:lightRig rig="threePt" dir="t"/>'
    assert stage.box(f"<a:effectLst/>{flat}</a:scene3d><a:sp3d/>").effects == ()


def test_theme_effects(lab: Any, stage: Any) -> None:
    style = (
        '<p:style><a:lnRef idx="0"/><a:fillRef idx="0"/><a:effectRef idx="3">'
        '<a:schemeClr val="accent1"/></a:effectRef><a:fontRef idx="minor"/></p:style>'
    )
    kinds = [effect.kind for effect in stage.box(style=style).effects]
    assert kinds == ["bevel", "shadow"]
    assert stage.box("<a:effectLst/><a:sp3d/>", style=style).effects == ()


def test_default_adjustments_are_filled_in(stage: Any) -> None:
    def rounded(values: str) -> tuple[tuple[str, int], ...]:
        xml = f'<a:prstGeom prst="roundRect"><a:avLst>{values}</a:avLst></a:prstGeom>'
        adjustments: tuple[tuple[str, int], ...] = stage.box(xml).adjustments
        return adjustments

    assert rounded("") == (("adj", 16_667),)
    assert rounded('<a:gd name="adj" fmla="val 16667"/>') == (("adj", 16_667),)
    assert rounded('<a:gd name="adj1" fmla="val 50000"/>') == (("adj", 50_000),)
    assert rounded('<a:gd name="adj" fmla="val NaN"/>') == (("adj", 0),)
    assert stage.box().adjustments == ()


def test_default_adjustments_match_python_pptx() -> None:
    defaults = _default_adjustments()
    for kind, entry in autoshape_types.items():
        assert isinstance(kind, MSO_AUTO_SHAPE_TYPE)
        assert dict(defaults.get(kind.xml_value or "", {})) == dict(entry["avLst"])
    assert defaults["bentConnector4"] == {"adj1": 50_000, "adj2": 50_000}


def _outline(points: str, width: int = 100) -> str:
    return (
        f'<a:custGeom><a:avLst/><a:pathLst><a:path w="{width}" h="{width}">{points}</a:path>'
        "</a:pathLst></a:custGeom>"
    )


def _points(scale: int, last: int) -> str:
    corners = ((0, 0), (100, 0), (50, last))
    points = [f'<a:pt x="{x * scale}" y="{y * scale}"/>' for x, y in corners]
    return "".join(
        f"<a:{tag}>{point}</a:{tag}>"
        for tag, point in zip(("moveTo", "lnTo", "lnTo"), points, strict=True)
    )


def test_custom_outlines(stage: Any) -> None:
    triangle = stage.box(_outline(_points(1, 100)))
    finer = stage.box(_outline(_points(36, 100), 3600))
    other = stage.box(_outline(_points(1, 60)))
    assert triangle.geometry == "custom"
    assert triangle.path_digest == finer.path_digest != other.path_digest
    assert stage.box().path_digest == ""


def test_connectors_reference_their_ends(stage: Any, lab: Any) -> None:
    base_slide = Presentation(io.BytesIO(lab.base)).slides[4]
    ids = {shape.name: shape.shape_id for shape in base_slide.shapes}
    ends = f'<a:stCxn id="{ids["B"]}" idx="3"/><a:endCxn id="{ids["C"]}" idx="1"/>'
    xml = (
        f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="901" name="Link"/><p:cNvCxnSpPr>{ends}'
        '</p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr><p:spPr><a:prstGeom prst="bentConnector3"/>'
        "</p:spPr></p:cxnSp>"
    )
    slide = stage.slide(xml)
    start, end = slide.shapes[-1].connects
    assert (slide.shapes[start].name, slide.shapes[end].name) == ("B", "C")
    assert slide.shapes[-1].kind == "line"
    loose = stage.shape(xml.replace(ends, '<a:stCxn id="4711" idx="0"/>'))
    assert loose.connects == (None, None)


def _group(fill: str, inside: str) -> str:
    return (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="902" name="G"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr>{fill}</p:grpSpPr>{inside}</p:grpSp>"
    )


_MEMBER = (
    '<p:sp><p:nvSpPr><p:cNvPr id="903" name="M"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>'
    '<a:prstGeom prst="rect"/><a:grpFill/></p:spPr></p:sp>'
)


def test_members_can_use_the_fill_of_their_group(stage: Any) -> None:
    fill = '<a:solidFill><a:srgbClr val="123456"/></a:solidFill>'
    assert stage.shape(_group(fill, _MEMBER)).fill.color == "#123456"
    nested = _group(fill, _group("<a:grpFill/>", _MEMBER))
    assert stage.shape(nested).fill.color == "#123456"
    assert stage.shape(_group("", _MEMBER)).fill.kind == "none"


def test_shape_filled_with_the_background(stage: Any) -> None:
    shape = stage.shape(_MEMBER.replace("<p:sp>", '<p:sp useBgFill="1">', 1))
    assert shape.fill == stage.slide().background


def test_decorative_marks_and_hover_links(stage: Any) -> None:
    decorative = '<a:extLst><a:ext uri="{C}"><adec:decorative val="1"/></a:ext></a:extLst>'
    hover = '<a:hlinkHover r:id="rId78"/>'
    rels = stage.rel("rId78", "hyperlink", "https://example.org/", external=True)
    shape = stage.box(non_visual=hover + decorative, rels=rels)
    assert shape.decorative
    assert shape.hover_link == Link("https://example.org/")
    assert not stage.box(non_visual=decorative.replace('"1"', '"0"')).decorative
    slide = stage.slide(_MEMBER.replace("/><p:cNvSpPr", f">{decorative}</p:cNvPr><p:cNvSpPr"))
    assert slide.reading_order == tuple(range(len(slide.shapes) - 1))


@pytest.mark.parametrize(
    ("inside", "detail"),
    [
        ('<a:ln w="12700" cmpd="dbl" cap="rnd"><a:solidFill/><a:miter lim="800000"/></a:ln>',
         "cap=rnd cmpd=dbl join=miter"),
        ('<a:ln w="12700" cmpd="sng" cap="flat" algn="ctr"><a:solidFill/><a:round/></a:ln>', ""),
        ('<a:ln><a:solidFill/><a:headEnd type="oval" w="lg" len="sm"/></a:ln>', "headEnd=lg/sm"),
    ],
)  # fmt: skip
def test_line_details(stage: Any, inside: str, detail: str) -> None:
    assert stage.box(inside).line.detail == detail


def test_gradients_have_stops_and_an_angle(stage: Any) -> None:
    fill = (
        '<a:gradFill><a:gsLst><a:gs pos="100000"><a:srgbClr val="00FF00"/></a:gs><a:gs pos="0">'
        '<a:schemeClr val="accent1"><a:alpha val="50000"/></a:schemeClr></a:gs></a:gsLst>'
        '<a:lin ang="5400000" scaled="1"/></a:gradFill>'
    )
    stops = GradientStop(0, "#4F81BD", 50), GradientStop(100, "#00FF00")
    assert stage.box(fill).fill.stops == stops
    assert stage.box(fill).fill.description == "0:#4F81BD/50 100:#00FF00/100 angle=90"
    assert stage.box(fill).fill.detail == "angle=90"


def test_unread_xml_changes_the_fingerprint(stage: Any) -> None:
    def unknown(value: str, name: str = "x", rest: str = "") -> str:
        xml = f'<a:extLst><a:ext uri="{{1}}"><{name}:odd {rest} xmlns:{name}="u:x" b="{value}"'
        digest: str = stage.box(non_visual=xml + "/></a:ext></a:extLst>").fingerprint
        return digest

    assert stage.box().fingerprint == ""
    assert unknown("1") == unknown("1", "y", 'id="{ABC}"') != ""
    assert unknown("1") != unknown("2")
    noise = '<a:extLst><a:ext uri="{2}"><z:creationId xmlns:z="u:z" id="{7}"/></a:ext></a:extLst>'
    assert stage.box(non_visual=noise).fingerprint == ""
