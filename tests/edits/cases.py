"""One case for each edit: a deck, the edit as data, what to look at afterwards, and its value.

The deck "everything" has a table, a chart, a picture, a group, a film and a diagram; the others are
packaged.
"""

import base64
from collections.abc import Callable
from io import BytesIO
from typing import Any

from PIL import Image
from pptx.enum.text import PP_ALIGN
from pptx.oxml.ns import qn

__all__ = ["CASES", "FILES", "Case"]

Case = tuple[str, dict[str, Any], Callable[[Any], object], object]

BOX = {"left_cm": 1, "top_cm": 2, "width_cm": 3.5, "height_cm": 4}


def _png(color: str) -> bytes:
    stream = BytesIO()
    Image.new("RGB", (30, 10), color).save(stream, "png")
    return stream.getvalue()


FILES = {
    "blue.png": _png("blue"),
    "bell.wav": b"RIFF no real sound",
    "film.avi": b"RIFF \xff\xd8\xff" + _png("red") + b"\xff\xd9",
}


def slide(deck: Any, number: int) -> Any:
    return deck.slides[number - 1]


def shape(deck: Any, number: int, name: str | int) -> Any:
    shapes = slide(deck, number).shapes
    return next(each for each in shapes if name in (each.name, each.shape_id))


def last(deck: Any, number: int) -> Any:
    return slide(deck, number).shapes[-1]


def texts(deck: Any, number: int, name: str | int) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in shape(deck, number, name).table.rows]


def run(deck: Any, number: int, name: str | int, line: int = 1, at: int = 1) -> Any:
    frame = shape(deck, number, name).text_frame
    return frame.paragraphs[line - 1].runs[at - 1]


def tags(deck: Any, number: int) -> list[str]:
    return [each.tag.rpartition("}")[2] for each in slide(deck, number)._element]


def space(deck: Any) -> Any:
    return shape(deck, 1, 5).chart._chartSpace


def theme(deck: Any) -> str:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/theme"
    return bytes(deck.slide_masters[0].part.part_related_by(kind).blob).decode()


def diagram(deck: Any) -> str:
    parts = deck.part.package.iter_parts()
    return bytes(next(each.blob for each in parts if "/diagrams/" in each.partname)).decode()


def comments(deck: Any, number: int) -> int:
    relations = slide(deck, number).part.rels.values()
    return sum(
        each.target_part.blob.count(b"<p:cm ")
        for each in relations
        if each.reltype.endswith("/comments")
    )


def _on(edit: str, **arguments: Any) -> dict[str, Any]:
    return {"edit": edit, **arguments}


