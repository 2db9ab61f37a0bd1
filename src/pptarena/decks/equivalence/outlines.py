"""Families of shape outlines, and presets that look the same."""

from collections.abc import Mapping
from typing import Final

__all__ = ["FAMILIES", "fits_outline", "same_outline"]

_RIGHT: Final = ("rightArrow", "notchedRightArrow", "stripedRightArrow", "homePlate", "chevron")

FAMILIES: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(presets)
    for name, presets in {
        "right_arrows": _RIGHT,
        "arrows": (
            *_RIGHT, "leftArrow", "upArrow", "downArrow", "leftRightArrow", "upDownArrow",
            "quadArrow", "leftRightUpArrow", "leftUpArrow", "bentArrow", "bentUpArrow",
            "uturnArrow", "curvedRightArrow", "curvedLeftArrow", "curvedUpArrow",
            "curvedDownArrow", "circularArrow", "leftCircularArrow", "leftRightCircularArrow",
            "swooshArrow",
        ),
        "rectangles": (
            "rect", "roundRect", "snip1Rect", "snip2SameRect", "snip2DiagRect", "snipRoundRect",
            "round1Rect", "round2SameRect", "round2DiagRect", "flowChartProcess",
            "flowChartAlternateProcess", "plaque", "bevel", "actionButtonBlank",
        ),
        "ellipses": ("ellipse", "flowChartConnector"),
        "triangles": ("triangle", "rtTriangle", "flowChartExtract", "flowChartMerge"),
        "diamonds": ("diamond", "flowChartDecision"),
        "stars": (
            "star4", "star5", "star6", "star7", "star8", "star10", "star12", "star16", "star24",
            "star32", "irregularSeal1", "irregularSeal2",
        ),
        "callouts": (
            "wedgeRectCallout", "wedgeRoundRectCallout", "wedgeEllipseCallout", "cloudCallout",
            "borderCallout1", "borderCallout2", "borderCallout3", "accentCallout1",
            "accentCallout2", "accentCallout3", "callout1", "callout2", "callout3",
            "accentBorderCallout1", "accentBorderCallout2", "accentBorderCallout3",
        ),
    }.items()
}  # fmt: skip
"""Presets (ECMA-376-1, 20.1.10.55) by family; family names differ from all preset names."""

_SAME: Final[Mapping[str, str]] = {
    "flowChartProcess": "rect",
    "flowChartConnector": "ellipse",
    "flowChartDecision": "diamond",
    "flowChartExtract": "triangle",
}


def fits_outline(geometry: str, wanted: str) -> bool:
    """Return whether an outline is the wanted one, or belongs to the wanted family.

    Args:
        geometry: Name of the outline, as in `Shape.geometry`.
        wanted: Name of a family, or of a preset, which only the same outline satisfies.
    """
    return geometry in FAMILIES[wanted] if wanted in FAMILIES else same_outline(geometry, wanted)


def same_outline(first: str, second: str) -> bool:
    """Return whether two presets draw the same, such as ``flowChartProcess`` and ``rect``."""
    return _SAME.get(first, first) == _SAME.get(second, second)
