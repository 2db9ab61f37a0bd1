"""Operators for hyperlinks, connectors and alt text."""

from collections.abc import Iterator
from random import Random

from pptarena.decks import Shape
from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.edits import Solution
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    delete_shape,
    has_text,
    hex_color,
    is_selectable,
    make_edit,
    param,
    sample_from,
    shape_targets,
    single_edit,
)
from pptarena.tasks.generator.slots import COLOR, COLORS, NAME, NUMBER, TEXT, choice

__all__ = ["OPERATORS"]

_URLS = (
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
_MIN_CONTRAST = 2.0
_ENDS = {"end": "end", "start": "beginning"}
_CONNECTABLE_KINDS = ("shape", "text_box")


def _is_unlinked(shape: Shape) -> bool:
    return (
        has_text(shape)
        and shape.link is None
        and not any(run.link for p in shape.paragraphs for run in p.runs)
    )


def _linkable_shapes(context: DeckContext) -> Iterator[Target]:
    """Yield texts that remain legible as links, in the theme's link color."""
    for target in shape_targets(_is_unlinked)(context):
        color = target.deck.masters[target.slide.master].colors.get("hlink")
        background = (
            target.shape.fill if target.shape.fill.kind != "none" else target.slide.background
        )
        background_colors = [background.color, *(stop.color for stop in background.stops)]
        if color is None or all(
            contrast_ratio(color, background_color) >= _MIN_CONTRAST
            for background_color in background_colors
            if background_color
        ):
            yield target


def _has_links(shape: Shape) -> bool:
    links = [run.link for p in shape.paragraphs for run in p.runs if run.link]
    return has_text(shape) and bool(links)


def _is_one_line(target: Target, params: Params) -> bool:
    # A link is a single text field, so lines would be merged.
    text = target.shape.text
    return len(target.shape.paragraphs) == 1 and "\v" not in text and is_selectable(text)


def _sample_slide(target: Target, rng: Random) -> Params | None:
    others = [n for n in range(1, len(target.deck.slides) + 1) if n != target.slide_number]
    return {"to": rng.choice(others)} if others else None


def _unlink(target: Target, params: Params) -> Solution:
    shape_link = [make_edit(target, "set_link")] if target.shape.link else []
    return [make_edit(target, "set_text_link"), *shape_link]


def _connect(target: Target, params: Params) -> Solution:
    is_before = target.shape.box.right <= target.other.box.left
    sides = ("right", "left") if is_before else ("left", "right")
    connector = {
        "edit": "add_connector",
        "slide": target.slide_number,
        "start": target.spec,
        "end": target.other_spec,
        "start_side": sides[0],
        "end_side": sides[1],
        "color": "tx1",  # the theme's line style may be invisible
        "width_pt": 1.5,
    }
    return [connector]


def _pairs(context: DeckContext) -> Iterator[Target]:
    """Yield unordered pairs of shapes without a connector."""
    for target in shape_targets(lambda s: s.kind in _CONNECTABLE_KINDS and not s.placeholder)(
        context
    ):
        assert target.slide_index is not None
        names = context.references.shape_names[target.slide_index]
        for index in names:
            other = target.slide.shapes[index]
            if (
                index != target.shape_index
                and other.kind in _CONNECTABLE_KINDS
                and not other.placeholder
            ):
                detail = {"other": names[index][-1]}
                yield Target(context, target.slide_index, target.shape_index, detail, index)


def _sample_end(target: Target, rng: Random) -> Params | None:
    start, end = target.shape.line.ends
    plain_ends = [name for name, arrow in (("start", start), ("end", end)) if arrow == "none"]
    return {"end": rng.choice(plain_ends)} if plain_ends else None


def _description_operator(name: str, noun: str, kinds: tuple[str, ...]) -> Operator:
    return Operator(
        name,
        "accessibility",
        "shape",
        shape_targets(lambda shape: shape.kind in kinds and not shape.placeholder),
        single_edit("set_alt_text", text=param("text")),
        lambda target, params: [leaf("alt_text_is", **target.args, text=params["text"])],
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
        params=sample_from("text", *_DESCRIPTIONS),
        slots={"text": TEXT},
        playable=always,
    )


_SLIDE = NUMBER
OPERATORS = (
    _description_operator("describe-picture", "alternative text", ("picture",)),
    _description_operator(
        "describe-shape", "description for screen readers", ("shape", "text_box")
    ),
    Operator(
        "link-text",
        "hyperlinks",
        "shape",
        _linkable_shapes,
        single_edit("set_text_link", address=param("url")),
        lambda target, params: [leaf("hyperlink_is", **target.args, url=params["url"])],
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
        params=sample_from("url", *_URLS),
        playable=_is_one_line,
        slots={"url": TEXT},
        level=2,
    ),
    Operator(
        "link-to-slide",
        "hyperlinks",
        "shape",
        _linkable_shapes,
        single_edit("set_text_link", to_slide=param("to")),
        lambda target, params: [leaf("hyperlink_is", **target.args, to_slide=params["to"])],
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
        params=_sample_slide,
        slots={"to": _SLIDE},
        level=2,
    ),
    Operator(
        "unlink-text",
        "hyperlinks",
        "shape",
        shape_targets(_has_links),
        _unlink,
        lambda target, params: [leaf("hyperlink_none", **target.args)],
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
        _connect,
        lambda target, params: [
            leaf(
                "connector_joins",
                slide=target.slide_number,
                from_shape=target.spec,
                to_shape=target.other_spec,
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
        scope=lambda target, params: {"shapes": [], "new_shapes": 1},
        level=3,
    ),
    Operator(
        "arrow-head",
        "diagrams",
        "shape",
        shape_targets(lambda shape: shape.kind == "line"),
        lambda target, params: [
            make_edit(target, "set_line", **{f"{params['end']}_arrow": "triangle"})
        ],
        lambda target, params: [leaf("shape_line", **target.args, **{params["end"]: "triangle"})],
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
        params=_sample_end,
        slots={"end": choice(_ENDS)},
        playable=always,
    ),
    Operator(
        "line-color",
        "diagrams",
        "shape",
        shape_targets(lambda shape: shape.kind == "line"),
        single_edit("set_line", color=hex_color, width_pt=param("width")),
        lambda target, params: [
            leaf("shape_line", **target.args, color=params["color"], width_pt=params["width"])
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
        params=lambda target, rng: {
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
        shape_targets(lambda shape: shape.kind == "line"),
        delete_shape,
        lambda target, params: [leaf("shape_deleted", **target.args)],
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
