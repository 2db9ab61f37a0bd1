"""Slides and shapes passed to checks, each in the original and in the current deck."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pptarena.decks import Animation, Deck, Shape, Slide
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.selectors import find_new, find_shape, means_new
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.address import Address
from pptarena.rewards.checking.result import needed
from pptarena.rewards.checking.view import View

_SAME_COLOR = 12.0

__all__ = ["Part", "ShapePair", "SlidePair", "Slides", "slide_pairs"]


@dataclass(frozen=True)
class SlidePair:
    """A slide passed to a check.

    Attributes:
        view: The two decks being compared.
        address: Slides that the leaf selects, and whether only visible content counts.
        label: Name of the slide in reasons.
        before: The slide in the original; None if it is new.
        now: The slide in the current deck; None if it was removed.
    """

    view: View
    address: Address
    label: str
    before: Slide | None
    now: Slide | None

    @property
    def after(self) -> Slide:
        """The slide in the current deck.

        Raises:
            NotThereError: If it was removed. Checks of single slides never receive such a slide.
        """
        return needed(self.now, f"{self.label} is missing")

    @cached_property
    def visible(self) -> Slide:
        """The current slide, without invisible text if only visible content counts."""
        return self.view.as_seen(self.after) if self.address.visible else self.after

    @property
    def place(self) -> str:
        """Label of the slide's current position."""
        return f"slide {self.after.index + 1}"

    @property
    def deck(self) -> Deck:
        """The current deck."""
        return self.view.current

    @property
    def new_shapes(self) -> tuple[Shape, ...]:
        """The shapes of the current slide that the original lacks."""
        if self.now is None or self.before is None:
            return () if self.now is None else self.now.shapes
        added = self.view.match.shapes(self.before.index).added
        return tuple(self.now.shapes[index] for index in added)

    @cached_property
    def new_in_view(self) -> tuple[Shape, ...]:
        """The new shapes that count.

        If only visible content counts, invisible shapes and shapes with unreadable text are left
        out: they must not satisfy a check.
        """
        if self.now is None or not self.address.visible:
            return self.new_shapes
        now, view = self.now, self.view
        in_view = [
            s
            for s in self.new_shapes
            if not s.hidden and view.is_in_view(now, s) and not _is_blank(s, now)
        ]
        seen = [self.visible.shapes[shape.index] for shape in in_view]
        pairs = zip(in_view, seen, strict=True)
        return tuple(s for own, s in pairs if s.all_text.strip() or not own.all_text.strip())

    def follow(self, selector: str) -> Shape | None:
        """Return the current shape for a selector, or None if it was removed.

        The selector is resolved in the original if the slide existed there, else in the current
        deck. ``@new`` selectors are resolved among the new shapes that count, and yield None if no
        shape matches.

        Raises:
            UnscoredError: If the slide of the original has no such shape.
        """
        if means_new(selector):
            new = find_new(self.new_in_view, selector)
            return None if new is None or self.now is None else self.now.shapes[new.index]
        if self.now is None or self.before is None:
            return None if self.now is None else find_shape(self.now, selector)
        before = find_shape(self.before, selector)
        if before is None:
            raise UnscoredError(f"{self.label} of the original has no shape {selector!r}")
        index = self.view.match.shapes(self.before.index).to_current.get(before.index)
        return None if index is None else self.now.shapes[index]

    def original_of(self, shape: Shape) -> Shape | None:
        """Return the original of a current shape, or None if the shape is new."""
        if self.before is None:
            return None
        index = self.view.match.shapes(self.before.index).to_original.get(shape.index)
        return None if index is None else self.before.shapes[index]

    def follow_all(self, selectors: Iterable[str]) -> list[Shape | None]:
        """Return the current shapes for selectors, in the same order."""
        return [self.follow(selector) for selector in selectors]

    def places_of(self, selectors: Iterable[str], order: Sequence[int | None]) -> list[int | None]:
        """Return the positions of shapes in an order of shape indexes; None for a missing one."""
        shapes = self.follow_all(selectors)
        return [order.index(s.index) if s and s.index in order else None for s in shapes]

    def counts(self, shape: Shape) -> bool:
        """Return whether a current shape counts: it is visible, or visibility is not required."""
        return not self.address.visible or self.view.is_visible(self.after, shape)


def _is_blank(shape: Shape, slide: Slide) -> bool:
    """Return whether a shape without text has no line and the color of the slide background."""
    fill, behind = shape.fill, slide.background
    if shape.all_text.strip() or shape.line.paint.kind != "none" or shape.picture is not None:
        return False
    if fill.kind != "solid" or behind.kind != "solid" or None in (fill.color, behind.color):
        return False
    return rgb_distance(fill.color or "", behind.color or "") <= _SAME_COLOR


@dataclass(frozen=True)
class _OnSlide:
    on: SlidePair
    label: str

    @property
    def slide(self) -> Slide:
        """The current slide."""
        return self.on.after

    @property
    def deck(self) -> Deck:
        """The current deck."""
        return self.on.deck


@dataclass(frozen=True)
class ShapePair(_OnSlide):
    """A shape passed to a check.

    Attributes:
        on: The slide of the shape, present in the current deck.
        label: Name of the shape in reasons.
        before: The shape in the original; None if it is new.
        after: The current shape.
        visible: The current shape, without invisible text if only visible content counts.
    """

    before: Shape | None
    after: Shape
    visible: Shape


@dataclass(frozen=True)
class Part(_OnSlide):
    """An entire slide, or one shape of it.

    Attributes:
        on: The slide, present in the current deck.
        label: Name of the part in reasons.
        shape: The current shape; None for the entire slide.
        shapes: The shape, or all shapes of the slide.
        visible: `shapes`, without invisible text if only visible content counts.
    """

    shape: Shape | None
    shapes: tuple[Shape, ...]
    visible: tuple[Shape, ...]

    @property
    def effects(self) -> tuple[Animation, ...]:
        """The current animations of the part."""
        at = None if self.shape is None else self.shape.index
        return tuple(each for each in self.slide.animations if at in (None, each.shape))


@dataclass(frozen=True)
class Slides:
    """All slides that a leaf selects.

    Attributes:
        view: The two decks being compared.
        address: The selection, and whether only visible content counts.
        pairs: The slides, including removed ones.
    """

    view: View
    address: Address
    pairs: tuple[SlidePair, ...]

    def __iter__(self) -> Iterator[SlidePair]:
        return iter(self.pairs)

    @property
    def current(self) -> list[Slide]:
        """The slides in the current deck, without removed ones."""
        return [pair.now for pair in self.pairs if pair.now is not None]

    @property
    def selector(self) -> str:
        """The selector of the shape on each slide; empty if no shape is named."""
        return self.address.selector or ""


def slide_pairs(view: View, address: Address) -> list[SlidePair]:
    """Return the slides that an address selects.

    Raises:
        UnscoredError: If the original lacks one of the slides.
    """
    for at, among, label in (
        (address.slide_now, view.current.slides, f"slide {address.slide_now} now"),
        (address.slide_new, view.added, f"new slide {address.slide_new}"),
    ):
        if at is not None:
            now = among[at - 1] if at <= len(among) else None
            before = None if now is None else view.original_of(now)
            return [SlidePair(view, address, label, before, now)]
    several = address.slides or ()
    slides = view.chosen(several if address.slide is None else (address.slide,))
    return [
        SlidePair(view, address, f"slide {slide.index + 1}", slide, view.current_of(slide))
        for slide in slides
    ]
