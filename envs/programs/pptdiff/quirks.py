"""The faults of the published PowerPointDiff, by name; ``quirks=True`` reproduces all of them."""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["QUIRKS"]

QUIRKS: Mapping[str, str] = MappingProxyType(
    {
        "slide_ids": "slides match if their ids match, whatever their content; if an application "
        "renumbers the slides, all of them are added or removed",
        "slide_part_only": "changes to notes, order, layout or master modify no slide",
        "sibling_order": "a slide is not modified if elements of different types swap places, "
        "such as a shape and a picture",
        "any_xml": "a slide is modified by any other difference in its XML, such as a split run",
        "element_count": "only text boxes and auto shapes count as elements, including those in "
        "groups; pictures, tables, charts, connectors and groups do not",
        "title_by_name": "the first shape with 'title' in its name counts as the title, such as a "
        "subtitle that precedes the title",
        "notes_words": "notes are all texts of the notes page, including the slide number, joined "
        "by spaces",
        "transition_element": "a slide with a transition element has a transition, of type 'none' "
        "if it only advances automatically; its type is the first child other than 'soundAc', "
        "which may be a sound",
        "transition_duration": "the duration is read without its namespace, so it is 0.5 s for "
        "real files",
        "renumbered_parts": "transitions and animations of slide n are read from slide<n>.xml, "
        "which may belong to another slide; without such a file the slide has none",
        "animation_order": "effects match if slide, shape and number match; numbers restart for "
        "each type of effect, so effects hide each other, and an inserted effect makes all later "
        "ones added and removed",
        "preset_names": "effects have the names of a table that differs from PowerPoint's: Appear "
        "is 'fade_in', Fade and Wipe have none",
        "fixed_times": "effects of that table have a fixed trigger, delay and duration, whatever "
        "the file specifies",
        "tag_fallback": "other effects are found by their building blocks, once each and again "
        "for every enclosing group of blocks, so they occur several times",
        "trigger_words": "a click is 'click', 'on_click' or 'onClick'",
    }
)
"""Name of each fault, and its effect."""
