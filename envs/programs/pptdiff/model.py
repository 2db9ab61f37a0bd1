"""The data of a PowerPointDiff, with the names that imported rubrics use.

Also serves as ``ppteval.verify.ppt.diff`` in the sandbox of Python leaves: standard library only.
Source of the fields: PPT-Eval (arXiv 2606.31154), appendix A.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["AnimationEffect", "PowerPointDiff", "Slide", "SlideScreenshot", "SlideTransition"]


@dataclass
class Slide:
    """A slide.

    Attributes:
        slide_id: Its id in the file, as text.
        slide_number: Its position, from 1.
        title: Text of its title; None without one.
        layout_type: Name of its layout; None if it has no name.
        element_count: Number of its shapes.
        notes: Text of its notes; None without any.
        content_hash: SHA-256 of its contents in hex digits.
    """

    slide_id: str
    slide_number: int
    title: str | None = None
    layout_type: str | None = None
    element_count: int = 0
    notes: str | None = None
    content_hash: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the slide as a dict."""
        return asdict(self)


@dataclass
class SlideTransition:
    """A slide transition.

    Attributes:
        slide_id: Id of the slide in the file, as text.
        transition_type: Such as ``fade``; ``none`` if there is only an advance time.
        duration: In seconds.
        direction: As in the file; None without one.
    """

    slide_id: str
    transition_type: str
    duration: float
    direction: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the transition as a dict."""
        return asdict(self)


@dataclass
class AnimationEffect:
    """An animation effect of a shape.

    Attributes:
        slide_id: Id of the slide in the file, as text.
        element_id: Id of the shape in the file, as text.
        effect_type: Such as ``fly_in``.
        trigger: Event that starts it.
        delay: In seconds.
        duration: In seconds.
        order: Its position among the effects, from 0.
        element_text: Text of the shape; None without any.
        element_type: Type of the shape, or whether its text is animated.
    """

    slide_id: str
    element_id: str
    effect_type: str
    trigger: str
    delay: float
    duration: float
    order: int
    element_text: str | None = None
    element_type: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the effect as a dict."""
        return asdict(self)


@dataclass
class SlideScreenshot:
    """An image of a slide.

    Attributes:
        slide_number: Position of the slide, from 1.
        image_path: Path of the PNG file.
        slide_id: Id of the slide in the file, as text.
    """

    slide_number: int
    image_path: str
    slide_id: str | None = None


@dataclass
class PowerPointDiff:
    """The differences between two decks.

    Attributes:
        added_animations: Only in the current deck.
        removed_animations: Only in the original deck.
        modified_animations: Pairs of before and after.
        added_transitions: Of slides that had none, or are new.
        removed_transitions: Of slides that have none now, or were removed.
        modified_transitions: Pairs of before and after.
        added_slides: Only in the current deck.
        removed_slides: Only in the original deck.
        modified_slides: Pairs of before and after.
    """

    added_animations: list[AnimationEffect] = field(default_factory=list)
    removed_animations: list[AnimationEffect] = field(default_factory=list)
    modified_animations: list[tuple[AnimationEffect, AnimationEffect]] = field(default_factory=list)
    added_transitions: list[SlideTransition] = field(default_factory=list)
    removed_transitions: list[SlideTransition] = field(default_factory=list)
    modified_transitions: list[tuple[SlideTransition, SlideTransition]] = field(
        default_factory=list
    )
    added_slides: list[Slide] = field(default_factory=list)
    removed_slides: list[Slide] = field(default_factory=list)
    modified_slides: list[tuple[Slide, Slide]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Return the diff as a dict; pairs are lists of two."""
        data = asdict(self)
        return {
            name: [list(entry) if isinstance(entry, tuple) else entry for entry in data[name]]
            for name in data
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PowerPointDiff":
        """Return a diff from the output of `to_dict`."""
        item_classes = {
            "slides": Slide,
            "transitions": SlideTransition,
            "animations": AnimationEffect,
        }
        fields: dict[str, Any] = {}
        for item, item_class in item_classes.items():
            for change in ("added", "removed"):
                name = f"{change}_{item}"
                fields[name] = [item_class(**values) for values in data[name]]
            name = f"modified_{item}"
            fields[name] = [
                (item_class(**before), item_class(**after)) for before, after in data[name]
            ]
        return cls(**fields)
