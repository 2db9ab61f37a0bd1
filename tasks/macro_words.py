"""The macros that there are, and what each is told.

The agents' side (`pptarena.agents.macros`) has one function of the same name and arguments each;
a test compares the two.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from types import MappingProxyType
from typing import Any

from pptarena.decks.selectors import require_spec

__all__ = ["MACROS", "TRANSITIONS", "TRANSITIONS_ALSO", "Argument", "MacroWords"]

_COLOR = re.compile(r"#?[0-9A-Fa-f]{6}")


TRANSITIONS = (
    *("none", "wipe", "wheel", "uncover", "bars", "checkers", "shape", "box", "wedge"),
    *("venetian", "fade", "cut", "cover", "dissolve", "random", "comb", "push", "split"),
    *("diagonal", "tiles", "cube", "circles", "helix", "fall", "turn around", "iris"),
    *("turn down", "rochade", "3d venetian", "static", "fine dissolve", "vortex", "ripple"),
)
"""The transitions in the order of LibreOffice's sidebar, three a row."""
TRANSITIONS_ALSO: Mapping[str, str] = {
    "blinds": "venetian",
    "checker": "checkers",
    "circle": "shape",
    "pull": "uncover",
    "randombar": "bars",
    "strips": "diagonal",
}

"""Other names, as rubrics have them."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a macro.

    Attributes:
        expected: What it should be, for messages.
        fits: Whether a value is that.
        required: Whether it must be there.
    """

    expected: str
    fits: Callable[[Any], bool]
    required: bool = True


