"""What a viewer can see: a slide without the text that nobody could read.

An estimate from the facts of the deck, nothing is rendered. Text does not count as seen if

- its shape, or a group that holds it, is hidden;
- less than a third of it is on the slide and not under an opaque shape or picture above it (where
  the text of a paragraph stands is estimated by `pptarena.rewards.sight.text_extent`);
- its letters can hardly be told from what is behind them: contrast ratio below 1.3 and RGB distance
  below 60 at every point that was looked at, where what is behind them is known;
- its letters are nearly transparent (opacity below 10 %) or at most 3 points high.

In doubt text is seen: on pictures, charts and patterns, behind shapes that come or go by an
animation, under pictures that may be transparent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Final

from pptarena.rewards.deck import Box, Deck, Paint, Paragraph, Run, Shape, Slide
from pptarena.rewards.deck.recent import Recent
from pptarena.rewards.sight.contrast import blend
from pptarena.rewards.sight.legibility import (
    LEAST_OPACITY_PCT,
    lost,
    too_small_or_clear,
    with_highlight,
)
from pptarena.rewards.sight.shape_texts import silent, texts_of, with_texts
from pptarena.rewards.sight.surface import (
    OPAQUE_PCT,
    Point,
    Surface,
    around,
    grid,
    paint_colors,
    turned,
)
from pptarena.rewards.sight.text_place import TextArea

__all__ = ["LEAST_SHARE", "Sight", "sight_of"]

LEAST_SHARE: Final = 1 / 3
"""Share of a text, or of a shape, that must be in sight."""

_STEPS = (0.1, 0.3, 0.5, 0.7, 0.9)
# A panel is covered by what stands on it, but its edges show.
_EDGED_STEPS = (0.02, 0.26, 0.5, 0.74, 0.98)
_MAX_KEPT = 8

# Slides that did not change share their facts with the deck that was read before, so what can be
# seen of them is looked up by identity; the first item of a value keeps the identities alive.
_known: Recent[tuple[object, ...], tuple[object, tuple[Shape, ...], dict[int, str]]] = Recent(4_000)


@lru_cache(maxsize=_MAX_KEPT)
def sight_of(deck: Deck) -> "Sight":
    """Return what can be seen of a deck; the last few decks are remembered."""
    return Sight(deck)


class Sight:
    """What can be seen of a deck; worked out slide by slide, when asked for.

    Args:
        deck: The deck.
    """

    def __init__(self, deck: Deck) -> None:
        self._slides = tuple(_SlideSight(deck, slide) for slide in deck.slides)

    def slide(self, index: int) -> Slide:
        """Return a slide as a viewer sees it, by its index."""
        return self._slides[index].seen

    def shape(self, slide: int, shape: int) -> Shape:
        """Return a shape with the text that can be seen, by the indexes of slide and shape."""
        return self._slides[slide].seen.shapes[shape]

    def why_hidden(self, slide: int, shape: int) -> str:
        """Return why some text of a shape cannot be seen; empty if all of it can."""
        return self._slides[slide].reasons.get(shape, "")

    def hidden(self, slide: int) -> dict[int, str]:
        """Return the indexes of shapes with text that cannot be seen, with the reasons."""
        return dict(self._slides[slide].reasons)

    def share(self, slide: int, shape: int) -> float:
        """Return the share of a shape's box that is in sight, 0 to 1; 0 if it draws nothing."""
        return self._slides[slide].share(shape)

    def is_seen(self, slide: int, shape: int) -> bool:
        """Return whether enough of a shape is in sight, and there is anything to see of it."""
        return self.share(slide, shape) >= LEAST_SHARE

    def is_in_sight(self, slide: int, shape: int) -> bool:
        """Return whether enough of the place where a shape is can be seen, drawn or not."""
        return self._slides[slide].place_share(shape) >= LEAST_SHARE

    def backdrops(self, slide: int, shape: int) -> Iterator[tuple[Run, frozenset[str] | None]]:
        """Yield the runs of a shape's text with the colours behind them, None if not known."""
        yield from self._slides[slide].backdrops(shape)


