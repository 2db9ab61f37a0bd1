"""Checks of pictures, videos, sounds and embedded files."""

from collections.abc import Mapping
from typing import Any, Literal

from pptarena.decks import Box, Picture, Shape
from pptarena.decks.equivalence.pictures import effective_crop, is_grayscale
from pptarena.decks.match.similarity import box_similarity
from pptarena.decks.selectors import find_shape
from pptarena.decks.text_match import normalize_caseless
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.arguments import Count, OldSelector, require_old
from pptarena.rewards.checking.registry import shape_check, slide_check, slides_check
from pptarena.rewards.checking.result import (
    CheckResult,
    mean_of,
    nearness,
    pass_or_fail,
    require,
    score_equal,
    score_near,
    zero_if_missing,
)
from pptarena.rewards.checking.values import TOLERANCE_EMU
from pptarena.rewards.checking.view import ShapePair, SlidePair, Slides
from pptarena.rewards.relative import OneSlide


def _require_source_pair(values: Mapping[str, Any]) -> None:
    if (values["from_slide"] is None) != (values["from_shape"] is None):
        raise ValueError("expected from_slide and from_shape together, got one of them")


@slide_check(at_most_one=("sha256", "from_slide"), validate=_require_source_pair)
def picture_present(
    pair: SlidePair,
    sha256: str | None = None,
    from_slide: OneSlide | None = None,
    from_shape: OldSelector | None = None,
) -> CheckResult:
    """Measure whether a slide shows a picture: any new one, or a given one.

    Args:
        from_shape: A picture of the original, on `from_slide`.
    """
    expected_sha256 = None if sha256 is None else sha256.lower()
    if from_slide is not None and from_shape is not None:
        source = find_shape(pair.view.original_slide(from_slide), from_shape)
        if source is None or source.picture is None:
            raise UnscoredError(f"slide {from_slide} has no picture {from_shape!r}")
        expected_sha256 = source.picture.sha256
    shapes = pair.new_shapes if expected_sha256 is None else pair.after.shapes
    is_present = any(_shows(shape, expected_sha256) and pair.counts(shape) for shape in shapes)
    name = "a new picture" if expected_sha256 is None else "the picture"
    return pass_or_fail(is_present, f"{pair.label} has {name}", f"{pair.label} lacks {name}")


@shape_check(is_goal=False, validate=require_old)
def picture_unchanged(pair: ShapePair, ratio_tolerance: float = 0.02) -> CheckResult:
    """Measure whether a picture is the same file and not distorted; each condition earns half."""
    if pair.before is None or pair.before.picture is None:
        raise UnscoredError(f"{pair.label} was not a picture in the original")
    before, now = pair.before.picture, pair.after.picture
    if now is None:
        return CheckResult(0.0, f"{pair.label} is no longer a picture")
    stretch = _uncropped_ratio(pair.after.box, now) / _uncropped_ratio(pair.before.box, before) - 1
    results = [
        CheckResult(float(now.sha256 == before.sha256), f"{pair.label} shows a different picture"),
        CheckResult(float(abs(stretch) <= ratio_tolerance), f"{pair.label} is distorted"),
    ]
    return mean_of(results, "conditions")


def _shows(shape: Shape, expected_sha256: str | None) -> bool:
    if shape.picture is None or shape.shows_nothing:
        return False
    return expected_sha256 is None or shape.picture.sha256 == expected_sha256


def _uncropped_ratio(box: Box, picture: Picture) -> float:
    """Return the aspect ratio of the uncropped picture at its displayed scale."""
    left, top, right, bottom = (each / 100 for each in picture.crop_pct)
    width = box.width / max(0.01, 1 - left - right)
    height = box.height / max(0.01, 1 - top - bottom)
    return max(width, 1.0) / max(height, 1.0)


