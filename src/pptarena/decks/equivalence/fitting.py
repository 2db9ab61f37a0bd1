"""Compare "shrink text on overflow" by its visible effect."""

from typing import Final

from pptarena.decks.facts.shape import Shape
from pptarena.decks.facts.text import TextFrame
from pptarena.decks.visibility.text_place import text_need

__all__ = ["same_fitting"]

_LEAST_SCALE_PCT: Final = 95.0
_MOST_REDUCTION_PCT: Final = 10.0
_ESTIMATE: Final = 1.1  # relative error of the estimated text height


def same_fitting(old: Shape, new: Shape) -> bool:
    """Return whether "shrink text on overflow" was turned on or off without a visible effect.

    PowerPoint turns it on by itself. It has no effect if the text fits its frame, and hardly any if
    it shrinks the text by a few percent.
    """
    if old.autofit == new.autofit:
        return True
    if {old.autofit, new.autofit} != {"none", "text"}:
        return False
    shrinks = old if old.autofit == "text" else new
    frame = shrinks.frame or TextFrame()
    if frame.autofit_scale_pct < _LEAST_SCALE_PCT:
        return False
    if frame.autofit_reduction_pct > _MOST_REDUCTION_PCT:
        return False
    need = text_need(shrinks.paragraphs, shrinks.box, frame)
    return need.height_pt <= _ESTIMATE * need.room_height_pt
