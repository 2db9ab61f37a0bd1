"""A deck with every type of object that XML edits change."""

from io import BytesIO
from typing import Any

from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Cm

__all__ = ["everything"]

_MOTION = """<p:timing {ns}><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never"
nodeType="tmRoot"><p:childTnLst><p:par><p:cTn id="2" fill="hold"><p:stCondLst><p:cond delay="0"/>
</p:stCondLst><p:childTnLst><p:set><p:cBhvr><p:cTn id="3" dur="1"/><p:tgtEl>
<p:spTgt spid="{shape}"/></p:tgtEl><p:attrNameLst><p:attrName>style.visibility</p:attrName>
</p:attrNameLst></p:cBhvr><p:to><p:strVal val="visible"/></p:to></p:set></p:childTnLst></p:cTn>
</p:par></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"""


def everything() -> bytes:
    """Return a deck of two slides: text, table, chart, picture, group, line, link, motion."""
    presentation: Any = Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[1])
    presentation.slides.add_slide(presentation.slide_layouts[5]).shapes.title.text = "Later"
    slide.shapes.title.text = "Tents"
    slide.placeholders[1].text_frame.text = "One tent"
    slide.placeholders[1].text_frame.add_paragraph().text = "Two tents"
    slide.notes_slide.notes_text_frame.text = "Say it"
    table = slide.shapes.add_table(2, 3, Cm(1), Cm(8), Cm(10), Cm(3)).table
    table.cell(0, 0).text = "Month"
    _add_chart(slide)
    _add_shapes(slide)
    slide._element.append(
        parse_xml(f'<p:transition {nsdecls("p")} spd="med"><p:fade/></p:transition>')
    )
    xml = _MOTION.format(ns=nsdecls("p"), shape=slide.shapes.title.shape_id)
    slide._element.append(parse_xml(xml.replace("\n", " ").replace("> <", "><")))
    stream = BytesIO()
    presentation.save(stream)
    return stream.getvalue()


def _add_chart(slide: Any) -> None:
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["May", "June"]
    data.add_series("Sold", (1, 2))
    position = [Cm(each) for each in (12, 8, 8, 6)]
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *position, data)


def _add_shapes(slide: Any) -> None:
    picture = BytesIO()
    Image.new("RGB", (40, 20), "red").save(picture, "png")
    picture.seek(0)
    slide.shapes.add_picture(picture, Cm(1), Cm(12))
    box = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, Cm(1), Cm(1), Cm(2), Cm(2))
    box.fill.solid()
    box.fill.fore_color.rgb = RGBColor(255, 0, 0)  # type: ignore[no-untyped-call]
    box.text_frame.text = "Boxed"
    box.click_action.hyperlink.address = "https://example.org/"
    oval = slide.shapes.add_shape(MSO_SHAPE.OVAL, Cm(5), Cm(1), Cm(2), Cm(2))
    oval.name = "Round"
    line = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 9, 9)
    line.begin_connect(box, 1)
    line.end_connect(oval, 1)
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "Grouped"
