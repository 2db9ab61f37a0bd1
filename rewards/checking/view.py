"""The data available to checks: both decks, and their slides and shapes in pairs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pptarena.decks import Animation, Deck, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.read.color import rgb_distance
from pptarena.decks.selectors import find_new, find_shape, is_new_spec
from pptarena.decks.visibility.text_layout import without_ranges
from pptarena.decks.visibility.visibility import MIN_SHARE, visibility_of
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Address
from pptarena.rewards.checking.result import require
from pptarena.rewards.render_check.result import IllegibleText, RenderCheckResult
from pptarena.rewards.scope.out_of_scope import out_of_scope_changes
from pptarena.rewards.scope.prices import TargetChanges
from pptarena.rewards.scope.scope import Scope
from pptarena.rewards.scope.turns import without_other_turns
from pptarena.rewards.scope.unexplained_changes import target_changes_by_shape, unexplained_changes

__all__ = [
    "Part",
    "ShapePair",
    "SlidePair",
    "Slides",
    "View",
    "slide_pairs",
]


if TYPE_CHECKING:
    from pptarena.rewards.judges.protocol import Judge, LeafRunner


_GRAPHIC_KINDS = frozenset(("picture", "media", "table", "chart", "graphic"))


class View:
    """Two matched decks and everything else that checks read.

    Args:
        match: The matching of slides and shapes.
        scope: The part of the deck that may change.
        judge: Judge for questions that no program can answer; None if none is configured.
        leaves: Runner of the Python leaves of imported rubrics; None if they must not run.
        gold: The gold deck; None if the task has none.
        targets: Target decks; see `score`.
        other_targets: Target decks of other turns; see `TurnContext`.

    Attributes:
        render_result: Result of the render check; empty if slides were not rendered.
        file: Contents of the attachment that the leaf checks; None for other leaves.
    """

    def __init__(
        self,
        match: DeckMatch,
        scope: Scope | None = None,
        judge: "Judge | None" = None,
        leaves: "LeafRunner | None" = None,
        gold: Deck | None = None,
        targets: Sequence[Deck] = (),
        other_targets: Sequence[Deck] = (),
    ) -> None:
        self.match = match
        self.scope = scope or Scope()
        self.judge = judge
        self.leaves = leaves
        self.gold = gold
        self.targets = targets
        self.other_targets = other_targets
        self.render_result = RenderCheckResult()
        self.file: bytes | None = None

    @property
    def original(self) -> Deck:
        """The original deck."""
        return self.match.original

    @property
    def current(self) -> Deck:
        """The current deck."""
        return self.match.current

    @property
    def added(self) -> tuple[Slide, ...]:
        """The slides of the current deck that the original lacks."""
        return tuple(self.current.slides[index] for index in self.match.added)

    @cached_property
    def unexplained(self) -> tuple[Change, ...]:
        """The changes that the scope allows but no target deck contains."""
        changes = unexplained_changes(self.match, self.scope, self.targets, self.out_of_scope)
        return without_other_turns(changes, self.match, self.other_targets)

    @cached_property
    def target_changes(self) -> TargetChanges:
        """Changes made by the target decks, by slide and shape of the original."""
        return target_changes_by_shape(self.original, self.targets)

    @cached_property
    def unrequested(self) -> tuple[Change, ...]:
        """The unrequested changes: outside the scope, or in no target deck.

        The changes of `unexplained` come last.
        """
        return (*self.out_of_scope, *self.unexplained)

    @cached_property
    def out_of_scope(self) -> tuple[Change, ...]:
        """The changes that the scope does not allow."""
        changes = out_of_scope_changes(self.match, self.scope)
        return without_other_turns(changes, self.match, self.other_targets)

    def original_slide(self, number: int) -> Slide:
        """Return a slide of the original by 1-based position.

        Raises:
            UnscoredError: If the original has no such slide. The rubric is wrong, not the
                submission.
        """
        if not 1 <= number <= len(self.original.slides):
            count = len(self.original.slides)
            raise UnscoredError(f"the original has {count} slides, the rubric names slide {number}")
        return self.original.slides[number - 1]

    def select_slides(self, slides: Sequence[int] | Literal["all"]) -> list[Slide]:
        """Return slides of the original by 1-based positions, or all, as `original_slide` does."""
        numbers = range(1, len(self.original.slides) + 1) if slides == "all" else slides
        return [self.original_slide(number) for number in numbers]

    def current_of(self, slide: Slide) -> Slide | None:
        """Return the current version of an original slide, or None if it was removed."""
        index = self.match.to_current.get(slide.index)
        return None if index is None else self.current.slides[index]

    def original_of(self, slide: Slide) -> Slide | None:
        """Return the original of a current slide, or None if it is new."""
        index = self.match.to_original.get(slide.index)
        return None if index is None else self.original.slides[index]

    def without_hidden_text(self, slide: Slide) -> Slide:
        """Return a current slide without text that a viewer cannot see.

        Text stays if it was already invisible in the original.
        """
        visibility = visibility_of(self.current)
        hidden = visibility.hidden(slide.index)
        illegible = self._illegible_texts(slide)
        if not hidden and not illegible:
            return slide
        already_hidden = {
            index for index in hidden if self._was_invisible(slide, index, of_text=True)
        }
        if already_hidden == set(hidden) and not illegible:
            return slide
        shapes = [
            slide.shapes[s.index] if s.index in already_hidden else s
            for s in visibility.slide(slide.index).shapes
        ]
        ranges = [each.text_range for each in illegible]
        return replace(slide, shapes=tuple(without_ranges(shapes, slide, ranges)))

    def hidden_text_reason(self, slide: Slide) -> str:
        """Return why text of a current slide is invisible; empty if all of it is visible."""
        hidden = [
            (index, reason)
            for index, reason in visibility_of(self.current).hidden(slide.index).items()
            if not self._was_invisible(slide, index, of_text=True)
        ]
        hidden += [(each.text_range.shape, each.reason) for each in self._illegible_texts(slide)]
        for index, reason in hidden:
            return f"{slide.shapes[index].label} has text that does not count: {reason}"
        return ""

    def _illegible_texts(self, slide: Slide) -> tuple[IllegibleText, ...]:
        """Return text that is illegible when rendered but was legible in the original."""
        return tuple(
            each
            for each in self.render_result.illegible_texts.get(slide.index, ())
            if not self._was_invisible(slide, each.text_range.shape, of_text=True)
        )

    def _is_rendered_invisible(self, slide: Slide, shape: Shape) -> bool:
        """Return whether too little of a shape is visible on the rendered slide."""
        return self.render_result.visible_shares.get((slide.index, shape.index), 1.0) < MIN_SHARE

    def is_visible(self, slide: Slide, shape: Shape) -> bool:
        """Return whether a current shape is visible, or was already invisible in the original."""
        visible = visibility_of(self.current).is_visible(slide.index, shape.index)
        counts = visible and not self._is_rendered_invisible(slide, shape)
        return counts or self._was_invisible(slide, shape.index, of_text=False)

    def is_in_view(self, slide: Slide, shape: Shape) -> bool:
        """Return whether the area of a shape is visible, even if the shape has no fill."""
        in_view = visibility_of(self.current).is_in_view(slide.index, shape.index)
        # Only for pictures and other graphics: a shape may have lost its fill by request.
        is_missing = shape.kind in _GRAPHIC_KINDS and self._is_rendered_invisible(slide, shape)
        return (in_view and not is_missing) or self._was_invisible(
            slide, shape.index, of_text=False
        )

    def _was_invisible(self, slide: Slide, index: int, *, of_text: bool) -> bool:
        before = self.original_of(slide)
        original_index = (
            None if before is None else self.match.shapes(before.index).to_original.get(index)
        )
        if before is None or original_index is None:
            return False
        visibility = visibility_of(self.original)
        if of_text:
            return original_index in visibility.hidden(before.index)
        return not visibility.is_visible(before.index, original_index)


_COLOR_TOLERANCE = 12.0


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
        return require(self.now, f"{self.label} is missing")

    @cached_property
    def visible(self) -> Slide:
        """The current slide, without invisible text if only visible content counts."""
        return self.view.without_hidden_text(self.after) if self.address.visible else self.after

    @property
    def current_label(self) -> str:
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
    def new_visible_shapes(self) -> tuple[Shape, ...]:
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
        visible = [self.visible.shapes[shape.index] for shape in in_view]
        pairs = zip(in_view, visible, strict=True)
        return tuple(s for full, s in pairs if s.all_text.strip() or not full.all_text.strip())

    def follow(self, selector: str) -> Shape | None:
        """Return the current shape for a selector, or None if it was removed.

        The selector is resolved in the original if the slide existed there, else in the current
        deck. ``@new`` selectors are resolved among the new shapes that count, and yield None if no
        shape matches.

        Raises:
            UnscoredError: If the slide of the original has no such shape.
        """
        if is_new_spec(selector):
            new = find_new(self.new_visible_shapes, selector)
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

    def positions_of(
        self, selectors: Iterable[str], order: Sequence[int | None]
    ) -> list[int | None]:
        """Return the positions of shapes in an order of shape indexes; None for a missing one."""
        shapes = self.follow_all(selectors)
        return [order.index(s.index) if s and s.index in order else None for s in shapes]

    def counts(self, shape: Shape) -> bool:
        """Return whether a current shape counts: it is visible, or visibility is not required."""
        return not self.address.visible or self.view.is_visible(self.after, shape)


def _is_blank(shape: Shape, slide: Slide) -> bool:
    """Return whether a shape without text has no line and the color of the slide background."""
    fill, background = shape.fill, slide.background
    if shape.all_text.strip() or shape.line.paint.kind != "none" or shape.picture is not None:
        return False
    if fill.kind != "solid" or background.kind != "solid" or None in (fill.color, background.color):
        return False
    return rgb_distance(fill.color or "", background.color or "") <= _COLOR_TOLERANCE


@dataclass(frozen=True)
class _SlideContent:
    slide_pair: SlidePair
    label: str

    @property
    def slide(self) -> Slide:
        """The current slide."""
        return self.slide_pair.after

    @property
    def deck(self) -> Deck:
        """The current deck."""
        return self.slide_pair.deck


@dataclass(frozen=True)
class ShapePair(_SlideContent):
    """A shape passed to a check.

    Attributes:
        slide_pair: The slide of the shape, present in the current deck.
        label: Name of the shape in reasons.
        before: The shape in the original; None if it is new.
        after: The current shape.
        visible: The current shape, without invisible text if only visible content counts.
    """

    before: Shape | None
    after: Shape
    visible: Shape


@dataclass(frozen=True)
class Part(_SlideContent):
    """An entire slide, or one shape of it.

    Attributes:
        slide_pair: The slide, present in the current deck.
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
    slides = view.select_slides(several if address.slide is None else (address.slide,))
    return [
        SlidePair(view, address, f"slide {slide.index + 1}", slide, view.current_of(slide))
        for slide in slides
    ]
