"""PPTC's names of objects, and the shapes that a name may refer to."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from pptarena.decks import Shape, Slide

__all__ = ["UnknownObjectError", "find_objects", "is_ordinary", "kind_name"]


class UnknownObjectError(LookupError):
    """A name does not refer to a type of object."""

    def __str__(self) -> str:
        return str(self.args[0])


_GEOMETRIES: Final[Mapping[str, str]] = {
    "rect": "Rectangle",
    "roundRect": "Rounded Rectangle",
    "rightArrow": "Right Arrow",
    "triangle": "Triangle",
    "cloud": "Cloud",
    "star5": "Star",
    "ellipse": "Circle",
}
_PLACEHOLDERS = {
    "title": "Title",
    "ctrTitle": "Title",
    "subTitle": "Subtitle",
    "body": "Content",
    "obj": "Content",
}
_KINDS = {
    "picture": "Picture",
    "media": "Media",
    "table": "Table",
    "chart": "Chart",
    "text_box": "TextBox",
    "group": "Group",
    "line": "Line",
    "graphic": "Graphic",
}

_SYNONYMS = {
    "image": "picture", "photo": "picture", "logo": "picture", "treemap": "picture",
    "text": "content", "body": "content",
    "text box": "textbox", "arrow": "right arrow", "oval": "circle", "square": "rectangle",
}  # fmt: skip
_CHARTS = {
    "chart": (), "line chart": ("line",), "pie chart": ("pie",), "bar chart": ("bar", "column"),
}  # fmt: skip
_NAMES = frozenset({
    "title", "subtitle", "content", "picture", "table", "textbox", "rectangle",
    "rounded rectangle", "right arrow", "triangle", "callout", "cloud", "star", "circle",
})  # fmt: skip

# The original finds the first shape whose name contains one of these.
_QUIRK_NAMES = {
    "content": "Content", "title": "Title", "rectangle": "Rectangle",
    "rounded_rectangle": "Rounded Rectangle", "right_arrow": "Right Arrow",
    "arrow": "Right Arrow", "triangle": "Isosceles", "callout": "Callout", "cloud": "Cloud",
    "star": "Star", "circle": "Oval",
}  # fmt: skip


def kind_name(shape: Shape) -> str:
    """Return the name of a shape's type, such as ``Title``, ``TextBox`` or ``Right Arrow``.

    The type is derived from the shape's properties, not its name, which applications change.
    """
    if shape.kind in _KINDS:
        return _KINDS[shape.kind]
    if shape.placeholder:
        name = _PLACEHOLDERS.get(shape.placeholder)
        return name or f"Placeholder {shape.placeholder}"
    if shape.geometry.endswith("Callout"):
        return "Callout"
    return _GEOMETRIES.get(shape.geometry, f"Shape {shape.geometry or 'none'}")


def is_ordinary(shape: Shape) -> bool:
    """Return whether the original considers a shape: no groups, lines, media or freeforms."""
    return (
        shape.kind not in ("group", "line", "media", "graphic")
        and shape.group is None
        and shape.geometry != "custom"
    )


def find_objects(slide: Slide, object_name: str, *, quirks: bool = False) -> tuple[Shape, ...]:
    """Return the shapes that a name may refer to, from back to front.

    Args:
        slide: The slide.
        object_name: Such as ``picture``, ``pie chart`` or, for the second one, ``textbox 1``.
        quirks: Search like the original: only the first shape, by its name in the file.

    Raises:
        UnknownObjectError: If the name refers to no type of object.
    """
    if quirks:
        return _first_by_name(slide, object_name)
    normalized = " ".join(object_name.lower().replace("_", " ").split())
    match = re.fullmatch(r"(.*?) ?(\d{1,4})?", normalized)
    name, index = (match[1], match[2]) if match else (normalized, None)
    matches_type = _predicate_for(name) or _predicate_for(name.removesuffix("s"))
    if matches_type is None:
        raise UnknownObjectError(f"'{object_name}' is not a type of object")
    shapes = tuple(shape for shape in slide.shapes if matches_type(shape))
    return shapes if index is None else shapes[int(index) : int(index) + 1]


def _predicate_for(name: str) -> Callable[[Shape], bool] | None:
    canonical = _SYNONYMS.get(name, name)
    types = _CHARTS.get(canonical)
    if types is not None:
        return lambda shape: shape.chart is not None and (not types or shape.chart.type in types)
    if canonical not in _NAMES:
        return None
    return lambda shape: kind_name(shape).lower() == canonical


def _first_by_name(slide: Slide, object_name: str) -> tuple[Shape, ...]:
    shapes = [shape for shape in slide.shapes if is_ordinary(shape)]
    text = object_name.lower()
    if text == "table":
        matches = [shape for shape in shapes if shape.kind == "table"]
    elif "chart" in text:
        matches = [shape for shape in shapes if shape.kind == "chart"]
    elif "textbox" in text or "picture" in text or text == "image":
        kind = "text_box" if "textbox" in text else "picture"
        index = int(text[7:]) if text[7:].strip().isdigit() else 0
        matches = [shape for shape in shapes if shape.kind == kind][index:]
    elif text in _QUIRK_NAMES:
        matches = [shape for shape in shapes if _QUIRK_NAMES[text] in shape.name]
        if text == "rectangle":
            matches = [shape for shape in matches if "Rounded" not in shape.name]
    else:
        raise UnknownObjectError(f"'{object_name}' is not a type of object")
    return tuple(matches[:1])
