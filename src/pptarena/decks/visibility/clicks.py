"""Resolve clicks: relative jumps, links of groups, and shapes that cover others."""

from collections.abc import Collection, Sequence
from typing import Final

from pptarena.decks import Deck, Link, Shape, Slide
from pptarena.decks.visibility.layers import Point, grid, rotate_point, row_points
from pptarena.decks.visibility.text_layout import texts_of

__all__ = ["area_points", "click_receiver", "link_of", "resolve_link", "text_line_points"]

_STEPS: Final = (0.1, 0.3, 0.5, 0.7, 0.9)
_JUMP: Final = "jump="


def resolve_link(link: Link | None, slide: Slide, deck: Deck) -> Link | None:
    """Return a link with a relative jump, such as "previous slide", resolved to its slide.

    Hidden slides are skipped, as in a slide show; "last slide viewed" resolves to the previous
    slide. Other links are returned unchanged.
    """
    if link is None or not link.address.startswith(_JUMP):
        return link
    visible = [each.index for each in deck.slides if not each.hidden]
    previous = [index for index in visible if index < slide.index][-1:]
    targets = {
        "firstslide": visible[:1],
        "lastslide": visible[-1:],
        "nextslide": [index for index in visible if index > slide.index][:1],
        "previousslide": previous,
        "lastslideviewed": previous,
    }.get(link.address.removeprefix(_JUMP), [])
    return Link(slide=targets[0] + 1) if targets else link


def link_of(shape: Shape, slide: Slide, hover: bool = False) -> Link | None:
    """Return the link of a shape, or of the nearest enclosing group with a link."""
    while True:
        link = shape.hover_link if hover else shape.link
        if link is not None or shape.group is None:
            return link
        shape = slide.shapes[shape.group]


def area_points(shape: Shape) -> list[Point]:
    """Return sample points in the box of a shape, in EMU on the slide."""
    return grid(shape.box, _STEPS)


def text_line_points(shape: Shape) -> list[Point]:
    """Return sample points on the text lines of a shape, in EMU on the slide."""
    rows = (row for *_, areas in texts_of(shape) for area in areas for row in area.rows)
    return row_points(rows, shape.box, [(share, 0.5) for share in _STEPS])


def click_receiver(
    slide: Slide, index: int, point: Point, ignored: Collection[int] = ()
) -> Shape | None:
    """Return the topmost shape above another one that receives a click; None for none.

    A shape without a link receives clicks if it is filled; a shape with a link receives clicks in
    its entire box.

    Args:
        slide: The slide.
        index: Index of the shape below.
        point: Position of the click, in EMU on the slide.
        ignored: Indexes of shapes that receive no clicks unless they have a link.
    """
    for shape in reversed(slide.shapes[index + 1 :]):
        if shape.hidden or shape.kind == "group" or not _contains(shape, point):
            continue
        if link_of(shape, slide) is not None or _has_link_at(shape, point):
            return shape
        if shape.index not in ignored and _is_filled(shape):
            return shape
    return None


def _contains(shape: Shape, point: Point) -> bool:
    box = shape.box
    x, y = rotate_point(point, box, -box.rotation_deg)
    return box.left <= x <= box.right and box.top <= y <= box.bottom


def _is_filled(shape: Shape) -> bool:
    contents: Sequence[object] = (shape.picture, shape.table, shape.chart, shape.smart_art)
    return shape.fill.kind != "none" or any(each is not None for each in contents)


def _has_link_at(shape: Shape, point: Point) -> bool:
    """Return whether a point is on a paragraph with a link."""
    x, y = rotate_point(point, shape.box, -shape.box.rotation_deg)
    return any(
        any(run.link for run in paragraph.runs)
        and any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in area.rows)
        for paragraphs, _, _, areas in texts_of(shape)
        for paragraph, area in zip(paragraphs, areas, strict=True)
    )
