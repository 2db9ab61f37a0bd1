"""Reimplementation of OSWorld's smaller evaluators, with the bugs of the originals.

Each returns a score from 0 to 1.
"""

import io
import math
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, Final

from lxml import etree
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.exc import PythonPptxError

__all__ = ["FAULTS", "RULES"]

FAULTS: Final = (
    AttributeError, LookupError, NotImplementedError, OSError, TypeError, ValueError,
    PythonPptxError, etree.XMLSyntaxError, zipfile.BadZipFile,
)  # fmt: skip
"""Exceptions raised by rules for decks that lack what they evaluate."""

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True)
_MAX_PART = 64 * 2**20
_HALF_INCH = 457_200
_MIN_LEAD = 50
_MAX_DISTANCE = math.sqrt(3 * 255**2)

_Rule = Callable[[bytes, bytes | None, Mapping[str, Any]], float]


def _transition(result: bytes, gold: bytes | None, rules: Mapping[str, Any]) -> float:
    """Evaluate the slide whose part name has the number, which may differ from its position."""
    root = _part(result, f"ppt/slides/slide{int(rules['slide_idx']) + 1}.xml")
    transition = None if root is None else next(root.iter(f"{_P}transition"), None)
    if transition is None:
        return 0.0
    return float(next(transition.iter(f"{_P}{rules['transition_type']}"), None) is not None)


def _background(result: bytes, gold: bytes | None, rules: Mapping[str, Any]) -> float:
    """Return 1 minus the mean RGB distance of backgrounds; other colors get partial credit."""
    slides = list(Presentation(io.BytesIO(result)).slides)
    if not slides:
        return 0.0
    target, original = rules["rgb"], rules.get("original_rgb")
    return 1 - sum(_distance(_color(slide), target, original) for slide in slides) / len(slides)


def _distance(
    color: tuple[int, ...] | None, target: list[int], original: list[int] | None
) -> float:
    if color is None or (original is not None and list(color) == list(original)):
        return 1.0
    return math.dist(color, target) / _MAX_DISTANCE


def _color(slide: Any) -> tuple[int, ...] | None:
    for owner in (slide, slide.slide_layout.slide_master):
        properties = owner._element.find(f"{_P}cSld/{_P}bg/{_P}bgPr")
        if properties is None or properties.find(f"{_A}noFill") is not None:
            continue
        color = properties.find(f"{_A}solidFill/{_A}srgbClr")
        return None if color is None else _rgb(str(color.get("val")))
    return None


def _portrait(result: bytes, gold: bytes | None, rules: Mapping[str, Any]) -> float:
    presentation = Presentation(io.BytesIO(result))
    return float((presentation.slide_width or 0) < (presentation.slide_height or 0))


def _stretched_picture(result: bytes, gold: bytes | None, rules: Mapping[str, Any]) -> float:
    """Whether the original deck's first picture fills the first slide, within half an inch."""
    if gold is None:
        return 0.0
    original, current = (Presentation(io.BytesIO(file)) for file in (gold, result))
    width, height = original.slide_width or 0, original.slide_height or 0
    picture = next((s for s in original.slides[0].shapes if _is_picture(s)), None)
    for shape in current.slides[0].shapes:
        if picture is None or not _is_picture(shape) or shape.image.blob != picture.image.blob:
            continue
        deviations = (
            shape.width - width,
            shape.height - height,
            shape.left - (width - shape.width) / 2,
            shape.top - (height - shape.height) / 2,
        )
        if all(abs(deviation) <= _HALF_INCH for deviation in deviations):
            return 1.0
    return 0.0


def _is_picture(shape: Any) -> bool:
    return bool(shape.shape_type == MSO_SHAPE_TYPE.PICTURE)


def _strikethrough(result: bytes, gold: bytes | None, rules: Mapping[str, Any]) -> float:
    """Whether the first run of each paragraph has a strike attribute, even ``noStrike``."""
    slides = Presentation(io.BytesIO(result)).slides
    for slide in rules["slide_index_s"]:
        for shape in rules["shape_index_s"]:
            paragraphs = slides[slide].shapes[shape].text_frame.paragraphs
            for line in rules["paragraph_index_s"]:
                if "strike" not in paragraphs[line].runs[0].font._element.attrib:
                    return 0.0
    return 1.0


def _numbers(result: bytes, gold: bytes | None, rules: Mapping[str, Any]) -> float:
    """Evaluate the last color in the first master that is not black, whatever it applies to."""
    root = _part(result, "ppt/slideMasters/slideMaster1.xml")
    if root is None:
        return 0.0
    run_colors = [
        color_element.get("val")
        for run in root.iter(f"{_A}rPr")
        for fill in run.iter(f"{_A}solidFill")
        for color_element in fill.iter(f"{_A}srgbClr")
    ]
    all_colors = [
        color_element.get("val")
        for fill in root.iter(f"{_A}solidFill")
        for color_element in fill.iter(f"{_A}srgbClr")
    ]
    candidates = [value for value in (*all_colors, *run_colors) if value and value != "000000"]
    value = candidates[-1] if candidates else (all_colors[-1] if all_colors else None)
    color = None if value is None else _rgb(str(value))
    return float(color is not None and _has_color_name(color, str(rules["color"])))


def _has_color_name(color: tuple[int, ...], name: str) -> bool:
    if name == "black":
        return max(color) < _MIN_LEAD
    channel = {"red": 0, "green": 1, "blue": 2}.get(name)
    if channel is None:
        return True  # the original accepts unknown color names
    others = [part for index, part in enumerate(color) if index != channel]
    return color[channel] > max(others) + _MIN_LEAD


def _rgb(value: str) -> tuple[int, ...] | None:
    try:
        return tuple(bytes.fromhex(value)) if len(value) == 6 else None
    except ValueError:
        return None


def _part(file: bytes, name: str) -> Any:
    """Return the root element of a part; None if the part is missing or too large."""
    with zipfile.ZipFile(io.BytesIO(file)) as package:
        if name not in package.namelist() or package.getinfo(name).file_size > _MAX_PART:
            return None
        return etree.fromstring(package.read(name), _PARSER)


RULES: Final[Mapping[str, _Rule]] = {
    "check_transition": _transition,
    "evaluate_presentation_fill_to_rgb_distance": _background,
    "check_slide_orientation_Portrait": _portrait,
    "check_image_stretch_and_center": _stretched_picture,
    "check_strikethrough": _strikethrough,
    "check_page_number_colors": _numbers,
}
"""Rules by name. Arguments: the deck, the deck to compare with, and the rule's options."""
