"""Operators for hyperlinks, connectors and alt text."""

from collections.abc import Iterator
from random import Random

from pptarena.decks import Shape
from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.edits import Solution
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, Params, always, leaf
from pptarena.tasks.grow.operators.common import (
    as_edit,
    chosen,
    delete_shape,
    is_selectable,
    of_shapes,
    paint,
    param,
    sets,
    with_text,
)
from pptarena.tasks.grow.slots import COLOR, COLORS, NAME, NUMBER, TEXT, choice

__all__ = ["OPERATORS"]

_PAGES = (
    "https://example.org/plan",
    "https://example.com/report",
    "https://www.example.net/data",
    "https://example.org/team/2026",
    "https://docs.example.com/guide",
)
_DESCRIPTIONS = (
    "A curve that rises to the right",
    "Three people at a table",
    "The old harbour in the morning",
    "A map of the region",
    "Bars in two colours",
    "A drawing of the machine",
    "The logo of the house",
)
_LEAST_CONTRAST = 2.0
_ENDS = {"end": "end", "start": "beginning"}
_JOINED = ("shape", "text_box")


def _unlinked(shape: Shape) -> bool:
    return (
        with_text(shape)
        and shape.link is None
        and not any(run.link for p in shape.paragraphs for run in p.runs)
    )


def _linkable(ground: Ground) -> Iterator[Site]:
    """Yield texts that remain legible as links, in the theme's link color."""
    for site in of_shapes(_unlinked)(ground):
        color = site.deck.masters[site.slide.master].colors.get("hlink")
        behind = site.shape.fill if site.shape.fill.kind != "none" else site.slide.background
        backs = [behind.color, *(stop.color for stop in behind.stops)]
        if color is None or all(contrast_ratio(color, b) >= _LEAST_CONTRAST for b in backs if b):
            yield site


def _linked(shape: Shape) -> bool:
    links = [run.link for p in shape.paragraphs for run in p.runs if run.link]
    return with_text(shape) and bool(links)


def _is_one_line(site: Site, params: Params) -> bool:
    # A link is a single text field, so lines would be merged.
    text = site.shape.text
    return len(site.shape.paragraphs) == 1 and "\v" not in text and is_selectable(text)


def _draw_slide(site: Site, rng: Random) -> Params | None:
    others = [n for n in range(1, len(site.deck.slides) + 1) if n != site.number]
    return {"to": rng.choice(others)} if others else None


def _unlink(site: Site, params: Params) -> Solution:
    own = [as_edit(site, "set_link")] if site.shape.link else []
    return [as_edit(site, "set_text_link"), *own]


def _join(site: Site, params: Params) -> Solution:
    is_before = site.shape.box.right <= site.other.box.left
    sides = ("right", "left") if is_before else ("left", "right")
    line = {
        "edit": "add_connector",
        "slide": site.number,
        "start": site.spec,
        "end": site.other_spec,
        "start_side": sides[0],
        "end_side": sides[1],
        "color": "tx1",  # the theme's line style may be invisible
        "width_pt": 1.5,
    }
    return [line]


def _pairs(ground: Ground) -> Iterator[Site]:
    """Yield unordered pairs of shapes without a connector."""
    for site in of_shapes(lambda s: s.kind in _JOINED and not s.placeholder)(ground):
        assert site.slide_index is not None
        names = ground.references.shape_names[site.slide_index]
        for index in names:
            other = site.slide.shapes[index]
            if index != site.shape_index and other.kind in _JOINED and not other.placeholder:
                where = {"other": names[index][-1]}
                yield Site(ground, site.slide_index, site.shape_index, where, index)


def _draw_end(site: Site, rng: Random) -> Params | None:
    start, end = site.shape.line.ends
    bare = [name for name, head in (("start", start), ("end", end)) if head == "none"]
    return {"end": rng.choice(bare)} if bare else None


def _description(name: str, noun: str, kinds: tuple[str, ...]) -> Operator:
    return Operator(
        name,
        "accessibility",
        "shape",
        of_shapes(lambda shape: shape.kind in kinds and not shape.placeholder),
        sets("set_alt_text", text=param("text")),
        lambda site, params: [leaf("alt_text_is", **site.args, text=params["text"])],
        ("alt_text",),
        (
            f"describe {{it}} as {{text}} in its {noun}",
            f"set the {noun} of {{it}} to {{text}}",
            f"give {{it}} the {noun} {{text}}",
            f"write {{text}} as the {noun} of {{it}}",
            f"add the {noun} {{text}} to {{it}}",
        ),
        (
            f"the {noun} of {{it}} should be {{text}}",
            f"{{it}} should have the {noun} {{text}}",
        ),
        params=chosen("text", *_DESCRIPTIONS),
        slots={"text": TEXT},
        playable=always,
    )


