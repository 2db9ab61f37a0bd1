"""Operators for layouts and masters."""

from collections.abc import Iterator
from random import Random

from pptarena.decks import Shape
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import (
    PHRASES,
    STAMPS,
    chosen,
    delete_shape,
    of_shapes,
    of_slides,
    param,
    sets,
)
from pptarena.tasks.grow.references import quotable
from pptarena.tasks.grow.slots import TEXT

__all__ = ["OPERATORS"]

_STAMP = {"left_cm": 0.5, "top_cm": 0.2, "width_cm": 4.5, "height_cm": 0.9}


def _layouts(ground: Ground) -> list[str]:
    """Return the layouts in use that have a unique name."""
    found = [layout.name for master in ground.deck.masters for layout in master.layouts]
    return [name for name in found if quotable(name) and found.count(name) == 1]


def _of_slides_with_layouts(ground: Ground) -> Iterator[Site]:
    if len(_layouts(ground)) > 1:
        yield from of_slides()(ground)


def _draw_layout(site: Site, rng: Random) -> Params | None:
    known = [name for name in _layouts(site.ground) if name != site.slide.layout]
    return {"layout": rng.choice(known)} if known else None


def _is_part(shape: Shape) -> bool:
    return shape.placeholder in ("subTitle", "body", "obj") and shape.kind == "placeholder"


def _own_layouts(ground: Ground) -> Iterator[Site]:
    for name in _layouts(ground):
        yield Site(ground, detail={"layout": name})


OPERATORS = (
    Operator(
        "change-layout",
        "layouts",
        "slide",
        _of_slides_with_layouts,
        sets("set_layout", layout=param("layout")),
        lambda site, params: [leaf("slide_layout_is", slide=site.number, layout=params["layout"])],
        ("layout",),
        (
            "change the layout of {it} to {layout}",
            "give {it} the layout {layout}",
            "switch {it} to the layout {layout}",
            "apply the layout {layout} to {it}",
            "use the layout {layout} for {it}",
        ),
        ("{it} should have the layout {layout}", "the layout of {it} should be {layout}"),
        params=_draw_layout,
        slots={"layout": TEXT},
        whole=True,
        level=2,
        playable=always,
    ),
    Operator(
        "insert-layout-slide",
        "layouts",
        "slide",
        _of_slides_with_layouts,
        lambda site, params: [
            {"edit": "add_slide", "layout": params["layout"], "position": site.number + 1}
        ],
        lambda site, params: [
            leaf("slide_added", after=site.number, layout=params["layout"], empty=True)
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
        params=_draw_layout,
        slots={"layout": TEXT},
        whole=True,
        level=2,
        deck_scope=lambda site, params: {"new_slides": 1},
        playable=always,
    ),
    Operator(
        "delete-placeholder",
        "layouts",
        "shape",
        of_shapes(_is_part),
        delete_shape,
        lambda site, params: [leaf("shape_deleted", **site.args)],
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
        of_shapes(
            lambda s: (
                s.placeholder in ("title", "ctrTitle", "subTitle", "body", "obj")
                and s.kind == "placeholder"
                and not s.text.strip()
            )
        ),
        sets("set_text", text=param("text")),
        lambda site, params: [leaf("shape_text_is", **site.args, text=params["text"])],
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
        params=chosen("text", *PHRASES),
        slots={"text": TEXT},
        playable=always,
    ),
    Operator(
        "stamp-layout",
        "masters",
        "deck",
        _own_layouts,
        lambda site, params: [
            {
                "edit": "add_layout_text_box",
                "layout": site.detail["layout"],
                "text": params["text"],
                **_STAMP,
            }
        ],
        lambda site, params: [
            leaf("master_shape", layout=site.detail["layout"], kind="text_box", text=params["text"])
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
        params=chosen("text", *STAMPS),
        slots={"layout": TEXT, "text": TEXT},
        whole=True,
        level=3,
        playable=always,
    ),
)
"""The operators of this module."""
