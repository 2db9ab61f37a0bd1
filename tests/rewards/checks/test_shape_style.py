from typing import Any

import pytest
from lxml import etree
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches

_A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def _xml(inner: str) -> Any:
    """Set an element of a shape's properties, replacing one of the same name."""

    def edit(lab: Any, deck: Any) -> None:
        properties = lab.shape_named(deck, 5, "A")._element.spPr
        element = etree.fromstring(f'<root xmlns:a="{_A}">{inner}</root>')[0]
        for old in properties.findall(element.tag):
            properties.remove(old)
        geometry = properties.find(f"{{{_A}}}prstGeom")
        fills = ("gradFill", "solidFill", "noFill", "pattFill", "blipFill")
        if etree.QName(element).localname in fills:
            for fill in fills:
                for old in properties.findall(f"{{{_A}}}{fill}"):
                    properties.remove(old)
            properties.insert(list(properties).index(geometry) + 1, element)
        else:
            properties.append(element)

    return edit


def _geometry(preset: str, *guides: tuple[str, int]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        geometry = lab.shape_named(deck, 5, "A")._element.spPr.prstGeom
        geometry.set("prst", preset)
        values = "".join(f'<a:gd name="{n}" fmla="val {v}"/>' for n, v in guides)
        new = etree.fromstring(f'<a:avLst xmlns:a="{_A}">{values}</a:avLst>')
        geometry.replace(geometry[0], new)

    return edit


def _flip(**flips: bool) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for name, value in flips.items():
            lab.shape_named(deck, 5, "A")._element.spPr.xfrm.set(name, str(int(value)))

    return edit


def _line(inner: str) -> Any:
    color = '<a:solidFill><a:srgbClr val="00FF00"/></a:solidFill>'
    return _xml(f'<a:ln w="38100">{color}{inner}</a:ln>')


def _connect(*ends: tuple[str, str]) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        connector = deck.slides[4].shapes.add_connector(1, 0, 0, Inches(1), Inches(1))
        for side, name in ends:
            target = lab.shape_named(deck, 5, name)
            (connector.begin_connect if side == "begin" else connector.end_connect)(target, 0)

    return edit


A = {"slide": 5, "shape": "A"}
GRADIENT = (
    '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="FF0000"/></a:gs>'
    '<a:gs pos="100000"><a:srgbClr val="0000FF"/></a:gs></a:gsLst><a:lin ang="0"/></a:gradFill>'
)
TWO_COLORS = A | {"kind": "gradient", "colors": ["#FF0000", "#0000FF"]}
ARROW = A | {"dash": "dash", "end": "triangle"}
JOIN = {"slide": 5, "from_shape": "A", "to_shape": "B"}

CASES = [
    ("shape_geometry_is", A | {"geometry": "ellipse"}, _geometry("ellipse"), 1, 1),
    ("shape_geometry_is", A | {"geometry": "ellipse"}, _geometry("hexagon"), 0, 0),
    ("shape_fill_is", TWO_COLORS, _xml(GRADIENT), 1, 1),
    ("shape_fill_is", TWO_COLORS | {"colors": ["#00FF00"]}, _xml(GRADIENT), 0.5, 0.5),
    ("shape_fill_is", TWO_COLORS, _xml("<a:noFill/>"), 0, 0),
    ("shape_flipped", A | {"horizontal": True, "vertical": True}, _flip(flipH=True, flipV=True),
     1, 1),
    ("shape_flipped", A | {"horizontal": True, "vertical": True}, _flip(flipH=True), 0.5, 0.5),
    ("shape_flipped", A | {"horizontal": True}, _flip(flipV=True), 0, 0),
    ("shape_line", ARROW, _line('<a:prstDash val="dash"/><a:tailEnd type="triangle"/>'), 1, 1),
    ("shape_line", ARROW, _line('<a:prstDash val="dash"/>'), 0.5, 0.5),
    ("shape_line", ARROW, _line('<a:prstDash val="dot"/>'), 0, 0),
    ("connector_joins", JOIN, _connect(("begin", "A"), ("end", "B")), 1, 1),
    ("connector_joins", JOIN, _connect(("begin", "B"), ("end", "A")), 0.5, 0.5),
    ("connector_joins", JOIN | {"directed": False}, _connect(("begin", "B"), ("end", "A")), 1, 1),
    ("connector_joins", JOIN, _connect(("begin", "A")), 0.5, 0.5),
    ("connector_joins", JOIN, _connect(("begin", "C")), 0, 0),
    ("connector_joins", JOIN, _connect(("begin", "A"), ("end", "C")), 0, 0),
]  # fmt: skip


@pytest.mark.slow
def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)


def test_connector_may_join_new_shapes(lab: Any) -> None:
    def edit(deck: Any) -> None:
        star = deck.slides[4].shapes.add_shape(
            MSO_SHAPE.STAR_5_POINT, Inches(8), Inches(1), Inches(1), Inches(1)
        )
        star.name = "Star"
        connector = deck.slides[4].shapes.add_connector(1, 0, 0, Inches(1), Inches(1))
        connector.begin_connect(lab.shape_named(deck, 5, "A"), 0)
        connector.end_connect(star, 0)

    args = {"slide": 5, "from_shape": "A", "to_shape": "Star"}
    assert lab.check("connector_joins", args, edit).score == 1
    assert lab.check("connector_joins", args).score == 0


@pytest.mark.parametrize(
    ("sites", "options", "score"),
    [
        ((3, 1), {"between": True, "towards": "right"}, 1.0),
        ((1, 3), {"between": True}, 0.5),
        ((1, 3), {}, 1.0),
        ((3, 1), {"towards": "left"}, 0.0),
        ((3, 1), {"towards": "down"}, 0.0),
    ],
)
def test_connector_direction_and_sites_are_checked(
    lab: Any, sites: tuple[int, int], options: dict[str, Any], score: float
) -> None:
    def edit(deck: Any) -> None:
        shapes = deck.slides[4].shapes
        boxes = [
            shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(x), Inches(6), Inches(1), Inches(1))
            for x in (2, 6)
        ]
        connector = shapes.add_connector(1, 0, 0, Inches(1), Inches(1))
        connector.begin_connect(boxes[0], sites[0])
        connector.end_connect(boxes[1], sites[1])
        boxes[0].name, boxes[1].name = "One", "Two"

    args = {"slide": 5, "from_shape": "One", "to_shape": "Two"} | options
    assert lab.check("connector_joins", args, edit).score == score
