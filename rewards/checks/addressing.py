"""Arguments that name slides and shapes."""

from dataclasses import dataclass
from typing import Literal

from pptarena.decks.selectors import require_spec

__all__ = ["OptionalShapeArgs", "SeveralShapesArgs", "ShapeArgs", "SlideArgs"]


@dataclass(frozen=True, kw_only=True)
class SlideArgs:
    """Names slides; exactly one of the fields is set.

    Attributes:
        slide: Position in the original, from 1.
        slides: Several of them, or all of the original's.
        slide_now: Position in the current deck, from 1.
        slide_new: The n-th slide that the original did not have, from 1.
        visible: Whether shapes and letters that a viewer cannot see count as not there; what could
            not be seen in the original either is taken as it is.
    """

    slide: int | None = None
    slides: tuple[int, ...] | Literal["all"] | None = None
    slide_now: int | None = None
    slide_new: int | None = None
    visible: bool = True

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
class SeveralShapesArgs(SlideArgs):
    """Names two or more shapes on each of some slides.

    Attributes:
        shapes: On the slide of the original, followed to the current deck.
    """

    shapes: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.shapes) < 2:
            raise ValueError("expected two or more shapes")
        for spec in self.shapes:
            require_spec(spec)


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
