"""Operators for entire slides."""

from random import Random

from pptarena.tasks.grow.ground import Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import (
    PHRASES,
    is_loose,
    of_slides,
    param,
    sets,
)
from pptarena.tasks.grow.slots import NUMBER, TEXT

__all__ = ["OPERATORS"]

_NOTES = (
    "Ask for questions here",
    "Mention the thanks to the team",
    "Do not spend more than a minute on this",
    "Wait until all have read it",
    "Show the printed copy",
    "Point at the newest figure",
    "Tell the story of the first customer",
    "Hand over to the next speaker",
)


def _draw_place(site: Site, rng: Random) -> Params:
    count = len(site.deck.slides)
    return {"to": rng.choice([n for n in range(1, count + 1) if abs(n - site.number) > 1])}


def _has_title(site: Site) -> bool:
    layout = site.deck.layout_of(site.slide)
    kinds = [] if layout is None else [shape.placeholder for shape in layout.shapes]
    return any(kind in ("title", "ctrTitle") for kind in kinds)


def _draw_notes(site: Site, rng: Random) -> Params:
    return {"text": rng.choice([each for each in _NOTES if each != site.slide.notes])}


OPERATORS = (
    Operator(
        "hide-slide",
        "slides",
        "slide",
        of_slides(lambda site: not site.slide.hidden),
        sets("hide_slide"),
        lambda site, params: [leaf("slide_hidden", slide=site.number)],
        ("visibility",),
        (
            "hide {it}",
            "take {it} out of the slide show without deleting it",
            "leave {it} out of the slide show, but keep it",
            "mark {it} as hidden",
            "make the slide show skip {it}",
        ),
        ("{it} should be hidden", "the slide show should skip {it}"),
        playable=always,
    ),
    Operator(
        "show-slide",
        "slides",
        "slide",
        of_slides(lambda site: site.slide.hidden),
        sets("hide_slide", hidden=False),
        lambda site, params: [leaf("slide_hidden", slide=site.number, hidden=False)],
        ("visibility",),
        (
            "unhide {it}",
            "bring {it} back into the slide show",
            "make {it} visible in the slide show again",
            "stop hiding {it}",
            "show {it} in the slide show again",
        ),
        ("{it} should no longer be hidden", "{it} should appear in the slide show again"),
    ),
    Operator(
        "delete-slide",
        "slides",
        "slide",
        of_slides(lambda site: len(site.deck.slides) > 1),
        sets("delete_slide"),
        lambda site, params: [leaf("slide_deleted", slide=site.number)],
        ("slides",),
        (
            "delete {it}",
            "remove {it} from the deck",
            "take {it} out of the deck for good",
            "throw {it} away",
            "get rid of {it}",
        ),
        ("{it} should be deleted", "{it} should be gone from the deck"),
        playable=always,
        whole=True,
    ),
    Operator(
        "move-slide",
        "slides",
        "slide",
        of_slides(lambda site: len(site.deck.slides) > 3),
        sets("move_slide", position=param("to")),
        lambda site, params: [leaf("slide_moved", slide=site.number, to=params["to"])],
        ("order",),
        (
            "move {it} to position {to}",
            "put {it} at position {to} of the deck",
            "make {it} number {to} in the deck",
            "move {it} so that it is number {to} in the order",
            "make {it} the slide at position {to}",
        ),
        ("{it} should be at position {to}", "{it} should become number {to} in the deck"),
        params=_draw_place,
        slots={"to": NUMBER},
        playable=always,
        whole=True,
    ),
    Operator(
        "duplicate-slide",
        "slides",
        "slide",
        of_slides(lambda site: not any(map(is_loose, site.slide.shapes))),
        sets("duplicate_slide", without=["notes"]),
        lambda site, params: [leaf("slide_duplicated", slide=site.number)],
        ("slides",),
        (
            "duplicate {it}",
            "make a copy of {it} right after it",
            "copy {it} and leave the copy next to it",
            "insert a second {it} directly after it",
            "repeat {it} once, right after itself",
        ),
        ("{it} should appear twice in a row", "{it} should be followed by a copy of itself"),
        playable=always,
        whole=True,
        deck_scope=lambda site, params: {
            "new_slides": 1,
            "copy_of": site.number,
            "copy_aspects": ["notes", "transition", "layout"],
        },
    ),
    Operator(
        "insert-slide",
        "slides",
        "slide",
        of_slides(),
        lambda site, params: [{"edit": "add_slide", "position": site.number + 1}],
        lambda site, params: [leaf("slide_added", after=site.number, empty=True)],
        ("slides",),
        (
            "insert an empty slide after {it}",
            "add a new slide without content right after {it}",
            "put a blank slide after {it}",
            "create a new empty slide right after {it}",
            "follow {it} with an empty slide",
        ),
        ("an empty slide should follow {it}", "there should be a new empty slide after {it}"),
        playable=always,
        whole=True,
        deck_scope=lambda site, params: {"new_slides": 1},
    ),
    Operator(
        "insert-titled-slide",
        "slides",
        "slide",
        of_slides(_has_title),
        lambda site, params: [
            {"edit": "add_slide", "position": site.number + 1},
            {
                "edit": "set_text",
                "slide": site.number + 1,
                "shape": "@title",
                "text": params["text"],
            },
        ],
        lambda site, params: [
            leaf("slide_added", after=site.number, title=params["text"], empty=True)
        ],
        ("slides",),
        (
            "add a slide with the title {text} after {it}",
            "insert a new slide called {text} after {it}",
            "start a new slide {text} right after {it}",
            "follow {it} with a new slide named {text}",
            "put a slide with the heading {text} after {it}",
        ),
        (
            "after {it} there should be a new slide with the title {text}",
            "a new slide titled {text} should come after {it}",
        ),
        params=lambda site, rng: {"text": rng.choice(PHRASES)},
        slots={"text": TEXT},
        playable=always,
        level=2,
        whole=True,
        deck_scope=lambda site, params: {"new_slides": 1},
    ),
    Operator(
        "set-notes",
        "slides",
        "slide",
        of_slides(),
        sets("set_notes", text=param("text")),
        lambda site, params: [leaf("notes_are", slide=site.number, text=params["text"])],
        ("notes",),
        (
            "set the speaker notes of {it} to {text}",
            "write {text} as the notes of {it}",
            "make the notes of {it} read {text}",
            "replace the notes of {it} with {text}",
            "put {text} into the notes of {it}, and nothing else",
        ),
        ("the notes of {it} should be {text}", "the speaker notes of {it} should just say {text}"),
        params=_draw_notes,
        slots={"text": TEXT},
        playable=always,
    ),
)
"""The operators of this module."""
