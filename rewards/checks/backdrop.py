"""Shapes of layouts and masters that lie behind a slide, and which of them may be covered."""

import math
from collections.abc import Iterator

from pptarena.decks import Box, Deck, Shape, Slide
from pptarena.decks.diff.shapes import same_box
from pptarena.rewards.checking.pairs import SlidePair
from pptarena.rewards.checks.relations import RELATIONS
from pptarena.rewards.scope.loss import SMALL_PLACEHOLDERS

__all__ = ["around", "covered_backdrop", "outermost"]


def covered_backdrop(
    pair: SlidePair, shape: Shape, tolerance_emu: float
) -> Iterator[tuple[float, str]]:
    """Yield how far a shape overlaps shapes of layout and master that it should keep clear of.

    A shape may lie inside one without text, such as a panel. It may overlap one as far as it did
    in the original, as its own placeholder of the layout does, or as the layout's content
    placeholders or the original's shapes on slides of that layout do: there the template means it.

    Args:
        pair: The slide.
        shape: A shape of the slide now.
        tolerance_emu: How much farther counts for nothing.

    Yields:
        The overlap in EMU, and how a reason calls the shape of the layout or master.
    """
    for obstacle in _behind(pair.deck, pair.after):
        away = _overlap(shape, obstacle)
        if away > tolerance_emu and away > _usual(pair, shape, obstacle) + tolerance_emu:
            yield away, f"{obstacle.label} of the layout or master"


def outermost(slide: Slide) -> Iterator[Shape]:
    """Yield the shapes that are shown and in no group; placeholders only with something in them."""
    for shape in slide.shapes:
        empty = shape.kind == "placeholder" and not shape.paragraphs
        if shape.group is None and not shape.hidden and not shape.shows_nothing and not empty:
            yield shape


def around(box: Box) -> Box:
    """Return the upright box around a turned one."""
    if not box.rotation_deg % 180:
        return box
    angle = math.radians(box.rotation_deg)
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    width = round(box.width * cos + box.height * sin)
    height = round(box.width * sin + box.height * cos)
    left = round(box.left + (box.width - width) / 2)
    return Box(left, round(box.top + (box.height - height) / 2), width, height)


def _behind(deck: Deck, slide: Slide) -> Iterator[Shape]:
    """Yield what a slide shows of its layout and master, lines and full backgrounds left out."""
    master, layout = deck.master_of(slide), deck.layout_of(slide)
    if not slide.show_master_shapes or layout is None:
        return
    area = Box(0, 0, deck.width_emu, deck.height_emu)
    inherited = () if master is None or not layout.show_master_shapes else master.shapes
    for shape in (*inherited, *layout.shapes):
        is_paper = not shape.text.strip() and RELATIONS["inside"](area, around(shape.box)) <= 0
        if not shape.placeholder and _is_visible(shape) and not is_paper:
            yield shape


def _is_visible(shape: Shape) -> bool:
    if shape.hidden or shape.shows_nothing or shape.kind in ("group", "line"):
        return False
    filled = shape.fill.kind != "none" and shape.fill.opacity_pct > 0
    outlined = shape.line.paint.kind != "none" and shape.line.paint.opacity_pct > 0
    return filled or outlined or shape.kind not in ("shape", "text_box") or bool(shape.text.strip())


def _overlap(shape: Shape, obstacle: Shape) -> float:
    box, other = around(shape.box), around(obstacle.box)
    if not obstacle.text.strip() and RELATIONS["inside"](box, other) <= 0:
        return 0.0
    return RELATIONS["no_overlap"](box, other)


def _usual(pair: SlidePair, shape: Shape, obstacle: Shape) -> float:
    """Return how far the original, or the layout itself, has something lie over a shape."""
    return max((_overlap(each, obstacle) for each in _models(pair, shape, obstacle)), default=0.0)


def _models(pair: SlidePair, shape: Shape, obstacle: Shape) -> Iterator[Shape]:
    layout = pair.deck.layout_of(pair.after)
    for each in () if layout is None else layout.shapes:
        small = each.placeholder in SMALL_PLACEHOLDERS
        if each.placeholder and (each.placeholder == shape.placeholder or not small):
            yield each
    original = pair.view.original
    for slide in original.slides:
        kept = any(same_box(each.box, obstacle.box) for each in _behind(original, slide))
        if not kept or slide.layout != pair.after.layout:
            continue
        yield from (
            each
            for each in outermost(slide)
            if each.kind != "line" and each.placeholder not in SMALL_PLACEHOLDERS
        )
    before = pair.original_of(shape)
    if before is not None and pair.before is not None:
        known = _behind(original, pair.before)
        if any(same_box(each.box, obstacle.box) for each in known):
            yield before
