"""The document tools that apply edits, and the messages they return."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pptarena.edits import EDITS
from pptarena.envs.document.tool import Message, edit_tool

__all__ = ["EDIT_TOOLS"]

_MESSAGES: Mapping[str, Message] = {
    "replace_text": "{} replaced",
    "set_notes": "the notes are set",
    "set_paragraph_format": "the format of {} paragraphs is set",
    "set_run_format": "the format of {} runs is set",
    "set_text": "the text is set",
    "delete_paragraph": "the paragraph is deleted",
    "set_bullets": "the bullets of {} paragraphs are set",
    "set_text_frame": "the text frame is set",
    "add_text_box": "the new text box has the id {}",
    "delete_shape": "deleted",
    "duplicate_shape": "the copy has the id {}",
    "reset_position": "the position is that of the layout",
    "move_shape": "moved",
    "reorder_shape": "reordered",
    "set_alt_text": "the alternative text is set",
    "set_fill": "the fill is set",
    "set_line": "the line is set",
    "set_link": lambda _, arguments: (
        "the link is set"
        if arguments.get("address") or arguments.get("to_slide")
        else "there is no link now"
    ),
    "set_text_link": "the link of {} places is set",
    "add_slide": "the new slide has the id {}",
    "delete_slide": "deleted",
    "duplicate_slide": "the copy has the id {}",
    "hide_slide": lambda _, arguments: "hidden" if arguments["hidden"] else "shown",
    "move_slide": "moved",
    "remove_animations": "there are no animations now",
    "set_background": "the background is set",
    "set_transition": lambda _, arguments: (
        "the transition is set" if arguments["kind"] != "none" else "there is no transition now"
    ),
    "add_table": "the new table has the id {}",
    "set_cell": "the cell is set",
    "set_chart_data": "the data are set",
    "set_chart_title": lambda _, arguments: (
        "the title is set" if arguments["text"] else "there is no title now"
    ),
    "delete_series": "the series is deleted",
    "set_bar_direction": "the direction is set",
    "set_chart_axis": "the axis is set",
    "set_chart_color": "the color is set",
    "set_chart_labels": "the labels are set",
    "set_chart_legend": "the legend is set",
    "set_chart_value": "the value is set",
    "add_connector": "the new line has the id {}",
    "attach_connector": "the ends are attached",
    "add_shape": "the new shape has the id {}",
    "align_shapes": "{} shapes are aligned",
    "distribute_shapes": "{} shapes are distributed",
    "group_shapes": "the new group has the id {}",
    "ungroup_shape": "{} shapes are on their own now",
    "add_picture": "the new picture has the id {}",
    "add_row": "the row is added",
    "crop_picture": "cropped",
    "add_media": "the new film or sound has the id {}",
    "copy_image": "the new picture has the id {}",
    "insert_picture": "the new picture has the id {}",
    "replace_picture": "the picture is replaced",
    "set_picture_grayscale": "the picture is gray",
    "delete_row": "the row is deleted",
    "delete_column": "the column is deleted",
    "set_cell_format": "the format of {} cells is set",
    "sort_rows": "the rows are sorted",
    "add_table_like": "the new table has the id {}",
    "set_diagram_text": "the text is set",
    "set_media": "the film or sound is set",
    "add_animation": "the animation is added",
    "set_advance": lambda _, arguments: (
        "it waits for a click"
        if arguments["seconds"] is None
        else f"it goes on after {arguments['seconds']:g} s"
    ),
    "set_layout": "the layout is set",
    "set_master_background": "the background is set",
    "set_theme_color": "the color is set",
    "set_theme_font": "the font is set",
    "add_layout_text_box": "the text box is added to the layout",
    "add_placeholder": "the new placeholder has the id {}",
    "set_footer": "the footer is set",
    "set_master_title_bold": "the title style is set",
    "delete_comments": "{} comments are deleted",
}


def _default_message(result: Any, _: Mapping[str, Any]) -> str:
    return "done" if result is None else f"done: {result}"


EDIT_TOOLS: Mapping[str, Callable[..., str]] = MappingProxyType(
    {
        name: edit_tool(EDITS[name], _MESSAGES.get(name, _default_message))
        for name in dict.fromkeys((*_MESSAGES, *EDITS))
    }
)
"""The functions of the tools by name, in the order in which models list them."""
