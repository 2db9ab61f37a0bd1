"""Text that an application may shrink, and does not."""

from typing import Final

from pptarena.decks.facts.shape import Shape
from pptarena.decks.facts.text import TextFrame
from pptarena.decks.visibility.text_place import text_need

__all__ = ["same_fitting"]

_LEAST_SCALE_PCT: Final = 95.0
_MOST_REDUCTION_PCT: Final = 10.0
_ESTIMATE: Final = 1.1  # what the estimate of a text's height may be off


def same_fitting(old: Shape, new: Shape) -> bool:
    """Return whether "shrink on overflow" came or went without an effect that can be seen.

    PowerPoint turns it on by itself. It has no effect as long as the text fits its frame, and
    hardly any where it takes a few percent.
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
