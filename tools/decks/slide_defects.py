"""Defects that affect entire slides, as in decks merged in a hurry."""

from copy import deepcopy
from random import Random
from typing import Any

from pptx.oxml.ns import qn
from pptx.util import Cm, Pt

__all__ = [
    "MISSPELLED",
    "add_leftover",
    "duplicate_slide",
    "is_content_title",
    "is_plain_title",
    "misspell",
]

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

_OFF_SLIDE_LEFT_CM = 29.0  # slides are 28 cm wide
_LEFTOVERS = ("old text, keep?", "ask Ines", "Draft 2", "TODO: new figures")


def is_plain_title(shape: Any) -> bool:
    """Return whether a shape is a unique title on a slide without related parts of the file."""
    if not (shape.is_placeholder and shape.placeholder_format.idx == 0):
        return False
    slide = shape.part.slide
    has_relations = any(
        key in (qn("r:id"), qn("r:embed")) for each in slide._element.iter() for key in each.attrib
    )
    deck = slide.part.package.presentation_part.presentation
    titles = [each.shapes.title.text for each in deck.slides if each.shapes.title is not None]
    is_unique = titles.count(shape.text_frame.text) == 1
    return bool(is_unique) and not has_relations and not _is_opening(slide)


def is_content_title(shape: Any) -> bool:
    """Return whether a shape is a title, but not of a title or section slide."""
    return bool(
        shape.is_placeholder
        and shape.placeholder_format.idx == 0
        and not _is_opening(shape.part.slide)
    )


def _is_opening(slide: Any) -> bool:
    return str(slide.slide_layout.name).endswith(("Title Slide", "Section Header"))


def duplicate_slide(title: Any, random: Random) -> tuple[str, str]:
    """Copy a slide to a later position."""
    source = title.part.slide
    deck = source.part.package.presentation_part.presentation
    copy = deck.slides.add_slide(source.slide_layout)
    for placeholder in list(copy.shapes):
        placeholder._element.getparent().remove(placeholder._element)
    for element in source.shapes._spTree[2:]:
        copy.shapes._spTree.append(deepcopy(element))
    entries = deck.slides._sldIdLst
    position = [slide.slide_id for slide in deck.slides].index(source.slide_id)
    entry = entries[-1]
    entries.remove(entry)
    new_position = random.randrange(position + 2, len(entries))
    entries.insert(new_position, entry)
    return "once", f"again {new_position - position} slides later"


def add_leftover(title: Any, random: Random) -> tuple[str, str]:
    """Add a text box outside the slide area, where neither show nor print includes it."""
    shapes = title.part.slide.shapes
    top = Cm(random.randrange(3, 10))
    box = shapes.add_textbox(Cm(_OFF_SLIDE_LEFT_CM), top, Cm(6), Cm(1.2))
    box.name = f"Leftover {len(shapes)}"
    box.text_frame.text = random.choice(_LEFTOVERS)
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(16)
    return "", f"{box.name}: {box.text_frame.text}"


def misspell(shape: Any, random: Random) -> tuple[str, str]:
    """Replace a word by a common misspelling."""
    runs = [run for each in shape.text_frame.paragraphs for run in each.runs]
    candidates = [(run, word) for run in runs for word in MISSPELLED if word in run.text]
    run, word = random.choice(candidates)
    run.text = run.text.replace(word, MISSPELLED[word], 1)
    return word, MISSPELLED[word]
