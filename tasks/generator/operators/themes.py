"""Operator for theme colors."""

from collections.abc import Iterator
from typing import Any

from pptx.oxml.ns import qn

from pptarena.decks.presentation import open_presentation
from pptarena.tasks.generator.deck_context import DeckContext, Target
from pptarena.tasks.generator.operator import Operator, always, leaf
from pptarena.tasks.generator.operators.common import has_unstable_width, hex_color
from pptarena.tasks.generator.slots import COLOR, COLORS, choice

__all__ = ["OPERATORS"]

_ACCENTS = {f"accent{n}": f"accent colour {n}" for n in range(1, 7)}


def _single_theme_targets(context: DeckContext) -> Iterator[Target]:
    """Yield the deck if it has one theme and LibreOffice changes nothing else with its colors."""
    has_unstable_shapes = any(
        has_unstable_width(shape) for slide in context.deck.slides for shape in slide.shapes
    )
    palettes = {master.palette for master in context.deck.masters}
    if (
        context.deck.slides
        and len(palettes) == 1
        and not has_unstable_shapes
        and not _has_shaded_lines(context)
    ):
        yield Target(context)


def _has_shaded_lines(context: DeckContext) -> bool:
    """Return whether a line's style uses a shade of a theme color.

    LibreOffice 25.2 draws such lines without the shade once the theme's colors change.
    """
    for slide in open_presentation((context.input_context or context).file).slides:
        for style in slide._element.iter(qn("p:style")):
            color = style.find(f"{qn('a:lnRef')}/{qn('a:schemeClr')}")
            own_line = style.getparent().find(f"{qn('p:spPr')}/{qn('a:ln')}")
            if (
                color is not None
                and len(color)
                and (own_line is None or not _has_own_fill(own_line))
            ):
                return True
    return False


def _has_own_fill(line: Any) -> bool:
    return any(str(each.tag).endswith("Fill") for each in line)


OPERATORS = (
    Operator(
        "theme-accent",
        "themes",
        "deck",
        _single_theme_targets,
        lambda target, params: [
            {"edit": "set_theme_color", "slot": params["slot"], "color": hex_color(params)}
        ],
        lambda target, params: [
            leaf(
                "theme_colors_are",
                colors=[[params["slot"], f"#{COLORS[params['color']]}"]],
                color_tolerance=90,
            )
        ],
        ("master",),
        (
            "change {slot} of the theme to {color}",
            "set {slot} in the theme to {color}",
            "make {slot} of the theme {color}",
            "use {color} for {slot} of the theme",
            "replace {slot} in the theme with {color}",
        ),
        ("{slot} of the theme should be {color}", "in the theme, {slot} should be {color}"),
        params=lambda target, rng: {
            "slot": rng.choice(list(_ACCENTS)),
            "color": rng.choice(("red", "green", "blue", "purple", "dark blue", "dark green")),
        },
        playable=always,
        slots={"slot": choice(_ACCENTS), "color": COLOR},
        deck_wide=True,
        level=3,
    ),
)
"""The operators of this module."""
