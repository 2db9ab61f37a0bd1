"""Compare facts field by field, so that new fields are compared automatically.

Every field of every fact is compared: by a rule in this module, by another module if it is in
`APART`, or else by equality with the tolerance of its unit suffix. `IGNORED` lists the fields that
are not compared, with the reasons.
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
    near,
    same_by_name,
    same_color,
    same_number,
    shown,
    unit_of,
)

__all__ = [
    "APART",
    "IGNORED",
    "Rule",
    "Same",
    "differs",
    "field_differences",
    "fingerprint_differences",
    "rule_named",
    "same_effects",
]

_LENGTHS: Final = frozenset(("blur", "radius"))
_LENGTH_TOLERANCE_PT: Final = 0.4
_PERCENT_TOLERANCE: Final = 1.5
_TURN_TOLERANCE_DEG: Final = 1.0
_SHIFT: Final = ("distance", "direction")


def same_effects(first: tuple[Effect, ...], second: tuple[Effect, ...]) -> bool:
    """Return whether two sequences of effects look the same, in any order."""
    left = list(second)
    for effect in first:
        found = next((other for other in left if _same(effect, other)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _same(first: Effect, second: Effect) -> bool:
    if first.kind != second.kind or not same_color(first.color, second.color):
        return False
    if first.detail != second.detail:
        return False
    old, new = dict(first.measures), dict(second.measures)
    # The offset is compared as a vector, so the direction of a short one may differ by degrees.
    if math.dist(_shift(old), _shift(new)) > _LENGTH_TOLERANCE_PT:
        return False
    names = (old.keys() | new.keys()) - set(_SHIFT)
    return all(_near(name, old.get(name), new.get(name)) for name in names)


def _near(name: str, first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        # Zero lengths and angles are omitted.
        return name in _LENGTHS and (first or second or 0.0) <= _LENGTH_TOLERANCE_PT
    if name in _LENGTHS:
        return abs(first - second) <= _LENGTH_TOLERANCE_PT
    turned = "direction" in name or "skew" in name
    return abs(first - second) <= (_TURN_TOLERANCE_DEG if turned else _PERCENT_TOLERANCE)


def _shift(measures: dict[str, float]) -> tuple[float, float]:
    away, angle = measures.get("distance", 0.0), math.radians(measures.get("direction", 0.0))
    return away * math.cos(angle), away * math.sin(angle)


LINE_TOLERANCE_PCT: Final = 1.5
CROP_TOLERANCE_PCT: Final = 0.3
ADJUSTMENT_TOLERANCE: Final = 200  # in 100,000ths
_QUOTED: Final = re.compile('"([^"]*)"')

Same = Callable[[Any, Any], bool]

IGNORED: Final[Mapping[tuple[type, str], str]] = {
    (Slide, "index"): "where it is now; its order is compared",
    (Slide, "id"): "applications number slides anew",
    (Slide, "layout_index"): "layouts have no order; its name is compared",
    (Layout, "type"): "shown to nobody; applications call those that they do not know blank",
    (Picture, "see_through"): "follows from the picture's file, whose digest is compared",
    (Picture, "file"): "has the digest that is compared",
    (Shape, "index"): "where it is now; z-order is compared",
    (Animation, "preset"): "the number of what `effect` names",
    (Chart, "axis_titles"): "the titles of `axes`",
    (Chart, "data_labels"): "whether any of `series` has some",
    (Section, "slides"): "each slide knows its section, which is compared",
    (Deck, "layouts"): "the names of the masters' layouts",
    (TextFrame, "autofit_scale_pct"): "worked out anew by the application at every layout",
    (TextFrame, "autofit_reduction_pct"): "worked out anew by the application at every layout",
}

APART: Final[frozenset[tuple[type, str]]] = frozenset(
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
    sizes = near(first.size_pct, second.size_pct, 1), near(first.size_pt, second.size_pt, 0.3)
    looks = same_color(first.color, second.color) and _same_font(first.font, second.font)
    return (first.char, first.start) == (second.char, second.start) and all(sizes) and looks


def _same_tabs(first: Any, second: Any) -> bool:
    # A tab stop at the start of a line has no effect.
    old, new = ([tab for tab in side if tab[0] > 0] for side in (first, second))
    return [side for _, side in old] == [side for _, side in new] and near(
        tuple(at for at, _ in old), tuple(at for at, _ in new), LENGTH_TOLERANCE_EMU
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
    parts = [bullet.kind, shown(bullet.char) if bullet.char else "", bullet.color or ""]
    parts.append(f"from {bullet.start}" if bullet.start != 1 else "")
    if bullet.size_pt is not None or bullet.size_pct != 100:
        parts.append(
            shown(bullet.size_pct, "%") if bullet.size_pt is None else f"{bullet.size_pt:g} pt"
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
    same: Same
    show: Callable[[Any], str]


_SAME: Final[Mapping[tuple[type, str], Same]] = {
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
_WHAT: Final[Mapping[tuple[type, str], str]] = {
    (Shape, "geometry"): "outline",
    (Shape, "path_digest"): "outline of its own",
    (Shape, "fingerprint"): "other content",
    (Shape, "unread"): "other settings",
    (Picture, "sha256"): "picture",
    (Picture, "media_sha256"): "medium",
}


_KNOWN_RULES: Final[dict[type, tuple[Rule, ...]]] = {}


def field_differences(
    before: Any, after: Any, aspect: Aspect, prefix: str = ""
) -> Iterator[Difference]:
    """Yield the differences between two facts of one class, except for fields in `APART`.

    Each property is named with `prefix`.
    """
    for rule in _rules(type(before)):
        old, new = getattr(before, rule.name), getattr(after, rule.name)
        if old is not new and old != new and not rule.same(old, new):
            yield Difference(aspect, prefix + rule.what, rule.show(old), rule.show(new), old, new)


def rule_named(kind: type, what: str) -> Rule | None:
    """Return the rule for the field of a class that differences call `what`; None for none."""
    return next((rule for rule in _rules(kind) if rule.what == what), None)


def differs(before: Any, after: Any) -> bool:
    """Return whether `field_differences` yields any."""
    return before != after and any(True for _ in field_differences(before, after, "other"))


def _rules(kind: Any) -> tuple[Rule, ...]:
    if kind not in _KNOWN_RULES:
        names = [each.name for each in fields(kind)]
        _KNOWN_RULES[kind] = tuple(
            _rule(kind, name)
            for name in names
            if (kind, name) not in IGNORED and (kind, name) not in APART
        )
    return _KNOWN_RULES[kind]


def _rule(kind: type, name: str) -> Rule:
    unit = unit_of(name)
    plain = name.removesuffix(name[name.rfind("_") :]) if unit else name
    what = _WHAT.get((kind, name), plain.replace("_", " "))
    show = _show_bullet if (kind, name) == (Paragraph, "bullet") else lambda v: shown(v, unit)
    return Rule(name, what, _SAME.get((kind, name)) or same_by_name(name), show)


_Fingerprint = Sequence[tuple[str, str]]


def fingerprint_differences(before: _Fingerprint, after: _Fingerprint) -> Iterator[Difference]:
    """Yield one difference per location whose digests differ.

    A location may occur several times.
    """
    if before == after:
        return
    old, new = _by_place(before), _by_place(after)
    for place in sorted({*old, *new}):
        was, now = old.get(place, ()), new.get(place, ())
        if was != now:
            yield Difference.of(
                "other", place, was, now, lambda all_: ", ".join(each[:8] for each in all_)
            )


def _by_place(fingerprint: _Fingerprint) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for place, digest in fingerprint:
        found[place].append(digest)
    return {place: tuple(sorted(digests)) for place, digests in found.items()}
