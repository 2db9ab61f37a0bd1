"""Edits of slides shared by several attacks."""

import re
from collections.abc import Collection, Iterator
from copy import deepcopy
from functools import lru_cache
from io import BytesIO
from itertools import count
from typing import Any

from pptx.dml.color import RGBColor
from pptx.oxml.ns import qn
from pptx.shapes.shapetree import SlideShapeFactory
from pptx.util import Emu, Pt

from pptarena.tasks.quality.attacks.material import shape_elements, shape_id

__all__ = [
    "add_cover",
    "add_text_box",
    "garble",
    "remove_shapes",
    "replace_text",
    "restyle_text",
    "run_properties",
    "shape_proxy",
    "slides_by_id",
    "text_elements",
    "text_picture",
]

_VOWELS = "aeiouy"
_CJK_RANGES = r"\u3040-\u30ff\u3400-\u9fff"
_WORD_PATTERN = re.compile(rf" |[{_CJK_RANGES}]|[^ {_CJK_RANGES}]+")


def slides_by_id(deck: Any) -> dict[int, Any]:
    """Return the slides of a presentation by id."""
    return {slide.slide_id: slide for slide in deck.slides}


def remove_shapes(slide: Any, keep: Collection[int] = ()) -> None:
    """Remove all shapes except those with the given ids, and animations of removed shapes."""
    for element in list(shape_elements(slide)):
        if element.tag != qn("p:grpSp") and shape_id(element) not in keep:
            element.getparent().remove(element)
    for group in list(slide.shapes._spTree.iter(qn("p:grpSp"))):
        if not any(True for _ in group.iter(qn("p:sp"), qn("p:pic"), qn("p:graphicFrame"))):
            group.getparent().remove(group)
    remaining = {shape_id(element) for element in shape_elements(slide)}
    targets = {int(each.get("spid")) for each in slide._element.iter(qn("p:spTgt"))}
    timing = slide._element.find(qn("p:timing"))
    if timing is not None and not targets <= remaining:
        slide._element.remove(timing)


def shape_proxy(slide: Any, element: Any) -> Any:
    """Return the python-pptx shape of an XML element."""
    return SlideShapeFactory(element, slide.shapes)


def add_text_box(
    slide: Any, text: str, box_emu: tuple[int, int, int, int], size_pt: float = 18.0
) -> Any:
    """Add a text box with one paragraph per line; `box_emu` is left, top, width, height."""
    shape = slide.shapes.add_textbox(*map(Emu, box_emu))
    shape.text_frame.word_wrap = True
    shape.text_frame.text = text
    for paragraph in shape.text_frame.paragraphs:
        for run in paragraph.runs:
            run.font.size = Pt(size_pt)
    return shape


def add_cover(slide: Any, box_emu: tuple[int, int, int, int], color: str = "FFFFFF") -> Any:
    """Add an opaque rectangle to a slide; `box_emu` is left, top, width, height."""
    shape = slide.shapes.add_shape(1, *map(Emu, box_emu))
    shape.fill.solid()
    color_type: Any = RGBColor  # untyped in python-pptx
    shape.fill.fore_color.rgb = color_type.from_string(color)
    shape.line.fill.background()
    return shape


def text_elements(element: Any) -> Iterator[Any]:
    """Yield the text elements of a shape."""
    yield from element.iter(qn("a:t"))


def replace_text(element: Any, text: str) -> None:
    """Replace the text of a shape, one paragraph per line, and keep the paragraphs' formatting.

    Additional lines are formatted like the last paragraph; surplus paragraphs are removed.
    """
    paragraphs = list(element.iter(qn("a:p")))
    lines = text.split("\n")
    while len(paragraphs) < len(lines):
        copy = deepcopy(paragraphs[-1])
        paragraphs[-1].addnext(copy)
        paragraphs.append(copy)
    for paragraph in paragraphs[len(lines) :]:
        paragraph.getparent().remove(paragraph)
    for paragraph, line in zip(paragraphs, lines, strict=False):
        texts = list(text_elements(paragraph))
        if not texts:
            texts = [paragraph.add_r().t]
        texts[0].text = line
        for surplus in texts[1:]:
            surplus.text = ""


def restyle_text(element: Any, color: str | None = None, size_pt: float | None = None) -> None:
    """Set the color (RRGGBB, ``none`` for no fill) or size of all text of a shape."""
    for properties in run_properties(element):
        if size_pt is not None:
            properties.set("sz", str(round(size_pt * 100)))
        if color is not None:
            for name in ("a:noFill", "a:solidFill", "a:gradFill", "a:blipFill", "a:pattFill"):
                for old in properties.findall(qn(name)):
                    properties.remove(old)
            fill = properties.makeelement(qn("a:noFill" if color == "none" else "a:solidFill"))
            if color != "none":
                fill.append(fill.makeelement(qn("a:srgbClr"), {"val": color}))
            line = properties.find(qn("a:ln"))
            if line is None:
                properties.insert(0, fill)
            else:
                line.addnext(fill)


def garble(text: str, step: int = 1) -> str:
    """Return a text with every n-th word replaced by a made-up word of the same length.

    In Chinese and Japanese, which do not separate words, every n-th character is made up.
    """
    numbers = count(1)
    return "".join(
        _made_up_word(word) if word.strip() and next(numbers) % step == 0 else word
        for word in _WORD_PATTERN.findall(text)
    )


def text_picture(text: str, width: int = 1280, height: int = 720) -> BytesIO:
    """Return a PNG file with a text in large type on white."""
    return BytesIO(_text_png(text, width, height))


@lru_cache(maxsize=64)  # several attacks use the same text
def _text_png(text: str, width: int, height: int) -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (width, height), "white")
    font = ImageFont.load_default(size=40)
    ImageDraw.Draw(picture).multiline_text((60, 60), text, fill="black", font=font, spacing=16)
    stream = BytesIO()
    picture.save(stream, "PNG", compress_level=1)  # compression would take most of an attack's time
    return stream.getvalue()


def _made_up_word(word: str) -> str:
    return "".join(
        "qxzkvw"[index % 6] if character.lower() in _VOWELS else "uoieay"[index % 6]
        for index, character in enumerate(word)
    )


def run_properties(element: Any) -> Iterator[Any]:
    """Yield the properties of all runs and fields of an element; missing ones are created."""
    for run in [*element.iter(qn("a:r")), *element.iter(qn("a:fld"))]:
        yield run.get_or_add_rPr() if hasattr(run, "get_or_add_rPr") else _field_properties(run)


def _field_properties(field: Any) -> Any:
    properties = field.find(qn("a:rPr"))
    if properties is None:
        properties = field.makeelement(qn("a:rPr"))
        field.insert(0, properties)
    return properties
