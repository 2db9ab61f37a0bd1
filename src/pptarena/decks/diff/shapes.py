"""Differences in the shapes of one slide, layout or master."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pptarena.decks import Box, Link, Shape
from pptarena.decks.diff.change import Aspect, Difference
from pptarena.decks.diff.content import content_differences
from pptarena.decks.diff.fields import field_differences
from pptarena.decks.diff.text import (
    LinkMap,
    clip,
    format_differences,
    link_differences,
    text_differences,
)
from pptarena.decks.match.similarity import plain_name
from pptarena.decks.match.values import ANGLE_TOLERANCE_DEG, LENGTH_TOLERANCE_EMU

__all__ = ["box_differences", "inches", "same_box", "shape_differences"]


_ASPECTS: Mapping[str, Aspect] = {
    "kind": "shapes",
    "placeholder": "layout",
    "outline": "style",
    "outline of its own": "style",
    "adjustments": "style",
    "fill": "style",
    "line": "style",
    "effects": "style",
    "autofit": "formatting",
    "alt text": "alt_text",
    "decorative": "alt_text",
    "hidden": "visibility",
    "tooltip": "hyperlinks",
}
"""Aspects of a shape's properties; the default is ``other``."""
_TEXT_BOXES = {"text_box", "shape"}


def shape_differences(old: Shape, new: Shape, map_link: LinkMap) -> Iterator[Difference]:
    """Yield the differences of one shape, except for its connections and its group."""
    is_movable = any(map(_is_moved_by_trailing_lines, (old, new)))
    yield from text_differences(old.paragraphs, new.paragraphs, "text", trailing_lines=is_movable)
    yield from format_differences(old.paragraphs, new.paragraphs)
    if old.frame is not None and new.frame is not None:
        yield from field_differences(old.frame, new.frame, "formatting")
    yield from _link_differences(old, new, map_link)
    yield from box_differences(old.box, new.box)
    for each in field_differences(old, new, "other"):
        if each.what == "kind" and (old.placeholder or new.placeholder):
            continue  # implied by the difference in the placeholder
        if each.what == "kind" and {old.kind, new.kind} == _TEXT_BOXES:
            continue  # implied by a difference in fill or line
        if each.what == "autofit" and not (old.text.strip() and new.text.strip()):
            continue  # without effect if there is no text
        yield replace(each, aspect=_ASPECTS.get(each.what, "other"))
    # Applications choose the names of placeholders, and number shapes when a slide moves.
    if plain_name(old.name) != plain_name(new.name) and not (old.placeholder and new.placeholder):
        yield Difference.of("shapes", "name", old.name, new.name, clip)
    yield from content_differences(old, new)


def _is_moved_by_trailing_lines(shape: Shape) -> bool:
    """Return whether empty lines after the text of a shape move the text or enlarge the shape."""
    return shape.autofit == "shape" or (shape.frame is not None and shape.frame.anchor != "top")


def box_differences(old: Box, new: Box) -> Iterator[Difference]:
    """Yield the differences between two boxes; saving may round them."""
    limit = LENGTH_TOLERANCE_EMU
    if abs(old.left - new.left) > limit or abs(old.top - new.top) > limit:
        positions = (old.left, old.top), (new.left, new.top)
        yield Difference.of("geometry", "place", *positions, inches)
    if abs(old.width - new.width) > limit or abs(old.height - new.height) > limit:
        sizes = (old.width, old.height), (new.width, new.height)
        yield Difference.of("geometry", "size", *sizes, inches)
    half_turned = old.flip_h != new.flip_h and old.flip_v != new.flip_v
    if half_turned and _same_angle(old.rotation_deg + 180, new.rotation_deg):
        return  # flipping both axes equals a rotation by 180 degrees; LibreOffice may write either
    if not _same_angle(old.rotation_deg, new.rotation_deg):
        angles = old.rotation_deg, new.rotation_deg
        yield Difference.of("geometry", "rotation", *angles, "{:g}°".format)
    if (old.flip_h, old.flip_v) != (new.flip_h, new.flip_v):
        flips = (old.flip_h, old.flip_v), (new.flip_h, new.flip_v)
        yield Difference.of("geometry", "flip", *flips, _describe_flips)


def _same_angle(first_deg: float, second_deg: float) -> bool:
    turn = abs(first_deg - second_deg) % 360
    return min(turn, 360 - turn) <= ANGLE_TOLERANCE_DEG


def same_box(first: Box, second: Box) -> bool:
    """Return whether two boxes are equal; saving may round them."""
    return first == second or not any(True for _ in box_differences(first, second))


def _link_differences(old: Shape, new: Shape, map_link: LinkMap) -> Iterator[Difference]:
    if map_link(old.link) != new.link:
        yield Difference.of("hyperlinks", "", old.link, new.link, _describe_link)
    if map_link(old.hover_link) != new.hover_link:
        links = old.hover_link, new.hover_link
        yield Difference.of("hyperlinks", "on hovering", *links, _describe_link)
    yield from link_differences(old.paragraphs, new.paragraphs, map_link)


def _describe_link(link: Link | None) -> str:
    return str(link or "")


def inches(pair: tuple[int, int]) -> str:
    """Return a description of a size or position."""
    return f"{pair[0] / 914_400:.2f} x {pair[1] / 914_400:.2f} in"


def _describe_flips(flips: tuple[bool, bool]) -> str:
    parts = ["left to right"] * flips[0] + ["upside down"] * flips[1]
    return " and ".join(parts) or "none"
