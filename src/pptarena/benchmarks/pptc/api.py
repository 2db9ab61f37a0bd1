"""The table of all APIs: names, parameters and implementations."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pptarena.benchmarks.pptc import api_basic, api_objects, api_slides, api_text
from pptarena.benchmarks.pptc.arguments import (
    Parameter,
    Reader,
    chart_data,
    color,
    integer,
    number,
    position_or_name,
    text,
    text_list,
)
from pptarena.benchmarks.pptc.find import SHAPES

__all__ = ["APIS", "LABEL_ONLY", "Api"]


@dataclass(frozen=True, slots=True)
class Api:
    """One API.

    Attributes:
        run: Applies the call to a `Workspace`, with arguments by name.
        parameters: Parameters in order.
    """

    run: Callable[..., None]
    parameters: tuple[Parameter, ...] = ()


_INDEX = integer(0, 10_000)
_EXTENT_CM = number(0.01, 5965)  # a shape may have up to 2**31 EMU
_SIDES = ("left", "right", "top", "bottom", "center")
_CHART = (
    Parameter("data", chart_data, kind=list[int | float | list[int | float]]),
    Parameter("series", text_list, optional=True, kind=list[str]),
)


def _integer(name: str, *, optional: bool = False) -> Parameter:
    return Parameter(name, _INDEX, optional, int)


def _number(name: str, read: Reader) -> Parameter:
    return Parameter(name, read, kind=float)


_SLIDES = {
    "create_slide": Api(api_slides.create_slide),
    "move_to_previous_slide": Api(api_slides.move_to_previous_slide),
    "move_to_next_slide": Api(api_slides.move_to_next_slide),
    "move_to_slide": Api(api_slides.move_to_slide, (_integer("slide_id"),)),
    "set_background_color": Api(api_slides.set_background_color, (Parameter("color", color),)),
}

_CHOOSE = {
    "choose_title": Api(api_slides.choose_title),
    "choose_content": Api(api_slides.choose_content),
    "choose_textbox": Api(api_slides.choose_textbox, (_integer("idx", optional=True),)),
    "choose_picture": Api(api_slides.choose_picture, (_integer("idx", optional=True),)),
    "choose_chart": Api(api_slides.choose_chart),
    "choose_shape": Api(api_slides.choose_shape, (Parameter("shape_name", text),)),
    "choose_table": Api(api_slides.choose_table),
    "choose_table_cell": Api(
        api_slides.choose_table_cell,
        (_integer("row_id"), _integer("column_id")),
    ),
}

_BASIC = {
    "set_width": Api(api_basic.set_width, (_number("width", _EXTENT_CM),)),
    "set_height": Api(api_basic.set_height, (_number("height", _EXTENT_CM),)),
    "rotate_element": Api(api_basic.rotate_element, (_number("angle", number(-3600, 3600)),)),
    "set_fill_color": Api(api_basic.set_fill_color, (Parameter("color", color),)),
}

_TEXT = {
    "insert_text": Api(api_text.insert_text, (Parameter("text", text),)),
    "insert_bullet_point": Api(api_text.insert_bullet_point, (Parameter("text", text),)),
    "insert_note": Api(api_text.insert_note, (Parameter("text", text),)),
    "insert_textbox": Api(api_text.insert_textbox),
    "delete_text": Api(api_text.delete_text),
    "set_font_size": Api(api_text.set_font_size, (_number("font_size", number(1, 4000)),)),
    "set_font_color": Api(api_text.set_font_color, (Parameter("color", color),)),
    "set_font_bold": Api(api_text.set_font_bold),
    "set_font_italic": Api(api_text.set_font_italic),
    "set_font_underline": Api(api_text.set_font_underline),
    "set_font_style": Api(api_text.set_font_style, (Parameter("font_name", text),)),
    "set_line_space": Api(
        api_text.set_line_space,
        (Parameter("line_space_level", number(0, 50), True, float),),
    ),
    **{f"text_align_{side}": Api(api_text.text_align(side)) for side in _SIDES[:2]},
    "text_align_center": Api(api_text.text_align("center")),
}

_OBJECTS = {
    "insert_picture": Api(api_objects.insert_picture, (Parameter("picture_name", text),)),
    **{f"insert_{shape_name}": Api(api_objects.insert_shape(shape_name)) for shape_name in SHAPES},
    "insert_table": Api(
        api_objects.insert_table,
        (
            Parameter("row_num", integer(1, 100), kind=int),
            Parameter("col_num", integer(1, 100), kind=int),
        ),
    ),
    "insert_table_row": Api(
        api_objects.insert_table_row,
        (Parameter("row_data", text_list, kind=list[str | int | float]),),
    ),
    **{
        f"insert_{kind}_chart": Api(api_objects.insert_chart(kind), _CHART)
        for kind in ("line", "bar", "pie")
    },
    "set_chart_title": Api(api_objects.set_chart_title, (Parameter("title", text),)),
}

_MOVES = {
    f"set_{side}": Api(
        api_basic.move_edge(side),
        (
            Parameter(side, position_or_name, kind=float | str),
            Parameter("beside", position_or_name, True, str),
        ),
    )
    for side in _SIDES[:4]
}

_ALIGN = {
    **{f"align_slide_{side}": Api(api_basic.align_slide(side)) for side in _SIDES},
    **{
        f"align_{up}_{across}_corner": Api(api_basic.align_corner(up, across))
        for up in ("top", "bottom")
        for across in ("left", "right")
    },
}

APIS: Final[Mapping[str, Api]] = MappingProxyType(
    {**_SLIDES, **_CHOOSE, **_BASIC, **_TEXT, **_OBJECTS, **_MOVES, **_ALIGN}
)
"""Every API by name: the 49 shown to models, and those of `LABEL_ONLY`."""

LABEL_ONLY: Final = frozenset({*_ALIGN, "set_right", "set_bottom"})
"""APIs that occur in labels but are not shown to models."""
