from typing import Any

import pytest
from lxml import etree
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.util import Inches

pytestmark = pytest.mark.slow

CENTERED = PP_PLACEHOLDER.CENTER_TITLE
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"


def _theme(*pairs: tuple[str, str]) -> Any:
    """Replace words in the theme's XML."""

    def edit(lab: Any, deck: Any) -> None:
        part = deck.slide_master.part.part_related_by(RT.THEME)
        blob = part.blob
        for old, new in pairs:
            assert old.encode() in blob
            blob = blob.replace(old.encode(), new.encode())
        part._blob = blob

    return edit


def _style(size: int, bold: bool = False) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        style = deck.slide_master._element.find(f"{{{_P}}}txStyles/{{{_P}}}titleStyle")
        run = style.find(f"{{{_A}}}lvl1pPr/{{{_A}}}defRPr")
        run.set("sz", str(size * 100))
        run.set("b", str(int(bold)))

    return edit


def _on_layouts(*names: str) -> Any:
    """Make the titles of the named layouts italic, or of all layouts if none is named."""

    def edit(lab: Any, deck: Any) -> None:
        for layout in deck.slide_layouts:
            for holder in layout.placeholders if not names or layout.name in names else ():
                if holder.placeholder_format.type in (PP_PLACEHOLDER.TITLE, CENTERED):
                    styles = holder._element.txBody.find(f"{{{_A}}}lstStyle")
                    level = styles.find(f"{{{_A}}}lvl1pPr")
                    level = etree.SubElement(styles, f"{{{_A}}}lvl1pPr") if level is None else level
                    run = level.find(f"{{{_A}}}defRPr")
                    run = etree.SubElement(level, f"{{{_A}}}defRPr") if run is None else run
                    run.set("i", "1")

    return edit


def _on_master(text: str, layout: str = "", left: float = 1, top: float = 1) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        holder = deck.slide_master
        if layout:
            holder = next(each for each in deck.slide_layouts if each.name == layout)
        xml = (
            f'<p:sp xmlns:p="{_P}" xmlns:a="{_A}"><p:nvSpPr><p:cNvPr id="99" name="Mark"/>'
            '<p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
            f'<a:off x="{int(Inches(left))}" y="{int(Inches(top))}"/>'
            '<a:ext cx="1828800" cy="457200"/>'
            '</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody>'
            f"<a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
        holder.shapes._spTree.append(etree.fromstring(xml))

    return edit


def _background(*slides: int, kind: str = "gradient", stops: tuple[str, ...] = ()) -> Any:
    def edit(lab: Any, deck: Any) -> None:
        for number in slides:
            fill = deck.slides[number - 1].background.fill
            if kind == "solid":
                fill.solid()
                fill.fore_color.rgb = lab.rgb(stops[0])
                continue
            fill.gradient()
            for stop, color in zip(fill.gradient_stops, stops, strict=False):
                stop.color.rgb = lab.rgb(color)

    return edit


COLORS = {"colors": [["accent1", "#123456"], ["accent2", "#654321"]]}
BLUE, RED, GREEN = ("4F81BD", "123456"), ("C0504D", "654321"), ("9BBB59", "ABCDEF")
FONTS = {"heading": "Georgia", "body": "Verdana"}
LIGHT = {"kind": "title", "italic": True}
TITLES = {"kind": "title", "size_pt": 40, "bold": True}
MARK = {"kind": "text_box", "text": "Acme internal", "left_emu": 914_400}
ON_LAYOUT = {"layout": "Title Only", "text": "Acme internal"}
SUNSET = {"slides": [1, 2], "kind": "gradient", "colors": ["#FF0000", "#0000FF"]}

CASES = [
    ("theme_colors_are", COLORS, _theme(BLUE, RED), 1, 1),
    ("theme_colors_are", COLORS, _theme(BLUE), 0.5, 0.51),
    ("theme_colors_are", COLORS, _theme(("4F81BD", "ABCDEF")), 0, 0),
    ("theme_colors_are", COLORS, _theme(("4F81BD", "1A3F66")), 0.01, 0.1),
    ("theme_colors_are", COLORS | {"only": True}, _theme(BLUE, RED), 1, 1),
    ("theme_colors_are", COLORS | {"only": True}, _theme(BLUE, RED, GREEN), 0.7, 0.8),
    ("theme_fonts_are", {"heading": "Verdana"}, _theme(("Calibri", "Verdana")), 1, 1),
    ("theme_fonts_are", FONTS, _theme(("Calibri", "Verdana")), 0.5, 0.5),
    ("theme_fonts_are", FONTS, _theme(("Calibri", "Arial")), 0, 0),
    ("theme_is", {"name": "Harbour"}, _theme(('name="Office Theme"', 'name="Harbour"')), 1, 1),
    ("theme_is", {"name": "Harbour"}, _theme(('name="Office Theme"', 'name="Port"')), 0, 0),
    ("master_text_style", TITLES, _style(40, bold=True), 1, 1),
    ("master_text_style", TITLES, _style(40), 0.5, 0.5),
    ("master_text_style", TITLES, _style(30), 0, 0),
    ("master_text_style", LIGHT, _on_layouts(), 1, 1),
    ("master_text_style", LIGHT, _on_layouts("Title Slide"), 0.1, 0.9),
    ("master_shape", MARK, _on_master("Acme internal"), 1, 1),
    ("master_shape", MARK, _on_master("Acme internal", left=4), 0.6, 0.95),
    ("master_shape", MARK, _on_master("Acme internal", layout="Title Only"), 0, 0),
    ("master_shape", ON_LAYOUT, _on_master("Acme internal", layout="Title Only"), 1, 1),
    ("layout_shape_clear", ON_LAYOUT, _on_master("Acme internal", "Title Only", 6, 6), 1, 1),
    ("layout_shape_clear", ON_LAYOUT, _on_master("Acme internl", "Title Only", 1, 5.2), 0.6, 0.7),
    ("layout_shape_clear", ON_LAYOUT, _on_master("Acme internal", "Title Only", 1, 2.2), 0, 0),
    ("master_shape", ON_LAYOUT, _on_master("Akme internl", layout="Title Only"), 0.4, 0.6),
    ("background_is", SUNSET, _background(1, 2, stops=("FF0000", "0000FF")), 1, 1),
    ("background_is", SUNSET, _background(1, stops=("FF0000", "0000FF")), 0.5, 0.5),
    ("background_is", SUNSET, _background(1, 2, stops=("FF0000", "00FF00")), 0.6, 0.7),
    ("background_is", SUNSET, _background(1, 2, kind="solid", stops=("FF0000",)), 0, 0),
]


def test_scores_are_in_range_and_0_without_the_edit(scorer: Any) -> None:
    scorer.assert_scores(CASES)
