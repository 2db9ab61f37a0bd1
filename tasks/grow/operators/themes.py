"""Operator for theme colors."""

from collections.abc import Iterator
from typing import Any

from pptx.oxml.ns import qn

from pptarena.decks.presentation import open_presentation
from pptarena.tasks.grow.ground import Ground, Site
from pptarena.tasks.grow.operator import Operator, always, leaf
from pptarena.tasks.grow.operators.common import is_loose, paint
from pptarena.tasks.grow.slots import COLOR, COLORS, choice

__all__ = ["OPERATORS"]

_ACCENTS = {f"accent{n}": f"accent colour {n}" for n in range(1, 7)}


def _one_palette(ground: Ground) -> Iterator[Site]:
    """Yield the deck if it has one theme and LibreOffice changes nothing else with its colors."""
    loose = any(is_loose(shape) for slide in ground.deck.slides for shape in slide.shapes)
    palettes = {master.palette for master in ground.deck.masters}
    if ground.deck.slides and len(palettes) == 1 and not loose and not _has_shaded_lines(ground):
        yield Site(ground)


def _has_shaded_lines(ground: Ground) -> bool:
    """Return whether a line's style uses a shade of a theme color.

    LibreOffice 25.2 draws such lines without the shade once the theme's colors change.
    """
    for slide in open_presentation((ground.came or ground).file).slides:
        for style in slide._element.iter(qn("p:style")):
            color = style.find(f"{qn('a:lnRef')}/{qn('a:schemeClr')}")
            own = style.getparent().find(f"{qn('p:spPr')}/{qn('a:ln')}")
            if color is not None and len(color) and (own is None or not _is_painted(own)):
                return True
    return False


def _is_painted(line: Any) -> bool:
    return any(str(each.tag).endswith("Fill") for each in line)


OPERATORS = (
    Operator(
        "theme-accent",
        "themes",
        "deck",
        _one_palette,
        lambda site, params: [
            {"edit": "set_theme_color", "slot": params["slot"], "color": paint(params)}
        ],
        lambda site, params: [
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
        params=lambda site, rng: {
            "slot": rng.choice(list(_ACCENTS)),
            "color": rng.choice(("red", "green", "blue", "purple", "dark blue", "dark green")),
        },
        playable=always,
        slots={"slot": choice(_ACCENTS), "color": COLOR},
        whole=True,
        level=3,
    ),
)
"""The operators of this module."""
