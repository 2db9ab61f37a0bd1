"""What a check looks at: a slide or a shape, before and now."""

from dataclasses import dataclass

from pptarena.decks import Shape, Slide

__all__ = ["ShapeView", "SlideView"]


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
        seen: The shape now without text that a viewer cannot see.
    """

    label: str
    slide: Slide
    before: Slide | None
    original: Shape | None
    current: Shape
    seen: Shape
