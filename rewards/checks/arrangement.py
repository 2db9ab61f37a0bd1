"""Checks of where shapes are: positions, sizes, relations, regions and overlap."""

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from pptarena.decks import Box, Deck, Shape, Slide
from pptarena.decks.diff.content import content_differences
from pptarena.decks.diff.shapes import same_box
from pptarena.decks.selectors import find_shape
from pptarena.decks.visibility.faults import SMALL_PLACEHOLDERS
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Selector, SeveralShapes, require_old
from pptarena.rewards.checking.registry import shape_check, slide_check, slides_check
from pptarena.rewards.checking.result import (
    CheckResult,
    mean_of,
    nearness,
    require,
    score_distance,
    score_share,
    zero_if_missing,
)
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checking.view import ShapePair, SlidePair, Slides
from pptarena.rewards.fitness.faults import backdrop_shapes
from pptarena.rewards.relative import HeightEmu, LengthEmu, WidthEmu

__all__ = ["EDGES", "common_sides"]


Edge = Literal["left", "center", "right", "top", "middle", "bottom"]
Relation = Literal[
    "left_of", "right_of", "above", "below", "align_left", "align_right", "align_top",
    "align_bottom", "center_x", "center_y", "same_width", "same_height", "inside", "no_overlap",
    "beside", "stacked",
]  # fmt: skip

EDGES: Mapping[str, Callable[[Box], float]] = {
    "left": lambda box: box.left,
    "center": lambda box: box.left + box.width / 2,
    "right": lambda box: box.right,
    "top": lambda box: box.top,
    "middle": lambda box: box.top + box.height / 2,
    "bottom": lambda box: box.bottom,
}
"""Where a box has an edge or a middle line, in EMU."""


def _edge_distance(edge: str) -> Callable[[Box, Box], float]:
    edge_of = EDGES[edge]
    return lambda box, other: abs(edge_of(box) - edge_of(other))


def _outside_distance(box: Box, other: Box) -> float:
    across = max(other.left - box.left, box.right - other.right)
    return max(0, across, other.top - box.top, box.bottom - other.bottom)


def common_sides(box: Box, other: Box) -> tuple[int, int]:
    """Return the width and height that two boxes have in common; negative for a gap."""
    width = min(box.right, other.right) - max(box.left, other.left)
    return width, min(box.bottom, other.bottom) - max(box.top, other.top)


def _overlap_distance(box: Box, other: Box) -> float:
    """Return the shortest distance that a box must move to end the overlap."""
    return max(0, min(common_sides(box, other)))


def _beside_distance(box: Box, other: Box) -> float:
    """Return how far a box is from a position left or right of another, at the same height."""
    gap = max(box.left - other.right, other.left - box.right)
    offset = _edge_distance("middle")(box, other) - (box.height + other.height) / 4
    return max(0.0, -gap) + max(0.0, offset)


def _stacked_distance(box: Box, other: Box) -> float:
    """Return how far a box is from a position above or below another, in the same column."""
    gap = max(box.top - other.bottom, other.top - box.bottom)
    offset = _edge_distance("center")(box, other) - (box.width + other.width) / 4
    return max(0.0, -gap) + max(0.0, offset)


RELATIONS: Mapping[str, Callable[[Box, Box], float]] = {
    "left_of": lambda box, other: box.right - other.left,
    "right_of": lambda box, other: other.right - box.left,
    "above": lambda box, other: box.bottom - other.top,
    "below": lambda box, other: other.bottom - box.top,
    "align_left": _edge_distance("left"),
    "align_right": _edge_distance("right"),
    "align_top": _edge_distance("top"),
    "align_bottom": _edge_distance("bottom"),
    "center_x": _edge_distance("center"),
    "center_y": _edge_distance("middle"),
    "same_width": lambda box, other: abs(box.width - other.width),
    "same_height": lambda box, other: abs(box.height - other.height),
    "inside": _outside_distance,
    "no_overlap": _overlap_distance,
    "beside": _beside_distance,
    "stacked": _stacked_distance,
}
"""How far a box is from a relation to another, in EMU; 0 or less where the relation holds."""


