"""Checks of pictures."""

from collections.abc import Mapping
from typing import Any

from pptarena.decks import Box, Picture, Shape
from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checking.address import require_old
from pptarena.rewards.checking.arguments import OldSelector
from pptarena.rewards.checking.pairs import ShapePair, SlidePair
from pptarena.rewards.checking.registry import shape_check, slide_check
from pptarena.rewards.checking.result import CheckResult, mean_of, verdict
from pptarena.rewards.relative import OneSlide


def _both_or_neither(values: Mapping[str, Any]) -> None:
    if (values["from_slide"] is None) != (values["from_shape"] is None):
        raise ValueError("expected from_slide and from_shape together, got one of them")


@slide_check("images", is_binary=True, at_most_one=("sha256", "from_slide"), more=_both_or_neither)
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
    wanted = None if sha256 is None else sha256.lower()
    if from_slide is not None and from_shape is not None:
        source = find_shape(pair.view.original_slide(from_slide), from_shape)
        if source is None or source.picture is None:
            raise UnscoredError(f"slide {from_slide} has no picture {from_shape!r}")
        wanted = source.picture.sha256
    shapes = pair.new_shapes if wanted is None else pair.after.shapes
    found = any(_shows(shape, wanted) and pair.counts(shape) for shape in shapes)
    name = "a new picture" if wanted is None else "the picture"
    return verdict(found, f"{pair.label} has {name}", f"{pair.label} lacks {name}")


@shape_check("images", is_goal=False, more=require_old)
def picture_unchanged(pair: ShapePair, ratio_tolerance: float = 0.02) -> CheckResult:
    """Measure whether a picture is the same file and not distorted; each condition earns half."""
    if pair.before is None or pair.before.picture is None:
        raise UnscoredError(f"{pair.label} was not a picture in the original")
    before, now = pair.before.picture, pair.after.picture
    if now is None:
        return CheckResult(0.0, f"{pair.label} is no longer a picture")
    stretch = _shown_ratio(pair.after.box, now) / _shown_ratio(pair.before.box, before) - 1
    results = [
        CheckResult(float(now.sha256 == before.sha256), f"{pair.label} shows a different picture"),
        CheckResult(float(abs(stretch) <= ratio_tolerance), f"{pair.label} is distorted"),
    ]
    return mean_of(results, "conditions")


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
