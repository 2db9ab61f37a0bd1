"""Checks of pictures."""

from dataclasses import dataclass

from pptarena.decks import Box, Picture, Shape
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.registry import check
from pptarena.rewards.checks.result import CheckResult, mean_of, verdict
from pptarena.rewards.checks.view import ShapeArgs, ShapeView, SlideArgs, SlideView, View


@dataclass(frozen=True, kw_only=True)
class Present(SlideArgs):
    """A picture that a slide should have; any new one if none is named."""

    sha256: str | None = None
    from_slide: int | None = None
    from_shape: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.from_slide is None) != (self.from_shape is None):
            raise ValueError("expected from_slide and from_shape together")
        if self.sha256 is not None and self.from_slide is not None:
            raise ValueError("expected at most one of sha256, from_slide")


@dataclass(frozen=True, kw_only=True)
class Unchanged(ShapeArgs):
    """A picture that should stay what it is."""

    ratio_tolerance: float = 0.02


@check("picture_present", "images", is_binary=True)
def picture_present(view: View, args: Present) -> CheckResult:
    """Measure whether a slide shows a picture."""
    wanted = args.sha256.lower() if args.sha256 is not None else _source(view, args)

    def judge(seen: SlideView) -> CheckResult:
        if seen.current is None:
            return CheckResult(0.0, f"{seen.label} is not there")
        shapes = view.new_shapes(seen) if wanted is None else seen.current.shapes
        found = [
            shape
            for shape in shapes
            if _shows(shape, wanted) and (not args.visible or view.is_seen(seen.current, shape))
        ]
        name = "a new picture" if wanted is None else "the picture"
        return verdict(bool(found), f"{seen.label} has {name}", f"{seen.label} lacks {name}")

    return mean_of([judge(seen) for seen in view.slides(args)], "slides")


@check("picture_unchanged", "images", is_goal=False)
def picture_unchanged(view: View, args: Unchanged) -> CheckResult:
    """Measure whether a picture is still the same file, and not stretched; half each."""

    def judge(seen: ShapeView) -> CheckResult:
        before = None if seen.original is None else seen.original.picture
        if seen.original is None or before is None:
            raise UnscoredError(f"{seen.label} was no picture in the original")
        now = seen.current.picture
        same_file = now is not None and now.sha256 == before.sha256
        stretch = 1.0
        if now is not None:
            stretch = _shown_ratio(seen.current.box, now) / _shown_ratio(seen.original.box, before)
        same_ratio = now is not None and abs(stretch - 1) <= args.ratio_tolerance
        results = [
            verdict(same_file, "the file is the same", f"{seen.label} shows another picture"),
            verdict(same_ratio, "it is not stretched", f"{seen.label} is stretched"),
        ]
        return mean_of(results, "conditions")

    return view.on_shapes(args, judge)


def _source(view: View, args: Present) -> str | None:
    if args.from_slide is None or args.from_shape is None:
        return None
    shape = find_shape(view.original_slide(args.from_slide), args.from_shape)
    if shape is None or shape.picture is None:
        raise UnscoredError(f"slide {args.from_slide} has no picture {args.from_shape!r}")
    return shape.picture.sha256


def _shows(shape: Shape, wanted: str | None) -> bool:
    if shape.picture is None or shape.shows_nothing:
        return False
    return wanted is None or shape.picture.sha256 == wanted


def _shown_ratio(box: Box, picture: Picture) -> float:
    """Return width to height of the whole picture at the scale that it is shown in."""
    left, top, right, bottom = (each / 100 for each in picture.crop_pct)
    width = box.width / max(0.01, 1 - left - right)
    height = box.height / max(0.01, 1 - top - bottom)
    return max(width, 1.0) / max(height, 1.0)
