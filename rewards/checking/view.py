"""View: the data available to checks, with the matched decks and lookups by slide and shape."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.text_place import without_words
from pptarena.decks.visibility.visibility import LEAST_SHARE, visibility_of
from pptarena.errors import UnscoredError
from pptarena.rewards.looks.looked import Looked, Unseen
from pptarena.rewards.scope.outside import changes_outside
from pptarena.rewards.scope.prices import Touched
from pptarena.rewards.scope.scope import Scope
from pptarena.rewards.scope.turns import without_other_turns
from pptarena.rewards.scope.unasked import touched_places, unasked_changes

if TYPE_CHECKING:
    from pptarena.rewards.judges.protocol import Judge, LeafRunner

__all__ = ["View"]

_THINGS = frozenset(("picture", "media", "table", "chart", "graphic"))


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
        looked: Result of the render check; empty if slides were not rendered.
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
        self.looked = Looked()
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
    def unasked(self) -> tuple[Change, ...]:
        """The changes that the scope allows but no target deck contains."""
        found = unasked_changes(self.match, self.scope, self.targets, self.out_of_scope)
        return without_other_turns(found, self.match, self.other_targets)

    @cached_property
    def touched(self) -> Touched:
        """Changes made by the target decks, by slide and shape of the original."""
        return touched_places(self.original, self.targets)

    @cached_property
    def outside(self) -> tuple[Change, ...]:
        """The unrequested changes: outside the scope, or in no target deck.

        The changes of `unasked` come last.
        """
        return (*self.out_of_scope, *self.unasked)

    @cached_property
    def out_of_scope(self) -> tuple[Change, ...]:
        """The changes that the scope does not allow."""
        found = changes_outside(self.match, self.scope)
        return without_other_turns(found, self.match, self.other_targets)

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

    def chosen(self, slides: Sequence[int] | Literal["all"]) -> list[Slide]:
        """Return slides of the original by 1-based positions, or all; raises `original_slide`'s."""
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

    def as_seen(self, slide: Slide) -> Slide:
        """Return a current slide without text that a viewer cannot see.

        Text stays if it was already invisible in the original.
        """
        visibility = visibility_of(self.current)
        hidden = visibility.hidden(slide.index)
        unseen = self._unseen_words(slide)
        if not hidden and not unseen:
            return slide
        excused = {index for index in hidden if self._was_unseen(slide, index, of_text=True)}
        if excused == set(hidden) and not unseen:
            return slide
        shapes = [
            slide.shapes[s.index] if s.index in excused else s
            for s in visibility.slide(slide.index).shapes
        ]
        spots = [each.spot for each in unseen]
        return replace(slide, shapes=tuple(without_words(shapes, slide, spots)))

    def why_hidden(self, slide: Slide) -> str:
        """Return why text of a current slide is invisible; empty if all of it is visible."""
        hidden = [
            (index, reason)
            for index, reason in visibility_of(self.current).hidden(slide.index).items()
            if not self._was_unseen(slide, index, of_text=True)
        ]
        hidden += [(each.spot.shape, each.reason) for each in self._unseen_words(slide)]
        for index, reason in hidden:
            return f"{slide.shapes[index].label} has text that does not count: {reason}"
        return ""

    def _unseen_words(self, slide: Slide) -> tuple[Unseen, ...]:
        """Return text spots that are illegible when rendered and were legible in the original."""
        return tuple(
            each
            for each in self.looked.unseen.get(slide.index, ())
            if not self._was_unseen(slide, each.spot.shape, of_text=True)
        )

    def _looks_gone(self, slide: Slide, shape: Shape) -> bool:
        """Return whether too little of a shape is visible on the rendered slide."""
        return self.looked.shares.get((slide.index, shape.index), 1.0) < LEAST_SHARE

    def is_visible(self, slide: Slide, shape: Shape) -> bool:
        """Return whether a current shape is visible, or was already invisible in the original."""
        visible = visibility_of(self.current).is_visible(slide.index, shape.index)
        counts = visible and not self._looks_gone(slide, shape)
        return counts or self._was_unseen(slide, shape.index, of_text=False)

    def is_in_view(self, slide: Slide, shape: Shape) -> bool:
        """Return whether the area of a shape is visible, even if the shape has no fill."""
        in_view = visibility_of(self.current).is_in_view(slide.index, shape.index)
        # Only for pictures and other graphics: a shape may have lost its fill by request.
        gone = shape.kind in _THINGS and self._looks_gone(slide, shape)
        return (in_view and not gone) or self._was_unseen(slide, shape.index, of_text=False)

    def _was_unseen(self, slide: Slide, index: int, *, of_text: bool) -> bool:
        before = self.original_of(slide)
        was = None if before is None else self.match.shapes(before.index).to_original.get(index)
        if before is None or was is None:
            return False
        visibility = visibility_of(self.original)
        if of_text:
            return was in visibility.hidden(before.index)
        return not visibility.is_visible(before.index, was)
