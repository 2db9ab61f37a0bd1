"""Operators for transitions and animations."""

from random import Random

from pptarena.decks import Shape
from pptarena.tasks.generator.deck_context import Target
from pptarena.tasks.generator.operator import Operator, Params, always, leaf
from pptarena.tasks.generator.operators.common import (
    has_text,
    make_edit,
    param,
    sample_from,
    shape_targets,
    single_edit,
    slide_targets,
)
from pptarena.tasks.generator.slots import NUMBER, choice

__all__ = ["OPERATORS"]

_TRANSITIONS = {
    "fade": "fade",
    "push": "push",
    "wipe": "wipe",
    "cover": "cover",
    "split": "split",
    "dissolve": "dissolve",
    "wheel": "wheel",
    "circle": "circle",
    "diamond": "diamond",
    "comb": "comb",
}
_DIRECTIONS = {"push": "up", "wipe": "right", "cover": "up", "split": "vertical"}
_EFFECTS = {"appear": "Appear", "fade": "Fade", "wipe": "Wipe", "fly_in": "Fly In", "box": "Box"}
_SIDEBAR_NAMES = {**_EFFECTS, "fade": "Fade In"}
"""Names of the effects in LibreOffice's sidebar."""
_TRIGGERS = {
    "clickEffect": "on a click",
    "afterEffect": "after the previous effect",
    "withEffect": "together with the previous effect",
}
_STARTS = {
    "clickEffect": "on_click",
    "afterEffect": "after_previous",
    "withEffect": "with_previous",
}


def _transition(kind: str) -> dict[str, str]:
    direction = {"direction": _DIRECTIONS[kind]} if kind in _DIRECTIONS else {}
    return {"kind": kind, **direction}


def _sample_transition(target: Target, rng: Random) -> Params:
    return {"kind": rng.choice([k for k in _TRANSITIONS if k != target.slide.transition.type])}


def _has_effects(target: Target) -> bool:
    """Return whether a slide has effects, none of which belong to a media clip."""
    kinds = {each.kind for each in target.slide.animations}
    return bool(kinds) and "media" not in kinds


def _is_animatable(shape: Shape) -> bool:
    return has_text(shape) or shape.kind == "picture"


def _is_unanimated(target: Target) -> bool:
    return all(each.shape != target.shape_index for each in target.slide.animations)


OPERATORS = (
    Operator(
        "set-transition",
        "transitions",
        "slide",
        slide_targets(),
        lambda target, params: [make_edit(target, "set_transition", **_transition(params["kind"]))],
        lambda target, params: [
            leaf("transition_is", slide=target.slide_number, type=params["kind"])
        ],
        ("transition",),
        (
            "give {it} the transition {kind}",
            "set the transition of {it} to {kind}",
            "have {it} come in with the transition {kind}",
            "use the {kind} transition for {it}",
            "make {it} enter with a {kind} transition",
        ),
        ("the transition of {it} should be {kind}", "{it} should come in with a {kind} transition"),
        params=_sample_transition,
        slots={"kind": choice(_TRANSITIONS)},
        playable=always,
    ),
    Operator(
        "no-transition",
        "transitions",
        "slide",
        slide_targets(lambda target: target.slide.transition.type != "none"),
        single_edit("set_transition", kind="none"),
        lambda target, params: [leaf("transition_none", slide=target.slide_number)],
        ("transition",),
        (
            "remove the transition of {it}",
            "take the transition off {it}",
            "have {it} come in without a transition",
            "turn off the transition of {it}",
            "set {it} to no transition",
        ),
        ("{it} should have no transition", "{it} should appear without any transition"),
        playable=always,
    ),
    Operator(
        "auto-advance",
        "transitions",
        "slide",
        slide_targets(lambda target: target.slide.transition.type not in ("none", "other")),
        single_edit("set_advance", seconds=param("seconds")),
        lambda target, params: [
            leaf(
                "transition_is",
                slide=target.slide_number,
                type=target.slide.transition.type,
                advance_after_sec=params["seconds"],
            )
        ],
        ("transition",),
        (
            "have the slide show advance by itself {seconds} seconds after {it} appears",
            "advance {it} automatically after {seconds} seconds",
            "set {it} to move on after {seconds} s",
            "have {it} stay for {seconds} seconds and then advance by itself",
            "show {it} for {seconds} seconds before the next slide comes automatically",
        ),
        (
            "{it} should advance by itself after {seconds} seconds",
            "after {seconds} seconds the slide show should move on from {it} by itself",
        ),
        params=sample_from("seconds", 3, 4, 5, 6, 8, 10, 12, 15, 20),
        slots={"seconds": NUMBER},
    ),
    Operator(
        "animate-shape",
        "animations",
        "shape",
        lambda context: (s for s in shape_targets(_is_animatable)(context) if _is_unanimated(s)),
        single_edit(
            "add_animation",
            effect=param("effect"),
            start=lambda params: _STARTS[params["trigger"]].removeprefix("on_"),
        ),
        lambda target, params: [
            leaf(
                "animation_exists",
                **target.args,
                effect=params["effect"],
                kind="entrance",
                trigger=_STARTS[params["trigger"]],
            )
        ],
        ("animation",),
        (
            "animate {it} with the entrance {effect}, starting {trigger}",
            "have {it} enter with {effect} {trigger}",
            "give {it} the entrance effect {effect} {trigger}",
            "add the entrance {effect} to {it}, {trigger}",
            "have {it} come in with {effect} {trigger}",
        ),
        (
            "{it} should come in with the effect {effect} {trigger}",
            "{it} should have the entrance {effect} {trigger}",
        ),
        params=lambda target, rng: {
            "effect": rng.choice(list(_EFFECTS)),
            "trigger": rng.choice(list(_TRIGGERS)),
        },
        slots={"effect": choice(_EFFECTS), "trigger": choice(_TRIGGERS)},
        playable=always,
        level=2,
    ),
    Operator(
        "no-animations",
        "animations",
        "slide",
        slide_targets(_has_effects),
        single_edit("remove_animations"),
        lambda target, params: [leaf("animation_none", slide=target.slide_number)],
        ("animation",),
        (
            "remove all animations from {it}",
            "take the animations off {it}",
            "leave {it} without any animation",
            "delete every animation effect on {it}",
            "clear the animations of {it}",
        ),
        ("{it} should have no animations", "nothing on {it} should be animated any more"),
    ),
)
"""The operators of this module."""
