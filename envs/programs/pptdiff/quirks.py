"""The faults of the published PowerPointDiff, by name; ``quirks=True`` reproduces all of them."""

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["QUIRKS"]

QUIRKS: Mapping[str, str] = MappingProxyType(
    {
        "slide_ids": "slides are the same if their ids are, whatever is on them; an application "
        "that numbers them anew makes all of them added or removed",
        "slide_part_only": "changes of notes, order, layout or master modify no slide",
        "sibling_order": "a slide whose elements of different kinds changed places (a shape and a "
        "picture, say) is not modified",
        "any_xml": "a slide is modified by any other difference of its XML, such as a split run",
        "element_count": "only text boxes and auto shapes count as elements, also those in groups; "
        "no pictures, tables, charts, connectors and groups",
        "title_by_name": "the first shape with 'title' in its name passes for a title, such as a "
        "subtitle that stands before the title",
        "notes_words": "notes are all pieces of text of the notes page, the slide number included, "
        "with a blank between any two",
        "transition_element": "a slide with a transition element has a transition, of type 'none' "
        "if it only advances by itself; the first child but 'soundAc' is its type, sound included",
        "transition_duration": "a duration is read without its namespace, so it is 0.5 s for what "
        "real files say",
        "renumbered_parts": "transitions and animations of slide n are read from slide<n>.xml, "
        "which may be another slide's file; without such a file the slide has none",
        "animation_order": "effects are the same if slide, shape and a number are; the number "
        "counts anew for each kind of effect, so effects hide each other, and one more effect "
        "makes all later ones added and removed",
        "preset_names": "effects have the names of a table that is not PowerPoint's: Appear is "
        "'fade_in', Fade and Wipe have none",
        "fixed_times": "effects of that table have the same trigger, delay and duration whatever "
        "the file says",
        "tag_fallback": "other effects are found by their building blocks, once each, and again "
        "for every group of blocks around them, so they are there several times",
        "trigger_words": "a click is 'click', 'on_click' or 'onClick'",
    }
)
"""Name of each fault, and its effect."""
