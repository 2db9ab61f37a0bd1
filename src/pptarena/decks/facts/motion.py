"""Facts about transitions and animations."""

from dataclasses import dataclass
from typing import Final

__all__ = ["NO_TRANSITION", "Animation", "Transition"]


@dataclass(frozen=True, slots=True)
class Transition:
    """The transition to a slide.

    Attributes:
        type: Name of the effect, such as ``fade``; ``none`` for no transition.
        variant: Direction and other options, as one text.
        duration_sec: Duration; None if the file does not specify it.
        on_click: Whether a click advances to the next slide.
        advance_after_sec: Time until the show advances automatically; None for never.
        sound: Digest of the transition sound; empty for none.
    """

    type: str = "none"
    variant: str = ""
    duration_sec: float | None = None
    on_click: bool = True
    advance_after_sec: float | None = None
    sound: str = ""

    def runs_unattended(self, model: "Transition", original: "Transition") -> bool:
        """Return whether the slide advances after the new time that a model sets.

        Args:
            model: A transition that this one should match.
            original: The transition before the edit.
        """
        after = model.advance_after_sec
        return after is not None and self.advance_after_sec == after != original.advance_after_sec


NO_TRANSITION: Final = Transition()


@dataclass(frozen=True, slots=True)
class Animation:
    """An animation effect; `Slide.animations` is in playing order.

    Attributes:
        kind: ``entrance``, ``emphasis``, ``exit``, ``motion``, ``media`` or ``other``.
        effect: Name such as ``fly_in``, or the preset id as text if the preset has no name here.
        preset: Preset id; 0 for none.
        trigger: ``on_click``, ``with_previous``, ``after_previous`` or ``on_shape_click``.
        shape: Index of the animated shape in `Slide.shapes`; None if it does not exist.
        paragraphs: First and last animated paragraph, from 0; None for the entire shape.
        duration_sec: Duration; 0 for an immediate effect, None if the file does not specify it.
        delay_sec: Delay before the effect starts.
        direction: Name of the variant, such as ``from_bottom``, or its number as text if it has no
            name here; empty for no variant.
        repeat: Empty to play once, a number of times as text, ``until_click`` or
            ``until_slide_end``.
        path: Motion path in the file's notation, with numbers rounded to thousandths.
        build: Unit of a sequenced effect, such as ``paragraph``, ``series`` or ``word``; empty if
            the shape is animated as one object.
        part: Animated part of a chart or diagram, such as ``series 2``; empty for all.
        value: New value of an animated property, such as a color; empty for none.
        auto_reverse: Whether the effect is played backward afterward.
        trigger_shape: Index of the shape whose click starts the effect, for ``on_shape_click``.
    """

    kind: str
    effect: str
    preset: int
    trigger: str
    shape: int | None
    paragraphs: tuple[int, int] | None = None
    duration_sec: float | None = None
    delay_sec: float = 0.0
    direction: str = ""
    repeat: str = ""
    path: str = ""
    build: str = ""
    part: str = ""
    value: str = ""
    auto_reverse: bool = False
    trigger_shape: int | None = None
