"""Faults that only the original or the layout shows: a text shrunk, a picture cut further."""

from collections.abc import Iterator

from pptarena.decks import Deck, Shape, Slide
from pptarena.decks.match.decks import DeckMatch
from pptarena.decks.visibility.fitness import SMALL_PLACEHOLDERS, Fault, text_size_pt
from pptarena.rewards.fitness.work import WorkedShape

__all__ = ["reference_faults"]

_SHRUNK = 0.55
_LARGE_ENOUGH_PT = 16.0
_CUT = 0.4
_TITLES = ("title", "ctrTitle")


def reference_faults(match: DeckMatch, work: WorkedShape) -> Iterator[Fault]:
    """Yield what makes a shape unfit beside what it was, or beside its layout."""
    shape = work.shape
    own = _own_place(match.current, work.slide, shape)
    model = work.before if work.before is not None else own
    if model is not None and shape.text.strip() and shape.placeholder not in SMALL_PLACEHOLDERS:
        size, usual = text_size_pt(shape), text_size_pt(model)
        if 0 < size < min(_SHRUNK * usual, _LARGE_ENOUGH_PT):
            yield Fault("shrunk", 0.45, f"its text is {size:g} pt instead of {usual:g} pt")
    is_above = own is not None and own.box.top < match.current.height_emu / 2
    is_new_title = shape.placeholder in _TITLES and work.before is None
    if is_new_title and is_above and _is_below_words(work.slide, shape):
        yield Fault("title below", 0.6, "the title is below the text")
    old = None if work.before is None else work.before.picture
    if shape.picture is not None and old is not None:
        kept = _kept(shape.picture.crop_pct) / max(1e-6, _kept(old.crop_pct))
        if kept < _CUT:
            yield Fault("cut", 0.65 - 0.5 * kept, f"only {kept:.0%} of the picture is visible")


def _own_place(deck: Deck, slide: Slide, shape: Shape) -> Shape | None:
    """Return the placeholder of the layout that a placeholder of a slide fills."""
    layout = deck.layout_of(slide)
    if layout is None or not shape.placeholder:
        return None
    kinds = _TITLES if shape.placeholder in _TITLES else (shape.placeholder,)
    return next((each for each in layout.shapes if each.placeholder in kinds), None)


def _is_below_words(slide: Slide, title: Shape) -> bool:
    words = [
        each
        for each in slide.shapes
        if each.index != title.index and each.all_text.strip() and not each.hidden
        and each.placeholder not in SMALL_PLACEHOLDERS
    ]  # fmt: skip
    return bool(words) and all(each.box.bottom <= title.box.top for each in words)


def _kept(crop_pct: tuple[float, float, float, float]) -> float:
    left, top, right, bottom = (each / 100 for each in crop_pct)
    return max(0.0, 1 - left - right) * max(0.0, 1 - top - bottom)
