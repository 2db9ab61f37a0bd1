"""Operators for hyperlinks, connectors and alt text."""

from collections.abc import Iterator
from random import Random
from typing import Any

from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml.ns import qn
from pptx.util import Pt

from pptarena.decks import Shape
from pptarena.decks.visibility.contrast import contrast_ratio
from pptarena.tasks.grow.edits import element_of, runs_of, shape_of, slide_of
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Macros, Operator, Params, leaf
from pptarena.tasks.grow.operators.common import as_macro, chosen, of_shapes, with_text
from pptarena.tasks.grow.operators.images import delete_element
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


def _link(presentation: Any, site: Site, params: Params) -> None:
    for run in runs_of(shape_of(presentation, site)):
        run.hyperlink.address = params["url"]


def _link_macros(site: Site, params: Params) -> Macros | None:
    if len(site.shape.paragraphs) != 1 or "\v" in site.shape.text:
        return None  # a link is a single text field, so paragraphs would be merged
    return [as_macro(site, "link", words=site.shape.text, url=params["url"])]


def _link_slide(presentation: Any, site: Site, params: Params) -> None:
    slide = slide_of(presentation, site)
    target = presentation.slides[params["to"] - 1]
    id = slide.part.relate_to(target.part, RELATIONSHIP_TYPE.SLIDE)
    for run in runs_of(shape_of(presentation, site)):
        link = run._r.get_or_add_rPr().add_hlinkClick(id)
        link.set("action", "ppaction://hlinksldjump")


def _draw_slide(site: Site, rng: Random) -> Params | None:
    others = [n for n in range(1, len(site.deck.slides) + 1) if n != site.number]
    return {"to": rng.choice(others)} if others else None


def _unlink(presentation: Any, site: Site, params: Params) -> None:
    for each in list(element_of(presentation, site).iter(qn("a:hlinkClick"))):
        each.getparent().remove(each)


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


def _join(presentation: Any, site: Site, params: Params) -> None:
    shapes = slide_of(presentation, site).shapes
    first, second = shape_of(presentation, site), shape_of(presentation, site, site.other_index)
    sides = (3, 1) if first.left + first.width <= second.left else (1, 3)
    line = shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, 9, 9)
    line.begin_connect(first, sides[0])
    line.end_connect(second, sides[1])
    line.line.color.theme_color = MSO_THEME_COLOR.TEXT_1  # the theme's line style may be invisible
    line.line.width = Pt(1.5)


def _color_line(presentation: Any, site: Site, params: Params) -> None:
    kind: Any = RGBColor
    line = shape_of(presentation, site).line
    line.color.rgb = kind.from_string(COLORS[params["color"]])
    line.width = Pt(params["width"])


def _head(presentation: Any, site: Site, params: Params) -> None:
    line = shape_of(presentation, site).line._get_or_add_ln()
    name = "a:tailEnd" if params["end"] == "end" else "a:headEnd"
    for old in line.findall(qn(name)):
        line.remove(old)
    new = line.makeelement(qn(name), {"type": "triangle"})
    later = ["a:extLst"] if name == "a:tailEnd" else ["a:tailEnd", "a:extLst"]
    for each in later:
        found = line.find(qn(each))
        if found is not None:
            found.addprevious(new)
            return
    line.append(new)


def _draw_end(site: Site, rng: Random) -> Params | None:
    start, end = site.shape.line.ends
    bare = [name for name, head in (("start", start), ("end", end)) if head == "none"]
    return {"end": rng.choice(bare)} if bare else None


def _describe(presentation: Any, site: Site, params: Params) -> None:
    next(element_of(presentation, site).iter(qn("p:cNvPr"))).set("descr", params["text"])


def _description(name: str, noun: str, kinds: tuple[str, ...]) -> Operator:
    return Operator(
        name,
        "accessibility",
        "shape",
        of_shapes(lambda shape: shape.kind in kinds and not shape.placeholder),
        _describe,
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
        macros=lambda site, params: [as_macro(site, "alt_text", text=params["text"])],
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
        _link,
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
        macros=_link_macros,
        slots={"url": TEXT},
        level=2,
    ),
    Operator(
        "link-to-slide",
        "hyperlinks",
        "shape",
        _linkable,
        _link_slide,
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
        _head,
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
        macros=lambda site, params: [as_macro(site, "outline", **{params["end"]: "triangle"})],
    ),
    Operator(
        "line-color",
        "diagrams",
        "shape",
        of_shapes(lambda shape: shape.kind == "line"),
        _color_line,
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
        macros=lambda site, params: [
            as_macro(site, "outline", color=COLORS[params["color"]], width_pt=params["width"])
        ],
    ),
    Operator(
        "delete-line-shape",
        "diagrams",
        "shape",
        of_shapes(lambda shape: shape.kind == "line"),
        delete_element,
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
        macros=lambda site, params: [as_macro(site, "delete_shape")],
    ),
)
"""The operators of this module."""
