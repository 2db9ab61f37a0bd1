"""Operators for entire slides."""

from random import Random

from pptarena.tasks.generator.deck_context import Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    PHRASES,
    has_unstable_width,
    param,
    single_edit,
    slide_targets,
)
from pptarena.tasks.generator.slots import NUMBER, TEXT

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


def _sample_position(target: Target, rng: Random) -> Params:
    count = len(target.deck.slides)
    return {"to": rng.choice([n for n in range(1, count + 1) if abs(n - target.slide_number) > 1])}


def _has_title(target: Target) -> bool:
    layout = target.deck.layout_of(target.slide)
    kinds = [] if layout is None else [shape.placeholder for shape in layout.shapes]
    return any(kind in ("title", "ctrTitle") for kind in kinds)


def _sample_notes(target: Target, rng: Random) -> Params:
    return {"text": rng.choice([each for each in _NOTES if each != target.slide.notes])}


OPERATORS = (
    Operator(
        "hide-slide",
        "slides",
        "slide",
        slide_targets(lambda target: not target.slide.hidden),
        single_edit("hide_slide"),
        lambda target, params: [leaf("slide_hidden", slide=target.slide_number)],
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
        slide_targets(lambda target: target.slide.hidden),
        single_edit("hide_slide", hidden=False),
        lambda target, params: [leaf("slide_hidden", slide=target.slide_number, hidden=False)],
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
        slide_targets(lambda target: len(target.deck.slides) > 1),
        single_edit("delete_slide"),
        lambda target, params: [leaf("slide_deleted", slide=target.slide_number)],
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
        deck_wide=True,
    ),
    Operator(
        "move-slide",
        "slides",
        "slide",
        slide_targets(lambda target: len(target.deck.slides) > 3),
        single_edit("move_slide", position=param("to")),
        lambda target, params: [leaf("slide_moved", slide=target.slide_number, to=params["to"])],
        ("order",),
        (
            "move {it} to position {to}",
            "put {it} at position {to} of the deck",
            "make {it} number {to} in the deck",
            "move {it} so that it is number {to} in the order",
            "make {it} the slide at position {to}",
        ),
        ("{it} should be at position {to}", "{it} should become number {to} in the deck"),
        params=_sample_position,
        slots={"to": NUMBER},
        playable=always,
        deck_wide=True,
    ),
    Operator(
        "duplicate-slide",
        "slides",
        "slide",
        slide_targets(lambda target: not any(map(has_unstable_width, target.slide.shapes))),
        single_edit("duplicate_slide", without=["notes"]),
        lambda target, params: [leaf("slide_duplicated", slide=target.slide_number)],
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
        deck_wide=True,
        deck_scope=lambda target, params: {
            "new_slides": 1,
            "copy_of": target.slide_number,
            "copy_aspects": ["notes", "transition", "layout"],
        },
    ),
    Operator(
        "insert-slide",
        "slides",
        "slide",
        slide_targets(),
        lambda target, params: [{"edit": "add_slide", "position": target.slide_number + 1}],
        lambda target, params: [leaf("slide_added", after=target.slide_number, empty=True)],
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
        deck_wide=True,
        deck_scope=lambda target, params: {"new_slides": 1},
    ),
    Operator(
        "insert-titled-slide",
        "slides",
        "slide",
        slide_targets(_has_title),
        lambda target, params: [
            {"edit": "add_slide", "position": target.slide_number + 1},
            {
                "edit": "set_text",
                "slide": target.slide_number + 1,
                "shape": "@title",
                "text": params["text"],
            },
        ],
        lambda target, params: [
            leaf("slide_added", after=target.slide_number, title=params["text"], empty=True)
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
        params=lambda target, rng: {"text": rng.choice(PHRASES)},
        slots={"text": TEXT},
        playable=always,
        level=2,
        deck_wide=True,
        deck_scope=lambda target, params: {"new_slides": 1},
    ),
    Operator(
        "set-notes",
        "slides",
        "slide",
        slide_targets(),
        single_edit("set_notes", text=param("text")),
        lambda target, params: [leaf("notes_are", slide=target.slide_number, text=params["text"])],
        ("notes",),
        (
            "set the speaker notes of {it} to {text}",
            "write {text} as the notes of {it}",
            "make the notes of {it} read {text}",
            "replace the notes of {it} with {text}",
            "put {text} into the notes of {it}, and nothing else",
        ),
        ("the notes of {it} should be {text}", "the speaker notes of {it} should just say {text}"),
        params=_sample_notes,
        slots={"text": TEXT},
        playable=always,
    ),
)
"""The operators of this module."""
