"""Render check: what two rendered decks show that their files do not.

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
from pptarena.decks.visibility.ink import Words, all_words, changed_words, shown, why_unseen
from pptarena.decks.visibility.pictures import (
    Flags,
    Pixels,
    Scale,
    changed_pixels,
    differing,
    marks,
)
from pptarena.errors import DeckError
from pptarena.rewards.judges.protocol import SlideRenderer
from pptarena.rewards.looks.drawing import Drawing, Shot, UndrawableError, drawn_now
from pptarena.rewards.looks.looked import Looked, Unseen

__all__ = ["Looks", "lost_pattern"]

_UNNOTICED = 0.05  # share of a shape's marks that may be lost without a closer inspection
_FULLY = 0.6  # share of a shape's original ink above which it counts as visible
_MARGIN_PX = 8
_LEAST_CHANGED = 0.01
_HARD_TO_READ = 0.4  # share of its usual ink below which text was already illegible in the original
_LEAST_SHOWN = 0.01  # share of a shape's area that it must color; lines need little
_LOOKLESS = frozenset(("alt_text", "hyperlinks", "animation", "notes", "comments", "shapes"))
_OTHER_SIZE = 0.2  # relative difference of ink per character that indicates another font size
_NUMBERS = frozenset(("sldNum", "dt"))
_MOST_GLANCES = 24  # shapes per deck that are rendered separately to see what is missing

_LEAST_MARKS: Final = 60  # minimum number of pixels with surrounding contrast that form a pattern
_MARGIN: Final = 6
_RIM: Final = 3
_SAME_PATTERN: Final = 0.6  # share of its marks above which a pattern counts as unchanged

_ASPECTS = frozenset(("background", "layout", "master"))


@dataclass(frozen=True, slots=True)
class _Pair:
    """A slide that may render differently, with its index in both decks."""

    before: int
    now: int
    touched: set[int]
    """Shapes of the original with any change."""
    free: set[int]
    """The shapes of `touched` whose changes are all allowed."""
    reworked: set[int]
    """Shapes with disallowed changes to their appearance."""


class Looks:
    """Compares two rendered decks.

    Args:
        maker: Renderer of slides.
        original: The .pptx file as saved unchanged by the application.
        current: The .pptx file as saved by the application now.
    """

    def __init__(self, maker: SlideRenderer, original: bytes, current: bytes) -> None:
        self._maker = maker
        self._files = original, current

    def look(
        self, match: DeckMatch, changes: Sequence[Change], outside: Sequence[Change]
    ) -> Looked:
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
        before = Drawing(self._maker, self._files[0])
        try:
            now = Drawing(self._maker, self._files[1])
            now.turn_back(match)
            return _Look(match, before, now).found(changes, outside)
        except UndrawableError as error:
            return Looked(failed=f"the slides as they are now cannot be drawn: {error}")


class _Look:
    """One comparison of two decks."""

    def __init__(self, match: DeckMatch, before: Drawing, now: Drawing) -> None:
        self._match = match
        self._before = before
        self._now = now
        self._glances = _MOST_GLANCES

    def found(self, changes: Sequence[Change], outside: Sequence[Change]) -> Looked:
        pairs = [pair for pair in self._pairs(changes, outside) if not self._is_same(pair)]
        asked = [*((index, None) for index in self._match.added), *((p.now, p) for p in pairs)]
        words = {index: list(self._words(index, pair)) for index, pair in asked}
        things = {index: list(self._things(index, pair)) for index, pair in asked}
        # Slides are rendered in batches: opening a deck takes as long as rendering five slides.
        old = [Shot(pair.before) for pair in pairs]
        old += [each for i, found in words.items() for each in self._old_words(i, found)]
        old += [each for i, found in things.items() for each in self._old_pictures(i, found)]
        self._before.draw(old, keep=True)
        shots = [Shot(index) for index in words]
        shots += [Shot(i, ink=each.spots) for i, found in words.items() for each in found]
        shots += [Shot(i, each) for i, found in things.items() for each in found]
        drawn_now(self._before, self._now, shots)
        charged = {change.slide for change in outside} | repainted(
            changes, outside, len(self._match.original.slides)
        )
        lost = dict(self._lost(pairs))
        changed = {p.before: self._changed(p) for p in pairs if p.before + 1 not in charged}
        unseen = {index: tuple(self._unseen(index, found)) for index, found in words.items()}
        return Looked(
            lost,
            {index: share for index, share in changed.items() if share >= _LEAST_CHANGED},
            {index: found for index, found in unseen.items() if found},
            {(i, each): self._share(i, each) for i, found in things.items() for each in found},
        )

    def _pairs(self, changes: Sequence[Change], outside: Sequence[Change]) -> Iterator[_Pair]:
        touched, wrong = _by_slide(changes), _by_slide(outside)
        looks = _by_slide(each for each in outside if each.aspect not in _LOOKLESS)
        for before, now in self._match.pairs:
            own = touched[before]
            yield _Pair(before, now, own, own - wrong[before], looks[before])

    def _is_same(self, pair: _Pair) -> bool:
        old, new = self._match.original, self._match.current
        if (old.width_emu, old.height_emu) != (new.width_emu, new.height_emu):
            return False
        try:
            key = self._now.key(pair.now)
        except DeckError as error:
            raise UndrawableError(str(error)) from error
        return self._before.key(pair.before) == key

    def _words(self, index: int, pair: _Pair | None) -> Iterator[Words]:
        for shape, before in self._changed_shapes(index, pair):
            if not _is_hidden(shape, self._match.current.slides[index]):
                yield from changed_words(shape, before)

    def _things(self, index: int, pair: _Pair | None) -> Iterator[int]:
        for shape, _ in self._changed_shapes(index, pair):
            if shape.kind != "group" and not (shape.paragraphs or shape.shows_nothing):
                yield shape.index

    def _changed_shapes(
        self, index: int, pair: _Pair | None
    ) -> Iterator[tuple[Shape, Shape | None]]:
        """Yield the new and changed shapes of a current slide with their originals."""
        for shape in self._match.current.slides[index].shapes:
            _, old = self._was(index, shape.index)
            if pair is None or old is None or old.index in pair.touched:
                yield shape, old

    def _unseen(self, index: int, found: Iterable[Words]) -> Iterator[Unseen]:
        full = self._now.get(Shot(index))
        px_per_pt = Scale(self._match.current, full).px_per_pt
        for words in found:
            usual = self._usual(index, words)
            if usual is not None and usual < _HARD_TO_READ:
                continue  # already illegible in the original
            without = self._now.get(Shot(index, ink=words.spots))
            if reason := why_unseen(words, full, without, px_per_pt, usual):
                yield from (Unseen(spot, reason) for spot in words.spots)

    def _usual(self, index: int, now: Words) -> float | None:
        """Return the relative ink of the corresponding original text, or None without such text.

        For text of another size the result is capped at 1, because its glyphs render differently.
        """
        old = self._old(index, now)
        if old is None:
            return None
        before, words = old
        full = self._before.get(Shot(before))
        px_per_pt = Scale(self._match.original, full).px_per_pt
        without = self._before.get(Shot(before, ink=words.spots))
        found = shown(words, full, without, px_per_pt)
        return found if _same_size(words, now) else min(1.0, found)

    def _old(self, index: int, now: Words) -> tuple[int, Words] | None:
        """Return the slide and text in the original that correspond to current text, or None."""
        before, old = self._was(index, now.spots[0].shape)
        words = None if old is None else all_words(old, now.spots[0].cell)
        return None if words is None else (before, words)

    def _old_words(self, index: int, found: Iterable[Words]) -> Iterator[Shot]:
        """Yield the renderings of the original that `_usual` needs."""
        for now in found:
            if (old := self._old(index, now)) is not None:
                yield from (Shot(old[0]), Shot(old[0], ink=old[1].spots))

    def _old_pictures(self, index: int, found: Iterable[int]) -> Iterator[Shot]:
        """Yield the renderings of the original that `_share` needs."""
        for shape in found:
            before, old = self._was(index, shape)
            thing = self._match.current.slides[index].shapes[shape]
            if old is not None and thing.picture is not None:
                yield from (Shot(before), Shot(before, old.index))

    def _was(self, index: int, shape: int) -> tuple[int, Shape | None]:
        """Return the original slide index and shape of a current shape; None if it is new."""
        before = self._match.to_original.get(index, -1)
        was = None if before < 0 else self._match.shapes(before).to_original.get(shape)
        return before, None if was is None else self._match.original.slides[before].shapes[was]

    def _share(self, index: int, shape: int) -> float:
        """Return the visible share of a shape, in [0, 1]; a picture counts by its original ink."""
        thing = self._match.current.slides[index].shapes[shape]
        before, old = self._was(index, shape)
        if old is None or thing.picture is None:
            full, without = self._now.get(Shot(index)), self._now.get(Shot(index, shape))
            left, top, right, bottom = Scale(self._match.current, full).region(thing)
            # The share of its area that changes when it is removed.
            place = changed_pixels(full, without)[top:bottom, left:right] > 0
            return min(1.0, float(place.mean()) / _LEAST_SHOWN) if place.size else 0.0
        strength = self._before.ink(before, old.index) / max(1, _area(old))
        ink = self._now.ink(index, shape) / max(1, _area(thing))
        return min(1.0, ink / strength) if strength > 0 else 1.0

    def _lost(self, pairs: Sequence[_Pair]) -> Iterator[tuple[tuple[int, int], float]]:
        """Yield the (slide, shape) index of each protected original shape, and its lost share.

        Shares too small to notice are left out.
        """
        losses = [self._lost_marks(pair) for pair in pairs]
        closer = [self._closer(pair, found) for pair, found in zip(pairs, losses, strict=True)]
        inks = self._lost_ink(pairs, closer)
        for pair, found, ink in zip(pairs, losses, inks, strict=True):
            # A recreated shape has no marks to find. Shapes beyond the limit of renderings are
            # skipped.
            found |= {i: ink.get(i, 0.0) for i in pair.reworked if i in found}
            found |= {i: min(found[i], share) for i, share in ink.items()}
            yield from (
                ((pair.before, i), share) for i, share in found.items() if share > _UNNOTICED
            )

    def _lost_marks(self, pair: _Pair) -> dict[int, float]:
        """Return the share of each shape's marks that is lost."""
        before, now = self._before.get(Shot(pair.before)), self._now.get(Shot(pair.now))
        slide = self._match.original.slides[pair.before]
        shapes = self._match.shapes(pair.before)
        judged = [
            shape for shape in slide.shapes
            if shape.index in shapes.to_current and shape.index not in pair.free
            and shape.kind != "group" and shape.placeholder not in _NUMBERS
        ]  # fmt: skip
        if before.shape != now.shape:
            return {shape.index: 1.0 for shape in judged}
        free = [slide.shapes[i] for i in {*pair.free, *shapes.removed}]
        scale = Scale(self._match.original, before)
        found = marks(before, now)
        return {s.index: lost_marks(s, slide, free, found, scale) for s in judged}

    def _closer(self, pair: _Pair, losses: Mapping[int, float]) -> list[int]:
        """Return the shapes to render separately: the largest ones, within the deck's limit."""
        slide = self._match.original.slides[pair.before]
        doubtful = [i for i, share in losses.items() if share > _UNNOTICED or i in pair.reworked]
        closer = sorted(doubtful, key=lambda i: -_area(slide.shapes[i]))[: self._glances]
        self._glances -= len(closer)
        return closer

    def _lost_ink(
        self, pairs: Sequence[_Pair], closer: Sequence[Sequence[int]]
    ) -> list[dict[int, float]]:
        """Return the lost share of shapes by the pixels that only they account for, by slide."""
        asked = [
            (pair, {i: self._match.shapes(pair.before).to_current[i] for i in indexes})
            for pair, indexes in zip(pairs, closer, strict=True)
        ]
        self._before.draw([Shot(pair.before, i) for pair, now in asked for i in now], keep=True)
        shots = [Shot(pair.now, i) for pair, now in asked for i in now.values()]
        drawn_now(self._before, self._now, shots)
        found: list[dict[int, float]] = []
        for pair, now_at in asked:
            found.append({i: self._lost_share(pair, i, now) for i, now in now_at.items()})
        return found

    def _lost_share(self, pair: _Pair, shape: int, now: int) -> float:
        """Return the lost share of a shape: of its ink, and for a drawing also of its pattern."""
        was, left = self._before.ink(pair.before, shape), self._now.ink(pair.now, now)
        lost = 0.0 if was <= 0 else max(0.0, 1 - left / was / _FULLY)
        thing = self._match.original.slides[pair.before].shapes[shape]
        if lost >= 1 or thing.paragraphs or shape in pair.reworked:
            return lost
        pictures = [
            (drawing.get(Shot(slide)), drawing.get(Shot(slide, index)))
            for drawing, slide, index in (
                (self._before, pair.before, shape),
                (self._now, pair.now, now),
            )
        ]
        return max(lost, lost_pattern(pictures[0], pictures[1]))

    def _changed(self, pair: _Pair) -> float:
        """Return the share of a slide that changed outside all touched shapes."""
        before, now = self._before.get(Shot(pair.before)), self._now.get(Shot(pair.now))
        if before.shape != now.shape:
            return 0.0
        scale = Scale(self._match.original, before)
        shapes = self._match.shapes(pair.before)
        old, new = self._match.original.slides[pair.before], self._match.current.slides[pair.now]
        touched = {i for i in pair.touched if i in shapes.to_current}
        places = [old.shapes[i] for i in {*touched, *shapes.removed}]
        places += [new.shapes[i] for i in (*(shapes.to_current[i] for i in touched), *shapes.added)]
        allowed = scale.mask([scale.region(each, with_text=True) for each in places], _MARGIN_PX)
        return float((differing(before, now) & ~allowed).mean())


