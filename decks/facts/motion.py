"""The facts of transitions and animations."""

from dataclasses import dataclass
from typing import Final

__all__ = ["NO_TRANSITION", "Animation", "Transition"]


@dataclass(frozen=True, slots=True)
class Transition:
    """How a slide comes in.

    Attributes:
        type: Name of the effect such as ``fade``; ``none`` for none.
        variant: Direction and other options as one text.
        duration_sec: How long it takes; None if the file does not say.
        on_click: Whether a click leads to the next slide.
        advance_after_sec: Time after which the next slide comes by itself; None for never.
        sound: Digest of the sound that goes with it; empty for none.
    """

    type: str = "none"
    variant: str = ""
    duration_sec: float | None = None
    on_click: bool = True
    advance_after_sec: float | None = None
    sound: str = ""


NO_TRANSITION: Final = Transition()


@dataclass(frozen=True, slots=True)
class Animation:
    """One effect of a slide's animation; `Slide.animations` is in playing order.

    Attributes:
        kind: ``entrance``, ``emphasis``, ``exit``, ``motion``, ``media`` or ``other``.
        effect: Name such as ``fly_in``, or the preset's number as text if it has none here.
        preset: The preset's number, 0 if it has none.
        trigger: ``on_click``, ``with_previous``, ``after_previous`` or ``on_shape_click``.
        shape: Index of the animated shape in `Slide.shapes`, None if it is not there.
        paragraphs: First and last animated paragraph from 0; None for the whole shape.
        duration_sec: How long it takes; 0 for at once, None if the file does not say.
        delay_sec: How long it waits.
        direction: Name of its variant such as ``from_bottom``, or the number of the variant as
            text if it has none here; empty if it has no variants.
        repeat: How often it is played: empty for once, a number as text, ``until_click`` or
            ``until_slide_end``.
        path: Of a motion, in the file's notation with numbers rounded to thousandths.
        build: Unit that the shape comes in by, such as ``paragraph``, ``series`` or ``word``; empty
            for the shape as one.
        part: Part of a chart or diagram, such as ``series 2``; empty for the whole.
        value: What it changes a property to, such as a colour; empty if it changes none.
        auto_reverse: Whether it is played backwards afterwards.
        trigger_shape: Index of the shape whose click starts it, for ``on_shape_click``.
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
