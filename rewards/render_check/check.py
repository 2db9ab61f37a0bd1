"""Render check: find changes that two rendered decks reveal but their files do not.

Slides whose parts are equal render equally and are skipped. On the others, each protected shape of
the original must still be visible. It is found again by its marks in the rendered slide. If other
objects now occupy its place, the slide is also rendered without the shape to see what is missing.
New and changed text must leave ink in the rendered slide.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pptarena.decks import Box, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.ink import (
    TextGroup,
    all_text_group,
    changed_text_groups,
    ink_share,
    why_illegible,
)
from pptarena.decks.visibility.slide_images import (
    Flags,
    Pixels,
    Scale,
    changed_pixels,
    find_marks,
    visible_differences,
)
from pptarena.errors import DeckError
from pptarena.rewards.judges.protocol import SlideRenderer
from pptarena.rewards.render_check.rendered_deck import (
    RenderedDeck,
    SlideVariant,
    UndrawableError,
    render_current,
)
from pptarena.rewards.render_check.result import IllegibleText, RenderCheckResult

__all__ = ["RenderCheck", "lost_pattern"]

_UNNOTICED_SHARE = 0.05  # share of a shape's marks that may be lost without a closer inspection
_VISIBLE_INK_SHARE = 0.6  # share of a shape's original ink above which it counts as visible
_MARGIN_PX = 8
_MIN_CHANGED_SHARE = 0.01
# Share of its usual ink below which text was already illegible in the original.
_MIN_LEGIBLE_INK = 0.4
_MIN_COLORED_SHARE = 0.01  # share of a shape's area that it must color; lines need little
_INVISIBLE_ASPECTS = frozenset(
    ("alt_text", "hyperlinks", "animation", "notes", "comments", "shapes")
)
_SIZE_TOLERANCE = 0.2  # relative difference of ink per character that indicates another font size
_NUMBER_PLACEHOLDERS = frozenset(("sldNum", "dt"))
_MAX_SEPARATE_RENDERINGS = 24  # shapes per deck that are rendered separately to see what is missing

_MIN_MARKS: Final = 60  # minimum number of pixels with surrounding contrast that form a pattern
_PATTERN_MARGIN_PX: Final = 6
_EDGE_PX: Final = 3
_SAME_PATTERN_SHARE: Final = 0.6  # share of its marks above which a pattern counts as unchanged

_SLIDE_ASPECTS = frozenset(("background", "layout", "master"))


@dataclass(frozen=True, slots=True)
class _SlidePair:
    """A slide that may render differently, with its index in both decks."""

    before: int
    now: int
    changed: set[int]
    """Shapes of the original with any change."""
    freely_changed: set[int]
    """The shapes of `changed` whose changes are all allowed."""
    restyled: set[int]
    """Shapes with disallowed changes to their appearance."""


class RenderCheck:
    """Compares two rendered decks.

    Args:
        renderer: Renderer of slides.
        original: The .pptx file as saved unchanged by the application.
        current: The .pptx file as saved by the application now.
    """

    def __init__(self, renderer: SlideRenderer, original: bytes, current: bytes) -> None:
        self._renderer = renderer
        self._files = original, current

    def run(
        self, match: DeckMatch, changes: Sequence[Change], outside: Sequence[Change]
    ) -> RenderCheckResult:
        """Return the differences between the rendered decks.

        Args:
            match: The matching of slides and shapes of the two decks.
            changes: All changes.
            outside: Changes that are not allowed.

        Raises:
            DeckError: If the original cannot be read or rendered.
            HostError, ImageError: If this computer cannot render slides.
            MachineError: If rendering the original fails. A current deck that cannot be rendered is
                reported in the result instead.
        """
        before = RenderedDeck(self._renderer, self._files[0])
        try:
            now = RenderedDeck(self._renderer, self._files[1])
            now.restore_gradients(match)
            return _Comparison(match, before, now).result(changes, outside)
        except UndrawableError as error:
            return RenderCheckResult(failure=f"the current slides cannot be rendered: {error}")


class _Comparison:
    """One comparison of two decks."""

    def __init__(self, match: DeckMatch, before: RenderedDeck, now: RenderedDeck) -> None:
        self._match = match
        self._before = before
        self._now = now
        self._remaining_renderings = _MAX_SEPARATE_RENDERINGS

    def result(self, changes: Sequence[Change], outside: Sequence[Change]) -> RenderCheckResult:
        pairs = [pair for pair in self._pairs(changes, outside) if not self._renders_equally(pair)]
        slides = [*((index, None) for index in self._match.added), *((p.now, p) for p in pairs)]
        texts = {index: list(self._changed_texts(index, pair)) for index, pair in slides}
        graphics = {index: list(self._changed_graphics(index, pair)) for index, pair in slides}
        # Slides are rendered in batches: opening a deck takes as long as rendering five slides.
        old = [SlideVariant(pair.before) for pair in pairs]
        old += [
            each for i, items in texts.items() for each in self._original_text_variants(i, items)
        ]
        old += [
            each
            for i, items in graphics.items()
            for each in self._original_picture_variants(i, items)
        ]
        self._before.render(old, shared=True)
        variants = [SlideVariant(index) for index in texts]
        variants += [
            SlideVariant(i, omitted_text=each.ranges)
            for i, items in texts.items()
            for each in items
        ]
        variants += [SlideVariant(i, each) for i, items in graphics.items() for each in items]
        render_current(self._before, self._now, variants)
        charged = {change.slide for change in outside} | repainted_slides(
            changes, outside, len(self._match.original.slides)
        )
        lost_shares = dict(self._lost_shares(pairs))
        changed = {p.before: self._changed_share(p) for p in pairs if p.before + 1 not in charged}
        illegible = {
            index: tuple(self._illegible_texts(index, items)) for index, items in texts.items()
        }
        return RenderCheckResult(
            lost_shares,
            {index: share for index, share in changed.items() if share >= _MIN_CHANGED_SHARE},
            {index: items for index, items in illegible.items() if items},
            {
                (i, each): self._visible_share(i, each)
                for i, items in graphics.items()
                for each in items
            },
        )

    def _pairs(self, changes: Sequence[Change], outside: Sequence[Change]) -> Iterator[_SlidePair]:
        touched, wrong = _shapes_by_slide(changes), _shapes_by_slide(outside)
        restyled = _shapes_by_slide(
            each for each in outside if each.aspect not in _INVISIBLE_ASPECTS
        )
        for before, now in self._match.pairs:
            touched_shapes = touched[before]
            yield _SlidePair(
                before, now, touched_shapes, touched_shapes - wrong[before], restyled[before]
            )

    def _renders_equally(self, pair: _SlidePair) -> bool:
        old, new = self._match.original, self._match.current
        if (old.width_emu, old.height_emu) != (new.width_emu, new.height_emu):
            return False
        try:
            key = self._now.key(pair.now)
        except DeckError as error:
            raise UndrawableError(str(error)) from error
        return self._before.key(pair.before) == key

    def _changed_texts(self, index: int, pair: _SlidePair | None) -> Iterator[TextGroup]:
        for shape, before in self._changed_shapes(index, pair):
            if not _is_hidden(shape, self._match.current.slides[index]):
                yield from changed_text_groups(shape, before)

    def _changed_graphics(self, index: int, pair: _SlidePair | None) -> Iterator[int]:
        for shape, _ in self._changed_shapes(index, pair):
            if shape.kind != "group" and not (shape.paragraphs or shape.shows_nothing):
                yield shape.index

    def _changed_shapes(
        self, index: int, pair: _SlidePair | None
    ) -> Iterator[tuple[Shape, Shape | None]]:
        """Yield the new and changed shapes of a current slide with their originals."""
        for shape in self._match.current.slides[index].shapes:
            _, old = self._original_of(index, shape.index)
            if pair is None or old is None or old.index in pair.changed:
                yield shape, old

    def _illegible_texts(self, index: int, texts: Iterable[TextGroup]) -> Iterator[IllegibleText]:
        full = self._now.get(SlideVariant(index))
        px_per_pt = Scale(self._match.current, full).px_per_pt
        for text in texts:
            usual = self._original_ink(index, text)
            if usual is not None and usual < _MIN_LEGIBLE_INK:
                continue  # already illegible in the original
            without = self._now.get(SlideVariant(index, omitted_text=text.ranges))
            if reason := why_illegible(text, full, without, px_per_pt, usual):
                yield from (IllegibleText(text_range, reason) for text_range in text.ranges)

    def _original_ink(self, index: int, current_text: TextGroup) -> float | None:
        """Return the relative ink of the corresponding original text, or None without such text.

        For text of another size the result is capped at 1, because its glyphs render differently.
        """
        old = self._original_text(index, current_text)
        if old is None:
            return None
        before, text = old
        full = self._before.get(SlideVariant(before))
        px_per_pt = Scale(self._match.original, full).px_per_pt
        without = self._before.get(SlideVariant(before, omitted_text=text.ranges))
        relative_ink = ink_share(text, full, without, px_per_pt)
        return relative_ink if _same_size(text, current_text) else min(1.0, relative_ink)

    def _original_text(self, index: int, current_text: TextGroup) -> tuple[int, TextGroup] | None:
        """Return the slide and text in the original that correspond to current text, or None."""
        before, old = self._original_of(index, current_text.ranges[0].shape)
        text = None if old is None else all_text_group(old, current_text.ranges[0].cell)
        return None if text is None else (before, text)

    def _original_text_variants(
        self, index: int, texts: Iterable[TextGroup]
    ) -> Iterator[SlideVariant]:
        """Yield the renderings of the original that `_original_ink` needs."""
        for current_text in texts:
            if (old := self._original_text(index, current_text)) is not None:
                yield from (SlideVariant(old[0]), SlideVariant(old[0], omitted_text=old[1].ranges))

    def _original_picture_variants(
        self, index: int, shapes: Iterable[int]
    ) -> Iterator[SlideVariant]:
        """Yield the renderings of the original that `_visible_share` needs."""
        for shape in shapes:
            before, old = self._original_of(index, shape)
            current_shape = self._match.current.slides[index].shapes[shape]
            if old is not None and current_shape.picture is not None:
                yield from (SlideVariant(before), SlideVariant(before, old.index))

    def _original_of(self, index: int, shape: int) -> tuple[int, Shape | None]:
        """Return the original slide index and shape of a current shape; None if it is new."""
        before = self._match.to_original.get(index, -1)
        original_shape = None if before < 0 else self._match.shapes(before).to_original.get(shape)
        return before, None if original_shape is None else self._match.original.slides[
            before
        ].shapes[original_shape]

    def _visible_share(self, index: int, shape: int) -> float:
        """Return the visible share of a shape, in [0, 1]; a picture counts by its original ink."""
        current_shape = self._match.current.slides[index].shapes[shape]
        before, old = self._original_of(index, shape)
        if old is None or current_shape.picture is None:
            full, without = (
                self._now.get(SlideVariant(index)),
                self._now.get(SlideVariant(index, shape)),
            )
            left, top, right, bottom = Scale(self._match.current, full).region(current_shape)
            # The share of its area that changes when it is removed.
            changed_area = changed_pixels(full, without)[top:bottom, left:right] > 0
            return (
                min(1.0, float(changed_area.mean()) / _MIN_COLORED_SHARE)
                if changed_area.size
                else 0.0
            )
        strength = self._before.ink(before, old.index) / max(1, _area(old))
        ink = self._now.ink(index, shape) / max(1, _area(current_shape))
        return min(1.0, ink / strength) if strength > 0 else 1.0

    def _lost_shares(self, pairs: Sequence[_SlidePair]) -> Iterator[tuple[tuple[int, int], float]]:
        """Yield the (slide, shape) index of each protected original shape, and its lost share.

        Shares too small to notice are left out.
        """
        losses = [self._lost_marks(pair) for pair in pairs]
        doubtful = [
            self._doubtful_shapes(pair, shares) for pair, shares in zip(pairs, losses, strict=True)
        ]
        inks = self._lost_ink(pairs, doubtful)
        for pair, shares, ink in zip(pairs, losses, inks, strict=True):
            # A recreated shape has no marks to find. Shapes beyond the limit of renderings are
            # skipped.
            shares |= {i: ink.get(i, 0.0) for i in pair.restyled if i in shares}
            shares |= {i: min(shares[i], share) for i, share in ink.items()}
            yield from (
                ((pair.before, i), share) for i, share in shares.items() if share > _UNNOTICED_SHARE
            )

    def _lost_marks(self, pair: _SlidePair) -> dict[int, float]:
        """Return the share of each shape's marks that is lost."""
        before, now = (
            self._before.get(SlideVariant(pair.before)),
            self._now.get(SlideVariant(pair.now)),
        )
        slide = self._match.original.slides[pair.before]
        shapes = self._match.shapes(pair.before)
        protected = [
            shape for shape in slide.shapes
            if shape.index in shapes.to_current and shape.index not in pair.freely_changed
            and shape.kind != "group" and shape.placeholder not in _NUMBER_PLACEHOLDERS
        ]  # fmt: skip
        if before.shape != now.shape:
            return {shape.index: 1.0 for shape in protected}
        free = [slide.shapes[i] for i in {*pair.freely_changed, *shapes.removed}]
        scale = Scale(self._match.original, before)
        mark_masks = find_marks(before, now)
        return {s.index: lost_marks(s, slide, free, mark_masks, scale) for s in protected}

    def _doubtful_shapes(self, pair: _SlidePair, losses: Mapping[int, float]) -> list[int]:
        """Return the shapes to render separately: the largest ones, within the deck's limit."""
        slide = self._match.original.slides[pair.before]
        doubtful = [
            i for i, share in losses.items() if share > _UNNOTICED_SHARE or i in pair.restyled
        ]
        selected = sorted(doubtful, key=lambda i: -_area(slide.shapes[i]))[
            : self._remaining_renderings
        ]
        self._remaining_renderings -= len(selected)
        return selected

    def _lost_ink(
        self, pairs: Sequence[_SlidePair], doubtful: Sequence[Sequence[int]]
    ) -> list[dict[int, float]]:
        """Return the lost share of shapes by the pixels that only they account for, by slide."""
        requests = [
            (pair, {i: self._match.shapes(pair.before).to_current[i] for i in indexes})
            for pair, indexes in zip(pairs, doubtful, strict=True)
        ]
        self._before.render(
            [SlideVariant(pair.before, i) for pair, now in requests for i in now], shared=True
        )
        variants = [SlideVariant(pair.now, i) for pair, now in requests for i in now.values()]
        render_current(self._before, self._now, variants)
        lost_shares: list[dict[int, float]] = []
        for pair, now_at in requests:
            lost_shares.append({i: self._lost_share(pair, i, now) for i, now in now_at.items()})
        return lost_shares

    def _lost_share(self, pair: _SlidePair, shape: int, now: int) -> float:
        """Return the lost share of a shape: of its ink, and for a drawing also of its pattern."""
        ink_before, ink_now = self._before.ink(pair.before, shape), self._now.ink(pair.now, now)
        lost_ink = (
            0.0 if ink_before <= 0 else max(0.0, 1 - ink_now / ink_before / _VISIBLE_INK_SHARE)
        )
        original_shape = self._match.original.slides[pair.before].shapes[shape]
        if lost_ink >= 1 or original_shape.paragraphs or shape in pair.restyled:
            return lost_ink
        pictures = [
            (drawing.get(SlideVariant(slide)), drawing.get(SlideVariant(slide, index)))
            for drawing, slide, index in (
                (self._before, pair.before, shape),
                (self._now, pair.now, now),
            )
        ]
        return max(lost_ink, lost_pattern(pictures[0], pictures[1]))

    def _changed_share(self, pair: _SlidePair) -> float:
        """Return the share of a slide that changed outside all touched shapes."""
        before, now = (
            self._before.get(SlideVariant(pair.before)),
            self._now.get(SlideVariant(pair.now)),
        )
        if before.shape != now.shape:
            return 0.0
        scale = Scale(self._match.original, before)
        shapes = self._match.shapes(pair.before)
        old, new = self._match.original.slides[pair.before], self._match.current.slides[pair.now]
        touched = {i for i in pair.changed if i in shapes.to_current}
        changed_shapes = [old.shapes[i] for i in {*touched, *shapes.removed}]
        changed_shapes += [
            new.shapes[i] for i in (*(shapes.to_current[i] for i in touched), *shapes.added)
        ]
        allowed = scale.mask(
            [scale.region(each, with_text=True) for each in changed_shapes], _MARGIN_PX
        )
        return float((visible_differences(before, now) & ~allowed).mean())


