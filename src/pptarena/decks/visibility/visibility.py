"""Visibility of deck content: slides without text that a viewer cannot read.

The estimate uses deck facts only; nothing is rendered. Text counts as invisible if

- its shape, or a group around it, is hidden;
- less than 60 % of its lines are on the slide and not covered by fills, thick lines, cells, or
  characters that form blocks; several semitransparent covers add up (line positions are estimated
  by `pptarena.decks.visibility.text_extent`);
- it has a contrast ratio below 1.6 and an RGB distance below 120 to its background, at every
  sampled point with a known background;
- its opacity is below 10 %, its size below 6 pt, its character spacing larger than its height or so
  negative that characters overlap, or it is off its baseline or runs backward;
- its shape leaves the slide without a click, or appears only after ten seconds.

If in doubt, text counts as visible: on pictures, charts and patterns, behind shapes that
animations show or hide, and under pictures that may be transparent.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Final

from pptarena.decks import Box, Deck, Paint, Paragraph, Run, Shape, Slide
from pptarena.decks.read.caches import IdentityCache, LruCache
from pptarena.decks.visibility.contrast import (
    MIN_OPACITY_PCT,
    blend,
    why_indistinguishable,
    why_unreadable,
    with_highlight,
)
from pptarena.decks.visibility.layers import (
    OPAQUE_PCT,
    Layer,
    Point,
    Surface,
    bounding_box,
    grid,
    is_opaque,
    paint_colors,
    rotate_point,
    row_points,
)
from pptarena.decks.visibility.text_layout import TextArea, texts_of, with_texts, without_text
from pptarena.decks.visibility.timeline import never_shown

__all__ = ["MIN_SHARE", "MIN_TEXT_SHARE", "SlideVisibility", "Visibility", "visibility_of"]

MIN_SHARE: Final = 1 / 3
"""Share of a shape that must be visible."""

MIN_TEXT_SHARE: Final = 0.6
"""Share of a text's lines that must be visible."""

# Sample positions near the edges: content may cover a panel's center while its edges show.
_EDGE_STEPS = (0.02, 0.26, 0.5, 0.74, 0.98)
# Sample positions in a line of text: horizontal and vertical share.
_LINE_STEPS = ((0.02, 0.35), (0.2, 0.65), (0.4, 0.35), (0.6, 0.65), (0.8, 0.35), (0.98, 0.65))
_MAX_ROWS = 60
_MIN_TRANSPARENCY = 1 - OPAQUE_PCT / 100

# Unchanged slides share their facts with the deck read before, so their visibility is looked up by
# identity; the first item of a value keeps the objects with these ids alive.
_cache: LruCache[tuple[object, ...], tuple[object, tuple[Shape, ...], dict[int, str]]] = LruCache(
    4_000
)


