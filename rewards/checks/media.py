"""Checks of films and sounds, and of what was done to pictures."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pptarena.decks import Picture, Shape
from pptarena.decks.match.likeness import box_likeness
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.values import nearness
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, SlideArgs, SlideView, View

_SIDES = ("left_pct", "top_pct", "right_pct", "bottom_pct")
_LOOKS = ("brightness_pct", "contrast_pct", "opacity_pct")
_SAME_PLACE = 0.5


@dataclass(frozen=True, kw_only=True)
class MediaPresent(SlideArgs):
    """A film or sound that a slide should have; any new one if none is named."""

    kind: Literal["video", "audio", "any"] = "any"
    sha256: str | None = None
    linked: str | None = None
    new: bool = True


@dataclass(frozen=True, kw_only=True)
class MediaStarts(ShapeArgs):
    """How a film or sound should start; by default the first one of the slide."""

    start: Literal["automatic", "on_click"]
    shape: str | None = None

    def __post_init__(self) -> None:
        if self.shape is None and self.shape_now is None:
            # The fields of a frozen dataclass are set this way before it is in use.
            object.__setattr__(self, "shape", "@media")
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class PictureArgs(ShapeArgs):
    """Names a picture; by default the first one of the slide."""

    shape: str | None = None

    def __post_init__(self) -> None:
        if self.shape is None and self.shape_now is None:
            # The fields of a frozen dataclass are set this way before it is in use.
            object.__setattr__(self, "shape", "@picture")
        super().__post_init__()


@dataclass(frozen=True, kw_only=True)
class Replaced(PictureArgs):
    """A picture of the original that should be another one now, where it was."""

    sha256: str | None = None


@dataclass(frozen=True, kw_only=True)
class Cropped(PictureArgs):
    """What should be cut off a picture, in percent of the whole; or its width by its height."""

    left_pct: float | None = None
    top_pct: float | None = None
    right_pct: float | None = None
    bottom_pct: float | None = None
    ratio: float | None = None
    tolerance_pct: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        sides = [getattr(self, name) for name in _SIDES]
        if self.ratio is None and all(each is None for each in sides):
            raise ValueError(f"expected ratio or at least one of {', '.join(_SIDES)}")


@dataclass(frozen=True, kw_only=True)
class PictureLook(PictureArgs):
    """How the colours of a picture should be changed; what is left out does not matter."""

    brightness_pct: int | None = None
    contrast_pct: int | None = None
    opacity_pct: int | None = None
    recolor: str | None = None
    tolerance_pct: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.recolor is None and all(getattr(self, name) is None for name in _LOOKS):
            raise ValueError(f"expected recolor or at least one of {', '.join(_LOOKS)}")


@check("media_present", "media")
def media_present(view: View, args: MediaPresent) -> CheckResult:
    """Measure whether a slide has a film or sound; the right kind with another file is half."""

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        shapes = list(view.new_shapes(seen)) if args.new else list(seen.current.shapes)
        best = 0.0
        for shape in shapes:
            shown = not args.visible or view.is_seen(seen.current, shape)
            best = max(best, _media_fit(shape.picture, args) if shown else 0.0)
        kind = "medium" if args.kind == "any" else args.kind
        found = {1.0: f"has the {kind}", 0.5: f"has another {kind}"}
        return CheckResult(best, f"{seen.label} {found.get(best, f'lacks the {kind}')}")

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("media_starts", "media", "animations", is_binary=True)
def media_starts(view: View, args: MediaStarts) -> CheckResult:
    """Measure whether a film or sound starts by itself, or by a click."""

    def judge(seen: ShapeView) -> CheckResult:
        effects = [e for e in seen.slide.animations if e.shape == seen.current.index]
        by_itself = any(
            effect.kind == "media" and effect.trigger in ("with_previous", "after_previous")
            for effect in effects
        )
        found = "automatic" if by_itself else "on_click"
        return verdict(
            seen.current.kind == "media" and found == args.start,
            f"{seen.label} starts {args.start.replace('_', ' ')}",
            f"{seen.label} starts {found.replace('_', ' ')}",
        )

    return view.on_shapes(args, judge)


@check("picture_replaced", "images")
def picture_replaced(view: View, args: Replaced) -> CheckResult:
    """Measure whether another picture stands where one stood; half if it stands elsewhere."""
    results = []
    for seen in view.slides(args):
        spec = args.shape if args.shape is not None else args.shape_now or ""
        before = None if seen.original is None else find_shape(seen.original, spec)
        if before is None or before.picture is None:
            raise UnscoredError(f"{seen.label} of the original has no picture {spec!r}")
        if seen.current is None:
            results.append(CheckResult(0.0, f"{seen.label} is not there"))
            continue
        old = before.picture.sha256
        others = [
            shape
            for shape in (view.follow(seen, spec), *view.new_shapes(seen))
            if shape is not None
            and shape.picture is not None
            and shape.picture.sha256 not in ("", old)
            and args.sha256 in (None, shape.picture.sha256)
            and (not args.visible or view.is_seen(seen.current, shape))
        ]
        kept = view.follow(seen, spec)
        still = kept is not None and kept.picture is not None and kept.picture.sha256 == old
        results.append(_replacement(before, others, still, seen.label))
    return mean_of(results, "slides")


@check("picture_cropped", "images")
def picture_cropped(view: View, args: Cropped) -> CheckResult:
    """Measure how far a picture's cut edges, or its ratio, are from what they should be."""

    def judge(seen: ShapeView) -> CheckResult:
        picture = seen.current.picture
        if picture is None:
            return CheckResult(0.0, f"{seen.label} is no picture")
        return mean_of(list(_crop_results(seen, picture, args)), "edges")

    return view.on_shapes(args, judge)


