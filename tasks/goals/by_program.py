"""Solutions that the edit vocabulary cannot express, as python-pptx programs."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from pptx.enum.shapes import MSO_SHAPE
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt

from pptarena.edits.markup import insert_motion
from pptarena.tasks.goals.editing import slide_at

__all__ = ["PROGRAMS"]

_ALARM = (
    "Leave everything where it is",
    "Walk to the nearest green door",
    "Meet at the flagpole",
    "Stay until your name was called",
)


def _alarm_arrows(deck: Any) -> None:
    slide = slide_at(deck, 16)
    body = slide.placeholders[1]
    body._element.getparent().remove(body._element)
    for place, text in enumerate(_ALARM):
        arrow = slide.shapes.add_shape(
            MSO_SHAPE.PENTAGON, Cm(1.4 + 6.4 * place), Cm(5.4), Cm(6), Cm(4.4)
        )
        arrow.adjustments[0] = 0.2
        frame = arrow.text_frame
        frame.word_wrap = True
        frame.text = text
        frame.paragraphs[0].font.size = Pt(18)


def _questions_later(deck: Any) -> None:
    timing = deepcopy(slide_at(deck, 11)._element.find(qn("p:timing")))
    clicks = timing.find(f".//{qn('p:seq')}/{qn('p:cTn')}/{qn('p:childTnLst')}")
    clicks.remove(clicks[1])
    slide = slide_at(deck, 18)
    for target in timing.iter(qn("p:spTgt")):
        target.set("spid", str(slide.placeholders[2].shape_id))
    insert_motion(slide._element, timing)


PROGRAMS: Mapping[str, Callable[[Any], None]] = {
    "onboard-alarm-arrows": _alarm_arrows,
    "resistance-questions-later": _questions_later,
}
"""The program of each task."""
