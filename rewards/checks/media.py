"""Checks of films and sounds, and of what was done to pictures."""

from typing import Literal

from pptarena.decks import Picture, Shape
from pptarena.decks.match.likeness import box_likeness
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.pairs import ShapePair, SlidePair, Slides
from pptarena.rewards.checks.registry import shape_check, slide_check, slides_check
from pptarena.rewards.checks.result import CheckResult, gone, mean_of, verdict
from pptarena.rewards.checks.values import nearness

_SIDES = ("left_pct", "top_pct", "right_pct", "bottom_pct")
_LOOKS = ("brightness_pct", "contrast_pct", "opacity_pct")
_SAME_PLACE = 0.5


@slide_check("media")
def media_present(
    pair: SlidePair,
    kind: Literal["video", "audio", "any"] = "any",
    sha256: str | None = None,
    linked: str | None = None,
    new: bool = True,
) -> CheckResult:
    """Measure whether a slide has a film or sound; the right kind with another file is half."""

    def fit(picture: Picture | None) -> float:
        if picture is None or not (picture.media_sha256 or picture.media_kind):
            return 0.0
        if kind not in ("any", picture.media_kind):
            return 0.0
        right_file = sha256 is None or picture.media_sha256.lower() == sha256.lower()
        right_link = linked is None or picture.linked.rstrip("/") == linked.rstrip("/")
        return 1.0 if right_file and right_link else 0.5

    shapes = pair.new_shapes if new else pair.after.shapes
    best = max((fit(shape.picture) for shape in shapes if pair.counts(shape)), default=0.0)
    name = "medium" if kind == "any" else kind
    found = {1.0: f"has the {name}", 0.5: f"has another {name}"}
    return CheckResult(best, f"{pair.label} {found.get(best, f'lacks the {name}')}")


@shape_check("media", "animations", is_binary=True, shape="@media")
def media_starts(pair: ShapePair, start: Literal["automatic", "on_click"]) -> CheckResult:
    """Measure whether a film or sound starts by itself, or by a click."""
    effects = [e for e in pair.slide.animations if e.shape == pair.after.index]
    by_itself = any(
        effect.kind == "media" and effect.trigger in ("with_previous", "after_previous")
        for effect in effects
    )
    found = "automatic" if by_itself else "on_click"
    return verdict(
        pair.after.kind == "media" and found == start,
        f"{pair.label} starts {start.replace('_', ' ')}",
        f"{pair.label} starts {found.replace('_', ' ')}",
    )


@slides_check("images", shape="@picture")
def picture_replaced(slides: Slides, sha256: str | None = None) -> CheckResult:
    """Measure whether another picture stands where one stood; half if it stands elsewhere.

    Beside the old one, it earns 0.3.
    """
    results = []
    for pair in slides:
        before = None if pair.before is None else find_shape(pair.before, slides.selector)
        if before is None or before.picture is None:
            raise UnscoredError(f"{pair.label} of the original has no picture {slides.selector!r}")
        if pair.now is None:
            results.append(gone(pair.label))
            continue
        old, same = before.picture.sha256, pair.follow(slides.selector)
        others = [
            shape
            for shape in (same, *pair.new_shapes)
            if shape is not None
            and shape.picture is not None
            and shape.picture.sha256 not in ("", old)
            and sha256 in (None, shape.picture.sha256)
            and pair.counts(shape)
        ]
        still = same is not None and same.picture is not None and same.picture.sha256 == old
        results.append(_replacement(before, others, still, pair.label))
    return mean_of(results, "slides")


@shape_check("images", shape="@picture", at_least_one=("ratio", *_SIDES))
def picture_cropped(
    pair: ShapePair,
    left_pct: float | None = None,
    top_pct: float | None = None,
    right_pct: float | None = None,
    bottom_pct: float | None = None,
    ratio: float | None = None,
    tolerance_pct: float = 2.0,
) -> CheckResult:
    """Measure how far a picture's cut edges, or its ratio, are from what they should be.

    Args:
        ratio: Width by height, by cutting.
    """
    picture, box = pair.after.picture, pair.after.box
    if picture is None:
        return CheckResult(0.0, f"{pair.label} is no picture")
    results = []
    sides = (left_pct, top_pct, right_pct, bottom_pct)
    for name, found, wanted in zip(_SIDES, picture.crop_pct, sides, strict=True):
        if wanted is not None:
            value = nearness(found - wanted, tolerance_pct, 10)
            reason = f"{pair.label} is cut by {found:.0f} % at its {name.removesuffix('_pct')}"
            results.append(CheckResult(value, reason))
    if ratio is not None:
        shown = box.width / max(1, box.height)
        # Without a cut the ratio comes from stretching.
        cut = any(picture.crop_pct)
        value = nearness(shown / ratio - 1, tolerance_pct / 100, 0.25) if cut else 0.0
        results.append(CheckResult(value, f"{pair.label} is {shown:.2f} times as wide as high"))
    return mean_of(results, "edges")


@shape_check("images", shape="@picture", at_least_one=("recolor", *_LOOKS))
def picture_adjusted(
    pair: ShapePair,
    brightness_pct: int | None = None,
    contrast_pct: int | None = None,
    opacity_pct: int | None = None,
    recolor: str | None = None,
    tolerance_pct: int = 3,
) -> CheckResult:
    """Measure how near the brightness, contrast and other values of a picture are.

    Args:
        recolor: Such as `grayscale`.
    """
    picture = pair.after.picture
    if picture is None:
        return CheckResult(0.0, f"{pair.label} is no picture")
    results = []
    for name, found, wanted in (
        ("brightness", picture.brightness_pct, brightness_pct),
        ("contrast", picture.contrast_pct, contrast_pct),
        ("opacity", picture.opacity_pct, opacity_pct),
    ):
        if wanted is not None:
            value = nearness(found - wanted, tolerance_pct, 10)
            reason = f"the {name} of {pair.label} is {found} %, {wanted} wanted"
            results.append(CheckResult(value, reason))
    if recolor is not None:
        right = picture.recolor.casefold() == recolor.casefold()
        reason = f"{pair.label} is recoloured by {picture.recolor or 'nothing'}"
        results.append(CheckResult(float(right), reason))
    return mean_of(results, "values")


def _replacement(before: Shape, others: list[Shape], still: bool, label: str) -> CheckResult:
    if not others:
        return CheckResult(0.0, f"{label} has no other picture instead")
    likeness = max(box_likeness(before.box, shape.box) for shape in others)
    if still:
        return CheckResult(0.3, f"{label} has another picture, but the old one too")
    if likeness >= _SAME_PLACE:
        return CheckResult(1.0, f"{label} has another picture in its place")
    return CheckResult(0.5, f"{label} has another picture, but in another place")
