"""Checks of how the shapes of a slide are arranged: edges, overlap, size and groups."""

from typing import Literal

from pptarena.decks import Box, Shape
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.address import require_old
from pptarena.rewards.checking.arguments import Selector, SeveralShapes
from pptarena.rewards.checking.compare import nearness, off_by, share
from pptarena.rewards.checking.pairs import SlidePair, Slides
from pptarena.rewards.checking.registry import slide_check, slides_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed, zero_if_missing
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checks.backdrop import Backdrop, around, outermost
from pptarena.rewards.checks.geometry import boxes_of
from pptarena.rewards.checks.relations import RELATIONS
from pptarena.rewards.relative import LengthEmu

_INCH = 914_400


@slide_check("arrangement")
def shapes_inside_slide(
    pair: SlidePair, margin_emu: LengthEmu = 0, tolerance_emu: LengthEmu = TOLERANCE_EMU
) -> CheckResult:
    """Measure how far shapes extend beyond their slide, as a mean over all shapes."""
    margin, deck = margin_emu, pair.deck
    area = Box(margin, margin, deck.width_emu - 2 * margin, deck.height_emu - 2 * margin)
    shapes = needed(list(outermost(pair.after)), f"{pair.place} has no shapes")
    results = [
        off_by(
            f"{s.label} inside {pair.place}",
            RELATIONS["inside"](around(s.box), area),
            tolerance_emu,
        )
        for s in shapes
    ]
    return mean_of(results, "shapes")


@slide_check("arrangement")
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
        named: list[Shape | None] = [s for s in outermost(pair.after) if s.kind != "line"]
    else:
        named = pair.follow_all(shapes)
    present = [shape for shape in named if shape is not None]
    needed(present, f"{pair.label} has none of the shapes")
    backdrop = Backdrop(pair)
    results = []
    for at, shape in enumerate(present):
        others = present[:at] + present[at + 1 :]
        overlaps = [(_overlap(shape, other, allow_inside), other.label) for other in others]
        overlaps += backdrop.covered_by(shape, tolerance_emu)
        away, label = max(overlaps, default=(0.0, ""))
        score = nearness(away, tolerance_emu, _INCH / 2)
        results.append(CheckResult(score, f"{shape.label} overlaps {label}"))
    results += [CheckResult(0.0, "a shape is gone")] * (len(named) - len(present))
    return mean_of(results, "shapes")


@slide_check("arrangement", "shapes")
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
        off_by(f"{pair.label}: difference between {side}s", max(found) - min(found), tolerance_emu)
        for side, found in lengths.items()
        if sides in (side, "both")
    ]
    return mean_of(results, "sides")


@slides_check("arrangement", shape="@group", more=require_old)
def shapes_ungrouped(slides: Slides) -> CheckResult:
    """Measure the share of a group's members that are on the slide and no longer in any group."""

    @zero_if_missing
    def measure(pair: SlidePair) -> CheckResult:
        before = needed(pair.before, f"{pair.label} is not in the original")
        group = find_shape(before, slides.selector)
        if group is None or group.kind != "group":
            raise UnscoredError(f"{pair.label} of the original has no such group")
        members = [s.index for s in before.shapes if s.group == group.index]
        shapes = pair.after.shapes
        needed(members, f"{pair.label} has no members of the group")
        now = slides.view.match.shapes(before.index).to_current
        places = [now.get(index) for index in members]
        free = sum(at is not None and shapes[at].group is None for at in places)
        return share(free, len(members), f"members of {group.label} are free")

    return mean_of(map(measure, slides), "groups")


def _overlap(one: Shape, other: Shape, allow_inside: bool) -> float:
    first, second, inside = around(one.box), around(other.box), RELATIONS["inside"]
    if allow_inside and min(inside(first, second), inside(second, first)) <= TOLERANCE_EMU:
        return 0.0
    return RELATIONS["no_overlap"](first, second)
