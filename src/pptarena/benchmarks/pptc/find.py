"""Find objects on a slide by the names used in calls."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from pptx.enum.shapes import MSO_SHAPE, PP_PLACEHOLDER
from pptx.oxml.ns import qn

from pptarena.benchmarks.pptc.errors import Refusal

__all__ = ["SHAPES", "canonical_name", "find_all", "find_by_index", "find_last", "type_name"]

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

_BY_PRESET = {shape.xml_value: key for key, shape in SHAPES.items()}
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


def canonical_name(name: str) -> str:
    """Return the name that `type_name` uses for an object, such as ``right_arrow`` for an arrow."""
    normalized = "_".join(name.lower().replace("_", " ").split())
    return _SYNONYMS.get(normalized, normalized)


def type_name(shape: Any) -> str:
    """Return the name of a shape's type in calls; empty if there is none."""
    if shape.has_table:
        return "table"
    if shape.has_chart:
        return "chart"
    element = shape._element
    if element.tag == qn("p:pic"):
        return "picture"
    if shape.is_placeholder:
        placeholder_type = shape.placeholder_format.type
        return (
            "title"
            if placeholder_type in _TITLES
            else "content"
            if placeholder_type in _BODIES
            else ""
        )
    if element.tag != qn("p:sp"):
        return ""
    if element.find(f"{qn('p:nvSpPr')}/{qn('p:cNvSpPr')}").get("txBox") in ("1", "true"):
        return "textbox"
    preset = element.find(f"{qn('p:spPr')}/{qn('a:prstGeom')}")
    return "" if preset is None else _BY_PRESET.get(preset.get("prst"), "")


def find_all(slide: Any, name: str) -> list[Any]:
    """Return the objects of a slide with a type name, from back to front."""
    canonical = canonical_name(name)
    return [shape for shape in slide.shapes if type_name(shape) == canonical]


def find_by_index(slide: Any, name: str, index: int) -> Any:
    """Return an object by type name and index, from 0 at the back.

    Raises:
        Refusal: If the index is out of range.
    """
    objects = find_all(slide, name)
    if index >= len(objects):
        raise Refusal(f"expected a {name} of index {index}, the slide has {len(objects)} of them")
    return objects[index]


def find_last(slide: Any, name: str) -> Any:
    """Return the frontmost object of a type, which was inserted last.

    Raises:
        Refusal: If there is none.
    """
    objects = find_all(slide, name)
    if not objects:
        raise Refusal(f"expected a {name} on the slide, found none")
    return objects[-1]
