"""How a check looks at each slide or shape that a leaf means: the score is the mean over them."""

from collections.abc import Callable
from typing import Any

from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.address import Address
from pptarena.rewards.checks.pairs import Part, ShapePair, SlidePair
from pptarena.rewards.checks.result import CheckResult, mean_of, needed, noted, zero_if_missing
from pptarena.rewards.checks.view import View

__all__ = ["mean_over"]


def mean_over(
    view: View,
    address: Address,
    scale: str,
    measure: Callable[[Any], CheckResult],
    explain_hidden: bool,
) -> CheckResult:
    """Return the mean over slides, or over shapes; what is not there any more scores 0.

    Args:
        view: The two decks.
        address: Which slides, and which shape of them.
        scale: What to measure: each ``slide``, each ``shape``, or each ``part``, which is a shape
            if the address names one and else a slide.
        measure: Is shown each of them.
        explain_hidden: Whether reasons about slides say why text of them cannot be seen, as those
            about shapes do.

    Raises:
        UnscoredError: If the original lacks a slide or shape that it should have.
    """
    of_shapes = scale == "shape" or (scale == "part" and address.selector is not None)

    @zero_if_missing
    def of_slide(slide: SlidePair) -> CheckResult:
        shown = _shape(slide) if of_shapes else slide
        now = shown.after
        result = measure(_part(shown) if scale == "part" else shown)
        hides = (of_shapes or explain_hidden) and shown.visible is not now
        return noted(result, view.why_hidden(slide.after)) if hides else result

    slides = view.slides(address)
    if of_shapes:
        slides = [slide for slide in slides if not _is_left_out(slide)]
        if not slides:
            raise UnscoredError(f"no slide of the original has a shape {address.shape!r}")
    return mean_of(map(of_slide, slides), "shapes" if of_shapes else "slides")


def _part(shown: SlidePair | ShapePair) -> Part:
    if isinstance(shown, SlidePair):
        return Part(shown, shown.place, None, shown.after.shapes, shown.visible.shapes)
    return Part(shown.on, shown.label, shown.after, (shown.after,), (shown.visible,))


def _is_left_out(slide: SlidePair) -> bool:
    """Return whether the leaf names slides by a rule, and the shape was never on this one."""
    selector, before = slide.address.shape, slide.before
    if not slide.address.skips_lacking or selector is None or before is None:
        return False
    return find_shape(before, selector) is None


def _shape(slide: SlidePair) -> ShapePair:
    address, after = slide.address, slide.after
    selector = address.selector or ""
    of_original = address.slide is not None or address.slides is not None
    followed = address.shape is not None and of_original
    shape = slide.follow(selector) if followed else find_shape(after, selector)
    now = needed(shape, f"{slide.label} has no shape {selector!r} now")
    label = f"{now.label} on {slide.label}"
    in_view = not address.visible or slide.view.is_in_view(after, now)
    needed(in_view, f"{label} cannot be seen")
    return ShapePair(slide, label, slide.original_of(now), now, slide.visible.shapes[now.index])