def _same_size(first: Words, second: Words) -> bool:
    sizes = [words.ink / max(1, words.letters) for words in (first, second)]
    return abs(sizes[0] - sizes[1]) <= _OTHER_SIZE * max(sizes)


def _area(shape: Shape) -> int:
    return shape.box.width * shape.box.height


def _by_slide(changes: Iterable[Change]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = defaultdict(set)
    for change in changes:
        if change.slide is not None and change.shape_index is not None:
            found[change.slide - 1].add(change.shape_index)
    return found


def _is_hidden(shape: Shape, slide: Slide) -> bool:
    while not shape.hidden and shape.group is not None:
        shape = slide.shapes[shape.group]
    return shape.hidden


def lost_marks(
    shape: Shape, slide: Slide, free: Sequence[Shape], found: Sequence[Flags], scale: Scale
) -> float:
    """Return the share of a shape's marks that are missing from its place.

    Args:
        shape: A shape of the original.
        slide: The slide of the shape.
        free: Shapes that may change; their places are ignored.
        found: Masks of the marks before and now.
        scale: Scale of the rendered slides.
    """
    others = [
        other for other in slide.shapes
        if other.index > shape.index and other.group != shape.index and _holds(shape.box, other.box)
    ]  # fmt: skip
    aside = scale.mask([scale.region(each, with_text=True) for each in (*free, *others)], 5)
    left, top, right, bottom = scale.region(shape)
    place = np.s_[top:bottom, left:right]
    own = found[0][place] & ~aside[place]
    return float((own & found[1][place]).sum() / max(1, own.sum()))


def _holds(outer: Box, inner: Box) -> bool:
    """Return whether a shape lies entirely on another one, such as text on a panel."""
    across = outer.left <= inner.left and inner.right <= outer.right
    return across and outer.top <= inner.top and inner.bottom <= outer.bottom


def lost_pattern(before: tuple[Pixels, Pixels], now: tuple[Pixels, Pixels]) -> float:
    """Return how much of a drawing's pattern is lost, in [0, 1].

    Only pixels that the drawing colors in both renderings count, so occlusion loses nothing here.
    Marks are those of `marks`: recoloring and a shift of up to two pixels lose nothing either.

    Args:
        before: The rendered original slide, with and without the drawing.
        now: The rendered current slide, with and without the drawing.
    """
    if before[0].shape != now[0].shape:
        return 1.0
    both = (changed_pixels(*before) > 0) & (changed_pixels(*now) > 0)
    if both.sum() < _LEAST_MARKS:
        return 0.0
    rows, columns = (np.flatnonzero(both.any(axis=axis)) for axis in (1, 0))
    part = tuple(
        slice(max(0, each[0] - _MARGIN), each[-1] + _MARGIN + 1) for each in (rows, columns)
    )
    found, lost = marks(before[0][part], now[0][part])
    # A drawing's outline has different contrast against a different background.
    inside = found & _without_rim(both[part])
    own = inside if inside.sum() >= _LEAST_MARKS else found & both[part]
    count = int(own.sum())
    share = float((lost & own).sum() / count) if count >= _LEAST_MARKS else 0.0
    return max(0.0, 1 - (1 - share) / _SAME_PATTERN)


def _without_rim(flags: Flags) -> Flags:
    found = np.pad(flags, _RIM)
    for axis in (0, 1):
        steps = [np.roll(found, step, axis) for step in range(-_RIM, _RIM + 1)]
        found = np.logical_and.reduce(steps)
    return np.asarray(found[_RIM:-_RIM, _RIM:-_RIM])


def repainted(
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
        and change.aspect in _ASPECTS
        and (change.slide, change.aspect, change.what) not in wrong
    }
    return {*range(1, slide_count + 1)} if None in allowed else allowed
