"""Find slides and shapes by number (from 1) and name."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pptarena.errors import ConfigError

__all__ = ["Slides", "every_shape", "shape_of", "slide_of", "slides_of"]

Slides = Sequence[int] | Literal["all"]
"""Slide numbers, from 1, or all slides."""


def slide_of(deck: Any, number: int) -> Any:
    """Return a slide by its number, from 1.

    Raises:
        ConfigError: If the deck has no such slide.
    """
    if not 1 <= number <= len(deck.slides):
        raise ConfigError(f"expected a slide from 1 to {len(deck.slides)}, got {number}")
    return deck.slides[number - 1]


def slides_of(deck: Any, numbers: Slides) -> list[Any]:
    """Return slides by their numbers, or all slides.

    Raises:
        ConfigError: If the deck lacks one of them.
    """
    if numbers == "all":
        return list(deck.slides)
    return [slide_of(deck, int(number)) for number in numbers]


def shape_of(deck: Any, slide: int, name: str) -> Any:
    """Return the first shape with a name on a slide, including members of groups.

    Raises:
        ConfigError: If there is no such slide or shape.
    """
    for shape in every_shape(slide_of(deck, slide).shapes):
        if shape.name == name:
            return shape
    raise ConfigError(f"expected a shape named {name!r} on slide {slide}; there is none")


def every_shape(shapes: Any) -> Iterator[Any]:
    """Yield shapes; members of a group follow the group."""
    for shape in shapes:
        yield shape
        if hasattr(shape, "shapes"):
            yield from every_shape(shape.shapes)
