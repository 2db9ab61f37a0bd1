"""What a check sees: two matched decks, and the slides and shapes that its arguments name."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pptarena.errors import UnscoredError
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.deck import Deck, Shape, Slide
from pptarena.rewards.lookup import find_shape, require_spec
from pptarena.rewards.matching import DeckMatch
from pptarena.rewards.scope import Scope

if TYPE_CHECKING:
    from pptarena.rewards.judges.protocol import Judge

__all__ = ["OptionalShapeArgs", "ShapeArgs", "ShapeView", "SlideArgs", "SlideView", "View"]


@dataclass(frozen=True, kw_only=True)
class SlideArgs:
    """Names slides; exactly one of the fields is set.

    Attributes:
        slide: Position in the original, from 1.
        slides: Several of them, or all of the original's.
        slide_now: Position in the current deck, from 1.
        slide_new: The n-th slide that the original did not have, from 1.
    """

    slide: int | None = None
    slides: tuple[int, ...] | Literal["all"] | None = None
    slide_now: int | None = None
    slide_new: int | None = None

    def __post_init__(self) -> None:
        given = (self.slide, self.slides, self.slide_now, self.slide_new)
        if sum(each is not None for each in given) != 1:
            raise ValueError("expected exactly one of slide, slides, slide_now, slide_new")
        single = (self.slide, self.slide_now, self.slide_new)
        several = self.slides if isinstance(self.slides, tuple) else (1,)
        numbers = [each for each in (*single, *several) if each is not None]
        if not several or min(numbers) < 1:
            raise ValueError("slides count from 1, and a list of them must not be empty")


@dataclass(frozen=True, kw_only=True)
class ShapeArgs(SlideArgs):
    """Names a shape on each of some slides.

    Attributes:
        shape: On the slide of the original, followed to the current deck.
        shape_now: On the current slide.
    """

    shape: str | None = None
    shape_now: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.shape is None) == (self.shape_now is None):
            raise ValueError("expected exactly one of shape, shape_now")
        require_spec(self.shape)
        require_spec(self.shape_now)


@dataclass(frozen=True, kw_only=True)
class OptionalShapeArgs(SlideArgs):
    """Names a shape on each of some slides, or all shapes of them if none is given.

    Attributes:
        shape: On the slide of the original, followed to the current deck.
        shape_now: On the current slide.
    """

    shape: str | None = None
    shape_now: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shape is not None and self.shape_now is not None:
            raise ValueError("expected at most one of shape, shape_now")
        require_spec(self.shape)
        require_spec(self.shape_now)


@dataclass(frozen=True)
class SlideView:
    """A slide that a check looks at.

    Attributes:
        label: How a reason speaks of it.
        original: The slide in the original, None if it is new.
        current: The slide now, None if it is gone.
    """

    label: str
    original: Slide | None
    current: Slide | None


@dataclass(frozen=True)
class ShapeView:
    """A shape that a check looks at.

    Attributes:
        label: How a reason speaks of it.
        slide: The slide now.
        before: The same slide in the original, None if it is new.
        original: The shape in the original, None if it is new.
        current: The shape now.
    """

    label: str
    slide: Slide
    before: Slide | None
    original: Shape | None
    current: Shape


class View:
    """Two matched decks, as a check sees them.

    Args:
        match: Which slide and shape is which.
        scope: The part of the deck that may change.
        judge: Answers what no program can check; None if none is configured.
    """

    def __init__(
        self, match: DeckMatch, scope: Scope | None = None, judge: "Judge | None" = None
    ) -> None:
        self.match = match
        self.scope = scope or Scope()
        self.judge = judge

    @property
    def original(self) -> Deck:
        """The deck before."""
        return self.match.original

    @property
    def current(self) -> Deck:
        """The deck now."""
        return self.match.current

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
            _gone(seen.label) if seen.current is None else judge(seen.current)
            for seen in self.slides(args)
        ]
        return mean_of(results, "slides") if results else CheckResult(0.0, "there are no slides")

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
                results.append(judge(found))
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
                return _gone(seen.label)
            now = self.follow(seen, spec)
        else:
            now = None if seen.current is None else find_shape(seen.current, spec)
        if seen.current is None or now is None:
            return CheckResult(0.0, f"{seen.label} has no shape {spec!r} now")
        return ShapeView(
            f"{now.label} on {seen.label}",
            seen.current,
            seen.original,
            self._before(seen, now),
            now,
        )

    def _before(self, seen: SlideView, now: Shape) -> Shape | None:
        if seen.original is None:
            return None
        index = self.match.shapes(seen.original.index).to_original.get(now.index)
        return None if index is None else seen.original.shapes[index]


def _gone(label: str) -> CheckResult:
    return CheckResult(0.0, f"{label} is not there")
