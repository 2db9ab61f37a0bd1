"""Blind policies on shapes and pictures: rows, positions, alternative text, pictures."""

from collections.abc import Iterator
from statistics import median
from typing import Any

from pptx.oxml.ns import qn
from tests.scorer.blind.policy import Policy, every_shape, policy, title_of

__all__ = ["SHAPES"]

SHAPES: list[Policy] = []

_NEAR_EMU = 500_000
_MAX_SIZE_DIFFERENCE = 0.1
_COLUMNS = 3
_GAP_EMU = 200_000


def _rows(slide: Any) -> Iterator[list[Any]]:
    """Yield groups of three or more shapes of similar size and nearly equal top."""
    remaining = [s for s in slide.shapes if s.width and s.height and not s.is_placeholder]
    while remaining:
        first = remaining[0]
        row = [s for s in remaining if _is_like(first, s) and abs(s.top - first.top) <= _NEAR_EMU]
        remaining = [s for s in remaining if all(s is not each for each in row)]
        if len(row) > 2:
            yield row


def _is_like(one: Any, two: Any) -> bool:
    pairs = ((one.width, two.width), (one.height, two.height))
    return all(abs(a - b) <= _MAX_SIZE_DIFFERENCE * max(a, b, 1) for a, b in pairs)


@policy("levels the tops of rows", SHAPES)
def _align_tops(deck: Any) -> None:
    for slide in deck.slides:
        for row in _rows(slide):
            top = round(median(each.top for each in row))
            for each in row:
                if each.top != top:
                    each.top = top


@policy("spaces rows evenly", SHAPES)
def _even_spacing(deck: Any) -> None:
    for slide in deck.slides:
        for row in _rows(slide):
            row.sort(key=lambda each: each.left)
            first, last = row[0].left, row[-1].left
            for place, each in enumerate(row):
                each.left = first + round((last - first) * place / (len(row) - 1))


@policy("arranges pictures in a grid", SHAPES)
def _picture_grid(deck: Any) -> None:
    for slide in deck.slides:
        pictures = [s for s in slide.shapes if s._element.tag == qn("p:pic")]
        if len(pictures) <= _COLUMNS:
            continue
        first = min(pictures, key=lambda each: each.left + each.top)
        left, top, width, height = first.left, first.top, first.width, first.height
        pictures.sort(key=lambda each: (each.top // max(1, height), each.left))
        for place, each in enumerate(pictures):
            each.left = left + (place % _COLUMNS) * (width + _GAP_EMU)
            each.top = top + (place // _COLUMNS) * (height + _GAP_EMU)
            each.width, each.height = width, height


@policy("resets placeholders to their layout positions", SHAPES)
def _reset(deck: Any) -> None:
    for slide in deck.slides:
        for shape in slide.placeholders:
            properties = shape._element.find(qn("p:spPr"))
            for transform in () if properties is None else properties.findall(qn("a:xfrm")):
                properties.remove(transform)


@policy("removes empty placeholders", SHAPES, is_safe=False)
def _empty(deck: Any) -> None:
    for slide in deck.slides:
        for shape in list(slide.placeholders):
            if shape.has_text_frame and not shape.text_frame.text.strip():
                shape._element.getparent().remove(shape._element)


@policy("moves off-slide shapes onto the slide", SHAPES)
def _move_onto_slide(deck: Any) -> None:
    for slide in deck.slides:
        for shape in slide.shapes:
            if not shape.width or not shape.height:
                continue
            left = min(max(0, shape.left), max(0, deck.slide_width - shape.width))
            top = min(max(0, shape.top), max(0, deck.slide_height - shape.height))
            if (left, top) != (shape.left, shape.top):
                shape.left, shape.top = left, top


@policy("describes all pictures", SHAPES)
def _describe(deck: Any) -> None:
    for slide in deck.slides:
        for shape in every_shape(slide.shapes):
            name = next(shape._element.iter(qn("p:cNvPr")))
            if shape._element.tag in (qn("p:pic"), qn("p:graphicFrame")) and not name.get("descr"):
                name.set("descr", f"{shape.name}: {title_of(slide)}")


@policy("gives pictures their own proportions", SHAPES)
def _proportions(deck: Any) -> None:
    for slide in deck.slides:
        for shape in every_shape(slide.shapes):
            if shape._element.tag != qn("p:pic"):
                continue
            try:
                width, height = shape.image.size
            except (AttributeError, ValueError, KeyError):
                continue  # a video, or a linked picture
            visible = 1 - shape.crop_left - shape.crop_right, 1 - shape.crop_top - shape.crop_bottom
            height_emu = shape.width * height * visible[1] / max(1, width * visible[0])
            if abs(height_emu - shape.height) > _MAX_SIZE_DIFFERENCE * shape.height:
                shape.height = round(height_emu)


@policy("shows all pictures in grayscale", SHAPES)
def _gray(deck: Any) -> None:
    for slide in deck.slides:
        for blip in slide._element.iter(qn("a:blip")):
            if blip.find(qn("a:grayscl")) is None:
                blip.insert(0, blip.makeelement(qn("a:grayscl")))


@policy("crops all pictures to squares", SHAPES)
def _square(deck: Any) -> None:
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape._element.tag != qn("p:pic") or shape.width <= shape.height:
                continue
            margin = (1 - shape.height / shape.width) / 2
            shape.left += (shape.width - shape.height) // 2
            visible = 1 - shape.crop_left - shape.crop_right
            shape.crop_left += margin * visible
            shape.crop_right += margin * visible
            shape.width = shape.height


@policy("fills untitled slides with their picture", SHAPES)
def _full_page(deck: Any) -> None:
    for slide in deck.slides:
        pictures = [s for s in slide.shapes if s._element.tag == qn("p:pic")]
        if not title_of(slide) and len(pictures) == 1:
            picture = pictures[0]
            picture.left = picture.top = 0
            picture.width, picture.height = deck.slide_width, deck.slide_height


@policy("makes all pictures a fifth larger", SHAPES)
def _larger(deck: Any) -> None:
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape._element.tag == qn("p:pic"):
                shape.width, shape.height = round(1.2 * shape.width), round(1.2 * shape.height)


@policy("mirrors rows on right-to-left slides", SHAPES)
def _mirror(deck: Any) -> None:
    for slide in deck.slides:
        if not any(each.get("rtl") == "1" for each in slide._element.iter(qn("a:pPr"))):
            continue
        for row in _rows(slide):
            row.sort(key=lambda each: each.left)
            lefts = [each.left for each in row]
            for each, left in zip(row, reversed(lefts), strict=True):
                each.left = left
