"""What a check sees: two matched decks, and the slides and shapes that its arguments name."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.diff.change import Change
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.selectors import find_shape
from pptarena.decks.visibility.visibility import LEAST_SHARE, sight_of
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.addressing import OptionalShapeArgs, ShapeArgs, SlideArgs
from pptarena.rewards.checks.result import CheckResult, gone, mean_of, noted
from pptarena.rewards.checks.targets import ShapeView, SlideView
from pptarena.rewards.looks.looked import Looked, Unseen
from pptarena.rewards.looks.unseen import without_unseen
from pptarena.rewards.scope.outside import changes_outside
from pptarena.rewards.scope.scope import Scope

if TYPE_CHECKING:
    from pptarena.rewards.judges.protocol import Judge
    from pptarena.rewards.leaf_protocol import LeafRunner

__all__ = ["OptionalShapeArgs", "ShapeArgs", "ShapeView", "SlideArgs", "SlideView", "View"]

_THINGS = frozenset(("picture", "media", "table", "chart", "graphic"))


class View:
    """Two matched decks, as a check sees them.

    Args:
        match: Which slide and shape is which.
        scope: The part of the deck that may change.
        judge: Answers what no program can check; None if none is configured.
        leaves: Runs Python leaves of imported rubrics; None if they are not to be run.
        gold: The deck as it should be; None if there is none.

    Attributes:
        looked: What pictures of the slides say; empty if nobody looked at any.
    """

    def __init__(
        self,
        match: DeckMatch,
        scope: Scope | None = None,
        judge: "Judge | None" = None,
        leaves: "LeafRunner | None" = None,
        gold: Deck | None = None,
    ) -> None:
        self.match = match
        self.scope = scope or Scope()
        self.judge = judge
        self.leaves = leaves
        self.gold = gold
        self.looked = Looked()

    @property
    def original(self) -> Deck:
        """The deck before."""
        return self.match.original

    @property
    def current(self) -> Deck:
        """The deck now."""
        return self.match.current

    @cached_property
    def outside(self) -> tuple[Change, ...]:
        """The changes that the scope does not allow."""
        return changes_outside(self.match, self.scope)

    def original_slide(self, number: int) -> Slide:
        """Return a slide of the original by position from 1.

        Raises:
            UnscoredError: If the original has no such slide: the rubric is wrong, not the work.
        """
        if not 1 <= number <= len(self.original.slides):
            count = len(self.original.slides)
            raise UnscoredError(f"the original has {count} slides, the rubric names slide {number}")
        return self.original.slides[number - 1]

    def current_of(self, slide: Slide) -> Slide | None:
        """Return where a slide of the original is now, None if it is gone."""
        index = self.match.to_current.get(slide.index)
        return None if index is None else self.current.slides[index]

    def original_of(self, slide: Slide) -> Slide | None:
        """Return which slide of the original a current one is, None if it is new."""
        index = self.match.to_original.get(slide.index)
        return None if index is None else self.original.slides[index]

    def slides(self, args: SlideArgs) -> list[SlideView]:
        """Return the slides that arguments name.

        Raises:
            UnscoredError: If the original lacks one that it should have.
        """
        if args.slide_now is not None:
            inside = args.slide_now <= len(self.current.slides)
            now = self.current.slides[args.slide_now - 1] if inside else None
            return [self._seen(f"slide {args.slide_now} now", now)]
        if args.slide_new is not None:
            added = self.match.added
            inside = args.slide_new <= len(added)
            now = self.current.slides[added[args.slide_new - 1]] if inside else None
            return [self._seen(f"new slide {args.slide_new}", now)]
        if args.slides == "all":
            numbers: tuple[int, ...] = tuple(range(1, len(self.original.slides) + 1))
        else:
            numbers = (args.slide,) if args.slide is not None else args.slides or ()
        slides = [self.original_slide(number) for number in numbers]
        return [
            SlideView(f"slide {slide.index + 1}", slide, self.current_of(slide)) for slide in slides
        ]

    def on_slides(self, args: SlideArgs, judge: Callable[[Slide], CheckResult]) -> CheckResult:
        """Return the mean of a judgement over the current slides that arguments name.

        A slide that is not there scores 0.
        """
        results = [
            gone(seen.label) if seen.current is None else judge(seen.current)
            for seen in self.slides(args)
        ]
        return mean_of(results, "slides") if results else CheckResult(0.0, "there are no slides")

    def on_seen_slides(self, args: SlideArgs, judge: Callable[[Slide], CheckResult]) -> CheckResult:
        """Do as `on_slides`, with slides that lack the text that a viewer cannot see."""

        def judged(slide: Slide) -> CheckResult:
            seen = self.as_seen(slide) if args.visible else slide
            found = judge(seen)
            return found if seen is slide else noted(found, self.why_hidden(slide))

        return self.on_slides(args, judged)

    def on_shapes(
        self, args: ShapeArgs | OptionalShapeArgs, judge: Callable[[ShapeView], CheckResult]
    ) -> CheckResult:
        """Return the mean of a judgement over the shapes that arguments name.

        A shape or slide that is not there any more scores 0.

        Raises:
            UnscoredError: If the original lacks a slide or shape that it should have.
        """
        results = []
        for seen in self.slides(args):
            found = self._shape(seen, args)
            if isinstance(found, ShapeView):
                result = judge(found)
                if found.seen is not found.current:
                    result = noted(result, self.why_hidden(found.slide))
                results.append(result)
            elif found is not None:
                results.append(found)
        if not results:
            raise UnscoredError(f"no slide of the original has a shape {args.shape!r}")
        return mean_of(results, "shapes")

    def follow(self, slide: SlideView, spec: str) -> Shape | None:
        """Return the current shape that the words of a rubric mean on a slide.

        They are looked up in the original if the slide was there, else in the current deck.

        Raises:
            UnscoredError: If the slide was there, but had no such shape.
        """
        if slide.current is None:
            return None
        if slide.original is None:
            return find_shape(slide.current, spec)
        before = find_shape(slide.original, spec)
        if before is None:
            raise UnscoredError(f"{slide.label} of the original has no shape {spec!r}")
        index = self.match.shapes(slide.original.index).to_current.get(before.index)
        return None if index is None else slide.current.shapes[index]

    def as_seen(self, slide: Slide) -> Slide:
        """Return a current slide without text that a viewer cannot see.

        Text of a shape whose text could not be seen in the original either stays.
        """
        sight = sight_of(self.current)
        hidden = sight.hidden(slide.index)
        unseen = self._unseen_words(slide)
        if not hidden and not unseen:
            return slide
        excused = {index for index in hidden if self._was_unseen(slide, index, of_text=True)}
        if excused == set(hidden) and not unseen:
            return slide
        shapes = [
            slide.shapes[s.index] if s.index in excused else s
            for s in sight.slide(slide.index).shapes
        ]
        return replace(slide, shapes=tuple(without_unseen(shapes, slide, unseen)))

    def why_hidden(self, slide: Slide) -> str:
        """Return why text of a current slide cannot be seen; empty if all of it can."""
        found = sight_of(self.current).hidden(slide.index).items()
        reasons = (
            f"{slide.shapes[index].label} has text that does not count: {reason}"
            for index, reason in found
            if not self._was_unseen(slide, index, of_text=True)
        )
        looked = (
            f"{slide.shapes[each.spot.shape].label} has text that does not count: {each.reason}"
            for each in self._unseen_words(slide)
        )
        return next(chain(reasons, looked), "")

    def _unseen_words(self, slide: Slide) -> tuple[Unseen, ...]:
        """Return letters that cannot be read on the picture of a slide, and could be before."""
        return tuple(
            each
            for each in self.looked.unseen.get(slide.index, ())
            if not self._was_unseen(slide, each.spot.shape, of_text=True)
        )

    def _looks_gone(self, slide: Slide, shape: Shape) -> bool:
        """Return whether the picture of a slide shows too little of a shape."""
        return self.looked.shares.get((slide.index, shape.index), 1.0) < LEAST_SHARE

    def is_seen(self, slide: Slide, shape: Shape) -> bool:
        """Return whether a viewer can see a current shape, or could not see it before either."""
        sight = sight_of(self.current)
        if sight.is_seen(slide.index, shape.index) and not self._looks_gone(slide, shape):
            return True
        return self._was_unseen(slide, shape.index, of_text=False)

    def _is_in_sight(self, slide: Slide, shape: Shape) -> bool:
        """Return whether the place of a shape can be seen: it may have lost its fill by request."""
        # Only of pictures and the like: a shape may have lost its fill by request.
        thing = shape.kind in _THINGS
        if sight_of(self.current).is_in_sight(slide.index, shape.index) and not (
            thing and self._looks_gone(slide, shape)
        ):
            return True
        return self._was_unseen(slide, shape.index, of_text=False)

    def _was_unseen(self, slide: Slide, index: int, *, of_text: bool) -> bool:
        before = self.original_of(slide)
        if before is None:
            return False
        was = self.match.shapes(before.index).to_original.get(index)
        if was is None:
            return False
        sight = sight_of(self.original)
        if of_text:
            return was in sight.hidden(before.index)
        return not sight.is_seen(before.index, was)

    def new_shapes(self, slide: SlideView) -> Iterator[Shape]:
        """Yield the shapes of a current slide that its original lacks."""
        if slide.current is None:
            return
        if slide.original is None:
            yield from slide.current.shapes
            return
        added = self.match.shapes(slide.original.index).added
        yield from (slide.current.shapes[index] for index in added)

    def _seen(self, label: str, now: Slide | None) -> SlideView:
        return SlideView(label, None if now is None else self.original_of(now), now)

    def _shape(
        self, seen: SlideView, args: ShapeArgs | OptionalShapeArgs
    ) -> ShapeView | CheckResult | None:
        """Return the shape, or why it scores 0, or None if the slide is to be left out."""
        spec = args.shape if args.shape is not None else args.shape_now or ""
        in_original = args.shape is not None and (args.slide is not None or args.slides is not None)
        if in_original and seen.original is not None:
            if find_shape(seen.original, spec) is None and args.slides == "all":
                return None
            if seen.current is None:
                return gone(seen.label)
            now = self.follow(seen, spec)
        else:
            now = None if seen.current is None else find_shape(seen.current, spec)
        if seen.current is None or now is None:
            return CheckResult(0.0, f"{seen.label} has no shape {spec!r} now")
        if args.visible and not self._is_in_sight(seen.current, now):
            return CheckResult(0.0, f"{now.label} on {seen.label} cannot be seen")
        return ShapeView(
            f"{now.label} on {seen.label}",
            seen.current,
            seen.original,
            self._before(seen, now),
            now,
            self.as_seen(seen.current).shapes[now.index] if args.visible else now,
        )

    def _before(self, seen: SlideView, now: Shape) -> Shape | None:
        if seen.original is None:
            return None
        index = self.match.shapes(seen.original.index).to_original.get(now.index)
        return None if index is None else seen.original.shapes[index]