@dataclass(frozen=True, slots=True)
class MacroWords:
    """What one macro is told.

    Attributes:
        purpose: What it brings about, in one line.
        arguments: By name, in their order.
        one_of: Arguments of which at least one must be there.
    """

    purpose: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    one_of: tuple[str, ...] = ()


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _is_shape(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    try:
        require_spec(value)
    except ValueError:
        return False
    return True


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def _text(*, required: bool = True, empty: bool = True) -> Argument:
    def fits(value: Any) -> bool:
        return isinstance(value, str) and (empty or bool(value.strip()))

    return Argument("a text" if empty else "a text that is not empty", fits, required)


def _count(*, required: bool = True) -> Argument:
    return Argument("a whole number from 1", _is_count, required)


def _number(expected: str, *, least: float | None = None, required: bool = False) -> Argument:
    def fits(value: Any) -> bool:
        return _is_number(value) and (least is None or value >= least)

    return Argument(expected, fits, required)


def _choice(*choices: str, required: bool = True) -> Argument:
    return Argument(f"one of {', '.join(choices)}", lambda value: value in choices, required)


_SLIDE = _count()
_SHAPE = Argument("a shape as rubrics name it, such as @title or 'Logo'", _is_shape)
_SHAPES = Argument(
    "a list of two or more shapes",
    lambda value: _is_texts(value) and len(value) > 1 and all(map(_is_shape, value)),
)
_FLAG = Argument("true or false", lambda value: isinstance(value, bool), required=False)
_HEX = Argument(
    "a colour of six hexadecimal digits, such as 1F4E79",
    lambda value: isinstance(value, str) and _COLOR.fullmatch(value) is not None,
)
_SLOTS = (
    *("dk1", "lt1", "dk2", "lt2", "hlink", "folHlink"),
    *(f"accent{number}" for number in range(1, 7)),
)
_ON = {"slide": _SLIDE, "shape": _SHAPE}
_SIZE_CM = _number("a size in centimetres above 0", least=0.01)
_PLACE_CM = _number("a place in centimetres")

_ALL: dict[str, MacroWords] = {
    "show_slide": MacroWords("A slide is shown.", {"slide": _SLIDE}),
    "select_shape": MacroWords("A shape is selected, alone.", _ON),
    "edit_text": MacroWords(
        "A shape, or one of its paragraphs (from 1), has another text; lines are paragraphs.",
        {**_ON, "text": _text(), "paragraph": _count(required=False)},
    ),
    "format_text": MacroWords(
        "Words, or all text of a shape, look so.",
        {
            **_ON,
            "words": _text(required=False, empty=False),
            "bold": _FLAG,
            "italic": _FLAG,
            "underline": _FLAG,
            "size_pt": _number("a size in points above 0", least=0.5),
            "color": Argument(_HEX.expected, _HEX.fits, required=False),
        },
        ("bold", "italic", "underline", "size_pt", "color"),
    ),
    "paragraph_align": MacroWords(
        "The paragraphs of a shape, or one of them, stand so.",
        {
            **_ON,
            "align": _choice("left", "center", "right", "justify"),
            "paragraph": _count(required=False),
        },
    ),
    "hide_slide": MacroWords("A slide is left out of the show.", {"slide": _SLIDE}),
    "delete_slide": MacroWords("A slide is gone.", {"slide": _SLIDE}),
    "duplicate_slide": MacroWords("A copy follows a slide.", {"slide": _SLIDE}),
    "move_slide": MacroWords("A slide stands at another place.", {"slide": _SLIDE, "to": _count()}),
    "insert_slide": MacroWords("A new slide follows another.", {"after": _count()}),
    "notes": MacroWords(
        "The speaker notes of a slide read so.", {"slide": _SLIDE, "text": _text()}
    ),
    "find_replace": MacroWords(
        "A text is replaced wherever it stands on slides.",
        {"find": _text(empty=False), "replace": _text()},
    ),
    "resize": MacroWords(
        "A shape has another size; with keep_ratio, the other side follows.",
        {**_ON, "width_cm": _SIZE_CM, "height_cm": _SIZE_CM, "keep_ratio": _FLAG},
        ("width_cm", "height_cm"),
    ),
    "position": MacroWords(
        "A shape's top left corner stands elsewhere.",
        {**_ON, "left_cm": _PLACE_CM, "top_cm": _PLACE_CM},
        ("left_cm", "top_cm"),
    ),
    "rotate": MacroWords(
        "A shape is turned clockwise by this from upright.",
        {**_ON, "degrees": _number("an angle in degrees", required=True)},
    ),
    "insert_shape": MacroWords(
        "A new shape or text box says something.",
        {
            "slide": _SLIDE,
            "kind": _choice("text_box", "rect", "ellipse", "triangle", "diamond", "rightArrow"),
            "text": _text(empty=False),
            "left_cm": Argument(_PLACE_CM.expected, _PLACE_CM.fits),
            "top_cm": Argument(_PLACE_CM.expected, _PLACE_CM.fits),
            "width_cm": Argument(_SIZE_CM.expected, _SIZE_CM.fits),
            "height_cm": Argument(_SIZE_CM.expected, _SIZE_CM.fits),
        },
    ),
    "outline": MacroWords(
        "The outline of a shape, or a line, looks so.",
        {
            **_ON,
            "color": Argument(_HEX.expected, _HEX.fits, required=False),
            "width_pt": _number("a width in points above 0", least=0.05),
            "start": _choice("triangle", "none", required=False),
            "end": _choice("triangle", "none", required=False),
        },
        ("color", "width_pt", "start", "end"),
    ),
    "background": MacroWords(
        "A slide has a background of one colour.", {"slide": _SLIDE, "color": _HEX}
    ),
    "delete_shape": MacroWords("A shape is gone.", _ON),
    "edit_cell": MacroWords(
        "A cell of a table reads so; rows and columns from 1.",
        {**_ON, "row": _count(), "column": _count(), "text": _text()},
    ),
    "transition": MacroWords(
        "A slide comes with a transition; with all, so do all others. No kind: its own stays.",
        {
            "slide": _SLIDE,
            "kind": _choice(*TRANSITIONS, *TRANSITIONS_ALSO, required=False),
            "all": _FLAG,
        },
        ("kind", "all"),
    ),
    "order": MacroWords(
        "A shape lies before or behind all others.", {**_ON, "to": _choice("front", "back")}
    ),
    "alt_text": MacroWords("A shape has a description.", {**_ON, "text": _text()}),
    "fill_color": MacroWords("A shape is filled with a colour.", {**_ON, "color": _HEX}),
    "link": MacroWords(
        "Words of a shape lead to an address.",
        {**_ON, "words": _text(empty=False), "url": _text(empty=False)},
    ),
    "group": MacroWords("Shapes are one group.", {"slide": _SLIDE, "shapes": _SHAPES}),
    "align": MacroWords(
        "Edges or middles of shapes are on one line.",
        {
            **{"slide": _SLIDE, "shapes": _SHAPES},
            "edge": _choice("left", "center", "right", "top", "middle", "bottom"),
        },
    ),
    "animation": MacroWords(
        "A shape comes in by an effect, as the sidebar names it.",
        {
            **_ON,
            "effect": _text(empty=False),
            "start": _choice("on_click", "with_previous", "after_previous", required=False),
        },
    ),
    "remove_animation": MacroWords(
        "The effects of a slide, or of one shape, are gone.",
        {"slide": _SLIDE, "shape": Argument(_SHAPE.expected, _is_shape, required=False)},
    ),
    "chart_titles": MacroWords(
        "The titles of a chart and of its axes read so; an empty text is none.",
        {
            **_ON,
            "title": _text(required=False),
            "x_axis": _text(required=False),
            "y_axis": _text(required=False),
        },
        ("title", "x_axis", "y_axis"),
    ),
    "chart_legend": MacroWords(
        "The legend of a chart stands at a side, or is gone.",
        {**_ON, "side": _choice("left", "right", "top", "bottom", "none")},
    ),
    "chart_labels": MacroWords("All series of a chart show their values.", _ON),
    "chart_type": MacroWords(
        "A chart is drawn as another type.", {**_ON, "type": _choice("column", "bar")}
    ),
    "chart_value": MacroWords(
        "A point of a chart has another value; rows of its data count from 1.",
        {
            **_ON,
            "series": _text(empty=False),
            "row": _count(),
            "value": _number("a number", required=True),
        },
    ),
    "remove_series": MacroWords(
        "A series of a chart is gone.", {**_ON, "series": _text(empty=False)}
    ),
    "series_color": MacroWords(
        "A series of a chart is filled with a colour.",
        {**_ON, "series": _text(empty=False), "color": _HEX},
    ),
    "theme_color": MacroWords(
        "The theme of a slide, the first by default, has another colour.",
        {
            "slot": _choice(*_SLOTS),
            "color": _HEX,
            "slide": _count(required=False),
        },
    ),
    "change_layout": MacroWords(
        "A slide has another layout of the deck.", {"slide": _SLIDE, "layout": _text(empty=False)}
    ),
    "insert_layout_slide": MacroWords(
        "A new slide of a layout follows another.",
        {"after": _count(), "layout": _text(empty=False)},
    ),
    "stamp_layout": MacroWords(
        "A layout has a text box of its own, at its upper left corner.",
        {"layout": _text(empty=False), "text": _text(empty=False)},
    ),
    "next_turn": MacroWords("What was asked for so far is done; the next turn begins."),
    "menu": MacroWords(
        "An entry of a menu is chosen.",
        {"path": Argument("a list of entries, such as ['View', 'Notes']", _is_texts)},
    ),
}

MACROS: Mapping[str, MacroWords] = MappingProxyType(_ALL)
"""What each macro is told, by its name."""
