"""Selection of the slides and shapes that a rubric leaf refers to."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from pptarena.decks.selectors import means_new
from pptarena.rewards.checking.arguments import Selector
from pptarena.rewards.relative import OneSlide, SeveralSlides, lowest, plain

__all__ = ["SHAPE_KEYS", "SLIDE_KEYS", "Address", "require_keys", "require_old"]

SLIDE_KEYS = ("slide", "slides", "slide_now", "slide_new")
SHAPE_KEYS = ("shape", "shape_now")


@dataclass(frozen=True, kw_only=True, slots=True)
class Address:
    """Selects slides, and optionally a shape on each of them. Exactly one slide key is set.

    Attributes:
        slide: 1-based position in the original.
        slides: Several positions in the original, or all of them.
        skips_lacking: Whether slides without the shape are skipped, because `slides` is a rule.
        slide_now: 1-based position in the current deck.
        slide_new: The n-th added slide, from 1.
        visible: Whether invisible shapes and text count as missing, unless they were already
            invisible in the original.
        shape: A shape of the original slide, followed to the current deck.
        shape_now: A shape of the current slide.
    """

    slide: OneSlide | None = None
    slides: SeveralSlides | None = None
    skips_lacking: bool = False
    slide_now: int | None = None
    slide_new: int | None = None
    visible: bool = True
    shape: Selector | None = None
    shape_now: Selector | None = None

    @property
    def selector(self) -> str | None:
        """The selector of the shape; None if no shape is named."""
        return self.shape if self.shape is not None else self.shape_now

    @classmethod
    def split(cls, values: Mapping[str, Any]) -> tuple["Address", dict[str, Any]]:
        """Split the arguments of a check into the address and the remaining arguments."""
        own = {name: value for name, value in values.items() if name not in _NAMES}
        return cls(**{name: values[name] for name in values if name in _NAMES}), own


_NAMES = frozenset(field.name for field in fields(Address))


def require_old(values: Mapping[str, Any]) -> None:
    """Raise ValueError for a shape created by the task, if a check requires an original shape."""
    for key in SHAPE_KEYS:
        if means_new(values[key]):
            raise ValueError(f"expected a shape of the original, got {values[key]!r}")


def require_keys(values: Mapping[str, Any], shape: str) -> None:
    """Raise ValueError unless exactly one slide key is set, and shapes match `CheckSpec.shape`."""
    given = [values[name] for name in SLIDE_KEYS if values[name] is not None]
    if len(given) != 1:
        raise ValueError(f"expected exactly one of {', '.join(SLIDE_KEYS)}, got {len(given)}")
    if given[0] == () or lowest(given[0]) < 1:
        raise ValueError(
            f"slides count from 1, and a list of them must not be empty, got {plain(given[0])}"
        )
    shapes = 0 if shape == "none" else sum(values[name] is not None for name in SHAPE_KEYS)
    if shapes > 1 or (shape == "required" and not shapes):
        how = "exactly" if shape == "required" else "at most"
        raise ValueError(f"expected {how} one of {', '.join(SHAPE_KEYS)}, got {shapes}")
