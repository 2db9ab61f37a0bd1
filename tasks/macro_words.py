"""Signatures of all macros.

The implementation (`pptarena.agents.macros`) has a function with the same name and arguments for
each macro; a test compares the two.
"""

from collections.abc import Mapping
from types import MappingProxyType

from pptarena.tasks.macro_arguments import (
    HEX,
    ON,
    SHAPE,
    SLIDE,
    Argument,
    MacroWords,
    choice_argument,
    count_argument,
    is_shape,
    is_step,
    is_texts,
    number_argument,
    text_argument,
)
from pptarena.tasks.macro_chart_words import CHART_MACROS
from pptarena.tasks.macro_table_words import TABLE_MACROS

__all__ = ["MACROS", "TRANSITIONS", "TRANSITIONS_ALSO", "Argument", "MacroWords"]


TRANSITIONS = (
    *("none", "wipe", "wheel", "uncover", "bars", "checkers", "shape", "box", "wedge"),
    *("venetian", "fade", "cut", "cover", "dissolve", "random", "comb", "push", "split"),
    *("diagonal", "tiles", "cube", "circles", "helix", "fall", "turn around", "iris"),
    *("turn down", "rochade", "3d venetian", "static", "fine dissolve", "vortex", "ripple"),
)
"""The transitions in the order of LibreOffice's sidebar, three per row."""
TRANSITIONS_ALSO: Mapping[str, str] = {
    "blinds": "venetian",
    "checker": "checkers",
    "circle": "shape",
    "pull": "uncover",
    "randombar": "bars",
    "strips": "diagonal",
}
"""Alternative names used in rubrics."""


_SHAPES = Argument(
    "a list of two or more shapes",
    lambda value: is_texts(value) and len(value) > 1 and all(map(is_shape, value)),
)
_FLAG = Argument("true or false", lambda value: isinstance(value, bool), required=False)
_SLOTS = (
    *("dk1", "lt1", "dk2", "lt2", "hlink", "folHlink"),
    *(f"accent{number}" for number in range(1, 7)),
)
_FILE = Argument(
    "the name of a file beside the deck",
    lambda value: isinstance(value, str) and bool(value.strip()) and "/" not in value,
)
_SIZE_CM = number_argument("a size in centimetres above 0", least=0.01)
_PLACE_CM = number_argument("a place in centimetres")