_SLIDE = NUMBER
OPERATORS = (
    _description("describe-picture", "alternative text", ("picture",)),
    _description("describe-shape", "description for screen readers", ("shape", "text_box")),
    Operator(
        "link-text",
        "hyperlinks",
        "shape",
        _linkable,
        sets("set_text_link", address=param("url")),
        lambda site, params: [leaf("hyperlink_is", **site.args, url=params["url"])],
        ("hyperlinks",),
        (
            "link the text of {it} to {url}",
            "have the text of {it} lead to {url}",
            "make the text of {it} a link to {url}",
            "turn the text of {it} into a hyperlink to {url}",
            "put a link to {url} on the text of {it}",
        ),
        (
            "a click on the text of {it} should open {url}",
            "the text of {it} should be linked to {url}",
        ),
        params=chosen("url", *_PAGES),
        playable=_is_one_line,
        slots={"url": TEXT},
        level=2,
    ),
    Operator(
        "link-to-slide",
        "hyperlinks",
        "shape",
        _linkable,
        sets("set_text_link", to_slide=param("to")),
        lambda site, params: [leaf("hyperlink_is", **site.args, to_slide=params["to"])],
        ("hyperlinks",),
        (
            "link the text of {it} to slide number {to}",
            "have the text of {it} lead to slide number {to}",
            "make the text of {it} a link that jumps to slide number {to}",
            "turn the text of {it} into a link that goes to slide number {to}",
            "put a link to slide number {to} on the text of {it}",
        ),
        (
            "a click on the text of {it} should lead to slide number {to}",
            "the text of {it} should be linked to slide number {to}",
        ),
        params=_draw_slide,
        slots={"to": _SLIDE},
        level=2,
    ),
    Operator(
        "unlink-text",
        "hyperlinks",
        "shape",
        of_shapes(_linked),
        _unlink,
        lambda site, params: [leaf("hyperlink_none", **site.args)],
        ("hyperlinks",),
        (
            "remove the links from {it}, but keep the text",
            "take all hyperlinks out of {it}",
            "unlink the text of {it}",
            "turn the links in {it} back into plain text",
            "delete the hyperlinks in {it} and leave the text",
        ),
        ("{it} should have no links any more", "the text of {it} should no longer be linked"),
    ),
    Operator(
        "join-shapes",
        "diagrams",
        "shape",
        _pairs,
        _join,
        lambda site, params: [
            leaf(
                "connector_joins",
                slide=site.number,
                from_shape=site.spec,
                to_shape=site.other_spec,
            )
        ],
        ("shapes",),
        (
            "connect {it} to {other} with a line",
            "draw a connector that leads from {it} to {other}",
            "join {it} and {other} with a connector, in this order",
            "glue a line to {it} that ends at {other}",
            "add a connector that starts at {it} and ends at {other}",
        ),
        (
            "a connector should lead from {it} to {other}",
            "{it} should be connected to {other} with a line that is glued to both",
        ),
        slots={"other": NAME},
        scope=lambda site, params: {"shapes": [], "new_shapes": 1},
        level=3,
    ),
    Operator(
        "arrow-head",
        "diagrams",
        "shape",
        of_shapes(lambda shape: shape.kind == "line"),
        lambda site, params: [as_edit(site, "set_line", **{f"{params['end']}_arrow": "triangle"})],
        lambda site, params: [leaf("shape_line", **site.args, **{params["end"]: "triangle"})],
        ("style",),
        (
            "put an arrowhead on the {end} of {it}",
            "give {it} a triangle as the arrowhead at its {end}",
            "add an arrowhead at the {end} of {it}",
            "have {it} end in an arrowhead at the {end}",
            "turn the {end} of {it} into an arrowhead",
        ),
        (
            "{it} should have an arrowhead at its {end}",
            "there should be an arrowhead at the {end} of {it}",
        ),
        params=_draw_end,
        slots={"end": choice(_ENDS)},
        playable=always,
    ),
    Operator(
        "line-color",
        "diagrams",
        "shape",
        of_shapes(lambda shape: shape.kind == "line"),
        sets("set_line", color=paint, width_pt=param("width")),
        lambda site, params: [
            leaf("shape_line", **site.args, color=params["color"], width_pt=params["width"])
        ],
        ("style",),
        (
            "draw {it} in {color}, {width} pt thick",
            "make {it} {color} and {width} points wide",
            "set {it} to {color} with a width of {width} pt",
            "color {it} {color} and make it {width} points thick",
            "change {it} to a {color} line of {width} points",
        ),
        (
            "{it} should be a {color} line of {width} points",
            "{it} should be {color} and {width} pt thick",
        ),
        params=lambda site, rng: {
            "color": rng.choice(list(COLORS)),
            "width": rng.choice((2, 3, 4, 5, 6)),
        },
        slots={"color": COLOR, "width": NUMBER},
        playable=always,
    ),
    Operator(
        "delete-line-shape",
        "diagrams",
        "shape",
        of_shapes(lambda shape: shape.kind == "line"),
        delete_shape,
        lambda site, params: [leaf("shape_deleted", **site.args)],
        ("shapes", "animation"),
        (
            "delete {it}",
            "remove {it}",
            "take {it} off the slide",
            "get rid of {it}",
            "clear {it} from the slide",
        ),
        ("{it} should be deleted", "{it} should be removed"),
        playable=always,
    ),
)
"""The operators of this module."""
