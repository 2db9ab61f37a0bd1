"""Differences of the shapes of one slide."""

import re
from collections.abc import Collection, Iterator

from pptarena.rewards.assignment import longest_increasing
from pptarena.rewards.change import Aspect, Change
from pptarena.rewards.deck import Box, Shape, Slide
from pptarena.rewards.diff_content import (
    chart_differences,
    describe_paint,
    picture_differences,
    same_line,
    same_paint,
    table_differences,
)
from pptarena.rewards.diff_text import (
    LinkMap,
    clip,
    format_differences,
    link_differences,
    same_text,
)
from pptarena.rewards.matching import ShapeMatch

__all__ = ["GEOMETRY_TOLERANCE_EMU", "diff_shapes", "same_box", "shape_changes"]

# LibreOffice counts in hundredths of a millimetre (360 EMU) and rounds more than once.
GEOMETRY_TOLERANCE_EMU = 18_288
ROTATION_TOLERANCE_DEG = 0.2

_NUMBER = re.compile(r"\s*\d+$")

Difference = tuple[Aspect, str, str]


def diff_shapes(
    before: Slide,
    after: Slide,
    match: ShapeMatch,
    moved: LinkMap,
    free: Collection[int] = (),
) -> Iterator[Change]:
    """Yield what changed about the shapes of a slide.

    Args:
        before: The slide of the original.
        after: The same slide now.
        match: Which shape is which.
        moved: Translates a link of the original to what the same link is now.
        free: Indexes of original shapes that are named first where z-order changed.
    """
    place = before.index + 1, after.index + 1
    for index in match.removed:
        shape = before.shapes[index]
        if not _group_gone(shape, match.removed) and not shape.shows_nothing:
            yield Change("shape_removed", "shapes", *place, shape.label, index)
    for index in match.added:
        shape = after.shapes[index]
        if not _group_gone(shape, match.added) and not shape.shows_nothing:
            yield Change("shape_added", "shapes", *place, shape.label)
    for i, j in match.pairs:
        old, new = before.shapes[i], after.shapes[j]
        if old is not new and old != new:
            for aspect, was, now in shape_changes(old, new, moved):
                if aspect == "geometry" and _follows_group(old, new, before, after, match):
                    continue
                yield Change(f"{aspect}_changed", aspect, *place, old.label, i, was, now)
    for i in _restacked(match, free):
        yield Change("z_order_changed", "shapes", *place, before.shapes[i].label, i)


def shape_changes(old: Shape, new: Shape, moved: LinkMap) -> Iterator[Difference]:
    """Yield how one shape differs, each as (aspect, before, after)."""
    if not same_text(old.paragraphs, new.paragraphs):
        yield "text", clip(old.text), clip(new.text)
    for name, was, now in format_differences(old.paragraphs, new.paragraphs):
        yield "formatting", f"{name} {was}", now
    links = link_differences(old.paragraphs, new.paragraphs, moved)
    if moved(old.link) != new.link:
        yield "hyperlinks", old.link, new.link
    elif links is not None:
        yield "hyperlinks", *links
    yield from _box_differences(old.box, new.box)
    yield from _look_differences(old, new)
    if old.alt_text.strip() != new.alt_text.strip():
        yield "alt_text", clip(old.alt_text), clip(new.alt_text)
    if old.hidden != new.hidden:
        yield "visibility", _shown(old.hidden), _shown(new.hidden)
    if old.picture is not None and new.picture is not None:
        yield from picture_differences(old.picture, new.picture)
    if old.table is not None and new.table is not None:
        yield from table_differences(old.table, new.table)
    if old.chart is not None and new.chart is not None:
        yield from chart_differences(old.chart, new.chart)


def same_box(first: Box, second: Box) -> bool:
    """Return whether two shapes are in the same place; saving may round it."""
    return not any(True for _ in _box_differences(first, second))


def _box_differences(old: Box, new: Box) -> Iterator[Difference]:
    limit = GEOMETRY_TOLERANCE_EMU
    if abs(old.left - new.left) > limit or abs(old.top - new.top) > limit:
        yield "geometry", f"at {_inches(old.left, old.top)}", f"at {_inches(new.left, new.top)}"
    if abs(old.width - new.width) > limit or abs(old.height - new.height) > limit:
        was, now = _inches(old.width, old.height), _inches(new.width, new.height)
        yield "geometry", f"size {was}", f"size {now}"
    turn = abs(old.rotation_deg - new.rotation_deg) % 360
    if min(turn, 360 - turn) > ROTATION_TOLERANCE_DEG:
        yield "geometry", f"turned {old.rotation_deg:g}°", f"turned {new.rotation_deg:g}°"
    if (old.flip_h, old.flip_v) != (new.flip_h, new.flip_v):
        yield "geometry", "flip", "other flip"


def _look_differences(old: Shape, new: Shape) -> Iterator[Difference]:
    if not same_paint(old.fill, new.fill):
        yield "style", f"fill {describe_paint(old.fill)}", describe_paint(new.fill)
    if not same_line(old.line, new.line):
        was, now = (f"{describe_paint(s.line.paint)} {s.line.width_pt:g} pt" for s in (old, new))
        yield "style", f"line {was}", now
    if old.geometry != new.geometry:
        yield "style", f"outline {old.geometry or 'none'}", new.geometry or "none"
    if old.opaque != new.opaque:
        yield "shapes", "embedded content", "other embedded content"
    # Applications name placeholders as they like, and number shapes when a slide moves.
    renamed = _NUMBER.sub("", old.name) != _NUMBER.sub("", new.name)
    if renamed and not (old.placeholder and new.placeholder):
        yield "shapes", f"name {clip(old.name)}", clip(new.name)


def _group_gone(shape: Shape, indexes: Collection[int]) -> bool:
    """Return whether a shape comes or goes with its group, which says it already."""
    return shape.group is not None and shape.group in indexes


def _follows_group(old: Shape, new: Shape, before: Slide, after: Slide, match: ShapeMatch) -> bool:
    """Return whether a member of a group keeps its place within the group."""
    if old.group is None or new.group is None or match.to_current.get(old.group) != new.group:
        return False
    frames = before.shapes[old.group].box, after.shapes[new.group].box
    if same_box(*frames) or not frames[0].width or not frames[0].height:
        return False
    scale_x = frames[1].width / frames[0].width
    scale_y = frames[1].height / frames[0].height
    expected = Box(
        round(frames[1].left + (old.box.left - frames[0].left) * scale_x),
        round(frames[1].top + (old.box.top - frames[0].top) * scale_y),
        round(old.box.width * scale_x),
        round(old.box.height * scale_y),
        old.box.rotation_deg,
        old.box.flip_h,
        old.box.flip_v,
    )
    return same_box(expected, new.box)


def _restacked(match: ShapeMatch, free: Collection[int]) -> list[int]:
    order = [j for _, j in match.pairs]
    weights = [0.5 if i in free else 1.0 for i, _ in match.pairs]
    kept = longest_increasing(order, weights)
    return [i for at, (i, _) in enumerate(match.pairs) if at not in kept]


def _inches(first: int, second: int) -> str:
    return f"{first / 914_400:.2f} x {second / 914_400:.2f} in"


def _shown(hidden: bool) -> str:
    return "hidden" if hidden else "visible"