@check("picture_adjusted", "images")
def picture_adjusted(view: View, args: PictureLook) -> CheckResult:
    """Measure how near the brightness, contrast and other values of a picture are."""

    def judge(seen: ShapeView) -> CheckResult:
        picture = seen.current.picture
        if picture is None:
            return CheckResult(0.0, f"{seen.label} is no picture")
        results = []
        for name in _LOOKS:
            wanted = getattr(args, name)
            if wanted is not None:
                found = getattr(picture, name)
                value = nearness(found - wanted, args.tolerance_pct, 10)
                what = name.removesuffix("_pct")
                reason = f"the {what} of {seen.label} is {found} %, {wanted} wanted"
                results.append(CheckResult(value, reason))
        if args.recolor is not None:
            right = picture.recolor.casefold() == args.recolor.casefold()
            reason = f"{seen.label} is recoloured by {picture.recolor or 'nothing'}"
            results.append(CheckResult(float(right), reason))
        return mean_of(results, "values")

    return view.on_shapes(args, judge)


def _media_fit(picture: Picture | None, args: MediaPresent) -> float:
    if picture is None or not (picture.media_sha256 or picture.media_kind):
        return 0.0
    if args.kind != "any" and picture.media_kind != args.kind:
        return 0.0
    right_file = args.sha256 is None or picture.media_sha256.lower() == args.sha256.lower()
    right_link = args.linked is None or picture.linked.rstrip("/") == args.linked.rstrip("/")
    return 1.0 if right_file and right_link else 0.5


def _replacement(before: Shape, others: list[Shape], still: bool, label: str) -> CheckResult:
    if not others:
        return CheckResult(0.0, f"{label} has no other picture instead")
    likeness = max(box_likeness(before.box, shape.box) for shape in others)
    if still:
        return CheckResult(0.3, f"{label} has another picture, but the old one too")
    if likeness >= _SAME_PLACE:
        return CheckResult(1.0, f"{label} has another picture in its place")
    return CheckResult(0.5, f"{label} has another picture, but in another place")


def _crop_results(seen: ShapeView, picture: Picture, args: Cropped) -> Iterator[CheckResult]:
    for name, found in zip(_SIDES, picture.crop_pct, strict=True):
        wanted = getattr(args, name)
        if wanted is not None:
            value = nearness(found - wanted, args.tolerance_pct, 10)
            side = name.removesuffix("_pct")
            yield CheckResult(value, f"{seen.label} is cut by {found:.0f} % at its {side}")
    if args.ratio is not None:
        box = seen.current.box
        ratio = box.width / max(1, box.height)
        value = nearness(ratio / args.ratio - 1, args.tolerance_pct / 100, 0.25)
        if not any(picture.crop_pct):
            # Without a cut the ratio comes from stretching.
            value = 0.0
        yield CheckResult(value, f"{seen.label} is {ratio:.2f} times as wide as high")
