"""Checks of where shapes are and how large, alone and beside each other."""

import itertools
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from pptarena.decks import Box, Shape
from pptarena.decks.diff.content import content_differences
from pptarena.rewards.checks.arguments import SeveralShapes
from pptarena.rewards.checks.pairs import ShapePair, SlidePair
from pptarena.rewards.checks.registry import shape_check, slide_check
from pptarena.rewards.checks.relations import EDGES, RELATIONS, Edge, Relation
from pptarena.rewards.checks.result import CheckResult
from pptarena.rewards.checks.values import TOLERANCE_EMU, nearness
from pptarena.rewards.relative import HeightEmu, LengthEmu, WidthEmu

_INCH = 914_400
_STRETCH = 0.03
_STRETCHED = 0.5
_SPOILED = 0.25
_BESIDE = ("left_of", "right_of", "above", "below", "no_overlap", "beside", "stacked")


@shape_check("arrangement", at_least_one=("left_emu", "top_emu"))
def shape_position(
    pair: ShapePair,
    left_emu: WidthEmu | None = None,
    top_emu: HeightEmu | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far a shape is from where it should be."""
    box = pair.after.box
    pairs = ((box.left, left_emu), (box.top, top_emu))
    away = max(abs(found - wanted) for found, wanted in pairs if wanted is not None)
    return _by_distance(away, tolerance_emu, f"{pair.label} from its place")


@shape_check("arrangement", at_least_one=("width_emu", "height_emu"))
def shape_size(
    pair: ShapePair,
    width_emu: WidthEmu | None = None,
    height_emu: HeightEmu | None = None,
    keep_ratio: bool = False,
    same_picture: bool = False,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far a shape is from the size that it should have.

    Stretched against `keep_ratio`, half of the way counts; cut, faint, recoloured or another
    picture against `same_picture`, a quarter.
    """

    def measure(box: Box) -> CheckResult:
        pairs = ((box.width, width_emu), (box.height, height_emu))
        away = max(abs(found - wanted) for found, wanted in pairs if wanted is not None)
        return _by_distance(away, tolerance_emu, f"{pair.label} from its size")

    found = measure(pair.after.box)
    if pair.before is None:
        return found
    start = measure(pair.before.box)
    if same_picture and _another_picture(pair.before, pair.after):
        said = f"{pair.label} does not show what it did"
        return CheckResult(_made(found, start, _SPOILED), said)
    stretch = _ratio(pair.after.box) / _ratio(pair.before.box) - 1
    if keep_ratio and abs(stretch) > _STRETCH:
        said = f"{pair.label} is stretched by {stretch:+.0%}"
        return CheckResult(_made(found, start, _STRETCHED), said)
    return found


@shape_check("arrangement", at_least_one=("factor_min", "factor_max"))
def shape_scaled(
    pair: ShapePair, factor_min: float | None = None, factor_max: float | None = None
) -> CheckResult:
    """Measure how far a shape's width is from the range that it should be in."""
    if pair.before is None or not pair.before.box.width:
        return CheckResult(0.0, f"{pair.label} has no width in the original to compare with")
    factor = pair.after.box.width / pair.before.box.width
    low = factor if factor_min is None else factor_min
    high = factor if factor_max is None else factor_max
    value = nearness(max(low - factor, factor - high, 0.0), 0.005, 0.25)
    return CheckResult(value, f"{pair.label} is {factor:.2f} times as wide as before")


@shape_check("shapes")
def shape_rotation(pair: ShapePair, degrees: float, tolerance: float = 1.0) -> CheckResult:
    """Measure how far a shape is from the angle that it should be turned by."""
    turned = pair.after.box.rotation_deg
    away = abs(turned - degrees) % 360
    value = nearness(min(away, 360 - away), tolerance, 30.0)
    return CheckResult(value, f"{pair.label} is turned by {turned:g}°")


def _need_other(values: Mapping[str, Any]) -> None:
    relation = values["relation"]
    if values["other"] is None and relation in _BESIDE:
        raise ValueError(f"expected other with {relation}, got none; nothing is beside the slide")


@shape_check("arrangement", more=_need_other)
def shape_relation(
    pair: ShapePair,
    relation: Relation,
    other: str | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far a shape is from standing as it should to another one.

    Args:
        other: A shape; left out: the slide.
    """
    box, name = Box(0, 0, pair.deck.width_emu, pair.deck.height_emu), "the slide"
    if other is not None:
        shape = pair.on.follow(other)
        if shape is None:
            return CheckResult(0.0, f"{other} is not there")
        box, name = shape.box, shape.label
    away = RELATIONS[relation](pair.after.box, box)
    what = f"{pair.label} from {relation.replace('_', ' ')} {name}"
    return _by_distance(max(0.0, away), tolerance_emu, what)


@slide_check("arrangement")
def shapes_aligned(
    pair: SlidePair, shapes: SeveralShapes, edge: Edge, tolerance_emu: LengthEmu = TOLERANCE_EMU
) -> CheckResult:
    """Measure how far the edges of some shapes are apart."""

    def measure(boxes: list[Box]) -> float:
        places = [EDGES[edge](box) for box in boxes]
        return max(places) - min(places)

    return _by_boxes(pair, shapes, measure, f"{edge} edges apart", tolerance_emu)


@slide_check("arrangement")
def shapes_spaced_evenly(
    pair: SlidePair,
    shapes: Annotated[SeveralShapes, Field(min_length=3)],
    axis: Literal["horizontal", "vertical"],
    gap_emu: LengthEmu | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far the gaps between some shapes differ."""

    def measure(boxes: list[Box]) -> float:
        flat = axis == "horizontal"
        spans = sorted((b.left, b.right) if flat else (b.top, b.bottom) for b in boxes)
        gaps = [after[0] - before[1] for before, after in itertools.pairwise(spans)]
        if gap_emu is not None:
            return float(max(abs(gap - gap_emu) for gap in gaps))
        return float(max(gaps) - min(gaps))

    return _by_boxes(pair, shapes, measure, "gaps different", tolerance_emu)


def _made(found: CheckResult, start: CheckResult, part: float) -> float:
    """Return the score of a part of the way that was made towards a size."""
    # What is left of the score must be more than what the original has, or it earns nothing.
    made = (found.score - start.score) / (1 - start.score) if start.score < 1 else 1.0
    return min(start.score + (1 - start.score) * part * max(0.0, made), found.score)


def _another_picture(old: Shape, new: Shape) -> bool:
    """Return whether a picture is another one, or cut, faint or recoloured."""
    return any(each.aspect == "pictures" for each in content_differences(old, new))


def _by_boxes(
    pair: SlidePair,
    selectors: tuple[str, ...],
    measure: Callable[[list[Box]], float],
    what: str,
    tolerance_emu: int,
) -> CheckResult:
    boxes = [shape.box for shape in pair.follow_all(selectors) if shape is not None]
    if len(boxes) < len(selectors):
        return CheckResult(0.0, f"{pair.label} has {len(boxes)} of the {len(selectors)} shapes")
    return _by_distance(measure(boxes), tolerance_emu, f"{pair.label}: {what}")


def _by_distance(away_emu: float, tolerance_emu: int, what: str) -> CheckResult:
    value = nearness(away_emu, tolerance_emu, _INCH)
    if value == 1.0:
        return CheckResult(1.0, f"{what}: within the tolerance")
    return CheckResult(value, f"{what}: off by {away_emu / _INCH:.2f} in")


def _ratio(box: Box) -> float:
    return max(box.width, 1) / max(box.height, 1)
