"""The document tools that make edits, and their answers."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from pptarena.edits import get_edit
from pptarena.envs.document.tool import Message, edit_tool

__all__ = ["EDIT_TOOLS"]

_MESSAGES: Mapping[str, Message] = {
    "replace_text": "{} replaced",
    "set_notes": "the notes are set",
    "set_paragraph_format": "the format of {} paragraphs is set",
    "set_run_format": "the format of {} runs is set",
    "set_text": "the text is set",
    "add_text_box": "the new text box has the id {}",
    "delete_shape": "deleted",
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
    "add_connector": "the new line has the id {}",
    "add_shape": "the new shape has the id {}",
    "align_shapes": "{} shapes are aligned",
    "distribute_shapes": "{} shapes are distributed",
    "group_shapes": "the new group has the id {}",
    "ungroup_shape": "{} shapes are on their own now",
    "add_picture": "the new picture has the id {}",
    "add_row": "the row is added",
    "crop_picture": "cropped",
    "delete_row": "the row is deleted",
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
}

# Arguments that edits have and the tools of PPTArenaDoc-v0 do not.
_WITHOUT: Mapping[str, tuple[str, ...]] = {
    "add_connector": ("start_side", "end_side", "color", "width_pt"),
    "add_slide": ("footers",),
    "add_text_box": ("wrap",),
    "duplicate_slide": ("without",),
    "set_chart_data": ("number_format",),
    "set_fill": ("opacity_pct",),
    "set_line": ("visible", "start_arrow", "end_arrow"),
    "set_paragraph_format": ("right_to_left",),
    "set_run_format": ("strike", "script", "text"),
    "set_transition": ("direction",),
}

EDIT_TOOLS: Mapping[str, Callable[..., str]] = MappingProxyType(
    {
        name: edit_tool(get_edit(name), message, _WITHOUT.get(name, ()))
        for name, message in _MESSAGES.items()
    }
)
"""The functions of the tools by name, in the order in which models see them."""
