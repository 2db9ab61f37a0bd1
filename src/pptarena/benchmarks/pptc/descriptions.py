"""Descriptions of the APIs for models, in our own words; the published ones come with PPTC."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from pptarena.benchmarks.pptc.constants import COLORS
from pptarena.benchmarks.pptc.find import SHAPES

__all__ = ["API_NOTES", "ARGUMENT_NOTES"]

_FIRST = "Choose an object first."
_SHAPE_NOTES = {
    f"insert_{shape_name}": f"Insert a {shape_name.replace('_', ' ')} and choose it."
    for shape_name in SHAPES
}
_CHART_NOTES = {
    f"insert_{kind}_chart": f"Insert a {kind} chart and choose it."
    for kind in ("line", "bar", "pie")
}
_SIDE_NOTES = {
    f"set_{side}": (
        f"Move the chosen object so that its {side} edge is at a position, or, with two words, one "
        f"object to the {side} of another."
    )
    for side in ("left", "right", "top", "bottom")
}
_ALIGN_NOTES = {
    **{
        f"align_slide_{side}": f"Move the chosen object into the {side} half of the slide."
        for side in ("left", "right", "top", "bottom")
    },
    "align_slide_center": "Move the chosen object into the middle of the slide.",
    **{
        f"align_{up}_{across}_corner": (
            f"Move the chosen object into the {up} {across} corner of the slide."
        )
        for up in ("top", "bottom")
        for across in ("left", "right")
    },
}

API_NOTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "create_slide": "Add a slide with a title and a content at the end, and go there.",
        "move_to_previous_slide": "Go one slide towards the front.",
        "move_to_next_slide": "Go one slide towards the end.",
        "move_to_slide": "Go to a slide by its number.",
        "set_background_color": "Paint the background of the slide.",
        "choose_title": "Choose the title, to write into it or to change its look.",
        "choose_content": "Choose the content, to write into it or to change its look.",
        "choose_textbox": "Choose a text box, to write into it or to change its look.",
        "choose_picture": "Choose a picture that is there, to resize, turn or move it.",
        "choose_chart": "Choose the chart that is there, to change it.",
        "choose_shape": "Choose a shape that is there, by its kind, to change it.",
        "choose_table": "Choose the table that is there, to change it.",
        "choose_table_cell": "Choose a cell of the table, to write into it.",
        "set_width": f"Set the width of the chosen object. {_FIRST}",
        "set_height": f"Set the height of the chosen object. {_FIRST}",
        "rotate_element": f"Turn the chosen object clockwise. {_FIRST}",
        "set_fill_color": f"Fill the chosen title, content, text box or shape. {_FIRST}",
        "insert_text": "Add text to what is chosen: title, content, text box, shape or cell.",
        "insert_bullet_point": "Add a bullet point to the chosen content.",
        "insert_note": "Add to the speaker notes of the slide.",
        "insert_textbox": "Insert an empty text box and choose it, such as for a caption.",
        "delete_text": "Delete the text of what is chosen.",
        "set_font_size": "Set the size of the chosen text.",
        "set_font_color": "Set the colour of the chosen text.",
        "set_font_bold": "Make the chosen text bold.",
        "set_font_italic": "Make the chosen text italic.",
        "set_font_underline": "Underline the chosen text.",
        "set_font_style": "Set the typeface of the chosen text.",
        "set_line_space": "Set the line spacing of the chosen text.",
        "text_align_left": "Align the chosen text to the left.",
        "text_align_center": "Centre the chosen text.",
        "text_align_right": "Align the chosen text to the right.",
        "insert_picture": "Insert a picture that shows something, and choose it.",
        "insert_table": "Insert an empty table and choose it.",
        "insert_table_row": "Fill the first free row of the table; a full table gets one more.",
        "set_chart_title": "Set the title of the chart.",
        "seek_assistance": (
            "Ask a person for help, where the APIs cannot do what the user asks for or you are not "
            "sure."
        ),
        **_SHAPE_NOTES,
        **_CHART_NOTES,
        **_SIDE_NOTES,
        **_ALIGN_NOTES,
    }
)
"""Description of each API by name."""

ARGUMENT_NOTES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "slide_id": "Number of the slide, from 0",
        "color": f"One of {', '.join(COLORS)}",
        "idx": "Which one of the slide, from 0; the first by default",
        "shape_name": f"One of {', '.join(SHAPES)}",
        "row_id": "Row, from 0",
        "column_id": "Column, from 0",
        "width": "In centimetres",
        "height": "In centimetres",
        "angle": "In degrees",
        "text": "The text",
        "font_size": "In points",
        "font_name": "Name of the typeface, such as Arial",
        "line_space_level": "In lines; 0, the default, is single",
        "picture_name": "What the picture shows",
        "row_num": "Number of rows",
        "col_num": "Number of columns",
        "row_data": "The texts of the row's cells",
        "data": "The values, one number a series",
        "series": "The names of the series",
        "title": "The title",
        "left": "In EMU, 360000 a centimetre; or the word for an object",
        "right": "In EMU, 360000 a centimetre; or the word for an object",
        "top": "In EMU, 360000 a centimetre; or the word for an object",
        "bottom": "In EMU, 360000 a centimetre; or the word for an object",
        "beside": "The word for the other object, where the first one is a word, too",
    }
)
"""Description of each argument by name."""