class SlideVisibility:
    """Computes the visible content of one slide."""

    def __init__(self, deck: Deck, slide: Slide) -> None:
        self._slide = slide
        self._screen = Box(0, 0, deck.width_emu, deck.height_emu)
        self._surface = Surface(deck, slide)
        self._never_shown = never_shown(slide, self._screen)
        # Everything that visibility depends on, other than layout index and slide size.
        self._inputs = (
            slide.shapes,
            slide.animations,
            slide.background,
            deck.master_of(slide),
            slide.show_master_shapes,
        )

    @cached_property
    def visible(self) -> Slide:
        """The slide without invisible text."""
        return self._result[0]

    @cached_property
    def reasons(self) -> dict[int, str]:
        """Reasons why text is invisible, by shape index."""
        return self._result[1]

    @cached_property
    def _result(self) -> tuple[Slide, dict[int, str]]:
        key = (*map(id, self._inputs), self._slide.layout_index, self._screen)
        cached = _cache.get(key)
        if cached is None:
            reasons_by_shape: dict[int, str] = {}
            shapes = tuple(
                self._visible_shape(shape, reasons_by_shape) for shape in self._slide.shapes
            )
            cached = (
                self._inputs,
                shapes if reasons_by_shape else self._slide.shapes,
                reasons_by_shape,
            )
            _cache.put(key, cached)
        _, shapes, reasons = cached
        return (replace(self._slide, shapes=shapes) if reasons else self._slide), reasons

    def share(self, index: int) -> float:
        """Return the visible share of a shape's box; 0 if the shape draws nothing."""
        return self.box_share(index) if self._draws(self._slide.shapes[index]) else 0.0

    def box_share(self, index: int) -> float:
        """Return the visible share of a shape's box, even if the shape draws nothing."""
        shape = self._slide.shapes[index]
        if self._is_hidden(shape):
            return 0.0
        box, screen = shape.box, self._screen
        sides = (box.left, box.top, box.right, box.bottom)
        is_inside = min(sides) >= 0 and box.right <= screen.width and box.bottom <= screen.height
        if is_inside and not box.rotation_deg and not self._surface.covers_above(index, box):
            return 1.0
        return self._share(index, grid(box, _EDGE_STEPS))

    def covered_share(self, index: int, by: frozenset[int]) -> float:
        """Return the share of a shape's visible content that other shapes cover."""
        layers = self._surface.layers_above(by, index)
        points = self._content_points(self._slide.shapes[index]) if layers else []
        if not points:
            return 0.0
        covered = 0.0
        for point in points:
            transparency = 1.0
            for layer in layers:
                if layer.coverage_at(point) != "no":
                    transparency *= 1 - (layer.opacity_pct or 100) / 100
            covered += 1 - transparency
        return covered / len(points)

    def _content_points(self, shape: Shape) -> list[Point]:
        """Return sample points of a shape's visible content: its text lines, or the entire box."""
        if shape.content is not None or shape.fill.kind != "none":
            return grid(shape.box, _EDGE_STEPS)
        areas = (area for _, _, _, paragraph_areas in texts_of(shape) for area in paragraph_areas)
        return [point for area in areas for point in _line_points(shape, area)][: 6 * _MAX_ROWS]

    def backdrops(self, index: int) -> Iterator[tuple[Run, frozenset[str] | None]]:
        """Yield the runs of a shape's text with the colors behind them; None if unknown."""
        shape = self._slide.shapes[index]
        for paragraphs, box, fill, areas in texts_of(shape):
            for paragraph, area in zip(paragraphs, areas, strict=True):
                colors = self._backgrounds(shape, fill, box, area)
                for run in paragraph.runs:
                    yield run, with_highlight(run.style, colors)

    def _visible_shape(self, shape: Shape, reasons: dict[int, str]) -> Shape:
        if not shape.all_text:
            return shape
        if self._is_hidden(shape):
            reason = "is removed too soon" if shape.index in self._never_shown else "is hidden"
            reasons[shape.index] = f"it {reason}"
            return without_text(shape)
        if (shape.chart or shape.smart_art) is not None and self.share(shape.index) < MIN_SHARE:
            reasons[shape.index] = "it is covered or off the slide"
            return without_text(shape)
        texts = []
        for paragraphs, box, fill, areas in texts_of(shape):
            pairs = zip(paragraphs, areas, strict=True)
            texts.append(tuple(self._paragraph(shape, fill, box, *p, reasons) for p in pairs))
        if shape.index not in reasons:
            return shape
        return with_texts(shape, texts)

    def _paragraph(
        self,
        shape: Shape,
        fill: Paint,
        box: Box,
        paragraph: Paragraph,
        area: TextArea,
        reasons: dict[int, str],
    ) -> Paragraph:
        if not paragraph.text.strip():
            return paragraph
        # Text below the slide is invisible; skipping it saves time.
        points = (
            ()
            if area.top > self._screen.height and not shape.box.rotation_deg
            else _line_points(shape, area)
        )
        if not points or self._share(shape.index, points) < MIN_TEXT_SHARE:
            reasons[shape.index] = "it is covered or off the slide"
            return replace(paragraph, runs=())
        visible_runs = []
        scale = 1.0 if shape.frame is None else shape.frame.autofit_scale_pct / 100
        backgrounds: frozenset[str] | None = None
        is_computed = False
        for run in paragraph.runs:
            reason = why_unreadable(run.text, run.style, scale)
            if not reason:
                if not is_computed:
                    backgrounds, is_computed = self._backgrounds(shape, fill, box, area), True
                reason = why_indistinguishable(run.style, with_highlight(run.style, backgrounds))
            if reason and run.text.strip():
                reasons[shape.index] = reason
            else:
                visible_runs.append(run)
        return (
            paragraph
            if len(visible_runs) == len(paragraph.runs)
            else replace(paragraph, runs=tuple(visible_runs))
        )

    def _share(self, index: int, points: Sequence[Point]) -> float:
        screen = self._screen
        bounds = bounding_box(points)
        covers = self._surface.covers_above(index, bounds)
        is_inside = (
            bounds.left >= 0 and bounds.top >= 0
            and bounds.right <= screen.width and bounds.bottom <= screen.height
        )  # fmt: skip
        if is_inside and not covers:
            return 1.0
        visible = sum(
            0 <= point[0] <= screen.width
            and 0 <= point[1] <= screen.height
            and self._is_visible_at(covers, point)
            for point in points
        )
        return visible / len(points)

    @staticmethod
    def _is_visible_at(covers: Sequence[Layer], point: Point) -> bool:
        transparency = 1.0
        for cover in covers:
            if cover.coverage_at(point) == "yes":
                transparency *= 1 - cover.opacity_pct / 100
                if transparency <= _MIN_TRANSPARENCY:
                    return False
        return True

    def _backgrounds(
        self, shape: Shape, fill: Paint, box: Box, area: TextArea
    ) -> frozenset[str] | None:
        """Return all colors behind a paragraph; None if some are unknown."""
        fill_colors = paint_colors(fill)
        is_filled = fill_colors is not None and is_opaque(fill_colors)
        all_colors: set[str] = set()
        all_rows = area.rows or ((area.left, area.top, area.right, area.bottom),)
        rows = all_rows[0], all_rows[len(all_rows) // 2], all_rows[-1]
        for (left, top, right, bottom), share in zip(rows, (0.15, 0.5, 0.85), strict=True):
            x, y = left + (right - left) * share, (top + bottom) / 2
            is_inside = box.left <= x <= box.right and box.top <= y <= box.bottom
            if is_inside and fill_colors is None:
                return None
            if is_inside and is_filled and fill_colors is not None:
                all_colors |= {color for color, _ in fill_colors}
                continue
            colors = self._surface.colors_behind(
                shape.index, rotate_point((x, y), shape.box, shape.box.rotation_deg)
            )
            if colors is None:
                return None
            if is_inside and fill_colors is not None:
                colors = frozenset(
                    blend(c, back, opacity) for c, opacity in fill_colors for back in colors
                )
            all_colors |= colors
        return frozenset(all_colors)

    def _is_hidden(self, shape: Shape) -> bool:
        while not self._is_not_shown(shape) and shape.group is not None:
            shape = self._slide.shapes[shape.group]
        return self._is_not_shown(shape)

    def _is_not_shown(self, shape: Shape) -> bool:
        return shape.hidden or shape.index in self._never_shown

    def _draws(self, shape: Shape) -> bool:
        if shape.content is not None or shape.kind in ("group", "graphic"):
            return not shape.shows_nothing
        has_fill = shape.fill.kind != "none" and shape.fill.opacity_pct >= MIN_OPACITY_PCT
        has_line = shape.line.paint.kind != "none" and shape.line.paint.opacity_pct > 0
        return has_fill or has_line or bool(self.visible.shapes[shape.index].text.strip())


def _line_points(shape: Shape, area: TextArea) -> list[Point]:
    """Return sample points of the lines of a paragraph, rotated with the shape."""
    step = max(1, len(area.rows) // _MAX_ROWS)
    return row_points(area.rows[::step], shape.box, _LINE_STEPS)


_MAX_DECKS = 8

_slide_cache: IdentityCache[dict[tuple[int, int], SlideVisibility]] = IdentityCache(500)


@lru_cache(maxsize=_MAX_DECKS)
def visibility_of(deck: Deck) -> "Visibility":
    """Return the visibility of a deck; the last few decks are cached."""
    return Visibility(deck)


class Visibility:
    """Visible content of a deck, computed per slide on first access."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def _slide_visibility(self, index: int) -> SlideVisibility:
        deck, slide = self._deck, self._deck.slides[index]
        # The result depends on the slide, its master and layout, and the slide size.
        master, width, height = deck.master_of(slide), deck.width_emu, deck.height_emu
        by_size = _slide_cache.get((slide, master), dict)
        visibility = by_size.get((width, height))
        if visibility is None:
            visibility = by_size[width, height] = SlideVisibility(deck, slide)
        return visibility

    def slide(self, index: int) -> Slide:
        """Return a slide without invisible text, by its index."""
        return self._slide_visibility(index).visible

    def shape(self, slide: int, shape: int) -> Shape:
        """Return a shape without invisible text, by the indexes of slide and shape."""
        return self._slide_visibility(slide).visible.shapes[shape]

    def why_hidden(self, slide: int, shape: int) -> str:
        """Return why some text of a shape is invisible; empty if all of it is visible."""
        return self._slide_visibility(slide).reasons.get(shape, "")

    def hidden(self, slide: int) -> dict[int, str]:
        """Return the indexes of shapes with invisible text, with the reasons."""
        return dict(self._slide_visibility(slide).reasons)

    def share(self, slide: int, shape: int) -> float:
        """Return the visible share of a shape's box, 0 to 1; 0 if the shape draws nothing."""
        return self._slide_visibility(slide).share(shape)

    def is_visible(self, slide: int, shape: int) -> bool:
        """Return whether a shape draws something and enough of it is visible."""
        return self.share(slide, shape) >= MIN_SHARE

    def is_in_view(self, slide: int, shape: int) -> bool:
        """Return whether enough of a shape's box is visible, even if the shape draws nothing."""
        return self._slide_visibility(slide).box_share(shape) >= MIN_SHARE

    def covered_share(self, slide: int, shape: int, by: Collection[int]) -> float:
        """Return the share of a shape's visible content that other shapes cover, 0 to 1.

        Shapes with entrance or exit animations count, whatever they show.
        """
        return self._slide_visibility(slide).covered_share(shape, frozenset(by))

    def backdrops(self, slide: int, shape: int) -> Iterator[tuple[Run, frozenset[str] | None]]:
        """Yield the runs of a shape's text with the colors behind them; None if unknown."""
        yield from self._slide_visibility(slide).backdrops(shape)
