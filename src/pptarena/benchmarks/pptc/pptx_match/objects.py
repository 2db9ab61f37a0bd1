"""PPTC's names of objects, and the shapes that a name may refer to."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from pptarena.decks import Shape, Slide

__all__ = ["UnknownObjectError", "find_objects", "kind_name", "ordinary"]


class UnknownObjectError(LookupError):
    """A name that refers to no type of object."""

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
_WORDS = frozenset({
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
        known = _PLACEHOLDERS.get(shape.placeholder)
        return known or f"Placeholder {shape.placeholder}"
    if shape.geometry.endswith("Callout"):
        return "Callout"
    return _GEOMETRIES.get(shape.geometry, f"Shape {shape.geometry or 'none'}")


def ordinary(shape: Shape) -> bool:
    """Return whether the original considers a shape: no groups, lines, media or freeforms."""
    return (
        shape.kind not in ("group", "line", "media", "graphic")
        and shape.group is None
        and shape.geometry != "custom"
    )


def find_objects(slide: Slide, word: str, *, quirks: bool = False) -> tuple[Shape, ...]:
    """Return the shapes that a name may refer to, from back to front.

    Args:
        slide: The slide.
        word: A name such as ``picture``, ``pie chart`` or, for the second one, ``textbox 1``.
        quirks: Search like the original: only the first shape, by its name in the file.

    Raises:
        UnknownObjectError: If the name refers to no type of object.
    """
    if quirks:
        return _first_by_name(slide, word)
    plain = " ".join(word.lower().replace("_", " ").split())
    match = re.fullmatch(r"(.*?) ?(\d{1,4})?", plain)
    name, index = (match[1], match[2]) if match else (plain, None)
    fits = _test_of(name) or _test_of(name.removesuffix("s"))
    if fits is None:
        raise UnknownObjectError(f"'{word}' means no kind of object")
    found = tuple(shape for shape in slide.shapes if fits(shape))
    return found if index is None else found[int(index) : int(index) + 1]


def _test_of(name: str) -> Callable[[Shape], bool] | None:
    plain = _SYNONYMS.get(name, name)
    types = _CHARTS.get(plain)
    if types is not None:
        return lambda shape: shape.chart is not None and (not types or shape.chart.type in types)
    if plain not in _WORDS:
        return None
    return lambda shape: kind_name(shape).lower() == plain


def _first_by_name(slide: Slide, word: str) -> tuple[Shape, ...]:
    shapes = [shape for shape in slide.shapes if ordinary(shape)]
    text = word.lower()
    if text == "table":
        found = [shape for shape in shapes if shape.kind == "table"]
    elif "chart" in text:
        found = [shape for shape in shapes if shape.kind == "chart"]
    elif "textbox" in text or "picture" in text or text == "image":
        kind = "text_box" if "textbox" in text else "picture"
        index = int(text[7:]) if text[7:].strip().isdigit() else 0
        found = [shape for shape in shapes if shape.kind == kind][index:]
    elif text in _QUIRK_NAMES:
        found = [shape for shape in shapes if _QUIRK_NAMES[text] in shape.name]
        if text == "rectangle":
            found = [shape for shape in found if "Rounded" not in shape.name]
    else:
        raise UnknownObjectError(f"'{word}' means no kind of object")
    return tuple(found[:1])