class _SlideSight:
    """What can be seen of one slide."""

    def __init__(self, deck: Deck, slide: Slide) -> None:
        self._slide = slide
        self._screen = Box(0, 0, deck.width_emu, deck.height_emu)
        self._surface = Surface(deck, slide)
        master = deck.masters[slide.master] if slide.master < len(deck.masters) else None
        # All that what can be seen depends on, beside the layout's index and the slide's size.
        self._inputs = (
            slide.shapes,
            slide.animations,
            slide.background,
            master,
            slide.show_master_shapes,
        )

    @cached_property
    def seen(self) -> Slide:
        return self._found[0]

    @cached_property
    def reasons(self) -> dict[int, str]:
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[Slide, dict[int, str]]:
        key = (*map(id, self._inputs), self._slide.layout_index, self._screen)
        known = _known.get(key)
        if known is None:
            found: dict[int, str] = {}
            shapes = tuple(self._look_at(shape, found) for shape in self._slide.shapes)
            known = (self._inputs, shapes if found else self._slide.shapes, found)
            _known.put(key, known)
        _, shapes, reasons = known
        return (replace(self._slide, shapes=shapes) if reasons else self._slide), reasons

    def share(self, index: int) -> float:
        return self.place_share(index) if self._draws(self._slide.shapes[index]) else 0.0

    def place_share(self, index: int) -> float:
        shape = self._slide.shapes[index]
        if self._is_hidden(shape):
            return 0.0
        box = shape.box
        sides = (box.left, box.top, box.right, box.bottom)
        return self._share(index, grid(box, *sides, _EDGED_STEPS))

    def backdrops(self, index: int) -> Iterator[tuple[Run, frozenset[str] | None]]:
        shape = self._slide.shapes[index]
        for paragraphs, box, fill, areas in texts_of(shape):
            for paragraph, area in zip(paragraphs, areas, strict=True):
                behind = self._behind(shape, fill, box, area)
                for run in paragraph.runs:
                    yield run, with_highlight(run.style, behind)

    def _look_at(self, shape: Shape, reasons: dict[int, str]) -> Shape:
        if not shape.all_text:
            return shape
        if self._is_hidden(shape):
            reasons[shape.index] = "it is hidden"
            return silent(shape)
        if (shape.chart or shape.smart_art) is not None and self.share(shape.index) < LEAST_SHARE:
            reasons[shape.index] = "it is covered or off the slide"
            return silent(shape)
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
        if self._share(shape.index, grid(shape.box, *_sides(area), _STEPS)) < LEAST_SHARE:
            reasons[shape.index] = "it is covered or off the slide"
            return replace(paragraph, runs=())
        kept = []
        scale = 1.0 if shape.frame is None else shape.frame.autofit_scale_pct / 100
        behind: frozenset[str] | None = None
        looked = False
        for run in paragraph.runs:
            reason = too_small_or_clear(run.style, scale)
            if not reason:
                if not looked:
                    behind, looked = self._behind(shape, fill, box, area), True
                reason = lost(run.style, with_highlight(run.style, behind))
            if reason and run.text.strip():
                reasons[shape.index] = reason
            else:
                kept.append(run)
        return (
            paragraph if len(kept) == len(paragraph.runs) else replace(paragraph, runs=tuple(kept))
        )

    def _share(self, index: int, points: Sequence[Point]) -> float:
        screen = self._screen
        inside = around(points)
        covers = self._surface.covers_above(index, inside)
        whole = (
            inside.left >= 0 and inside.top >= 0
            and inside.right <= screen.width and inside.bottom <= screen.height
        )  # fmt: skip
        if whole and not covers:
            return 1.0
        free = [
            point
            for point in points
            if 0 <= point[0] <= screen.width
            and 0 <= point[1] <= screen.height
            and not any(cover.at(point) == "yes" for cover in covers)
        ]
        return len(free) / len(points)

    def _behind(self, shape: Shape, fill: Paint, box: Box, area: TextArea) -> frozenset[str] | None:
        """Return all colours behind a paragraph; None if some are not known."""
        own = paint_colors(fill)
        solid = own is not None and all(opacity >= OPAQUE_PCT for _, opacity in own)
        found: set[str] = set()
        for place in ((0.15, 0.2), (0.5, 0.5), (0.85, 0.8)):
            x, y = (
                low + (high - low) * part
                for low, high, part in zip(
                    (area.left, area.top), (area.right, area.bottom), place, strict=True
                )
            )
            inside = box.left <= x <= box.right and box.top <= y <= box.bottom
            if inside and own is None:
                return None
            if inside and solid and own is not None:
                found |= {color for color, _ in own}
                continue
            colors = self._surface.colors_behind(
                shape.index, turned((x, y), shape.box, shape.box.rotation_deg)
            )
            if colors is None:
                return None
            if inside and own is not None:
                colors = frozenset(blend(c, back, part) for c, part in own for back in colors)
            found |= colors
        return frozenset(found)

    def _is_hidden(self, shape: Shape) -> bool:
        while not shape.hidden and shape.group is not None:
            shape = self._slide.shapes[shape.group]
        return shape.hidden

    def _draws(self, shape: Shape) -> bool:
        things = (shape.picture, shape.table, shape.chart, shape.smart_art, shape.embedded)
        if any(each is not None for each in things) or shape.kind in ("group", "graphic"):
            return not shape.shows_nothing
        inked = shape.fill.kind != "none" and shape.fill.opacity_pct >= LEAST_OPACITY_PCT
        lined = shape.line.paint.kind != "none" and shape.line.paint.opacity_pct > 0
        return inked or lined or bool(self.seen.shapes[shape.index].text.strip())


def _sides(area: TextArea) -> tuple[float, float, float, float]:
    return area.left, area.top, area.right, area.bottom
