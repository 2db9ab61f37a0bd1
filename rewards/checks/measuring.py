"""How a check looks at each slide or shape that a leaf means: the score is the mean over them."""

from collections.abc import Callable

from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.address import Address
from pptarena.rewards.checks.pairs import Part, ShapePair, SlidePair
from pptarena.rewards.checks.result import (
    CheckResult,
    NotThereError,
    mean_of,
    needed,
    noted,
    zero_if_missing,
)
from pptarena.rewards.checks.view import View

__all__ = ["each_part", "each_shape", "each_slide"]


def each_slide(
    view: View,
    address: Address,
    measure: Callable[[SlidePair], CheckResult],
    *,
    explain_hidden: bool,
) -> CheckResult:
    """Return the mean over slides; one that is not there scores 0.

    With `explain_hidden` a reason also says why text of the slide cannot be seen.
    """

    @zero_if_missing
    def of_slide(pair: SlidePair) -> CheckResult:
        slide, found = pair.after, measure(pair)
        hides = explain_hidden and pair.visible is not slide
        return noted(found, view.why_hidden(slide)) if hides else found

    return mean_of(map(of_slide, view.slides(address)), "slides")


def each_shape(
    view: View, address: Address, measure: Callable[[ShapePair], CheckResult]
) -> CheckResult:
    """Return the mean over shapes; one that is not there any more scores 0, as one of a gone slide.

    Raises:
        UnscoredError: If the original lacks a slide or shape that it should have.
    """

    @zero_if_missing
    def of_shape(slide: SlidePair) -> CheckResult:
        pair = _shape(slide)
        found, hides = measure(pair), pair.visible is not pair.after
        return noted(found, view.why_hidden(pair.slide)) if hides else found

    results = [of_shape(slide) for slide in view.slides(address) if not _is_left_out(slide)]
    if not results:
        raise UnscoredError(f"no slide of the original has a shape {address.shape!r}")
    return mean_of(results, "shapes")


def each_part(
    view: View, address: Address, measure: Callable[[Part], CheckResult], *, explain_hidden: bool
) -> CheckResult:
    """Return the mean over shapes, or over slides as a whole if the address names no shape."""

    def of_shape(pair: ShapePair) -> CheckResult:
        return measure(Part(pair.on, pair.label, pair.after, (pair.after,), (pair.visible,)))

    def of_slide(pair: SlidePair) -> CheckResult:
        return measure(Part(pair, pair.place, None, pair.after.shapes, pair.visible.shapes))

    if address.selector is not None:
        return each_shape(view, address, of_shape)
    return each_slide(view, address, of_slide, explain_hidden=explain_hidden)


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
    if address.visible and not slide.view.is_in_view(after, now):
        raise NotThereError(f"{label} cannot be seen")
    return ShapePair(slide, label, slide.original_of(now), now, slide.visible.shapes[now.index])
