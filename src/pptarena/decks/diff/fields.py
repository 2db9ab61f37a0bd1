"""Compare facts field by field, so that new fields are compared automatically.

Every field of every fact is compared: by a rule in this module, by another module if it is in
`COMPARED_ELSEWHERE`, or else by equality with the tolerance of its unit suffix. `IGNORED` lists the
fields that are not compared, with the reasons.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

from pptarena.decks import (
    Animation,
    Axis,
    Bullet,
    Cell,
    Chart,
    ChartTitle,
    Deck,
    Effect,
    Layout,
    Master,
    Paragraph,
    Picture,
    RunStyle,
    Section,
    Series,
    Shape,
    Slide,
    Table,
    TextFrame,
    Transition,
)
from pptarena.decks.diff.change import Aspect, Difference
from pptarena.decks.match.values import (
    LENGTH_TOLERANCE_EMU,
    describe,
    equality_for,
    near,
    same_color,
    same_number,
    unit_of,
)

__all__ = [
    "COMPARED_ELSEWHERE",
    "IGNORED",
    "Equality",
    "Rule",
    "differs",
    "field_differences",
    "find_rule",
    "fingerprint_differences",
    "same_effects",
]

_LENGTHS: Final = frozenset(("blur", "radius"))
_LENGTH_TOLERANCE_PT: Final = 0.4
_PERCENT_TOLERANCE: Final = 1.5
_ANGLE_TOLERANCE_DEG: Final = 1.0
_OFFSET_MEASURES: Final = ("distance", "direction")


def same_effects(first: tuple[Effect, ...], second: tuple[Effect, ...]) -> bool:
    """Return whether two sequences of effects look the same, in any order."""
    unmatched = list(second)
    for effect in first:
        twin = next((other for other in unmatched if _same(effect, other)), None)
        if twin is None:
            return False
        unmatched.remove(twin)
    return not unmatched


def _same(first: Effect, second: Effect) -> bool:
    if first.kind != second.kind or not same_color(first.color, second.color):
        return False
    if first.detail != second.detail:
        return False
    old, new = dict(first.measures), dict(second.measures)
    # The offset is compared as a vector, so the direction of a short one may differ by degrees.
    if math.dist(_offset(old), _offset(new)) > _LENGTH_TOLERANCE_PT:
        return False
    names = (old.keys() | new.keys()) - set(_OFFSET_MEASURES)
    return all(_near(name, old.get(name), new.get(name)) for name in names)


def _near(name: str, first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        # Zero lengths and angles are omitted.
        return name in _LENGTHS and (first or second or 0.0) <= _LENGTH_TOLERANCE_PT
    if name in _LENGTHS:
        return abs(first - second) <= _LENGTH_TOLERANCE_PT
    is_angle = "direction" in name or "skew" in name
    return abs(first - second) <= (_ANGLE_TOLERANCE_DEG if is_angle else _PERCENT_TOLERANCE)


def _offset(measures: dict[str, float]) -> tuple[float, float]:
    distance, angle = measures.get("distance", 0.0), math.radians(measures.get("direction", 0.0))
    return distance * math.cos(angle), distance * math.sin(angle)


LINE_TOLERANCE_PCT: Final = 1.5
CROP_TOLERANCE_PCT: Final = 0.3
ADJUSTMENT_TOLERANCE: Final = 200  # in 100,000ths
_QUOTED: Final = re.compile('"([^"]*)"')

Equality = Callable[[Any, Any], bool]

IGNORED: Final[Mapping[tuple[type, str], str]] = {
    (Slide, "index"): "the order of slides is compared instead",
    (Slide, "id"): "applications renumber slides",
    (Slide, "layout_index"): "layouts have no order; the name of the layout is compared",
    (Layout, "type"): "invisible to users; applications replace types they do not support",
    (Picture, "see_through"): "derived from the picture file, whose digest is compared",
    (Picture, "file"): "the digest is compared instead",
    (Shape, "index"): "the z-order is compared instead",
    (Animation, "preset"): "the preset id of `effect`",
    (Chart, "axis_titles"): "the titles of `axes`",
    (Chart, "data_labels"): "derived from `series`",
    (Section, "slides"): "the section of each slide is compared",
    (Deck, "layouts"): "the names of the masters' layouts",
    (TextFrame, "autofit_scale_pct"): "recomputed by the application at every layout",
    (TextFrame, "autofit_reduction_pct"): "recomputed by the application at every layout",
}

COMPARED_ELSEWHERE: Final[frozenset[tuple[type, str]]] = frozenset(
    (kind, name)
    for kind, names in {
        Deck: "slides width_emu height_emu masters sections fingerprint show",
        Slide: "shapes notes animations transition comments fingerprint layout section master",
        Shape: "name box paragraphs link group connects picture table chart frame smart_art"
        " hover_link embedded",
        Paragraph: "runs",
        Table: "rows column_widths row_heights",
        Cell: "paragraphs",
        Chart: "series axes title_look workbook",
        Axis: "title_look",
        ChartTitle: "style paragraphs",
        Master: "shapes layouts text_styles fingerprint",
        Layout: "shapes fingerprint",
        Transition: "variant duration_sec",
        Animation: "shape paragraphs",
    }.items()
    for name in names.split()
)
"""Fields compared by other modules of this package because the comparison needs more context."""


def _same_font(first: str, second: str) -> bool:
    return first.casefold() == second.casefold()


def _same_bullet(first: Bullet, second: Bullet) -> bool:
    if first.kind != second.kind or first.kind == "none":
        return first.kind == second.kind
    same_sizes = near(first.size_pct, second.size_pct, 1), near(first.size_pt, second.size_pt, 0.3)
    same_look = same_color(first.color, second.color) and _same_font(first.font, second.font)
    return (
        (first.char, first.start) == (second.char, second.start) and all(same_sizes) and same_look
    )


def _same_tabs(first: Any, second: Any) -> bool:
    # A tab stop at the start of a line has no effect.
    old, new = ([tab for tab in side if tab[0] > 0] for side in (first, second))
    return [side for _, side in old] == [side for _, side in new] and near(
        tuple(position for position, _ in old),
        tuple(position for position, _ in new),
        LENGTH_TOLERANCE_EMU,
    )


def _same_adjustments(first: Any, second: Any) -> bool:
    old, new = dict(first), dict(second)
    return old.keys() == new.keys() and all(
        near(old[name], new[name], ADJUSTMENT_TOLERANCE) for name in old
    )


def _same_format(first: str | None, second: str | None) -> bool:
    """Return whether two format codes are equivalent, regardless of how literals are quoted."""
    if first is None or second is None:
        return True  # text categories have no format to compare
    return _QUOTED.sub(_escaped, first) == _QUOTED.sub(_escaped, second)


def _escaped(literal: re.Match[str]) -> str:
    return "".join(f"\\{each}" for each in literal[1])


def _exact(first: Any, second: Any) -> bool:
    return bool(first == second)


def _show_bullet(bullet: Bullet) -> str:
    parts = [bullet.kind, describe(bullet.char) if bullet.char else "", bullet.color or ""]
    parts.append(f"from {bullet.start}" if bullet.start != 1 else "")
    if bullet.size_pt is not None or bullet.size_pct != 100:
        parts.append(
            describe(bullet.size_pct, "%") if bullet.size_pt is None else f"{bullet.size_pt:g} pt"
        )
    return " ".join(filter(None, (*parts, bullet.font)))


@dataclass(frozen=True, slots=True)
class Rule:
    """How to compare one field of a fact.

    Attributes:
        name: Name of the field.
        what: Name of the property in differences.
        same: Returns whether two values look the same.
        show: Returns a description of a value.
    """

    name: str
    what: str
    same: Equality
    show: Callable[[Any], str]


_EQUALITIES: Final[Mapping[tuple[type, str], Equality]] = {
    (RunStyle, "font"): _same_font,
    (Paragraph, "bullet"): _same_bullet,
    (Paragraph, "line_spacing_pct"): lambda a, b: near(a, b, LINE_TOLERANCE_PCT),
    (Paragraph, "tabs"): _same_tabs,
    (Shape, "effects"): same_effects,
    (Shape, "adjustments"): _same_adjustments,
    (Shape, "alt_text"): lambda a, b: a.strip() == b.strip(),
    (Picture, "crop_pct"): lambda a, b: near(a, b, CROP_TOLERANCE_PCT),
    (Axis, "number_format"): _same_format,
    (Series, "number_format"): _same_format,
    (Series, "category_format"): _same_format,
    (Chart, "gap_width_pct"): _exact,
    (Chart, "overlap_pct"): _exact,
    (Series, "values"): same_number,
    (Series, "sizes"): same_number,
    (Slide, "layout"): _same_font,
}
_PROPERTY_NAMES: Final[Mapping[tuple[type, str], str]] = {
    (Shape, "geometry"): "outline",
    (Shape, "path_digest"): "outline of its own",
    (Shape, "fingerprint"): "other content",
    (Shape, "unread"): "other settings",
    (Picture, "sha256"): "picture",
    (Picture, "media_sha256"): "medium",
}


_RULES_BY_CLASS: Final[dict[type, tuple[Rule, ...]]] = {}


def field_differences(
    before: Any, after: Any, aspect: Aspect, prefix: str = ""
) -> Iterator[Difference]:
    """Yield the differences between two facts of one class.

    Fields in `COMPARED_ELSEWHERE` are skipped. The name of each property starts with `prefix`.
    """
    for rule in _rules(type(before)):
        old, new = getattr(before, rule.name), getattr(after, rule.name)
        if old is not new and old != new and not rule.same(old, new):
            yield Difference(aspect, prefix + rule.what, rule.show(old), rule.show(new), old, new)


def find_rule(kind: type, what: str) -> Rule | None:
    """Return the rule for the field of a class that differences call `what`; None for none."""
    return next((rule for rule in _rules(kind) if rule.what == what), None)


def differs(before: Any, after: Any) -> bool:
    """Return whether `field_differences` yields any."""
    return before != after and any(True for _ in field_differences(before, after, "other"))


def _rules(kind: Any) -> tuple[Rule, ...]:
    if kind not in _RULES_BY_CLASS:
        names = [each.name for each in fields(kind)]
        _RULES_BY_CLASS[kind] = tuple(
            _make_rule(kind, name)
            for name in names
            if (kind, name) not in IGNORED and (kind, name) not in COMPARED_ELSEWHERE
        )
    return _RULES_BY_CLASS[kind]


def _make_rule(kind: type, name: str) -> Rule:
    unit = unit_of(name)
    plain = name.removesuffix(name[name.rfind("_") :]) if unit else name
    what = _PROPERTY_NAMES.get((kind, name), plain.replace("_", " "))
    show = _show_bullet if (kind, name) == (Paragraph, "bullet") else lambda v: describe(v, unit)
    return Rule(name, what, _EQUALITIES.get((kind, name)) or equality_for(name), show)


_Fingerprint = Sequence[tuple[str, str]]


def fingerprint_differences(before: _Fingerprint, after: _Fingerprint) -> Iterator[Difference]:
    """Yield one difference per location whose digests differ.

    A location may occur several times.
    """
    if before == after:
        return
    old, new = _digests_by_location(before), _digests_by_location(after)
    for location in sorted({*old, *new}):
        old_digests, new_digests = old.get(location, ()), new.get(location, ())
        if old_digests != new_digests:
            yield Difference.of(
                "other",
                location,
                old_digests,
                new_digests,
                lambda digests: ", ".join(each[:8] for each in digests),
            )


def _digests_by_location(fingerprint: _Fingerprint) -> dict[str, tuple[str, ...]]:
    by_location: dict[str, list[str]] = defaultdict(list)
    for location, digest in fingerprint:
        by_location[location].append(digest)
    return {location: tuple(sorted(digests)) for location, digests in by_location.items()}
