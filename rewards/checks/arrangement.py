"""Checks of how all shapes of a slide stand: inside it, apart, of one size, in groups."""

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Literal

from pptarena.decks import Box, Shape, Slide
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.arguments import SeveralShapes
from pptarena.rewards.checks.pairs import SlidePair, Slides
from pptarena.rewards.checks.registry import slide_check, slides_check
from pptarena.rewards.checks.relations import RELATIONS
from pptarena.rewards.checks.result import CheckResult, mean_of
from pptarena.rewards.checks.values import TOLERANCE_EMU, nearness
from pptarena.rewards.relative import LengthEmu

_INCH = 914_400


@slide_check("arrangement")
def shapes_inside_slide(
    pair: SlidePair, margin_emu: LengthEmu = 0, tolerance_emu: LengthEmu = TOLERANCE_EMU
) -> CheckResult:
    """Measure how far shapes stick out of their slide, the mean over all of them."""
    margin, deck = margin_emu, pair.deck
    area = Box(margin, margin, deck.width_emu - 2 * margin, deck.height_emu - 2 * margin)
    results = []
    for shape in _outermost(pair.after):
        out = RELATIONS["inside"](_around(shape.box), area)
        value = nearness(out, tolerance_emu, _INCH)
        results.append(CheckResult(value, f"{shape.label} sticks out by {out / _INCH:.2f} in"))
    empty = CheckResult(0.0, f"{pair.place} has no shapes")
    return mean_of(results, "shapes") if results else empty


@slide_check("arrangement")
def shapes_no_overlap(
    pair: SlidePair,
    shapes: tuple[str, ...] | None = None,
    allow_inside: bool = True,
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far shapes overlap, the mean over all of them.

    Args:
        shapes: Left out: all of the slide.
        allow_inside: Whether one may lie within another, as a label on a panel.
    """
    if shapes is None:
        named: list[Shape | None] = [s for s in _outermost(pair.after) if s.kind != "line"]
    else:
        named = pair.follow_all(shapes)
    present = [shape for shape in named if shape is not None]
    if not present:
        return CheckResult(0.0, f"{pair.label} has none of the shapes")
    worst = dict.fromkeys((shape.index for shape in present), (0.0, ""))
    for first, second in combinations(present, 2):
        away = _overlap(_around(first.box), _around(second.box), allow_inside)
        for one, other in ((first, second), (second, first)):
            worst[one.index] = max(worst[one.index], (away, other.label))
    results = [
        CheckResult(
            nearness(worst[shape.index][0], tolerance_emu, _INCH / 2),
            f"{shape.label} overlaps {worst[shape.index][1]}",
        )
        for shape in present
    ]
    results += [CheckResult(0.0, "a shape is gone")] * (len(named) - len(present))
    return mean_of(results, "shapes")


@slide_check("arrangement", "shapes")
def shapes_same_size(
    pair: SlidePair,
    shapes: SeveralShapes,
    sides: Literal["width", "height", "both"] = "both",
    tolerance_emu: LengthEmu = TOLERANCE_EMU,
) -> CheckResult:
    """Measure how far the widths and heights of some shapes differ."""
    boxes = [shape.box for shape in pair.follow_all(shapes) if shape is not None]
    if len(boxes) < len(shapes):
        return CheckResult(0.0, f"{pair.label} has {len(boxes)} of the {len(shapes)} shapes")
    results = []
    for side in ("width", "height"):
        if sides in (side, "both"):
            sizes = [getattr(box, side) for box in boxes]
            away = max(sizes) - min(sizes)
            reason = f"{pair.label}: {side}s differ by {away / _INCH:.2f} in"
            results.append(CheckResult(nearness(away, tolerance_emu, _INCH), reason))
    return mean_of(results, "sides")


@slide_check("arrangement")
def shapes_grouped(pair: SlidePair, shapes: SeveralShapes) -> CheckResult:
    """Measure the share of pairs of shapes that share a group; other members of it cost."""
    slide = pair.after
    members = pair.follow_all(shapes)
    groups = [set() if s is None else set(_groups(slide, s)) for s in members]
    pairs = list(combinations(groups, 2))
    share = sum(bool(a & b) for a, b in pairs) / len(pairs)
    common = set.intersection(*groups)
    extra = 0
    if common:
        inner = max(common)
        named = {shape.index for shape in members if shape is not None}
        extra = sum(
            inner in _groups(slide, shape) and shape.index not in named
            for shape in slide.shapes
            if shape.kind != "group" and not named.intersection(_groups(slide, shape))
        )
    value = share * len(groups) / (len(groups) + extra)
    found = f"{pair.label}: {share:.0%} of the pairs are in one group"
    return CheckResult(value, f"{found}, with {extra} other shapes" if extra else found)


@slides_check("arrangement", shape="@group")
def shapes_ungrouped(slides: Slides) -> CheckResult:
    """Measure the share of a group's members that are on the slide and in no group any more."""
    results = []
    for pair in slides:
        if pair.before is None:
            results.append(CheckResult(0.0, f"{pair.label} is not of the original"))
            continue
        group = find_shape(pair.before, slides.selector)
        if group is None or group.kind != "group":
            raise UnscoredError(f"{pair.label} of the original has no such group")
        members = [s.index for s in pair.before.shapes if s.group == group.index]
        if pair.now is None or not members:
            results.append(CheckResult(0.0, f"{pair.label} has no members of the group"))
            continue
        now = slides.view.match.shapes(pair.before.index).to_current
        places = [now.get(index) for index in members]
        free = sum(at is not None and pair.now.shapes[at].group is None for at in places)
        reason = f"{free} of {len(members)} members of {group.label} are free"
        results.append(CheckResult(free / len(members), reason))
    return mean_of(results, "groups")


def _outermost(slide: Slide) -> Iterator[Shape]:
    """Yield the shapes that are shown and in no group; placeholders only with something in them."""
    for shape in slide.shapes:
        empty = shape.kind == "placeholder" and not shape.paragraphs
        if shape.group is None and not shape.hidden and not shape.shows_nothing and not empty:
            yield shape


def _groups(slide: Slide, shape: Shape) -> list[int]:
    found = []
    while shape.group is not None:
        found.append(shape.group)
        shape = slide.shapes[shape.group]
    return found


def _around(box: Box) -> Box:
    """Return the upright box around a turned one."""
    if not box.rotation_deg % 180:
        return box
    angle = math.radians(box.rotation_deg)
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    width = round(box.width * cos + box.height * sin)
    height = round(box.width * sin + box.height * cos)
    left = round(box.left + (box.width - width) / 2)
    return Box(left, round(box.top + (box.height - height) / 2), width, height)


def _overlap(first: Box, second: Box, allow_inside: bool) -> float:
    inside = RELATIONS["inside"]
    if allow_inside and min(inside(first, second), inside(second, first)) <= TOLERANCE_EMU:
        return 0.0
    return RELATIONS["no_overlap"](first, second)