def _same_size(first: TextGroup, second: TextGroup) -> bool:
    sizes = [text.ink / max(1, text.characters) for text in (first, second)]
    return abs(sizes[0] - sizes[1]) <= _SIZE_TOLERANCE * max(sizes)


def _area(shape: Shape) -> int:
    return shape.box.width * shape.box.height


def _shapes_by_slide(changes: Iterable[Change]) -> dict[int, set[int]]:
    shapes: dict[int, set[int]] = defaultdict(set)
    for change in changes:
        if change.slide is not None and change.shape_index is not None:
            shapes[change.slide - 1].add(change.shape_index)
    return shapes


def _is_hidden(shape: Shape, slide: Slide) -> bool:
    while not shape.hidden and shape.group is not None:
        shape = slide.shapes[shape.group]
    return shape.hidden


def lost_marks(
    shape: Shape, slide: Slide, free: Sequence[Shape], mark_masks: Sequence[Flags], scale: Scale
) -> float:
    """Return the share of a shape's marks that are missing from its place.

    Args:
        shape: A shape of the original.
        slide: The slide of the shape.
        free: Shapes that may change; their places are ignored.
        mark_masks: Masks of the marks before and now.
        scale: Scale of the rendered slides.
    """
    others = [
        other for other in slide.shapes
        if other.index > shape.index and other.group != shape.index
        and _contains(shape.box, other.box)
    ]  # fmt: skip
    ignored = scale.mask([scale.region(each, with_text=True) for each in (*free, *others)], 5)
    left, top, right, bottom = scale.region(shape)
    region = np.s_[top:bottom, left:right]
    shape_marks = mark_masks[0][region] & ~ignored[region]
    return float((shape_marks & mark_masks[1][region]).sum() / max(1, shape_marks.sum()))


