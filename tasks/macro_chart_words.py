"""Signatures of the chart macros."""

from collections.abc import Mapping

from pptarena.tasks.macro_arguments import (
    HEX,
    ON,
    Argument,
    MacroWords,
    choice_argument,
    count_argument,
    is_numbers,
    number_argument,
    text_argument,
)

__all__ = ["CHART_MACROS"]

CHART_MACROS: Mapping[str, MacroWords] = {
    "chart_titles": MacroWords(
        "The titles of a chart and of its axes read so; an empty text is none.",
        {
            **ON,
            "title": text_argument(required=False),
            "x_axis": text_argument(required=False),
            "y_axis": text_argument(required=False),
        },
        ("title", "x_axis", "y_axis"),
    ),
    "chart_legend": MacroWords(
        "The legend of a chart stands at a side, or is gone.",
        {**ON, "side": choice_argument("left", "right", "top", "bottom", "none")},
    ),
    "chart_labels": MacroWords("All series of a chart show their values.", ON),
    "chart_type": MacroWords(
        "A chart is drawn as another type.", {**ON, "type": choice_argument("column", "bar")}
    ),
    "chart_value": MacroWords(
        "A point of a chart has another value; rows of its data count from 1.",
        {
            **ON,
            "series": text_argument(empty=False),
            "row": count_argument(),
            "value": number_argument("a number", required=True),
        },
    ),
    "chart_axis": MacroWords(
        "An axis of a chart begins and ends at numbers.",
        {
            **ON,
            "axis": choice_argument("x", "y"),
            "minimum": number_argument("a number"),
            "maximum": number_argument("a number"),
        },
        ("minimum", "maximum"),
    ),
    "insert_series": MacroWords(
        "A new series of a chart stands behind another, with its values in order.",
        {
            **ON,
            "series": text_argument(empty=False),
            "values": Argument("a list of numbers", is_numbers),
            "after": text_argument(empty=False),
        },
    ),
    "remove_series": MacroWords(
        "A series of a chart is gone.", {**ON, "series": text_argument(empty=False)}
    ),
    "series_color": MacroWords(
        "A series of a chart is filled with a colour.",
        {**ON, "series": text_argument(empty=False), "color": HEX},
    ),
}
"""Signature of each chart macro by name."""
