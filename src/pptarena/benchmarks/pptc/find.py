"""Find objects on a slide by the names used in calls."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from pptx.enum.shapes import MSO_SHAPE, PP_PLACEHOLDER
from pptx.oxml.ns import qn

from pptarena.benchmarks.pptc.errors import Refusal

__all__ = ["SHAPES", "find_all", "find_one", "kind_word", "top_of", "word_of"]

SHAPES: Final[Mapping[str, MSO_SHAPE]] = MappingProxyType(
    {
        "rectangle": MSO_SHAPE.RECTANGLE,
        "right_arrow": MSO_SHAPE.RIGHT_ARROW,
        "rounded_rectangle": MSO_SHAPE.ROUNDED_RECTANGLE,
        "triangle": MSO_SHAPE.ISOSCELES_TRIANGLE,
        "callout": MSO_SHAPE.BALLOON,
        "cloud": MSO_SHAPE.CLOUD,
        "star": MSO_SHAPE.STAR_5_POINT,
        "circle": MSO_SHAPE.OVAL,
    }
)
"""Insertable shapes by name."""

_BY_PRESET = {shape.xml_value: word for word, shape in SHAPES.items()}
_SYNONYMS = {
    "image": "picture",
    "photo": "picture",
    "arrow": "right_arrow",
    "text": "content",
    "text_box": "textbox",
    "line_chart": "chart",
    "bar_chart": "chart",
    "pie_chart": "chart",
}
_TITLES = (PP_PLACEHOLDER.TITLE, PP_PLACEHOLDER.CENTER_TITLE)
_BODIES = (
    PP_PLACEHOLDER.BODY,
    PP_PLACEHOLDER.OBJECT,
    PP_PLACEHOLDER.VERTICAL_BODY,
    PP_PLACEHOLDER.VERTICAL_OBJECT,
)


def kind_word(word: str) -> str:
    """Return the name that `word_of` uses for an object, such as ``right_arrow`` for an arrow."""
    plain = "_".join(word.lower().replace("_", " ").split())
    return _SYNONYMS.get(plain, plain)


def word_of(shape: Any) -> str:
    """Return the name of a shape's type in calls; empty if there is none."""
    if shape.has_table:
        return "table"
    if shape.has_chart:
        return "chart"
    element = shape._element
    if element.tag == qn("p:pic"):
        return "picture"
    if shape.is_placeholder:
        kind = shape.placeholder_format.type
        return "title" if kind in _TITLES else "content" if kind in _BODIES else ""
    if element.tag != qn("p:sp"):
        return ""
    if element.find(f"{qn('p:nvSpPr')}/{qn('p:cNvSpPr')}").get("txBox") in ("1", "true"):
        return "textbox"
    preset = element.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")
    return "" if preset is None else _BY_PRESET.get(preset.get("prst"), "")


def find_all(slide: Any, word: str) -> list[Any]:
    """Return the objects of a slide with a type name, from back to front."""
    kind = kind_word(word)
    return [shape for shape in slide.shapes if word_of(shape) == kind]


def find_one(slide: Any, word: str, index: int) -> Any:
    """Return an object by type name and index, from 0 at the back.

    Raises:
        Refusal: If the index is out of range.
    """
    found = find_all(slide, word)
    if index >= len(found):
        raise Refusal(f"expected a {word} of index {index}, the slide has {len(found)} of them")
    return found[index]


def top_of(slide: Any, word: str) -> Any:
    """Return the frontmost object of a type, which was inserted last.

    Raises:
        Refusal: If there is none.
    """
    found = find_all(slide, word)
    if not found:
        raise Refusal(f"expected a {word} on the slide, found none")
    return found[-1]
