"""Checks of videos, sounds and edited pictures."""

from typing import Literal

from pptarena.decks import Box, Picture
from pptarena.decks.equivalence.pictures import is_greyscale, shown_crop
from pptarena.decks.match.likeness import box_likeness
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.address import require_old
from pptarena.rewards.checking.compare import near, nearness, same
from pptarena.rewards.checking.pairs import ShapePair, SlidePair, Slides
from pptarena.rewards.checking.registry import shape_check, slide_check, slides_check
from pptarena.rewards.checking.result import CheckResult, mean_of, needed, zero_if_missing
from pptarena.rewards.checking.values import TOLERANCE_EMU

_EDGES = ("left_pct", "top_pct", "right_pct", "bottom_pct")
_ADJUSTMENTS = ("recolor", "brightness_pct", "contrast_pct", "opacity_pct")
_SAME_PLACE = 0.5
_STRETCH = 0.05
_INCH = 914_400


@slide_check("media")
def media_present(
    pair: SlidePair,
    kind: Literal["video", "audio", "any"] = "any",
    sha256: str | None = None,
    linked: str | None = None,
    new: bool = True,
) -> CheckResult:
    """Measure whether a slide has a video or sound; another file of the right type earns half."""

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
    found = {1.0: f"has the {name}", 0.5: f"has a different {name}"}
    return CheckResult(best, f"{pair.label} {found.get(best, f'lacks the {name}')}")


@shape_check("media", "animations", is_binary=True, shape="@media")
def media_starts(pair: ShapePair, start: Literal["automatic", "on_click"]) -> CheckResult:
    """Measure whether a video or sound starts automatically, or on a click."""
    automatic = any(
        effect.kind == "media" and effect.trigger in ("with_previous", "after_previous")
        for effect in pair.slide.animations
        if effect.shape == pair.after.index
    )
    needed(pair.after.kind == "media", f"{pair.label} is not a media clip")
    return same(f"the start of {pair.label}", "automatic" if automatic else "on_click", start)


@slides_check("images", shape="@picture", more=require_old)
def picture_replaced(
    slides: Slides, sha256: str | None = None, same_box: bool = False
) -> CheckResult:
    """Measure whether a picture was replaced; a new picture in another position earns half.

    If the old picture is still visible, the score is 0.3. If the new picture hides it, the score is
    0.7.

    Args:
        same_box: Whether the new picture must have the position and size of the old one: the
            nearer, the better, from 0.5 on; a distorted picture earns 0.5.
    """

    @zero_if_missing
    def measure(pair: SlidePair) -> CheckResult:
        before = None if pair.before is None else find_shape(pair.before, slides.selector)
        if before is None or before.picture is None:
            raise UnscoredError(f"{pair.label} of the original has no picture {slides.selector!r}")
        old, now = before.picture.sha256, pair.follow(slides.selector)
        others = [
            shape
            for shape in (now, *pair.new_shapes)
            if shape is not None
            and shape.picture is not None
            and shape.picture.sha256 not in ("", old)
            and sha256 in (None, shape.picture.sha256)
            and pair.counts(shape)
        ]
        needed(others, f"{pair.label} has no replacement picture")
        found = f"{pair.label} has a different picture"
        if now is not None and now.picture is not None and now.picture.sha256 == old:
            if pair.counts(now):
                return CheckResult(0.3, f"{found}, but also the old one")
            return CheckResult(0.7, f"{found}, but with the old one behind it")
        if same_box:
            fits = (_fit_of_box(before.box, shape.box) for shape in others)
            return CheckResult(max(fits), f"{found}, judging by position and size")
        likeness = max(box_likeness(before.box, shape.box) for shape in others)
        if likeness >= _SAME_PLACE:
            return CheckResult(1.0, f"{found} in its position")
        return CheckResult(0.5, f"{found}, but in a different position")

    return mean_of(map(measure, slides), "slides")


