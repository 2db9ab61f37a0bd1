"""The data of a PowerPointDiff, with the names that imported rubrics use.

Also stands in the sandbox of Python leaves as ``ppteval.verify.ppt.diff``: standard library only.
Source of the fields: PPT-Eval (arXiv 2606.31154), appendix A.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["AnimationEffect", "PowerPointDiff", "Slide", "SlideScreenshot", "SlideTransition"]


@dataclass
class Slide:
    """One slide.

    Attributes:
        slide_id: Its id in the file, as text.
        slide_number: Its position, from 1.
        title: Text of its title, None without one.
        layout_type: Name of its layout, None if it has no name.
        element_count: Number of its shapes.
        notes: Text of its notes, None without any.
        content_hash: SHA-256 in hex digits of what is on it.
    """

    slide_id: str
    slide_number: int
    title: str | None = None
    layout_type: str | None = None
    element_count: int = 0
    notes: str | None = None
    content_hash: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


@dataclass
class SlideTransition:
    """How a slide comes in.

    Attributes:
        slide_id: Id of the slide in the file, as text.
        transition_type: Such as ``fade``; ``none`` if there is only a time to advance.
        duration: In seconds.
        direction: As the file says, None without one.
    """

    slide_id: str
    transition_type: str
    duration: float
    direction: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


@dataclass
class AnimationEffect:
    """One effect of one shape.

    Attributes:
        slide_id: Id of the slide in the file, as text.
        element_id: Id of the shape in the file, as text.
        effect_type: Such as ``fly_in``.
        trigger: What starts it.
        delay: In seconds.
        duration: In seconds.
        order: Its position among the effects, from 0.
        element_text: Text of the shape, None without any.
        element_type: What kind of shape it is, or whether its text is animated.
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
        """Return it as plain data."""
        return asdict(self)


@dataclass
class SlideScreenshot:
    """A picture of a slide.

    Attributes:
        slide_number: Position of the slide, from 1.
        image_path: Where the PNG file is.
        slide_id: Id of the slide in the file, as text.
    """

    slide_number: int
    image_path: str
    slide_id: str | None = None


@dataclass
class PowerPointDiff:
    """What differs between two decks.

    Attributes:
        added_animations: Only in the deck now.
        removed_animations: Only in the deck before.
        modified_animations: Pairs of before and after.
        added_transitions: Of slides that had none, or are new.
        removed_transitions: Of slides that have none now, or are gone.
        modified_transitions: Pairs of before and after.
        added_slides: Only in the deck now.
        removed_slides: Only in the deck before.
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
        """Return it as plain data; pairs are lists of two."""
        found = asdict(self)
        return {
            name: [list(each) if isinstance(each, tuple) else each for each in found[name]]
            for name in found
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "PowerPointDiff":
        """Return it from plain data as `to_dict` makes it."""
        kinds = {"slides": Slide, "transitions": SlideTransition, "animations": AnimationEffect}
        found: dict[str, Any] = {}
        for what, kind in kinds.items():
            for how in ("added", "removed"):
                name = f"{how}_{what}"
                found[name] = [kind(**each) for each in data[name]]
            name = f"modified_{what}"
            found[name] = [(kind(**before), kind(**after)) for before, after in data[name]]
        return cls(**found)