CASES: list[Case] = [
    # text
    (
        "everything",
        _on("set_text", slide=1, shape="@body", text="Three", paragraph=2),
        lambda d: shape(d, 1, 3).text_frame.text,
        "One tent\nThree",
    ),
    (
        "meridian",
        _on("replace_text", old="TrailLite", new="TrailLight"),
        lambda d: any("TrailLite" in (t.text or "") for s in d.slides for t in s._element.iter()),
        False,
    ),
    (
        "everything",
        _on("set_run_format", slide="Tents", shape="@body", text="tent", bold=True, color="tx2"),
        lambda d: [
            (r.text, r.font.bold) for p in shape(d, 1, 3).text_frame.paragraphs for r in p.runs
        ],
        [("One ", None), ("tent", True), ("Two ", None), ("tent", True), ("s", None)],
    ),
    (
        "everything",
        _on(
            "set_run_format",
            slide=1,
            shape="@body",
            paragraph=2,
            run=1,
            size_pt=20,
            font="Arial",
            underline=True,
        ),
        lambda d: [
            (r.font.size and r.font.size.pt, r.font.name, r.font.underline)
            for p in shape(d, 1, 3).text_frame.paragraphs
            for r in p.runs
        ],
        [(None, None, None), (20.0, "Arial", True)],
    ),
    (
        "everything",
        _on("set_paragraph_format", slide=1, shape="@body", line_spacing=1.5),
        lambda d: [each.line_spacing for each in shape(d, 1, 3).text_frame.paragraphs],
        [1.5, 1.5],
    ),
    (
        "everything",
        _on("set_paragraph_format", slide=1, shape="@body", paragraph=2, level=1, align="right"),
        lambda d: [each.level for each in shape(d, 1, 3).text_frame.paragraphs],
        [0, 1],
    ),
    (
        "everything",
        _on("set_bullets", slide=1, shape="@body", style="number", indent_cm=1.2),
        lambda d: len(list(shape(d, 1, 3)._element.iter(qn("a:buAutoNum")))),
        2,
    ),
    (
        "everything",
        _on("delete_paragraph", slide=1, shape="@body", paragraph=1),
        lambda d: shape(d, 1, 3).text_frame.text,
        "Two tents",
    ),
    (
        "everything",
        _on("set_text_frame", slide=1, shape="@body", columns=2, direction="rotated_90"),
        lambda d: dict(shape(d, 1, 3).text_frame._txBody.bodyPr.attrib),
        {"numCol": "2", "vert": "vert"},
    ),
    (
        "everything",
        _on("set_notes", slide="last", text="Say hello."),
        lambda d: slide(d, 2).notes_slide.notes_text_frame.text,
        "Say hello.",
    ),
    # slides
    (
        "meridian",
        _on("add_slide", layout="Title Only", position=2, footers=True),
        lambda d: (len(d.slides), slide(d, 2).slide_layout.name),
        (18, "Title Only"),
    ),
    (
        "meridian",
        _on("add_slide", position=2),
        lambda d: slide(d, 2).slide_layout.name == slide(d, 1).slide_layout.name,
        True,
    ),
    (
        "everything",
        _on("duplicate_slide", slide=1),
        lambda d: [each.notes_slide.notes_text_frame.text for each in list(d.slides)[:2]],
        ["Say it", "Say it"],
    ),
    (
        "everything",
        _on("duplicate_slide", slide=1, without=["notes", "transition", "animations"]),
        lambda d: (slide(d, 2).has_notes_slide, tags(d, 2)),
        (False, ["cSld", "clrMapOvr"]),
    ),
    (
        "everything",
        _on("move_slide", slide="id:257", position=1),
        lambda d: [each.slide_id for each in d.slides],
        [257, 256],
    ),
    (
        "everything",
        _on("delete_slide", slide="Later"),
        lambda d: [each.slide_id for each in d.slides],
        [256],
    ),
    (
        "everything",
        _on("hide_slide", slides="all"),
        lambda d: [each._element.get("show") for each in d.slides],
        ["0", "0"],
    ),
    (
        "everything",
        _on("set_background", slides=[2, 1], color="#FF0000"),
        lambda d: [str(each.background.fill.fore_color.rgb) for each in d.slides],
        ["FF0000", "FF0000"],
    ),
    # shapes
    (
        "everything",
        _on("add_text_box", slide=1, text="New", **BOX),
        lambda d: (last(d, 1).text_frame.text, last(d, 1).width.cm),
        ("New", 3.5),
    ),
    (
        "everything",
        _on("move_shape", slide=1, shape="Round", **BOX, rotation_deg=90),
        lambda d: (shape(d, 1, "Round").top.cm, shape(d, 1, "Round").rotation),
        (2.0, 90.0),
    ),
    (
        "field",
        _on("reset_position", slide=5, shape="@body"),
        lambda d: slide(d, 5).placeholders[1]._element.spPr.find(qn("a:xfrm")),
        None,
    ),
    (
        "everything",
        _on("duplicate_shape", slide=1, shape="@picture", to_slide=2, name="Copy"),
        lambda d: (last(d, 2).name, last(d, 2).image.content_type),
        ("Copy", "image/png"),
    ),
    (
        "everything",
        _on("delete_shape", slide=1, shape="Boxed"),
        lambda d: 7 in [each.shape_id for each in slide(d, 1).shapes],
        False,
    ),
    (
        "everything",
        _on("reorder_shape", slide=1, shape="@title", to="front"),
        lambda d: last(d, 1).shape_id,
        2,
    ),
    (
        "everything",
        _on("set_fill", slide=1, shape="Round", color="accent2", opacity_pct=50),
        lambda d: next(shape(d, 1, "Round")._element.iter(qn("a:alpha"))).get("val"),
        "50000",
    ),
    (
        "everything",
        _on("set_line", slide=1, shape="Round", color="#00FF00", width_pt=2),
        lambda d: shape(d, 1, "Round").line.width.pt,
        2.0,
    ),
    (
        "everything",
        _on("set_line", slide=1, shape="@line", start_arrow="oval", end_arrow="triangle"),
        lambda d: [
            (each.tag.rpartition("}")[2], each.get("type"))
            for each in shape(d, 1, 9)._element.iter(qn("a:headEnd"), qn("a:tailEnd"))
        ],
        [("headEnd", "oval"), ("tailEnd", "triangle")],
    ),
    # arrangement
    (
        "everything",
        _on("add_shape", slide=1, outline="star", **BOX, text="New"),
        lambda d: last(d, 1).text_frame.text,
        "New",
    ),
    (
        "everything",
        _on("add_connector", slide=1, start="id:7", end="Round", start_side="top", kind="elbow"),
        lambda d: next(last(d, 1)._element.iter(qn("a:stCxn"))).get("idx"),
        "0",
    ),
    (
        "everything",
        _on("add_connector", slide=1, start="id:7", end="Round", color="tx1", width_pt=1.5),
        lambda d: (last(d, 1).line.width.pt, last(d, 1).line.color.theme_color.name),
        (1.5, "TEXT_1"),
    ),
    (
        "everything",
        _on("attach_connector", slide=1, shape="@line", end="id:7", end_side="bottom"),
        lambda d: dict(next(shape(d, 1, 9)._element.iter(qn("a:endCxn"))).attrib),
        {"id": "7", "idx": "2"},
    ),
    (
        "everything",
        _on("group_shapes", slide=1, shapes=["Round", "@picture"]),
        lambda d: [each.shape_id for each in last(d, 1).shapes],
        [6, 8],
    ),
    (
        "everything",
        _on("ungroup_shape", slide=1, shape="@group"),
        lambda d: [each.shape_id in (10, 11) for each in slide(d, 1).shapes].count(True),
        1,
    ),
    (
        "everything",
        _on("align_shapes", slide=1, shapes=["id:7", "id:6", "Round"], to="bottom"),
        lambda d: {shape(d, 1, e).top + shape(d, 1, e).height for e in (6, 7, 8)},
        {1_080_000},
    ),
    (
        "everything",
        _on("distribute_shapes", slide=1, shapes=["id:7", "id:6", "id:8"], along="horizontal"),
        lambda d: [shape(d, 1, e).left for e in (7, 6, 8)],
        [360_000, 360_000 + 720_000 + 106_000, 1_800_000],
    ),
    # tables
    (
        "meridian",
        _on("set_cell_format", slide=6, shape="@table", row=2, bold=True, fill="#FF0000"),
        lambda d: {
            (str(c.fill.fore_color.rgb), c.text_frame.paragraphs[0].runs[0].font.bold)
            for c in shape(d, 6, "Regions").table.rows[1].cells
        },
        {("FF0000", True)},
    ),
    (
        "meridian",
        _on("set_cell_format", slide=6, shape="@table", column=1, align="center"),
        lambda d: [
            [c.text_frame.paragraphs[0].alignment for c in row.cells][:2].count(PP_ALIGN.CENTER)
            for row in shape(d, 6, "Regions").table.rows
        ][:2],
        [1, 1],
    ),
    (
        "meridian",
        _on("set_cell", slide=6, shape="@table", row=2, column=1, text="x"),
        lambda d: texts(d, 6, "Regions")[1][0],
        "x",
    ),
    (
        "everything",
        _on("add_table", slide=1, cells=[["a", "b"]], **BOX),
        lambda d: [cell.text for cell in last(d, 1).table.iter_cells()],
        ["a", "b"],
    ),
    (
        "meridian",
        _on(
            "add_table_like",
            slide=1,
            cells=[["Day", "Sold"], ["Monday", "3"], ["Total", "3"]],
            like_slide=6,
            like="Regions",
            **BOX,
        ),
        lambda d: [cell.text for cell in last(d, 1).table.iter_cells()],
        ["Day", "Sold", "Monday", "3", "Total", "3"],
    ),
    (
        "everything",
        _on("add_row", slide=1, shape="@table", cells=["a", "b", "c"], position=2),
        lambda d: texts(d, 1, 4),
        [["Month", "", ""], ["a", "b", "c"], ["", "", ""]],
    ),
    (
        "everything",
        _on("delete_row", slide=1, shape="Month", position=1),
        lambda d: texts(d, 1, 4),
        [["", "", ""]],
    ),
    (
        "everything",
        _on("delete_column", slide=1, shape="@table", position=1),
        lambda d: texts(d, 1, 4),
        [["", ""], ["", ""]],
    ),
    (
        "ledger",
        _on("sort_rows", slide=10, shape="Branches", column=2, descending=True, first=2, last=7),
        lambda d: [float(row[1]) for row in texts(d, 10, "Branches")[1:3]],
        [240.6, 182.4],
    ),
    # charts
    (
        "everything",
        _on(
            "set_chart_data",
            slide=1,
            shape="@chart",
            categories=["A", "B", "C"],
            series=[{"name": "N", "values": [1, None, 3.5]}],
            number_format="0.0",
        ),
        lambda d: list(shape(d, 1, 5).chart.plots[0].series[0].values),
        [1.0, None, 3.5],
    ),
    (
        "everything",
        _on("set_chart_title", slide=1, shape="@chart", text="Sales"),
        lambda d: shape(d, 1, 5).chart.chart_title.text_frame.text,
        "Sales",
    ),
    (
        "everything",
        _on("set_chart_color", slide=1, shape="@chart", series=1, point=2, color="#FF8000"),
        lambda d: str(shape(d, 1, 5).chart.plots[0].series[0].points[1].format.fill.fore_color.rgb),
        "FF8000",
    ),
    (
        "everything",
        _on("set_chart_axis", slide=1, shape="@chart", minimum=0, maximum=8, title="t"),
        lambda d: (
            shape(d, 1, 5).chart.value_axis.maximum_scale,
            shape(d, 1, 5).chart.value_axis.axis_title.text_frame.text,
        ),
        (8.0, "t"),
    ),
    (
        "everything",
        _on("set_bar_direction", slide=1, shape="@chart", direction="horizontal"),
        lambda d: [each.get("val") for each in space(d).iter(qn("c:barDir"), qn("c:axPos"))],
        ["bar", "l", "b"],
    ),
    (
        "everything",
        _on("set_chart_legend", slide=1, shape="@chart", side="left"),
        lambda d: shape(d, 1, 5).chart.legend.position.name,
        "LEFT",
    ),
    (
        "everything",
        _on("set_chart_labels", slide=1, shape="@chart"),
        lambda d: [each.get("val") for each in space(d).iter(qn("c:showVal"))],
        ["1"],
    ),
    (
        "everything",
        _on("set_chart_value", slide=1, shape="@chart", series=1, point=2, value=7.5),
        lambda d: shape(d, 1, 5).chart.plots[0].series[0].values[1],
        7.5,
    ),
    (
        "everything",
        _on("delete_series", slide=1, shape="@chart", series="Sold"),
        lambda d: len(list(space(d).iter(qn("c:ser")))),
        0,
    ),
    # pictures
    (
        "everything",
        _on(
            "add_picture",
            slide=1,
            data=base64.b64encode(FILES["blue.png"]).decode(),
            left_cm=1,
            top_cm=2,
            width_cm=3,
            alt_text="Blue",
        ),
        lambda d: last(d, 1).height.cm,
        1.0,
    ),
    (
        "everything",
        _on("insert_picture", slide=2, file="blue.png", left_cm=1, top_cm=2, width_cm=3),
        lambda d: last(d, 2).image.blob == FILES["blue.png"],
        True,
    ),
    (
        "everything",
        _on(
            "copy_image",
            slide=2,
            from_slide=1,
            shape="@picture",
            left_cm=1,
            top_cm=2,
            width_cm=4,
        ),
        lambda d: last(d, 2).image.blob == shape(d, 1, 6).image.blob,
        True,
    ),
    (
        "everything",
        _on("replace_picture", slide=1, shape="@picture", file="blue.png"),
        lambda d: shape(d, 1, 6).image.blob == FILES["blue.png"],
        True,
    ),
    (
        "everything",
        _on("crop_picture", slide=1, shape="@picture", left=0.25, bottom=0.5),
        lambda d: (shape(d, 1, 6).crop_left, shape(d, 1, 6).crop_bottom),
        (0.25, 0.5),
    ),
    (
        "everything",
        _on("set_picture_grayscale", slide=1, shape="@picture"),
        lambda d: len(list(slide(d, 1)._element.iter(qn("a:grayscl")))),
        1,
    ),
    (
        "everything",
        _on("add_media", slide=1, file="bell.wav", **BOX),
        lambda d: len(list(slide(d, 1)._element.iter(qn("a:audioFile")))),
        1,
    ),
    (
        "everything",
        _on("set_diagram_text", slide=2, shape="@diagram", old="Plan", new="Goal"),
        lambda d: "Goal" in diagram(d) and "Plan" not in diagram(d),
        True,
    ),
    # links
    (
        "everything",
        _on("set_alt_text", slide=1, shape="@picture", text="Red"),
        lambda d: shape(d, 1, 6)._element._nvXxPr.cNvPr.get("descr"),
        "Red",
    ),
    (
        "everything",
        _on("set_link", slide=1, shape="@title", to_slide="last"),
        lambda d: shape(d, 1, 2).click_action.target_slide.slide_id,
        257,
    ),
    (
        "everything",
        _on("set_text_link", slide=1, shape="@body", address="https://example.org/", paragraph=2),
        lambda d: run(d, 1, 3, 2).hyperlink.address,
        "https://example.org/",
    ),
    (
        "everything",
        _on("set_text_link", slide=1, shape="@body", to_slide=2),
        lambda d: [
            (each.get("action"), slide(d, 1).part.related_part(each.rId).slide.slide_id)
            for each in shape(d, 1, 3)._element.iter(qn("a:hlinkClick"))
        ],
        [("ppaction://hlinksldjump", 257)] * 2,
    ),
    # motion
    (
        "everything",
        _on("set_transition", slide=2, kind="split", direction="vertical"),
        lambda d: next(slide(d, 2)._element.iter(qn("p:split"))).get("orient"),
        "vert",
    ),
    (
        "everything",
        _on("set_transition", slide=2, kind="push", direction="left"),
        lambda d: next(slide(d, 2)._element.iter(qn("p:push"))).get("dir"),
        "l",
    ),
    (
        "everything",
        _on("set_advance", slide=1, seconds=8),
        lambda d: next(slide(d, 1)._element.iter(qn("p:transition"))).get("advTm"),
        "8000",
    ),
    (
        "everything",
        _on("add_animation", slide=2, shape="@title", effect="fly_in", start="after_previous"),
        lambda d: [
            (each.get("presetID"), each.get("nodeType"))
            for each in slide(d, 2)._element.iter(qn("p:cTn"))
            if each.get("presetClass") == "entr"
        ],
        [("2", "afterEffect")],
    ),
    (
        "everything",
        _on("remove_animations", slide=1),
        lambda d: tags(d, 1),
        ["cSld", "clrMapOvr", "transition"],
    ),
    (
        "everything",
        _on(
            "set_media",
            slide=2,
            shape="@media",
            muted=True,
            volume_pct=30,
            shown_when_stopped=False,
            repeat="until_stopped",
        ),
        lambda d: dict(next(slide(d, 2)._element.iter(qn("p:cMediaNode"))).attrib),
        {"vol": "30000", "mute": "1", "showWhenStopped": "0"},
    ),
    # comments
    (
        "townhall",
        _on("delete_comments", slide=6, author="Maria"),
        lambda d: comments(d, 6),
        1,  # that of another author
    ),
    # design
    (
        "everything",
        _on("set_layout", slide=2, layout="Title and Content"),
        lambda d: slide(d, 2).slide_layout.name,
        "Title and Content",
    ),
    (
        "everything",
        _on("add_layout_text_box", layout="Blank", text="Draft", **BOX),
        lambda d: [
            e.text_frame.text for e in d.slide_layouts[6].shapes if e.name.startswith("TextBox")
        ],
        ["Draft"],
    ),
    (
        "everything",
        _on("set_master_background", color="#FF0000"),
        lambda d: str(d.slide_masters[0].background.fill.fore_color.rgb),
        "FF0000",
    ),
    (
        "aurora",
        _on("set_master_title_bold", bold=False),
        lambda d: {
            each.get("b")
            for style in d.slide_masters[0]._element.iter(qn("p:titleStyle"))
            for each in style.iter(qn("a:defRPr"))
        },
        {"0"},
    ),
    (
        "everything",
        _on("set_footer", slide=1, text="Draft 3"),
        lambda d: (last(d, 1).placeholder_format.type.name, last(d, 1).text_frame.text),
        ("FOOTER", "Draft 3"),
    ),
    (
        "everything",
        _on("set_theme_color", slot="accent1", color="#123456"),
        lambda d: '<a:accent1><a:srgbClr val="123456"/>' in theme(d),
        True,
    ),
    (
        "everything",
        _on("set_theme_font", which="headings", font="Georgia"),
        lambda d: '<a:latin typeface="Georgia"/>' in theme(d),
        True,
    ),
]