def _fit_of_box(old: Box, new: Box) -> float:
    ratio = (new.width / max(1, new.height)) / (old.width / max(1, old.height))
    if abs(ratio - 1) > _STRETCH:
        return 0.5
    edges = ("left", "top", "right", "bottom")
    away = max(abs(getattr(new, edge) - getattr(old, edge)) for edge in edges)
    return 0.5 + 0.5 * nearness(away, TOLERANCE_EMU, _INCH)


@shape_check("images", shape="@picture", at_least_one=("ratio", *_EDGES))
def picture_cropped(
    pair: ShapePair,
    left_pct: float | None = None,
    top_pct: float | None = None,
    right_pct: float | None = None,
    bottom_pct: float | None = None,
    ratio: float | None = None,
    tolerance_pct: float = 2.0,
) -> CheckResult:
    """Measure how far a picture's cropping, or its ratio, is from the wanted values.

    Args:
        ratio: Width divided by height, to be reached by cropping.
    """
    picture = needed(pair.after.picture, f"{pair.label} is not a picture")
    before = None if pair.before is None else pair.before.picture
    # A file that holds the part that is left is cropped, too.
    crop_pct = (None if before is None else shown_crop(before, picture)) or picture.crop_pct
    sides = zip(_EDGES, crop_pct, (left_pct, top_pct, right_pct, bottom_pct), strict=True)
    results = [
        near(
            f"the {name.removesuffix('_pct')} crop of {pair.label} in percent",
            now,
            wanted,
            tolerance_pct,
            10,
        )
        for name, now, wanted in sides
    ]
    if ratio is not None:
        shown = pair.after.box.width / max(1, pair.after.box.height)
        # Without a cut the ratio comes from stretching, and with one it may still.
        cut = any(crop_pct)
        far = max(abs(each / ratio - 1) for each in (shown, _cut_ratio(pair, crop_pct, shown)))
        score = nearness(far, tolerance_pct / 100, 0.25) if cut else 0.0
        results.append(CheckResult(score, f"{pair.label} is {shown:.2f} times as wide as high"))
    return mean_of(results, "edges")


def _cut_ratio(pair: ShapePair, crop_pct: tuple[float, float, float, float], shown: float) -> float:
    """Return the ratio that cropping alone gives the original picture, else the ratio shown."""
    before, after = pair.before, pair.after
    if before is None or before.picture is None or after.picture is None:
        return shown
    if before.picture.sha256 != after.picture.sha256 and crop_pct == after.picture.crop_pct:
        return shown
    (left, top, right, bottom), (l0, t0, r0, b0) = crop_pct, before.picture.crop_pct
    across, down = (100 - l0 - r0, 100 - left - right), (100 - t0 - b0, 100 - top - bottom)
    if min(*across, *down) <= 0:
        return shown
    return before.box.width / max(1, before.box.height) * across[1] / across[0] * down[0] / down[1]


def _recolored(pair: ShapePair, picture: Picture, wanted: str | None) -> CheckResult | None:
    what = f"the recoloring of {pair.label}"
    if wanted != "grayscale":
        return same(what, picture.recolor, wanted)
    before = None if pair.before is None else pair.before.picture
    grey = is_greyscale(picture, before)
    return same(what, wanted if grey else picture.recolor, wanted)


@shape_check("images", shape="@picture", at_least_one=_ADJUSTMENTS)
def picture_adjusted(
    pair: ShapePair,
    brightness_pct: int | None = None,
    contrast_pct: int | None = None,
    opacity_pct: int | None = None,
    recolor: str | None = None,
    tolerance_pct: int = 3,
) -> CheckResult:
    """Measure how near the brightness, contrast and other values of a picture are to the target.

    Args:
        recolor: Such as `grayscale`; any method is right, including a gray file.
    """
    picture = needed(pair.after.picture, f"{pair.label} is not a picture")
    what, near_pct = f"of {pair.label}", (tolerance_pct, 10)
    results = [
        near(f"the brightness {what}", picture.brightness_pct, brightness_pct, *near_pct),
        near(f"the contrast {what}", picture.contrast_pct, contrast_pct, *near_pct),
        near(f"the opacity {what}", picture.opacity_pct, opacity_pct, *near_pct),
        _recolored(pair, picture, recolor),
    ]
    return mean_of(results, "values")
