"""How a check looks at each slide or shape that a leaf means: the score is the mean over them."""

from collections.abc import Callable

from pptarena.decks.selectors import find_shape
from pptarena.errors import UnscoredError
from pptarena.rewards.checks.address import Address
from pptarena.rewards.checks.pairs import Part, ShapePair, SlidePair
from pptarena.rewards.checks.result import CheckResult, gone, mean_of, noted
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
    results = []
    for pair in view.slides(address):
        found = gone(pair.label) if pair.now is None else measure(pair)
        if explain_hidden and pair.now is not None and pair.visible is not pair.now:
            found = noted(found, view.why_hidden(pair.now))
        results.append(found)
    return mean_of(results, "slides")


def each_shape(
    view: View, address: Address, measure: Callable[[ShapePair], CheckResult]
) -> CheckResult:
    """Return the mean over shapes; one that is not there any more scores 0, as one of a gone slide.

    Raises:
        UnscoredError: If the original lacks a slide or shape that it should have.
    """
    results = []
    for slide in view.slides(address):
        pair = _shape(slide)
        if isinstance(pair, ShapePair):
            found = measure(pair)
            if pair.visible is not pair.after:
                found = noted(found, view.why_hidden(pair.slide))
            results.append(found)
        elif pair is not None:
            results.append(pair)
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


def _shape(slide: SlidePair) -> ShapePair | CheckResult | None:
    """Return the shape, or why it scores 0, or None if the slide is to be left out."""
    address, view = slide.address, slide.view
    selector = address.selector or ""
    of_original = address.slide is not None or address.slides is not None
    if address.shape is not None and of_original and slide.before is not None:
        if find_shape(slide.before, selector) is None and address.skips_lacking:
            return None
        if slide.now is None:
            return gone(slide.label)
        now = slide.follow(selector)
    else:
        now = None if slide.now is None else find_shape(slide.now, selector)
    if slide.now is None or now is None:
        return CheckResult(0.0, f"{slide.label} has no shape {selector!r} now")
    label = f"{now.label} on {slide.label}"
    if address.visible and not view.is_in_view(slide.now, now):
        return CheckResult(0.0, f"{label} cannot be seen")
    return ShapePair(slide, label, slide.original_of(now), now, slide.visible.shapes[now.index])