def _contains(outer: Box, inner: Box) -> bool:
    """Return whether a shape lies entirely on another one, such as text on a panel."""
    across = outer.left <= inner.left and inner.right <= outer.right
    return across and outer.top <= inner.top and inner.bottom <= outer.bottom


def lost_pattern(before: tuple[Pixels, Pixels], now: tuple[Pixels, Pixels]) -> float:
    """Return how much of a drawing's pattern is lost, in [0, 1].

    Only pixels that the drawing colors in both renderings count, so occlusion loses nothing here.
    Marks are those of `find_marks`: recoloring and a shift of up to two pixels lose nothing either.

    Args:
        before: The rendered original slide, with and without the drawing.
        now: The rendered current slide, with and without the drawing.
    """
    if before[0].shape != now[0].shape:
        return 1.0
    both = (changed_pixels(*before) > 0) & (changed_pixels(*now) > 0)
    if both.sum() < _MIN_MARKS:
        return 0.0
    rows, columns = (np.flatnonzero(both.any(axis=axis)) for axis in (1, 0))
    part = tuple(
        slice(max(0, each[0] - _PATTERN_MARGIN_PX), each[-1] + _PATTERN_MARGIN_PX + 1)
        for each in (rows, columns)
    )
    pattern_marks, lost = find_marks(before[0][part], now[0][part])
    # A drawing's outline has different contrast against a different background.
    inner_marks = pattern_marks & _without_edge(both[part])
    counted_marks = inner_marks if inner_marks.sum() >= _MIN_MARKS else pattern_marks & both[part]
    count = int(counted_marks.sum())
    share = float((lost & counted_marks).sum() / count) if count >= _MIN_MARKS else 0.0
    return max(0.0, 1 - (1 - share) / _SAME_PATTERN_SHARE)


def _without_edge(flags: Flags) -> Flags:
    eroded = np.pad(flags, _EDGE_PX)
    for axis in (0, 1):
        steps = [np.roll(eroded, step, axis) for step in range(-_EDGE_PX, _EDGE_PX + 1)]
        eroded = np.logical_and.reduce(steps)
    return np.asarray(eroded[_EDGE_PX:-_EDGE_PX, _EDGE_PX:-_EDGE_PX])


def repainted_slides(
    changes: Sequence[Change], outside: Sequence[Change], slide_count: int
) -> set[int | None]:
    """Return the slides (1-based) whose entire area may change.

    The visibility of their shapes is still checked.

    Args:
        changes: All changes.
        outside: Changes that are not allowed.
        slide_count: Number of slides of the original; a changed master affects all of them.
    """
    wrong = {(change.slide, change.aspect, change.what) for change in outside}
    allowed = {
        change.slide
        for change in changes
        if change.shape_index is None
        and change.aspect in _SLIDE_ASPECTS
        and (change.slide, change.aspect, change.what) not in wrong
    }
    return {*range(1, slide_count + 1)} if None in allowed else allowed
