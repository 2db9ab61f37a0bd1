"""Mess that affects entire slides, as in decks merged in a hurry."""

from copy import deepcopy
from random import Random
from typing import Any

from pptx.oxml.ns import qn
from pptx.util import Cm, Pt

__all__ = ["MISSPELLED", "add_leftover", "double", "is_content_title", "is_plain_title", "misspell"]

MISSPELLED = {
    "calendar": "calender",
    "committee": "comittee",
    "definitely": "definately",
    "necessary": "neccessary",
    "occurred": "occured",
    "receive": "recieve",
    "separate": "seperate",
    "until": "untill",
}
"""Words and their common misspellings."""

_LEFT_CM = 29.0  # slides are 28 cm wide
_LEFTOVERS = ("old text, keep?", "ask Ines", "Draft 2", "TODO: new figures")


def is_plain_title(shape: Any) -> bool:
    """Return whether a shape is a title on a slide that needs no other part of the file."""
    if not (shape.is_placeholder and shape.placeholder_format.idx == 0):
        return False
    slide = shape.part.slide
    refers = any(
        key in (qn("r:id"), qn("r:embed")) for each in slide._element.iter() for key in each.attrib
    )
    deck = slide.part.package.presentation_part.presentation
    titles = [each.shapes.title.text for each in deck.slides if each.shapes.title is not None]
    alone = titles.count(shape.text_frame.text) == 1
    return bool(alone) and not refers and not _opens(slide)


def is_content_title(shape: Any) -> bool:
    """Return whether a shape is a title, but not of a title or section slide."""
    return bool(
        shape.is_placeholder and shape.placeholder_format.idx == 0 and not _opens(shape.part.slide)
    )


def _opens(slide: Any) -> bool:
    return str(slide.slide_layout.name).endswith(("Title Slide", "Section Header"))


def double(title: Any, random: Random) -> tuple[str, str]:
    """Copy a slide to a later position."""
    source = title.part.slide
    deck = source.part.package.presentation_part.presentation
    copy = deck.slides.add_slide(source.slide_layout)
    for own in list(copy.shapes):
        own._element.getparent().remove(own._element)
    for element in source.shapes._spTree[2:]:
        copy.shapes._spTree.append(deepcopy(element))
    entries = deck.slides._sldIdLst
    at = [slide.slide_id for slide in deck.slides].index(source.slide_id)
    entry = entries[-1]
    entries.remove(entry)
    to = random.randrange(at + 2, len(entries))
    entries.insert(to, entry)
    return "once", f"again {to - at} slides later"


def add_leftover(title: Any, random: Random) -> tuple[str, str]:
    """Add a text box outside the slide area, where neither show nor print includes it."""
    shapes = title.part.slide.shapes
    top = Cm(random.randrange(3, 10))
    box = shapes.add_textbox(Cm(_LEFT_CM), top, Cm(6), Cm(1.2))
    box.name = f"Leftover {len(shapes)}"
    box.text_frame.text = random.choice(_LEFTOVERS)
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(16)
    return "", f"{box.name}: {box.text_frame.text}"


def misspell(shape: Any, random: Random) -> tuple[str, str]:
    """Replace a word by a common misspelling."""
    said = [run for each in shape.text_frame.paragraphs for run in each.runs]
    found = [(run, word) for run in said for word in MISSPELLED if word in run.text]
    run, word = random.choice(found)
    run.text = run.text.replace(word, MISSPELLED[word], 1)
    return word, MISSPELLED[word]
