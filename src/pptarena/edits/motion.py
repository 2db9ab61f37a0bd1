"""Edits of transitions and animations, and how films and sounds play."""

from typing import Annotated, Literal

from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls, qn
from pydantic import Field

from pptarena.decks.entrance_effects import add_entrance
from pptarena.edits.addresses import shown
from pptarena.edits.markup import insert_motion, remove_transition
from pptarena.edits.open_deck import OpenDeck
from pptarena.edits.values import ShapeRef, SlideRef
from pptarena.errors import EditError

__all__ = ["add_animation", "remove_animations", "set_advance", "set_media", "set_transition"]

_KINDS = Literal[
    "none", "cut", "fade", "push", "wipe", "split", "cover", "dissolve", "zoom",
    "wheel", "circle", "diamond", "comb",
]  # fmt: skip
_TRIGGERS = {"click": "clickEffect", "after_previous": "afterEffect", "with_previous": "withEffect"}


def set_transition(
    deck: OpenDeck,
    slide: SlideRef,
    kind: _KINDS,
    speed: Literal["slow", "med", "fast"] = "med",
    direction: Literal["left", "right", "up", "down", "vertical"] | None = None,
) -> None:
    """Set the transition to a slide.

    Args:
        slide: The slide.
        kind: The transition; none removes it.
        speed: Its speed.
        direction: Where the slide moves, for push, wipe and cover; vertical for a vertical split.
    """
    if direction == "vertical" and kind != "split":
        raise EditError(f"expected split with the direction vertical, got {kind}")
    if direction not in (None, "vertical") and kind not in ("push", "wipe", "cover"):
        raise EditError(f"expected push, wipe or cover with a direction, got {kind}")
    element = deck.slide(slide)._element
    remove_transition(element)
    if kind != "none":
        option = "" if direction is None else f' dir="{direction[0]}"'
        if direction == "vertical":
            option = ' orient="vert"'
        xml = f'<p:transition {nsdecls("p")} spd="{speed}"><p:{kind}{option}/></p:transition>'
        insert_motion(element, parse_xml(xml))


def set_advance(deck: OpenDeck, slide: SlideRef, seconds: float | None) -> None:
    """Set whether the slide show advances from a slide by itself.

    Args:
        slide: The slide.
        seconds: The delay, from 0 to 86399; null to advance only on a click.
    """
    if seconds is not None and not 0 <= seconds <= 86_399:
        raise EditError(f"expected seconds from 0 to 86399, got {seconds}")
    root = deck.slide(slide)._element
    transitions = list(root.iter(qn("p:transition")))
    if not transitions:
        transitions = [parse_xml(f"<p:transition {nsdecls('p')}/>")]
        insert_motion(root, transitions[0])
    for transition in transitions:
        if seconds is None:
            transition.attrib.pop("advTm", None)
        else:
            transition.set("advTm", str(round(seconds * 1000)))


def add_animation(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    effect: Literal["appear", "fly_in", "fade", "wipe", "box"],
    start: Literal["click", "after_previous", "with_previous"] = "click",
) -> None:
    """Add an entrance effect to a shape, after all other effects of the slide.

    Args:
        slide: The slide.
        shape: The shape.
        effect: The effect.
        start: What starts it.
    """
    target = deck.shape(slide, shape)
    root = deck.slide(slide)._element
    add_entrance(root, str(target.shape_id), effect, _TRIGGERS[start])


def remove_animations(deck: OpenDeck, slide: SlideRef) -> None:
    """Remove all animations of a slide.

    Args:
        slide: The slide.
    """
    element = deck.slide(slide)._element
    for timing in element.findall(qn("p:timing")):
        element.remove(timing)


def set_media(
    deck: OpenDeck,
    slide: SlideRef,
    shape: ShapeRef,
    volume_pct: Annotated[int, Field(ge=0, le=100)] | None = None,
    muted: bool | None = None,
    shown_when_stopped: bool | None = None,
    repeat: Literal["once", "until_stopped"] | None = None,
) -> None:
    """Set how a film or sound plays; what is left out stays as it is.

    Args:
        slide: The slide.
        shape: The film or sound.
        volume_pct: The volume.
        muted: Whether it is muted.
        shown_when_stopped: Whether it is visible while it does not play.
        repeat: How often it plays.
    """
    number = str(deck.shape(slide, shape).shape_id)
    root = deck.slide(slide)._element
    nodes = [
        node
        for node in root.iter(qn("p:cMediaNode"))
        if any(target.get("spid") == number for target in node.iter(qn("p:spTgt")))
    ]
    if not nodes:
        raise EditError(
            f"the shape {shown(shape)} of slide {shown(slide)} is no film or sound that plays"
        )
    for node in nodes:
        for name, value in (("mute", muted), ("showWhenStopped", shown_when_stopped)):
            if value is not None:
                node.set(name, str(int(value)))
        if volume_pct is not None:
            node.set("vol", str(volume_pct * 1000))
        if repeat is not None:
            node.find(qn("p:cTn")).attrib.pop("repeatCount", None)
            if repeat == "until_stopped":
                node.find(qn("p:cTn")).set("repeatCount", "indefinite")
