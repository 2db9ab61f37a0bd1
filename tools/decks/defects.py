"""Seeded defects, such as hurried authors leave in a deck, and a record of them.

Each kind picks its target by the seed, damages it and records the previous state, so it also
defines a cleanup task with a known result.
"""

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn
from pptx.util import Cm, Pt

from pptarena.errors import DeckError
from tools.decks.slide_defects import (
    MISSPELLED,
    add_leftover,
    duplicate_slide,
    is_content_title,
    is_plain_title,
    misspell,
)
from tools.decks.text_direction import arabic_paragraphs

__all__ = ["DEFECTS", "Defect", "add_defects"]

_WRONG_FONT = "Liberation Serif"
_PALE_COLOR = "D9E2E8"
_PALE_RGB = RGBColor(0xD9, 0xE2, 0xE8)  # type: ignore[no-untyped-call]
_SHIFT_CM = 0.3


@dataclass(frozen=True)
class Defect:
    """One defect.

    Attributes:
        kind: A key of `DEFECTS`.
        slide: 1-based position of the slide.
        shape: Name of the shape.
        before: The previous state; empty if there was none.
        after: The current state.
    """

    kind: str
    slide: int
    shape: str
    before: str
    after: str


def add_defects(deck: Any, kinds: list[str], seed: int) -> list[Defect]:
    """Add defects to a presentation and return them.

    Every shape gets at most one, so that each cleanup is independent. Slide positions are those of
    the final deck.

    Args:
        deck: The presentation of python-pptx.
        kinds: Keys of `DEFECTS`, in order; repetitions are allowed.
        seed: Determines the targets.

    Raises:
        DeckError: If a kind does not exist, or has no unused target.
    """
    defects: list[tuple[str, int, str, str, str]] = []
    random = Random(seed)
    for kind in kinds:
        if kind not in DEFECTS:
            raise DeckError(f"mess: expected a kind of {', '.join(DEFECTS)}, got {kind!r}")
        fits, apply = DEFECTS[kind]
        used = {(slide, shape) for _, slide, shape, _, _ in defects}
        targets = [
            (slide.slide_id, shape)
            for slide in list(deck.slides)[1:]
            for shape in slide.shapes
            if (slide.slide_id, shape.name) not in used and fits(shape)
            if kind != "duplicate" or slide.slide_id not in {each for each, _ in used}
        ]
        if not targets:
            raise DeckError(f"mess: no unused shape is suitable for {kind!r}")
        slide_id, shape = random.choice(targets)
        defects.append((kind, slide_id, shape.name, *apply(shape, random)))
    ids = [slide.slide_id for slide in deck.slides]
    return [Defect(kind, ids.index(slide_id) + 1, *rest) for kind, slide_id, *rest in defects]


def _is_label(shape: Any) -> bool:
    return shape.has_text_frame and not shape.is_placeholder and bool(shape.text_frame.text)


def _is_body(shape: Any) -> bool:
    return bool(
        shape.is_placeholder
        and shape.has_text_frame
        and shape.placeholder_format.idx in (1, 2)
        and shape.text_frame.text
    )


def _is_linked(shape: Any) -> bool:
    return _is_label(shape) and shape._element.find(".//" + qn("a:hlinkClick")) is not None


def _is_tile(shape: Any) -> bool:
    return _is_label(shape) and shape._element.spPr.find(qn("a:solidFill")) is not None


def _is_plain_label(shape: Any) -> bool:
    return _is_label(shape) and not _is_linked(shape) and not _is_tile(shape)


def _split_runs(shape: Any, random: Random) -> tuple[str, str]:
    """Split a paragraph into two runs in the middle of a word, as in pasted text."""
    run = shape.text_frame.paragraphs[0].runs[0]
    position = random.randrange(1, len(run.text))
    copy = deepcopy(run._r)
    text, run.text = run.text, run.text[:position]
    copy.find(qn("a:t")).text = text[position:]
    run._r.addnext(copy)
    return text, f"{text[:position]}|{text[position:]}"


def _wrong_font(shape: Any, random: Random) -> tuple[str, str]:
    paragraph = random.choice([each for each in shape.text_frame.paragraphs if each.runs])
    before = paragraph.runs[0].font.name or ""
    for run in paragraph.runs:
        run.font.name = _WRONG_FONT
    return before, _WRONG_FONT


def _shift(shape: Any, random: Random) -> tuple[str, str]:
    before = shape.top
    shape.top = before + random.choice((-1, 1)) * Cm(_SHIFT_CM)
    return f"top {before} EMU", f"top {shape.top} EMU"


def _off_layout(shape: Any, _: Random) -> tuple[str, str]:
    """Move a placeholder away from its layout position."""
    before = (shape.left, shape.top, shape.width, shape.height)
    after = (before[0] + Cm(1.6), before[1] + Cm(0.9), before[2] - Cm(4), before[3] - Cm(2))
    shape.left, shape.top, shape.width, shape.height = after
    return f"box {before} EMU", f"box {after} EMU"


def _low_contrast(shape: Any, _: Random) -> tuple[str, str]:
    for paragraph in shape.text_frame.paragraphs:
        for run in paragraph.runs:
            run.font.color.rgb = _PALE_RGB
    return "tx2", _PALE_COLOR


def _broken_link(shape: Any, _: Random) -> tuple[str, str]:
    link = shape.text_frame.paragraphs[0].runs[0].hyperlink
    before = link.address
    link.address = before.replace("https://", "htp://")
    return before, link.address


def _is_arabic_body(shape: Any) -> bool:
    return _is_body(shape) and len(list(arabic_paragraphs(shape._element))) > 1


def _wrong_direction(shape: Any, _: Random) -> tuple[str, str]:
    """Set Arabic text to left-to-right and left-aligned, as in pasted text."""
    for paragraph in arabic_paragraphs(shape._element):
        del paragraph.pPr.attrib["rtl"]
        paragraph.pPr.set("algn", "l")
    return "right to left", "left to right"


def _is_misspellable(shape: Any) -> bool:
    return _is_body(shape) and any(word in shape.text_frame.text for word in MISSPELLED)


def _wrong_title_font(shape: Any, _: Random) -> tuple[str, str]:
    font = shape.text_frame.paragraphs[0].runs[0].font
    font.name, font.size = _WRONG_FONT, Pt(20)
    return "", f"{_WRONG_FONT}, 20 pt"


DEFECTS: Mapping[str, tuple[Callable[[Any], bool], Callable[[Any, Random], tuple[str, str]]]] = {
    "split_runs": (_is_body, _split_runs),
    "odd_font": (_is_body, _wrong_font),
    "shift": (_is_tile, _shift),
    "off_layout": (_is_body, _off_layout),
    "low_contrast": (_is_plain_label, _low_contrast),
    "broken_link": (_is_linked, _broken_link),
    "wrong_direction": (_is_arabic_body, _wrong_direction),
    "misspelling": (_is_misspellable, misspell),
    "odd_title": (is_content_title, _wrong_title_font),
    "leftover": (is_content_title, add_leftover),
    "duplicate": (is_plain_title, duplicate_slide),
}
"""The targets of each kind and the function that damages them."""
