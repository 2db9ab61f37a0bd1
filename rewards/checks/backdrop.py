"""Layout and master shapes behind a slide, and how far other shapes may cover them."""

import math
from collections.abc import Iterable, Iterator
from functools import cached_property

from pptarena.decks import Box, Deck, Shape, Slide
from pptarena.decks.diff.shapes import same_box
from pptarena.rewards.checking.pairs import SlidePair
from pptarena.rewards.checks.relations import RELATIONS
from pptarena.rewards.scope.loss import SMALL_PLACEHOLDERS

__all__ = ["Backdrop", "around", "outermost"]


class Backdrop:
    """The visible shapes of a slide's layout and master, and how far other shapes may cover them.

    A shape may lie inside an obstacle without text, such as a panel. It may overlap an obstacle as
    far as one of these does: the shape itself in the original, its own placeholder on the layout,
    the layout's content placeholders, or the original's shapes on slides of that layout.

    Args:
        pair: The slide in the original and now.
    """

    def __init__(self, pair: SlidePair) -> None:
        self._pair = pair
        layout = pair.deck.layout_of(pair.after)
        placeholders = () if layout is None else layout.shapes
        self._placeholders = [each for each in placeholders if each.placeholder]
        self._obstacles = list(_behind(pair.deck, pair.after))
        self._template: dict[int, float] = {}

    def covered_by(self, shape: Shape, tolerance_emu: float) -> Iterator[tuple[float, str]]:
        """Yield how far a shape of the slide overlaps obstacles that it must not cover.

        Args:
            shape: A shape of the slide now.
            tolerance_emu: Further overlap that is ignored.

        Yields:
            The overlap in EMU, and the obstacle's label for a reason.
        """
        for at, obstacle in enumerate(self._obstacles):
            away = _overlap(shape, obstacle)
            if away > tolerance_emu and away > self._usual(shape, at) + tolerance_emu:
                yield away, f"{obstacle.label} of the layout or master"

    def _usual(self, shape: Shape, at: int) -> float:
        """Return how far the template, or the shape in the original, overlaps an obstacle."""
        obstacle = self._obstacles[at]
        if at not in self._template:
            self._template[at] = _most(self._models(obstacle), obstacle)
        own = [each for each in self._placeholders if each.placeholder == shape.placeholder]
        before = self._pair.original_of(shape)
        if before is not None and self._pair.before is not None:
            known = _behind(self._pair.view.original, self._pair.before)
            if any(same_box(each.box, obstacle.box) for each in known):
                own.append(before)
        return max(self._template[at], _most(own, obstacle))

    def _models(self, obstacle: Shape) -> Iterator[Shape]:
        """Yield the shapes of the template and the original that may cover an obstacle."""
        for each in self._placeholders:
            if each.placeholder not in SMALL_PLACEHOLDERS:
                yield each
        for slide, backdrop in self._slides_of_layout:
            if any(same_box(each.box, obstacle.box) for each in backdrop):
                yield from (
                    each
                    for each in outermost(slide)
                    if each.kind != "line" and each.placeholder not in SMALL_PLACEHOLDERS
                )

    @cached_property
    def _slides_of_layout(self) -> list[tuple[Slide, list[Shape]]]:
        original = self._pair.view.original
        return [
            (slide, list(_behind(original, slide)))
            for slide in original.slides
            if slide.layout == self._pair.after.layout
        ]


def outermost(slide: Slide) -> Iterator[Shape]:
    """Yield the visible shapes outside of groups, without empty placeholders."""
    for shape in slide.shapes:
        empty = shape.kind == "placeholder" and not shape.paragraphs
        if shape.group is None and not shape.hidden and not shape.shows_nothing and not empty:
            yield shape


def around(box: Box) -> Box:
    """Return the upright box around a rotated box."""
    if not box.rotation_deg % 180:
        return box
    angle = math.radians(box.rotation_deg)
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    width = round(box.width * cos + box.height * sin)
    height = round(box.width * sin + box.height * cos)
    left = round(box.left + (box.width - width) / 2)
    return Box(left, round(box.top + (box.height - height) / 2), width, height)


def _behind(deck: Deck, slide: Slide) -> Iterator[Shape]:
    """Yield the visible layout and master shapes of a slide, except lines and full backgrounds."""
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


def _most(shapes: Iterable[Shape], obstacle: Shape) -> float:
    return max((_overlap(each, obstacle) for each in shapes), default=0.0)