_CROP_ARGUMENTS = ("left_pct", "top_pct", "right_pct", "bottom_pct")
_ADJUSTMENTS = ("recolor", "brightness_pct", "contrast_pct", "opacity_pct")
_MIN_BOX_LIKENESS = 0.5
_MAX_STRETCH = 0.05
_INCH = 914_400


@slide_check()
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
    phrases = {1.0: f"has the {name}", 0.5: f"has a different {name}"}
    return CheckResult(best, f"{pair.label} {phrases.get(best, f'lacks the {name}')}")


@shape_check(shape="@media")
def media_starts(pair: ShapePair, start: Literal["automatic", "on_click"]) -> CheckResult:
    """Measure whether a video or sound starts automatically, or on a click."""
    automatic = any(
        effect.kind == "media" and effect.trigger in ("with_previous", "after_previous")
        for effect in pair.slide.animations
        if effect.shape == pair.after.index
    )
    require(pair.after.kind == "media", f"{pair.label} is not a media clip")
    return score_equal(
        f"the start of {pair.label}", "automatic" if automatic else "on_click", start
    )


@slides_check(shape="@picture", validate=require_old)
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
        require(others, f"{pair.label} has no replacement picture")
        description = f"{pair.label} has a different picture"
        if now is not None and now.picture is not None and now.picture.sha256 == old:
            if pair.counts(now):
                return CheckResult(0.3, f"{description}, but also the old one")
            return CheckResult(0.7, f"{description}, but with the old one behind it")
        if same_box:
            fits = (_box_fit(before.box, shape.box) for shape in others)
            return CheckResult(max(fits), f"{description}, judging by position and size")
        likeness = max(box_similarity(before.box, shape.box) for shape in others)
        if likeness >= _MIN_BOX_LIKENESS:
            return CheckResult(1.0, f"{description} in its position")
        return CheckResult(0.5, f"{description}, but in a different position")

    return mean_of(map(measure, slides), "slides")


def _box_fit(old: Box, new: Box) -> float:
    ratio = (new.width / max(1, new.height)) / (old.width / max(1, old.height))
    if abs(ratio - 1) > _MAX_STRETCH:
        return 0.5
    edges = ("left", "top", "right", "bottom")
    distance = max(abs(getattr(new, edge) - getattr(old, edge)) for edge in edges)
    return 0.5 + 0.5 * nearness(distance, TOLERANCE_EMU, _INCH)


@shape_check(shape="@picture", at_least_one=("ratio", *_CROP_ARGUMENTS))
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
    picture = require(pair.after.picture, f"{pair.label} is not a picture")
    before = None if pair.before is None else pair.before.picture
    # A file that was reduced to its visible part counts as cropped, too.
    crop_pct = (None if before is None else effective_crop(before, picture)) or picture.crop_pct
    sides = zip(_CROP_ARGUMENTS, crop_pct, (left_pct, top_pct, right_pct, bottom_pct), strict=True)
    results = [
        score_near(
            f"the {name.removesuffix('_pct')} crop of {pair.label} in percent",
            now,
            expected,
            tolerance_pct,
            10,
        )
        for name, now, expected in sides
    ]
    if ratio is not None:
        shown_ratio = pair.after.box.width / max(1, pair.after.box.height)
        # Without cropping the ratio comes from stretching; with cropping it still may.
        is_cropped = any(crop_pct)
        deviation = max(
            abs(each / ratio - 1)
            for each in (shown_ratio, _cropped_ratio(pair, crop_pct, shown_ratio))
        )
        score = nearness(deviation, tolerance_pct / 100, 0.25) if is_cropped else 0.0
        results.append(
            CheckResult(score, f"{pair.label} is {shown_ratio:.2f} times as wide as high")
        )
    return mean_of(results, "edges")


