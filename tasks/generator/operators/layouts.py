"""Operators for layouts and masters."""

from collections.abc import Iterator
from random import Random

from pptarena.decks import Shape
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    PHRASES,
    STAMPS,
    delete_shape,
    param,
    sample_from,
    shape_targets,
    single_edit,
    slide_targets,
)
from pptarena.tasks.generator.references import quotable
from pptarena.tasks.generator.slots import TEXT

__all__ = ["OPERATORS"]

_STAMP_BOX = {"left_cm": 0.5, "top_cm": 0.2, "width_cm": 4.5, "height_cm": 0.9}


def _layouts(context: DeckContext) -> list[str]:
    """Return the layouts in use that have a unique name."""
    names = [layout.name for master in context.deck.masters for layout in master.layouts]
    return [name for name in names if quotable(name) and names.count(name) == 1]


def _slides_with_layout_choice(context: DeckContext) -> Iterator[Target]:
    if len(_layouts(context)) > 1:
        yield from slide_targets()(context)


def _sample_layout(target: Target, rng: Random) -> Params | None:
    others = [name for name in _layouts(target.context) if name != target.slide.layout]
    return {"layout": rng.choice(others)} if others else None


def _is_content_placeholder(shape: Shape) -> bool:
    return shape.placeholder in ("subTitle", "body", "obj") and shape.kind == "placeholder"


def _layout_targets(context: DeckContext) -> Iterator[Target]:
    for name in _layouts(context):
        yield Target(context, detail={"layout": name})


OPERATORS = (
    Operator(
        "change-layout",
        "layouts",
        "slide",
        _slides_with_layout_choice,
        single_edit("set_layout", layout=param("layout")),
        lambda target, params: [
            leaf("slide_layout_is", slide=target.slide_number, layout=params["layout"])
        ],
        ("layout",),
        (
            "change the layout of {it} to {layout}",
            "give {it} the layout {layout}",
            "switch {it} to the layout {layout}",
            "apply the layout {layout} to {it}",
            "use the layout {layout} for {it}",
        ),
        ("{it} should have the layout {layout}", "the layout of {it} should be {layout}"),
        params=_sample_layout,
        slots={"layout": TEXT},
        deck_wide=True,
        level=2,
        playable=always,
    ),
    Operator(
        "insert-layout-slide",
        "layouts",
        "slide",
        _slides_with_layout_choice,
        lambda target, params: [
            {"edit": "add_slide", "layout": params["layout"], "position": target.slide_number + 1}
        ],
        lambda target, params: [
            leaf("slide_added", after=target.slide_number, layout=params["layout"], empty=True)
        ],
        ("slides",),
        (
            "insert a slide with the layout {layout} after {it}",
            "add a new slide that uses the layout {layout} after {it}",
            "put a new slide with the layout {layout} right after {it}",
            "follow {it} with a new slide that has the layout {layout}",
            "after {it}, start a slide with the layout {layout}",
        ),
        (
            "a new slide with the layout {layout} should follow {it}",
            "after {it} there should be a new slide with the layout {layout}",
        ),
        params=_sample_layout,
        slots={"layout": TEXT},
        deck_wide=True,
        level=2,
        deck_scope=lambda target, params: {"new_slides": 1},
        playable=always,
    ),
    Operator(
        "delete-placeholder",
        "layouts",
        "shape",
        shape_targets(_is_content_placeholder),
        delete_shape,
        lambda target, params: [leaf("shape_deleted", **target.args)],
        ("shapes", "animation"),
        (
            "delete {it} with its placeholder",
            "remove the placeholder of {it}",
            "take {it} off the slide, placeholder and all",
            "get rid of {it}, including its placeholder",
            "delete both {it} and its placeholder",
        ),
        (
            "{it} should be deleted with its placeholder",
            "the placeholder of {it} should be removed",
        ),
        playable=always,
    ),
    Operator(
        "fill-placeholder",
        "layouts",
        "shape",
        shape_targets(
            lambda s: (
                s.placeholder in ("title", "ctrTitle", "subTitle", "body", "obj")
                and s.kind == "placeholder"
                and not s.text.strip()
            )
        ),
        single_edit("set_text", text=param("text")),
        lambda target, params: [leaf("shape_text_is", **target.args, text=params["text"])],
        ("text",),
        (
            "fill the empty placeholder of {it} with {text}",
            "write {text} in the empty placeholder for {it}",
            "put the text {text} where {it} is still empty",
            "enter {text} in the unused placeholder of {it}",
            "use the empty placeholder of {it} for {text}",
        ),
        (
            "the empty placeholder of {it} should say {text}",
            "where {it} is still empty, it should say {text}",
        ),
        params=sample_from("text", *PHRASES),
        slots={"text": TEXT},
        playable=always,
    ),
    Operator(
        "stamp-layout",
        "masters",
        "deck",
        _layout_targets,
        lambda target, params: [
            {
                "edit": "add_layout_text_box",
                "layout": target.detail["layout"],
                "text": params["text"],
                **_STAMP_BOX,
            }
        ],
        lambda target, params: [
            leaf(
                "master_shape", layout=target.detail["layout"], kind="text_box", text=params["text"]
            )
        ],
        ("master",),
        (
            "put a text box that says {text} on the layout {layout}",
            "add {text} as a text box to the layout {layout}, not to individual slides",
            "give the layout {layout} a text box with {text}",
            "insert a text box {text} into the layout {layout}",
            "write {text} on the layout {layout} itself, in a text box",
        ),
        (
            "the layout {layout} should have a text box that says {text}",
            "on the layout {layout} there should be a text box with {text}",
        ),
        params=sample_from("text", *STAMPS),
        slots={"layout": TEXT, "text": TEXT},
        deck_wide=True,
        level=3,
        playable=always,
    ),
)
"""The operators of this module."""
