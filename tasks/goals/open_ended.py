"""The goals of tasks of the suite ``bench`` that are open-ended, and of two that draw or animate.

Of an open-ended task this is one good way among many; what a model judges of it is not asked here.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from pptx.enum.shapes import MSO_SHAPE
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt

from pptarena.tasks.goals.editing import (
    add_page,
    insert_motion,
    set_notes,
    set_title,
    shape_named,
    slide_at,
)
from pptarena.tasks.goals.tables import add_table_like

__all__ = ["OPEN_GOALS"]

_COURSE = (
    (
        "Why in winter",
        "Fields rest in January",
        "18 farms came last year, few would have found the time in spring",
        "Plans for manure are due on 31 March",
    ),
    (
        "What we do on the two days",
        "Soil first: bring 3 samples, read together",
        "After lunch we dig at the brook",
        "Then we reckon: a plan for manure on 1 page",
    ),
    (
        "What it costs",
        "Members 40 euros, others 65, lunch included",
        "24 places, no waiting list",
        "Write to Tilo by 12 December",
    ),
)
_TESTS = (
    ("", "Dilution", "Disc diffusion"),
    ("What is done", "Tubes, each with twice the concentration", "Discs with a known dose"),
    ("What is read", "MIC, lowest without growth", "Width of the zone"),
    ("What it gives", "A concentration", "No concentration, but cheap"),
)
_ALARM = (
    "Leave everything where it is",
    "Walk to the nearest green door",
    "Meet at the flagpole",
    "Stay until your name was called",
)
_IN_SHORT = (
    "87 reports in 2026, 91 in 2025",
    "Better: falls down from 38 to 33",
    "Worse: mix-ups of medicines up from 27 to 31",
    "We ask for money for forty bed rails",
    "We ask for a pharmacist on call at night",
)


def _winter_course(deck: Any) -> None:
    for number, (title, *points) in enumerate(_COURSE, start=17):
        add_page(deck, number, "Title and Content", title, points)


def _in_short(deck: Any) -> None:
    add_page(deck, 3, "Title and Content", "In short", _IN_SHORT)


def _compare_tests(deck: Any) -> None:
    slide = add_page(deck, 15, "Title Only", "Dilution or disc diffusion?")
    box = (Cm(5), Cm(3.2), Cm(22), Cm(5.4))
    add_table_like(shape_named(deck, 6, "Classes"), slide, box, _TESTS)
    for number, name, left in ((13, "Tubes", Cm(7)), (14, "Dish", Cm(18))):
        source = shape_named(deck, number, name)
        copy = deepcopy(source._element)
        image = source.part.related_part(source._element.blipFill.blip.rEmbed)
        copy.blipFill.blip.rEmbed = slide.part.relate_to(image, RT.IMAGE)
        slide.shapes._spTree.append(copy)
        picture = slide.shapes[-1]
        copy.nvPicPr.cNvPr.set("id", str(max(each.shape_id for each in slide.shapes) + 1))
        picture.width = round(source.width * Cm(3.9) / source.height)
        picture.height, picture.left, picture.top = Cm(3.9), left, Cm(10.2)


def _chapter_notes(deck: Any) -> None:
    set_notes(
        deck,
        4,
        "First the cell: Four targets in the cell shows where drugs can act at all. Classes, "
        "targets, examples then puts names to them.",
    )
    set_notes(
        deck,
        16,
        "From rule to practice: Five rules of careful prescribing, then Case: a painful weekend to "
        "apply them. Check yourself closes the hour, Further reading is for home.",
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


def _three_numbers(deck: Any) -> None:
    set_title(deck, 8, "Bright by day, warm by night, for years")
    left, right = (slide_at(deck, 8).placeholders[index] for index in (1, 2))
    frame = left.text_frame
    texts = ("1,800 lumen at noon", "2,200 kelvin at dusk", "Five years of warranty")
    for extra in list(frame.paragraphs)[len(texts) :]:
        extra._p.getparent().remove(extra._p)
    for paragraph, text in zip(frame.paragraphs, texts, strict=True):
        paragraph.level = 0
        paragraph.runs[0].text = text
    right._element.getparent().remove(right._element)


def _bus_in_english(deck: Any) -> None:
    set_title(deck, 7, "What the bus cannot do")
    points = (
        "It stands in the traffic jam with everyone else",
        "No more than eight buses an hour fit at the market",
        "One tram replaces three buses",
    )
    paragraphs = slide_at(deck, 7).placeholders[1].text_frame.paragraphs
    for paragraph, text in zip(paragraphs, points, strict=True):
        first, *others = paragraph.runs
        first.text = text
        for run in others:
            run._r.getparent().remove(run._r)


def _returns_step(deck: Any) -> None:
    steps = [shape_named(deck, 10, f"Step {number}") for number in range(1, 5)]
    copy = deepcopy(steps[-1]._element)
    slide = slide_at(deck, 10)
    slide.shapes._spTree.append(copy)
    steps.append(slide.shapes[-1])
    copy.nvSpPr.cNvPr.set("id", str(max(each.shape_id for each in slide.shapes) + 1))
    copy.nvSpPr.cNvPr.set("name", "Step 5")
    for paragraph, text in zip(steps[-1].text_frame.paragraphs, ("Returns", "3,900"), strict=True):
        paragraph.runs[0].text = text
    for place, step in enumerate(steps):
        # Lower, too: the points of a chevron leave its words the width less the height.
        step.left, step.top, step.width, step.height = (
            Cm(1 + 5.1 * place),
            Cm(5.6),
            Cm(5.6),
            Cm(2.8),
        )


def _questions_later(deck: Any) -> None:
    timing = deepcopy(slide_at(deck, 11)._element.find(qn("p:timing")))
    clicks = timing.find(f".//{qn('p:seq')}/{qn('p:cTn')}/{qn('p:childTnLst')}")
    clicks.remove(clicks[1])
    slide = slide_at(deck, 18)
    for target in timing.iter(qn("p:spTgt")):
        target.set("spid", str(slide.placeholders[2].shape_id))
    insert_motion(slide._element, timing)


OPEN_GOALS: Mapping[str, Callable[[Any], None]] = {
    "aurora-three-numbers": _three_numbers,
    "clinic-in-short": _in_short,
    "field-winter-course": _winter_course,
    "harbor-bus-in-english": _bus_in_english,
    "meridian-returns-step": _returns_step,
    "onboard-alarm-arrows": _alarm_arrows,
    "resistance-chapter-notes": _chapter_notes,
    "resistance-compare-tests": _compare_tests,
    "resistance-questions-later": _questions_later,
}
"""What carries out each task, as in ``office``."""