def _cropped_ratio(
    pair: ShapePair, crop_pct: tuple[float, float, float, float], shown_ratio: float
) -> float:
    """Return the ratio of the original picture after cropping alone, or the displayed ratio."""
    before, after = pair.before, pair.after
    if before is None or before.picture is None or after.picture is None:
        return shown_ratio
    if before.picture.sha256 != after.picture.sha256 and crop_pct == after.picture.crop_pct:
        return shown_ratio
    (left, top, right, bottom), (l0, t0, r0, b0) = crop_pct, before.picture.crop_pct
    across, down = (100 - l0 - r0, 100 - left - right), (100 - t0 - b0, 100 - top - bottom)
    if min(*across, *down) <= 0:
        return shown_ratio
    return before.box.width / max(1, before.box.height) * across[1] / across[0] * down[0] / down[1]


def _score_recoloring(
    pair: ShapePair, picture: Picture, expected: str | None
) -> CheckResult | None:
    subject = f"the recoloring of {pair.label}"
    if expected != "grayscale":
        return score_equal(subject, picture.recolor, expected)
    before = None if pair.before is None else pair.before.picture
    grey = is_grayscale(picture, before)
    return score_equal(subject, expected if grey else picture.recolor, expected)


@shape_check(shape="@picture", at_least_one=_ADJUSTMENTS)
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
    picture = require(pair.after.picture, f"{pair.label} is not a picture")
    description, near_pct = f"of {pair.label}", (tolerance_pct, 10)
    results = [
        score_near(
            f"the brightness {description}", picture.brightness_pct, brightness_pct, *near_pct
        ),
        score_near(f"the contrast {description}", picture.contrast_pct, contrast_pct, *near_pct),
        score_near(f"the opacity {description}", picture.opacity_pct, opacity_pct, *near_pct),
        _score_recoloring(pair, picture, recolor),
    ]
    return mean_of(results, "values")


_PROGRAMS = {
    # Names in files, and the class ID that LibreOffice writes for its own programs.
    "formula": ("equation", "math", "078b7aba-54fc-457f-8551-6147e776a997"),
    "spreadsheet": ("excel", "calc", "sheet", "47bbb4cb-ce4c-4e80-a591-42d9ae74950f"),
    "document": ("word", "writer", "8bc6b165-b1b2-4edd-aa47-dae2ee689dd6"),
}


@shape_check(shape="@picture")
def picture_embedded(pair: ShapePair, embedded: bool = True) -> CheckResult:
    """Measure whether a picture is embedded in the deck, or only linked."""
    picture = require(pair.after.picture, f"{pair.label} is not a picture")
    is_embedded = bool(picture.sha256) and not picture.linked
    state = (
        "in the deck"
        if is_embedded
        else f"linked to {picture.linked}"
        if picture.linked
        else "missing"
    )
    right = is_embedded if embedded else bool(picture.linked)
    return pass_or_fail(right, f"{pair.label} is {state}", f"{pair.label} is {state}")


@slide_check()
def embedded_present(
    pair: SlidePair,
    kind: Literal["any", "formula", "spreadsheet", "document"] = "any",
    program: str | None = None,
    count: Count = 1,
    new: bool = True,
) -> CheckResult:
    """Measure how many of `count` files of other programs a slide has, such as formulas.

    Args:
        program: Part of the program's name in the file, such as `Excel.Sheet`.
        new: Whether only files count that the original slide lacks.
    """
    shapes = pair.new_shapes if new else pair.after.shapes
    count_now = sum(
        _is_embedded_object(shape, kind, program) and pair.counts(shape) for shape in shapes
    )
    name = "embedded object" if kind == "any" else kind
    return CheckResult(min(1.0, count_now / count), f"{pair.label}: {name}s {count_now} of {count}")


def _is_embedded_object(shape: Shape, kind: str, program: str | None) -> bool:
    if shape.embedded is None or not shape.embedded.sha256:
        return False
    name = normalize_caseless(shape.embedded.program)
    if kind != "any" and not any(each in name for each in _PROGRAMS[kind]):
        return False
    return program is None or normalize_caseless(program) in name