_MAX_STRETCH = 0.03
_STRETCHED_CREDIT = 0.5
_DEFACED_CREDIT = 0.25
_NEIGHBOR_RELATIONS = ("left_of", "right_of", "above", "below", "no_overlap", "beside", "stacked")


@shape_check(at_least_one=("left_emu", "top_emu"))
def shape_position(
    pair: ShapePair,
    left_emu: WidthEmu | None = None,
    top_emu: HeightEmu | None = None,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far a shape is from the wanted position."""
    box = pair.after.box
    distance = _max_distance((box.left, left_emu), (box.top, top_emu))
    return score_distance(f"position of {pair.label}", distance, tolerance_emu)


@shape_check(at_least_one=("width_emu", "height_emu"))
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
        distance = _max_distance((box.width, width_emu), (box.height, height_emu))
        return score_distance(f"size of {pair.label}", distance, tolerance_emu)

    result = measure(pair.after.box)
    if pair.before is None:
        return result
    start = measure(pair.before.box)
    if same_picture and _is_other_picture(pair.before, pair.after):
        reason = f"{pair.label} no longer has the same content"
        return CheckResult(_reduced_progress(result, start, _DEFACED_CREDIT), reason)
    stretch = _ratio(pair.after.box) / _ratio(pair.before.box) - 1
    if keep_ratio and abs(stretch) > _MAX_STRETCH:
        reason = f"{pair.label} is distorted by {stretch:+.0%}"
        return CheckResult(_reduced_progress(result, start, _STRETCHED_CREDIT), reason)
    return result


@shape_check(at_least_one=("factor_min", "factor_max"), validate=require_old)
def shape_scaled(
    pair: ShapePair, factor_min: float | None = None, factor_max: float | None = None
) -> CheckResult:
    """Measure how far a shape's width is from the wanted range of its original width."""
    width = 0 if pair.before is None else pair.before.box.width
    missing = f"{pair.label} has no width in the original to compare with"
    factor = pair.after.box.width / require(width, missing)
    low = factor if factor_min is None else factor_min
    high = factor if factor_max is None else factor_max
    score = nearness(max(low - factor, factor - high, 0.0), 0.005, 0.25)
    return CheckResult(score, f"{pair.label} is {factor:.2f} times as wide as before")


def _require_other(values: Mapping[str, Any]) -> None:
    relation = values["relation"]
    if values["other"] is None and relation in _NEIGHBOR_RELATIONS:
        raise ValueError(f"expected other with {relation}, got none; the slide has no neighbor")


@shape_check(validate=_require_other)
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
    box, name = _other_or_slide(pair, other)
    subject = f"relation {relation!r} of {pair.label} to {name}"
    return score_distance(
        subject, max(0.0, RELATIONS[relation](pair.after.box, box)), tolerance_emu
    )


def _other_or_slide(pair: ShapePair, other: str | None) -> tuple[Box, str]:
    """Return the box and the name of another shape, or of the slide for None."""
    if other is None:
        return Box(0, 0, pair.deck.width_emu, pair.deck.height_emu), "the slide"
    shape = require(pair.slide_pair.follow(other), f"{other} is missing")
    return shape.box, shape.label


@slide_check()
def shapes_aligned(
    pair: SlidePair, shapes: SeveralShapes, edge: Edge, tolerance_emu: LengthEmu = TOLERANCE_EMU
) -> CheckResult:
    """Measure how far apart the edges of shapes are."""
    positions = [EDGES[edge](box) for box in boxes_of(pair, shapes)]
    return score_distance(
        f"{pair.label}: distance between {edge} edges",
        max(positions) - min(positions),
        tolerance_emu,
    )


@slide_check()
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
    spread = max(gaps) - min(gaps)
    distance = spread if gap_emu is None else max(abs(gap - gap_emu) for gap in gaps)
    return score_distance(f"{pair.label}: difference between gaps", distance, tolerance_emu)


def boxes_of(pair: SlidePair, selectors: tuple[str, ...]) -> list[Box]:
    """Return the current boxes of shapes.

    Raises:
        NotThereError: If one of the shapes is missing.
    """
    boxes = [shape.box for shape in pair.follow_all(selectors) if shape is not None]
    missing = f"{pair.label} has {len(boxes)} of the {len(selectors)} shapes"
    require(len(boxes) == len(selectors), missing)
    return boxes


def _max_distance(*pairs: tuple[int, int | None]) -> int:
    """Return the largest distance of a value from its target; a target of None is ignored."""
    return max(abs(value - target) for value, target in pairs if target is not None)


def _reduced_progress(result: CheckResult, start: CheckResult, part: float) -> float:
    """Return the score of a share of the progress towards a size."""
    # A reduced score must exceed the score of the original, or it earns nothing.
    progress = (result.score - start.score) / (1 - start.score) if start.score < 1 else 1.0
    return min(start.score + (1 - start.score) * part * max(0.0, progress), result.score)


def _is_other_picture(old: Shape, new: Shape) -> bool:
    """Return whether a picture is another one, or cropped, faint or recolored."""
    return any(each.aspect == "pictures" for each in content_differences(old, new))


def _ratio(box: Box) -> float:
    return max(box.width, 1) / max(box.height, 1)


Place = Literal[
    "top_left", "top", "top_right", "left", "center", "right", "bottom_left", "bottom",
    "bottom_right", "upper_half", "lower_half", "left_half", "right_half",
]  # fmt: skip

_THIRD, _HALF, _WHOLE = 100 / 3, 50.0, 100.0
_ACROSS = {"left": (0.0, _THIRD), "center": (_THIRD, 2 * _THIRD), "right": (2 * _THIRD, _WHOLE)}
_DOWN = {"top": (0.0, _THIRD), "center": (_THIRD, 2 * _THIRD), "bottom": (2 * _THIRD, _WHOLE)}
_HALVES = {
    "upper_half": (0.0, 0.0, _WHOLE, _HALF),
    "lower_half": (0.0, _HALF, _WHOLE, _WHOLE),
    "left_half": (0.0, 0.0, _HALF, _WHOLE),
    "right_half": (_HALF, 0.0, _WHOLE, _WHOLE),
}


def _require_edges(edges: tuple[float, ...]) -> tuple[float, ...]:
    left, top, right, bottom = edges
    if not (0 <= left < right <= 100 and 0 <= top < bottom <= 100):
        raise ValueError(
            f"expected left, top, right and bottom in percent, from 0 to 100, got {list(edges)}"
        )
    return edges


Edges = Annotated[
    tuple[float, ...], Field(min_length=4, max_length=4), AfterValidator(_require_edges)
]
"""Left, top, right and lower edge of a part, in percent of the whole."""


@shape_check()
def shape_in_region(
    pair: ShapePair,
    region: Place | Edges,
    of: Selector | None = None,
    whole: bool = False,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far a shape is from a region of its slide, or of another shape.

    Sides and corners are thirds: `top` and `bottom` have the full width, `left` and `right` the
    full height. The center of the shape must be in the region, and the shape must not extend beyond
    the slide.

    Args:
        region: or `[left, top, right, bottom]` in percent.
        of: A shape; by default the slide.
        whole: Whether the entire shape must be in the region, not only its center.
    """
    slide, _ = _other_or_slide(pair, None)
    container, name = _other_or_slide(pair, of)
    area, box = _box_region(container, _edges(region)), pair.after.box
    middle = Box(round(EDGES["center"](box)), round(EDGES["middle"](box)), 0, 0)
    outside_by = RELATIONS["inside"]
    distance = max(
        outside_by(box if whole else middle, area), outside_by(box, slide) if of is None else 0
    )
    where = region.replace("_", " ") if isinstance(region, str) else f"part {list(region)}"
    return score_distance(
        f"distance of {pair.label} from the {where} of {name}", distance, tolerance_emu
    )


@shape_check()
def shape_covers(
    pair: ShapePair,
    other: Selector,
    part: Edges = (0.0, 0.0, _WHOLE, _WHOLE),
    share_min_pct: Annotated[float, Field(gt=0, le=100)] = 90.0,
    times_max: Annotated[float, Field(ge=1)] = 4.0,
) -> CheckResult:
    """Measure how much of another shape lies within the box of a shape: in front, behind or around.

    Args:
        part: Region of the other shape: left, top, right and lower edge in percent.
        share_min_pct: The share that counts as covered.
        times_max: The largest size of the shape, as a multiple of the region; a larger one costs.
    """
    target = require(pair.slide_pair.follow(other), f"{other} is missing")
    area, box = _box_region(target.box, part), pair.after.box
    width, height = common_sides(box, area)
    covered_share = max(0, width) * max(0, height) / max(1, area.width * area.height)
    score = min(1.0, covered_share * 100 / share_min_pct)
    times = box.width * box.height / max(1, area.width * area.height)
    reason = f"{pair.label} covers {covered_share:.0%} of {target.label}"
    if times > times_max:
        score, reason = score * times_max / times, f"{reason}, but is {times:.1f} times its size"
    return CheckResult(score, reason)


def _edges(region: str | tuple[float, ...]) -> tuple[float, float, float, float]:
    if not isinstance(region, str):
        left, top, right, bottom = region
        return left, top, right, bottom
    if region in _HALVES:
        return _HALVES[region]
    parts = region.split("_")
    across = next((_ACROSS[part] for part in parts if part in _ACROSS), (0.0, _WHOLE))
    down = next((_DOWN[part] for part in parts if part in _DOWN), (0.0, _WHOLE))
    return across[0], down[0], across[1], down[1]


def _box_region(box: Box, edges: tuple[float, ...]) -> Box:
    left, top, right, bottom = edges
    return Box(
        box.left + round(box.width * left / 100),
        box.top + round(box.height * top / 100),
        round(box.width * (right - left) / 100),
        round(box.height * (bottom - top) / 100),
    )


class BackdropOverlaps:
    """The visible shapes of a slide's layout and master, and how far other shapes may cover them.

    A shape may lie inside an obstacle without text, such as a panel. It may overlap an obstacle as
    far as one of these does: the shape itself in the original, its own placeholder on the layout,
    the layout's content placeholders, or the original's shapes on slides of that layout.

    Args:
        pair: The slide in the original and now.
    """

    def __init__(self, pair: SlidePair) -> None:
        self._pair = pair
        layout = pair.deck.layout_of(pair.after)
        placeholders = () if layout is None else layout.shapes
        self._placeholders = [each for each in placeholders if each.placeholder]
        self._obstacles = list(_backdrop_obstacles(pair.deck, pair.after))
        self._template: dict[int, float] = {}

    def covered_by(self, shape: Shape, tolerance_emu: float) -> Iterator[tuple[float, str]]:
        """Yield how far a shape of the slide overlaps obstacles that it must not cover.

        Args:
            shape: A shape of the slide now.
            tolerance_emu: Further overlap that is ignored.

        Yields:
            The overlap in EMU, and the obstacle's label for a reason.
        """
        for at, obstacle in enumerate(self._obstacles):
            overlap = _obstacle_overlap(shape, obstacle)
            if overlap > tolerance_emu and overlap > self._usual(shape, at) + tolerance_emu:
                yield overlap, f"{obstacle.label} of the layout or master"

    def _usual(self, shape: Shape, at: int) -> float:
        """Return how far the template, or the shape in the original, overlaps an obstacle."""
        obstacle = self._obstacles[at]
        if at not in self._template:
            self._template[at] = _max_overlap(self._models(obstacle), obstacle)
        allowed = [each for each in self._placeholders if each.placeholder == shape.placeholder]
        before = self._pair.original_of(shape)
        if before is not None and self._pair.before is not None:
            original_backdrop = _backdrop_obstacles(self._pair.view.original, self._pair.before)
            if any(same_box(each.box, obstacle.box) for each in original_backdrop):
                allowed.append(before)
        return max(self._template[at], _max_overlap(allowed, obstacle))

    def _models(self, obstacle: Shape) -> Iterator[Shape]:
        """Yield the shapes of the template and the original that may cover an obstacle."""
        for each in self._placeholders:
            if each.placeholder not in SMALL_PLACEHOLDERS:
                yield each
        for slide, backdrop in self._slides_of_layout:
            if any(same_box(each.box, obstacle.box) for each in backdrop):
                yield from (
                    each
                    for each in outermost(slide)
                    if each.kind != "line" and each.placeholder not in SMALL_PLACEHOLDERS
                )

    @cached_property
    def _slides_of_layout(self) -> list[tuple[Slide, list[Shape]]]:
        original = self._pair.view.original
        return [
            (slide, list(_backdrop_obstacles(original, slide)))
            for slide in original.slides
            if slide.layout == self._pair.after.layout
        ]


def outermost(slide: Slide) -> Iterator[Shape]:
    """Yield the visible shapes outside of groups, without empty placeholders."""
    for shape in slide.shapes:
        empty = shape.kind == "placeholder" and not shape.paragraphs
        if shape.group is None and not shape.hidden and not shape.shows_nothing and not empty:
            yield shape


def bounding_box(box: Box) -> Box:
    """Return the upright box around a rotated box."""
    if not box.rotation_deg % 180:
        return box
    angle = math.radians(box.rotation_deg)
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    width = round(box.width * cos + box.height * sin)
    height = round(box.width * sin + box.height * cos)
    left = round(box.left + (box.width - width) / 2)
    return Box(left, round(box.top + (box.height - height) / 2), width, height)


def _backdrop_obstacles(deck: Deck, slide: Slide) -> Iterator[Shape]:
    """Yield the visible layout and master shapes of a slide, except lines and full backgrounds."""
    area = Box(0, 0, deck.width_emu, deck.height_emu)
    for shape in backdrop_shapes(deck, slide):
        is_paper = (
            not shape.text.strip() and RELATIONS["inside"](area, bounding_box(shape.box)) <= 0
        )
        if _is_visible(shape) and not is_paper:
            yield shape


def _is_visible(shape: Shape) -> bool:
    if shape.shows_nothing or shape.kind in ("group", "line"):
        return False
    has_fill = shape.fill.kind != "none" and shape.fill.opacity_pct > 0
    has_outline = shape.line.paint.kind != "none" and shape.line.paint.opacity_pct > 0
    return (
        has_fill
        or has_outline
        or shape.kind not in ("shape", "text_box")
        or bool(shape.text.strip())
    )


def _obstacle_overlap(shape: Shape, obstacle: Shape) -> float:
    box, other = bounding_box(shape.box), bounding_box(obstacle.box)
    if not obstacle.text.strip() and RELATIONS["inside"](box, other) <= 0:
        return 0.0
    return RELATIONS["no_overlap"](box, other)


def _max_overlap(shapes: Iterable[Shape], obstacle: Shape) -> float:
    return max((_obstacle_overlap(each, obstacle) for each in shapes), default=0.0)


_INCH = 914_400


@slide_check()
def shapes_inside_slide(
    pair: SlidePair, margin_emu: LengthEmu = 0, tolerance_emu: LengthEmu = TOLERANCE_EMU
) -> CheckResult:
    """Measure how far shapes extend beyond their slide, as a mean over all shapes."""
    margin, deck = margin_emu, pair.deck
    area = Box(margin, margin, deck.width_emu - 2 * margin, deck.height_emu - 2 * margin)
    shapes = require(list(outermost(pair.after)), f"{pair.current_label} has no shapes")
    results = [
        score_distance(
            f"{s.label} inside {pair.current_label}",
            RELATIONS["inside"](bounding_box(s.box), area),
            tolerance_emu,
        )
        for s in shapes
    ]
    return mean_of(results, "shapes")


@slide_check()
def shapes_no_overlap(
    pair: SlidePair,
    shapes: tuple[Selector, ...] | None = None,
    allow_inside: bool = True,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far shapes overlap, as a mean over all shapes.

    Visible shapes of the layout and master count as well. A shape may lie inside a layout or master
    shape without text, such as a panel. It may overlap a layout or master shape as far as the
    layout's content placeholders do, or as far as the original's shapes on slides of that layout
    do. Lines and full backgrounds do not count.

    Args:
        shapes: By default all shapes of the slide.
        allow_inside: Whether a shape may lie inside another one, such as a label on a panel.
    """
    if shapes is None:
        selected: list[Shape | None] = [s for s in outermost(pair.after) if s.kind != "line"]
    else:
        selected = pair.follow_all(shapes)
    present = [shape for shape in selected if shape is not None]
    require(present, f"{pair.label} has none of the shapes")
    backdrop = BackdropOverlaps(pair)
    results = []
    for at, shape in enumerate(present):
        others = present[:at] + present[at + 1 :]
        overlaps = [(_overlap_of_pair(shape, other, allow_inside), other.label) for other in others]
        overlaps += backdrop.covered_by(shape, tolerance_emu)
        overlap, label = max(overlaps, default=(0.0, ""))
        score = nearness(overlap, tolerance_emu, _INCH / 2)
        results.append(CheckResult(score, f"{shape.label} overlaps {label}"))
    results += [CheckResult(0.0, "a shape is missing")] * (len(selected) - len(present))
    return mean_of(results, "shapes")


@slide_check()
def shapes_same_size(
    pair: SlidePair,
    shapes: SeveralShapes,
    sides: Literal["width", "height", "both"] = "both",
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far the widths and heights of shapes differ."""
    boxes = boxes_of(pair, shapes)
    lengths = {"width": [b.width for b in boxes], "height": [b.height for b in boxes]}
    results = [
        score_distance(
            f"{pair.label}: difference between {side}s", max(values) - min(values), tolerance_emu
        )
        for side, values in lengths.items()
        if sides in (side, "both")
    ]
    return mean_of(results, "sides")


@slides_check(shape="@group", validate=require_old)
def shapes_ungrouped(slides: Slides) -> CheckResult:
    """Measure the share of a group's members that are on the slide and no longer in any group."""

    @zero_if_missing
    def measure(pair: SlidePair) -> CheckResult:
        before = require(pair.before, f"{pair.label} is not in the original")
        group = find_shape(before, slides.selector)
        if group is None or group.kind != "group":
            raise UnscoredError(f"{pair.label} of the original has no such group")
        members = [s.index for s in before.shapes if s.group == group.index]
        shapes = pair.after.shapes
        require(members, f"{pair.label} has no members of the group")
        now = slides.view.match.shapes(before.index).to_current
        current_indexes = [now.get(index) for index in members]
        free = sum(at is not None and shapes[at].group is None for at in current_indexes)
        return score_share(free, len(members), f"members of {group.label} are free")

    return mean_of(map(measure, slides), "groups")


def _overlap_of_pair(one: Shape, other: Shape, allow_inside: bool) -> float:
    first, second, outside_by = bounding_box(one.box), bounding_box(other.box), RELATIONS["inside"]
    if allow_inside and min(outside_by(first, second), outside_by(second, first)) <= TOLERANCE_EMU:
        return 0.0
    return RELATIONS["no_overlap"](first, second)
