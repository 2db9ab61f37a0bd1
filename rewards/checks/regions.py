"""Checks of the region of a slide that a shape is in, and of what the shape covers."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from pptarena.decks import Box
from pptarena.rewards.checking.arguments import Selector
from pptarena.rewards.checking.compare import off_by
from pptarena.rewards.checking.pairs import ShapePair
from pptarena.rewards.checking.registry import shape_check
from pptarena.rewards.checking.result import CheckResult, needed
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checks.relations import EDGES, RELATIONS
from pptarena.rewards.relative import LengthEmu

Place = Literal[
    "top_left", "top", "top_right", "left", "center", "right", "bottom_left", "bottom",
    "bottom_right", "upper_half", "lower_half", "left_half", "right_half",
]  # fmt: skip

_THIRD, _HALF, _ALL = 100 / 3, 50.0, 100.0
_ACROSS = {"left": (0.0, _THIRD), "center": (_THIRD, 2 * _THIRD), "right": (2 * _THIRD, _ALL)}
_DOWN = {"top": (0.0, _THIRD), "center": (_THIRD, 2 * _THIRD), "bottom": (2 * _THIRD, _ALL)}
_HALVES = {
    "upper_half": (0.0, 0.0, _ALL, _HALF),
    "lower_half": (0.0, _HALF, _ALL, _ALL),
    "left_half": (0.0, 0.0, _HALF, _ALL),
    "right_half": (_HALF, 0.0, _ALL, _ALL),
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


@shape_check("arrangement")
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
    slide = Box(0, 0, pair.deck.width_emu, pair.deck.height_emu)
    around, name = slide, "the slide"
    if of is not None:
        other = needed(pair.on.follow(of), f"{of} is missing")
        around, name = other.box, other.label
    area, box = _part(around, _edges(region)), pair.after.box
    middle = Box(round(EDGES["center"](box)), round(EDGES["middle"](box)), 0, 0)
    inside = RELATIONS["inside"]
    away = max(inside(box if whole else middle, area), inside(box, slide) if of is None else 0)
    where = region.replace("_", " ") if isinstance(region, str) else f"part {list(region)}"
    return off_by(f"distance of {pair.label} from the {where} of {name}", away, tolerance_emu)


@shape_check("arrangement")
def shape_covers(
    pair: ShapePair,
    other: Selector,
    part: Edges = (0.0, 0.0, _ALL, _ALL),
    share_min_pct: Annotated[float, Field(gt=0, le=100)] = 90.0,
    times_max: Annotated[float, Field(ge=1)] = 4.0,
) -> CheckResult:
    """Measure how much of another shape lies within the box of a shape: in front, behind or around.

    Args:
        part: Region of the other shape: left, top, right and lower edge in percent.
        share_min_pct: The share that counts as covered.
        times_max: The largest size of the shape, as a multiple of the region; a larger one costs.
    """
    target = needed(pair.on.follow(other), f"{other} is missing")
    area, box = _part(target.box, part), pair.after.box
    width = min(box.right, area.right) - max(box.left, area.left)
    height = min(box.bottom, area.bottom) - max(box.top, area.top)
    covered = max(0, width) * max(0, height) / max(1, area.width * area.height)
    score = min(1.0, covered * 100 / share_min_pct)
    times = box.width * box.height / max(1, area.width * area.height)
    reason = f"{pair.label} covers {covered:.0%} of {target.label}"
    if times > times_max:
        score, reason = score * times_max / times, f"{reason}, but is {times:.1f} times its size"
    return CheckResult(score, reason)


def _edges(region: str | tuple[float, ...]) -> tuple[float, float, float, float]:
    if not isinstance(region, str):
        left, top, right, bottom = region
        return left, top, right, bottom
    if region in _HALVES:
        return _HALVES[region]
    words = region.split("_")
    across = next((_ACROSS[word] for word in words if word in _ACROSS), (0.0, _ALL))
    down = next((_DOWN[word] for word in words if word in _DOWN), (0.0, _ALL))
    return across[0], down[0], across[1], down[1]


def _part(box: Box, edges: tuple[float, ...]) -> Box:
    left, top, right, bottom = edges
    return Box(
        box.left + round(box.width * left / 100),
        box.top + round(box.height * top / 100),
        round(box.width * (right - left) / 100),
        round(box.height * (bottom - top) / 100),
    )
