"""Checks of the position, size and relations of shapes."""

import itertools
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from pptarena.decks import Box, Shape
from pptarena.decks.diff.content import content_differences
from pptarena.rewards.checking.address import require_old
from pptarena.rewards.checking.arguments import Selector, SeveralShapes
from pptarena.rewards.checking.compare import nearness, off_by
from pptarena.rewards.checking.pairs import ShapePair, SlidePair
from pptarena.rewards.checking.registry import shape_check, slide_check
from pptarena.rewards.checking.result import CheckResult, needed
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checks.relations import EDGES, RELATIONS, Edge, Relation
from pptarena.rewards.relative import HeightEmu, LengthEmu, WidthEmu

__all__ = ["boxes_of"]

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
    """Measure how far a shape is from the wanted position."""
    box = pair.after.box
    away = _farthest((box.left, left_emu), (box.top, top_emu))
    return off_by(f"position of {pair.label}", away, tolerance_emu)


@shape_check("arrangement", at_least_one=("width_emu", "height_emu"))
def shape_size(
    pair: ShapePair,
    width_emu: WidthEmu | None = None,
    height_emu: HeightEmu | None = None,
    keep_ratio: bool = False,
    same_picture: bool = False,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far a shape is from the wanted size.

    With `keep_ratio`, a distorted shape earns half of the progress. With `same_picture`, another
    picture, or one that is cropped, faint or recolored, earns a quarter.
    """

    def measure(box: Box) -> CheckResult:
        away = _farthest((box.width, width_emu), (box.height, height_emu))
        return off_by(f"size of {pair.label}", away, tolerance_emu)

    result = measure(pair.after.box)
    if pair.before is None:
        return result
    start = measure(pair.before.box)
    if same_picture and _another_picture(pair.before, pair.after):
        reason = f"{pair.label} no longer has the same content"
        return CheckResult(_made(result, start, _SPOILED), reason)
    stretch = _ratio(pair.after.box) / _ratio(pair.before.box) - 1
    if keep_ratio and abs(stretch) > _STRETCH:
        reason = f"{pair.label} is distorted by {stretch:+.0%}"
        return CheckResult(_made(result, start, _STRETCHED), reason)
    return result


@shape_check("arrangement", at_least_one=("factor_min", "factor_max"), more=require_old)
def shape_scaled(
    pair: ShapePair, factor_min: float | None = None, factor_max: float | None = None
) -> CheckResult:
    """Measure how far a shape's width is from the wanted range of its original width."""
    width = 0 if pair.before is None else pair.before.box.width
    missing = f"{pair.label} has no width in the original to compare with"
    factor = pair.after.box.width / needed(width, missing)
    low = factor if factor_min is None else factor_min
    high = factor if factor_max is None else factor_max
    score = nearness(max(low - factor, factor - high, 0.0), 0.005, 0.25)
    return CheckResult(score, f"{pair.label} is {factor:.2f} times as wide as before")


@shape_check("shapes")
def shape_rotation(pair: ShapePair, degrees: float, tolerance: float = 1.0) -> CheckResult:
    """Measure how far a shape is from the wanted angle."""
    turned = pair.after.box.rotation_deg
    away = abs(turned - degrees) % 360
    score = nearness(min(away, 360 - away), tolerance, 30.0)
    return CheckResult(score, f"{pair.label} is rotated by {turned:g}°")


def _need_other(values: Mapping[str, Any]) -> None:
    relation = values["relation"]
    if values["other"] is None and relation in _BESIDE:
        raise ValueError(f"expected other with {relation}, got none; the slide has no neighbor")


@shape_check("arrangement", more=_need_other)
def shape_relation(
    pair: ShapePair,
    relation: Relation,
    other: Selector | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far a shape is from the wanted relation to another shape or to the slide.

    Args:
        other: By default, the slide.
    """
    box, name = Box(0, 0, pair.deck.width_emu, pair.deck.height_emu), "the slide"
    if other is not None:
        shape = needed(pair.on.follow(other), f"{other} is missing")
        box, name = shape.box, shape.label
    what = f"relation {relation!r} of {pair.label} to {name}"
    return off_by(what, max(0.0, RELATIONS[relation](pair.after.box, box)), tolerance_emu)


@slide_check("arrangement")
def shapes_aligned(
    pair: SlidePair, shapes: SeveralShapes, edge: Edge, tolerance_emu: LengthEmu = TOLERANCE_EMU
) -> CheckResult:
    """Measure how far apart the edges of shapes are."""
    places = [EDGES[edge](box) for box in boxes_of(pair, shapes)]
    return off_by(
        f"{pair.label}: distance between {edge} edges", max(places) - min(places), tolerance_emu
    )


@slide_check("arrangement")
def shapes_spaced_evenly(
    pair: SlidePair,
    shapes: Annotated[SeveralShapes, Field(min_length=3)],
    axis: Literal["horizontal", "vertical"],
    gap_emu: LengthEmu | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far the gaps between shapes differ."""
    boxes, flat = boxes_of(pair, shapes), axis == "horizontal"
    spans = sorted((b.left, b.right) if flat else (b.top, b.bottom) for b in boxes)
    gaps = [after[0] - before[1] for before, after in itertools.pairwise(spans)]
    differ = max(gaps) - min(gaps)
    away = differ if gap_emu is None else max(abs(gap - gap_emu) for gap in gaps)
    return off_by(f"{pair.label}: difference between gaps", away, tolerance_emu)


def boxes_of(pair: SlidePair, selectors: tuple[str, ...]) -> list[Box]:
    """Return the current boxes of shapes.

    Raises:
        NotThereError: If one of the shapes is gone.
    """
    boxes = [shape.box for shape in pair.follow_all(selectors) if shape is not None]
    missing = f"{pair.label} has {len(boxes)} of the {len(selectors)} shapes"
    needed(len(boxes) == len(selectors), missing)
    return boxes


def _farthest(*pairs: tuple[int, int | None]) -> int:
    """Return the largest distance of a value from its target; a target of None is ignored."""
    return max(abs(value - wanted) for value, wanted in pairs if wanted is not None)


def _made(result: CheckResult, start: CheckResult, part: float) -> float:
    """Return the score of a share of the progress towards a size."""
    # A reduced score must exceed the score of the original, or it earns nothing.
    made = (result.score - start.score) / (1 - start.score) if start.score < 1 else 1.0
    return min(start.score + (1 - start.score) * part * max(0.0, made), result.score)


def _another_picture(old: Shape, new: Shape) -> bool:
    """Return whether a picture is another one, or cropped, faint or recolored."""
    return any(each.aspect == "pictures" for each in content_differences(old, new))


def _ratio(box: Box) -> float:
    return max(box.width, 1) / max(box.height, 1)
