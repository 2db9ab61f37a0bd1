"""Equivalences: property values that look the same, with the reasons."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pptarena.decks.equivalence.pictures import same_picture, same_recolor
from pptarena.decks.equivalence.text import same_text
from pptarena.decks.facts.content import Picture
from pptarena.decks.facts.motion import Transition
from pptarena.decks.facts.shape import Shape
from pptarena.decks.facts.text import Paragraph, TextFrame, plain_text
from pptarena.decks.visibility.text_layout import measure_text

__all__ = [
    "EQUIVALENCES",
    "FAMILIES",
    "Equivalence",
    "looks_equal",
    "matches_outline",
    "same_autofit",
    "same_outline",
    "similar_transitions",
]

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

_BASIC_SHAPES: Final[Mapping[str, str]] = {
    "flowChartProcess": "rect",
    "flowChartConnector": "ellipse",
    "flowChartDecision": "diamond",
    "flowChartExtract": "triangle",
}


def matches_outline(geometry: str, target: str) -> bool:
    """Return whether an outline is the target one, or belongs to the target family.

    Args:
        geometry: Name of the outline, as in `Shape.geometry`.
        target: Name of a family, or of a preset that only the same outline matches.
    """
    return geometry in FAMILIES[target] if target in FAMILIES else same_outline(geometry, target)


def same_outline(first: str, second: str) -> bool:
    """Return whether two presets draw the same, such as ``flowChartProcess`` and ``rect``."""
    return _BASIC_SHAPES.get(first, first) == _BASIC_SHAPES.get(second, second)


_DURATION_TOLERANCE_SEC: Final = 0.5
_SYNONYMS: Final = {"uncover": "pull"}
# PowerPoint offers both as one effect, so both satisfy a request by name.
_IGNORED_OPTIONS: Final = frozenset(("thruBlk=1", "thruBlk=0"))


def similar_transitions(first: Transition, second: Transition) -> bool:
    """Return whether two transitions look alike; durations may differ by half a second."""
    if first == second:
        return True
    kinds = [_SYNONYMS.get(each.type.casefold(), each.type.casefold()) for each in (first, second)]
    variants = [frozenset(each.variant.split()) - _IGNORED_OPTIONS for each in (first, second)]
    options = [(each.on_click, each.advance_after_sec, each.sound) for each in (first, second)]
    if kinds[0] != kinds[1] or variants[0] != variants[1] or options[0] != options[1]:
        return False
    times = first.duration_sec, second.duration_sec
    return None in times or abs((times[0] or 0) - (times[1] or 0)) <= _DURATION_TOLERANCE_SEC


_MIN_SCALE_PCT: Final = 95.0
_MAX_REDUCTION_PCT: Final = 10.0
_ESTIMATE_ERROR: Final = 1.1  # relative error of the estimated text height


def same_autofit(old: Shape, new: Shape) -> bool:
    """Return whether "shrink text on overflow" was turned on or off without a visible effect.

    PowerPoint turns it on by itself. It has no effect if the text fits its frame, and hardly any if
    it shrinks the text by a few percent.
    """
    if old.autofit == new.autofit:
        return True
    if {old.autofit, new.autofit} != {"none", "text"}:
        return False
    shrinking = old if old.autofit == "text" else new
    frame = shrinking.frame or TextFrame()
    if frame.autofit_scale_pct < _MIN_SCALE_PCT:
        return False
    if frame.autofit_reduction_pct > _MAX_REDUCTION_PCT:
        return False
    need = measure_text(shrinking.paragraphs, shrinking.box, frame)
    return need.height_pt <= _ESTIMATE_ERROR * need.available_height_pt


_TEXTS: Final = frozenset(
    ("text", "notes", "alt_text", "tables", "charts", "diagrams", "comments", "hyperlinks")
)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """A rule for values that may differ in the file but look equal to a viewer.

    Attributes:
        name: Short name.
        reason: Why the values look equal.
        kind: Class of the values.
        aspects: Aspects of the differences that the rule applies to.
        what: The property, as in `Difference.what`; empty for any.
        same: Returns whether two values look equal.
    """

    name: str
    reason: str
    kind: type
    aspects: frozenset[str]
    what: str
    same: Callable[[Any, Any], bool]


EQUIVALENCES: Final = (
    Equivalence(
        "text",
        "quotation marks, dashes, spaces, full-width forms, a final period and a few invisible "
        "characters depend on keyboard, language and automatic correction",
        str, _TEXTS, "", same_text,
    ),
    Equivalence(
        "recoloring",
        "the grayscale option, zero saturation and a duotone from black to white look the same",
        str, frozenset(("pictures",)), "recolor", same_recolor,
    ),
    Equivalence(
        "picture",
        "a gray file looks like a recolored picture, and a trimmed file like a cropped picture",
        Picture, frozenset(("pictures",)), "", same_picture,
    ),
    Equivalence(
        "outline",
        "some flowchart presets have the outline of a basic shape",
        str, frozenset(("style",)), "outline", same_outline,
    ),
    Equivalence(
        "fitting",
        "PowerPoint turns on shrink-on-overflow by itself; it is invisible while the text fits",
        Shape, frozenset(("formatting",)), "autofit", same_autofit,
    ),
    Equivalence(
        "transition",
        "applications write times and variants differently; half a second is imperceptible",
        Transition, frozenset(("transition",)), "", similar_transitions,
    ),
)  # fmt: skip


def looks_equal(aspect: str, what: str, first: object, second: object) -> bool:
    """Return whether two values of one property look equal to a viewer.

    Args:
        aspect: Aspect, as in `Difference.aspect`.
        what: Property, as in `Difference.what`.
        first: One value, such as that of the target: a `Difference.value_after`, or the fact that
            contains it: the `Picture` for pictures, the `Shape` for ``autofit``, the `Transition`.
        second: The other value, of the same class; tuples are compared item by item.
    """
    if first == second:
        return True
    if _are_paragraphs(first) and _are_paragraphs(second):
        first, second = plain_text(first), plain_text(second)  # type: ignore[arg-type]
    if isinstance(first, tuple) and isinstance(second, tuple):
        pairs = zip(first, second, strict=False)
        return len(first) == len(second) and all(looks_equal(aspect, what, *pair) for pair in pairs)
    return any(
        each.same(first, second)
        for each in EQUIVALENCES
        if aspect in each.aspects
        and each.what in ("", what)
        and isinstance(first, each.kind)
        and isinstance(second, each.kind)
    )


def _are_paragraphs(value: object) -> bool:
    return (
        isinstance(value, tuple)
        and value != ()
        and all(isinstance(each, Paragraph) for each in value)
    )
