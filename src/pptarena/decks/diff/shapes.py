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
from pptarena.decks.match.likeness import plain_name
from pptarena.decks.match.values import LENGTH_TOLERANCE_EMU, TURN_TOLERANCE_DEG

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


def shape_differences(old: Shape, new: Shape, moved: LinkMap) -> Iterator[Difference]:
    """Yield the differences of one shape, except for its connections and its group."""
    moves = any(map(_moves_with_lines_after, (old, new)))
    yield from text_differences(old.paragraphs, new.paragraphs, "text", lines_after=moves)
    yield from format_differences(old.paragraphs, new.paragraphs)
    if old.frame is not None and new.frame is not None:
        yield from field_differences(old.frame, new.frame, "formatting")
    yield from _link_differences(old, new, moved)
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


def _moves_with_lines_after(shape: Shape) -> bool:
    """Return whether empty lines after the text of a shape move the text or enlarge the shape."""
    return shape.autofit == "shape" or (shape.frame is not None and shape.frame.anchor != "top")


def box_differences(old: Box, new: Box) -> Iterator[Difference]:
    """Yield the differences between two boxes; saving may round them."""
    limit = LENGTH_TOLERANCE_EMU
    if abs(old.left - new.left) > limit or abs(old.top - new.top) > limit:
        places = (old.left, old.top), (new.left, new.top)
        yield Difference.of("geometry", "place", *places, inches)
    if abs(old.width - new.width) > limit or abs(old.height - new.height) > limit:
        sizes = (old.width, old.height), (new.width, new.height)
        yield Difference.of("geometry", "size", *sizes, inches)
    half_turned = old.flip_h != new.flip_h and old.flip_v != new.flip_v
    if half_turned and _is_turn(old.rotation_deg + 180, new.rotation_deg):
        return  # flipping both axes equals a rotation by 180 degrees; LibreOffice may write either
    if not _is_turn(old.rotation_deg, new.rotation_deg):
        turns = old.rotation_deg, new.rotation_deg
        yield Difference.of("geometry", "rotation", *turns, "{:g}°".format)
    if (old.flip_h, old.flip_v) != (new.flip_h, new.flip_v):
        flips = (old.flip_h, old.flip_v), (new.flip_h, new.flip_v)
        yield Difference.of("geometry", "flip", *flips, _flip)


def _is_turn(first_deg: float, second_deg: float) -> bool:
    turn = abs(first_deg - second_deg) % 360
    return min(turn, 360 - turn) <= TURN_TOLERANCE_DEG


def same_box(first: Box, second: Box) -> bool:
    """Return whether two boxes are equal; saving may round them."""
    return first == second or not any(True for _ in box_differences(first, second))


def _link_differences(old: Shape, new: Shape, moved: LinkMap) -> Iterator[Difference]:
    if moved(old.link) != new.link:
        yield Difference.of("hyperlinks", "", old.link, new.link, _leads_to)
    if moved(old.hover_link) != new.hover_link:
        links = old.hover_link, new.hover_link
        yield Difference.of("hyperlinks", "on hovering", *links, _leads_to)
    yield from link_differences(old.paragraphs, new.paragraphs, moved)


def _leads_to(link: Link | None) -> str:
    return str(link or "")


def inches(both: tuple[int, int]) -> str:
    """Return a description of a size or position."""
    return f"{both[0] / 914_400:.2f} x {both[1] / 914_400:.2f} in"


def _flip(ways: tuple[bool, bool]) -> str:
    said = ["left to right"] * ways[0] + ["upside down"] * ways[1]
    return " and ".join(said) or "none"