_ALL: dict[str, MacroWords] = {
    "show_slide": MacroWords("A slide is shown.", {"slide": SLIDE}),
    "select_shape": MacroWords("A shape is selected, alone.", ON),
    "edit_text": MacroWords(
        "A shape, or one of its paragraphs (from 1), has another text; lines are paragraphs.",
        {**ON, "text": text_argument(), "paragraph": count_argument(required=False)},
    ),
    "delete_paragraph": MacroWords(
        "A paragraph of a shape, not the first, is gone.", {**ON, "paragraph": count_argument()}
    ),
    "format_text": MacroWords(
        "Words, or all text of a shape, look so.",
        {
            **ON,
            "words": text_argument(required=False, empty=False),
            "bold": _FLAG,
            "italic": _FLAG,
            "underline": _FLAG,
            "size_pt": number_argument("a size in points above 0", least=0.5),
            "color": Argument(HEX.expected, HEX.fits, required=False),
        },
        ("bold", "italic", "underline", "size_pt", "color"),
    ),
    "typeface": MacroWords(
        "Words, or all text of a shape, are set in a typeface.",
        {
            **ON,
            "font": text_argument(empty=False),
            "words": text_argument(required=False, empty=False),
        },
    ),
    "script": MacroWords(
        "Words stand low, high or on the line; occurrence says which of several, from 1.",
        {
            **ON,
            "words": text_argument(empty=False),
            "place": choice_argument("subscript", "superscript", "line"),
            "occurrence": count_argument(required=False),
        },
    ),
    "paragraph_align": MacroWords(
        "The paragraphs of a shape, or one of them, stand so.",
        {
            **ON,
            "align": choice_argument("left", "center", "right", "justify"),
            "paragraph": count_argument(required=False),
        },
    ),
    "paragraph_direction": MacroWords(
        "The paragraphs of a shape run from the left or from the right.",
        {**ON, "direction": choice_argument("ltr", "rtl")},
    ),
    "paragraph_level": MacroWords(
        "A paragraph stands so many levels lower in a list, or higher if negative.",
        {**ON, "paragraph": count_argument(), "by": Argument("a whole number, not 0", is_step)},
    ),
    "hide_slide": MacroWords("A slide is left out of the show.", {"slide": SLIDE}),
    "delete_slide": MacroWords("A slide is gone.", {"slide": SLIDE}),
    "duplicate_slide": MacroWords("A copy follows a slide.", {"slide": SLIDE}),
    "move_slide": MacroWords(
        "A slide stands at another place.", {"slide": SLIDE, "to": count_argument()}
    ),
    "insert_slide": MacroWords("A new slide follows another.", {"after": count_argument()}),
    "notes": MacroWords(
        "The speaker notes of a slide read so.", {"slide": SLIDE, "text": text_argument()}
    ),
    "find_replace": MacroWords(
        "A text is replaced wherever it stands on slides.",
        {"find": text_argument(empty=False), "replace": text_argument()},
    ),
    "resize": MacroWords(
        "A shape has another size; with keep_ratio, the other side follows.",
        {**ON, "width_cm": _SIZE_CM, "height_cm": _SIZE_CM, "keep_ratio": _FLAG},
        ("width_cm", "height_cm"),
    ),
    "position": MacroWords(
        "A shape's top left corner stands elsewhere.",
        {**ON, "left_cm": _PLACE_CM, "top_cm": _PLACE_CM},
        ("left_cm", "top_cm"),
    ),
    "rotate": MacroWords(
        "A shape is turned clockwise by this from upright.",
        {**ON, "degrees": number_argument("an angle in degrees", required=True)},
    ),
    "insert_shape": MacroWords(
        "A new shape or text box says something, or nothing; exact: to the hundredth.",
        {
            "slide": SLIDE,
            "kind": choice_argument(
                "text_box", "rect", "ellipse", "triangle", "diamond", "rightArrow"
            ),
            "text": text_argument(),
            "left_cm": Argument(_PLACE_CM.expected, _PLACE_CM.fits),
            "top_cm": Argument(_PLACE_CM.expected, _PLACE_CM.fits),
            "width_cm": Argument(_SIZE_CM.expected, _SIZE_CM.fits),
            "height_cm": Argument(_SIZE_CM.expected, _SIZE_CM.fits),
            "exact": _FLAG,
        },
    ),
    "connector": MacroWords(
        "A connector joins a shape to another and sticks to both, at the middles of sides.",
        {
            **ON,
            "to": SHAPE,
            **dict.fromkeys(
                ("leaves", "enters"), choice_argument("left", "right", "top", "bottom")
            ),
        },
    ),
    "insert_media": MacroWords(
        "A film or sound of a file is on a slide, as a link.", {"slide": SLIDE, "file": _FILE}
    ),
    "replace_picture": MacroWords("A picture shows a file, in its place.", {**ON, "file": _FILE}),
    "crop": MacroWords(
        "A picture is cut at its sides, by lengths of its original size; its scale stays.",
        {**ON, **dict.fromkeys(("left_cm", "right_cm", "top_cm", "bottom_cm"), _PLACE_CM)},
        ("left_cm", "right_cm", "top_cm", "bottom_cm"),
    ),
    "picture_color": MacroWords(
        "A picture has its colours, or is grey, black and white, or faint.",
        {**ON, "mode": choice_argument("color", "gray", "black_and_white", "watermark")},
    ),
    "outline": MacroWords(
        "The outline of a shape, or a line, looks so.",
        {
            **ON,
            "color": Argument(HEX.expected, HEX.fits, required=False),
            "width_pt": number_argument("a width in points above 0", least=0.05),
            "start": choice_argument("triangle", "none", required=False),
            "end": choice_argument("triangle", "none", required=False),
            "visible": Argument("false", lambda value: value is False, required=False),
        },
        ("color", "width_pt", "start", "end", "visible"),
    ),
    "background": MacroWords(
        "A slide has a background of one colour.", {"slide": SLIDE, "color": HEX}
    ),
    "delete_shape": MacroWords("A shape is gone.", ON),
    "transition": MacroWords(
        "A slide comes with a transition; with all, so do all others. No kind: its own stays.",
        {
            "slide": SLIDE,
            "kind": choice_argument(*TRANSITIONS, *TRANSITIONS_ALSO, required=False),
            "all": _FLAG,
        },
        ("kind", "all"),
    ),
    "advance": MacroWords(
        "The show advances from a slide by itself; with all, all slides get its transition.",
        {
            "slide": SLIDE,
            "after_sec": number_argument("a number of seconds from 0", least=0, required=True),
            "all": _FLAG,
        },
    ),
    "order": MacroWords(
        "A shape lies before or behind all others.", {**ON, "to": choice_argument("front", "back")}
    ),
    "slide_link": MacroWords(
        "A click on a shape leads to a slide.", {**ON, "to": count_argument()}
    ),
    "alt_text": MacroWords("A shape has a description.", {**ON, "text": text_argument()}),
    "fill_color": MacroWords("A shape is filled with a colour.", {**ON, "color": HEX}),
    "link": MacroWords(
        "Words of a shape lead to an address.",
        {**ON, "words": text_argument(empty=False), "url": text_argument(empty=False)},
    ),
    "group": MacroWords("Shapes are one group.", {"slide": SLIDE, "shapes": _SHAPES}),
    "animation": MacroWords(
        "A shape enters with an effect of the sidebar; with whole, its text enters as one object.",
        {
            **ON,
            "effect": text_argument(empty=False),
            "start": choice_argument("on_click", "with_previous", "after_previous", required=False),
            "whole": _FLAG,
        },
    ),
    "remove_animation": MacroWords(
        "The effects of a slide, or of one shape, are gone.",
        {"slide": SLIDE, "shape": Argument(SHAPE.expected, is_shape, required=False)},
    ),
    **TABLE_MACROS,
    **CHART_MACROS,
    "theme_color": MacroWords(
        "The theme of a slide, the first by default, has another colour.",
        {
            "slot": choice_argument(*_SLOTS),
            "color": HEX,
            "slide": count_argument(required=False),
        },
    ),
    "change_layout": MacroWords(
        "A slide has another layout of the deck.",
        {"slide": SLIDE, "layout": text_argument(empty=False)},
    ),
    "insert_layout_slide": MacroWords(
        "A new slide of a layout follows another.",
        {"after": count_argument(), "layout": text_argument(empty=False)},
    ),
    "slide_boxes": MacroWords(
        "A slide has the empty boxes of a kind, as the sidebar names it.",
        {"slide": SLIDE, "boxes": text_argument(empty=False)},
    ),
    "stamp_layout": MacroWords(
        "A layout has a text box of its own, by default at its upper left corner.",
        {
            "layout": text_argument(empty=False),
            "text": text_argument(empty=False),
            "left_cm": _PLACE_CM,
            "top_cm": _PLACE_CM,
            "width_cm": _SIZE_CM,
            "height_cm": _SIZE_CM,
        },
    ),
    "next_turn": MacroWords("What was asked for so far is done; the next turn begins."),
    "menu": MacroWords(
        "An entry of a menu is chosen.",
        {"path": Argument("a list of entries, such as ['View', 'Notes']", is_texts)},
    ),
}

MACROS: Mapping[str, MacroWords] = MappingProxyType(_ALL)
"""Signature of each macro by name."""
