"""A strict reimplementation of OSWorld's ``compare_pptx_files``, comparing the same properties.

It reproduces the bugs of the published function so that scores are comparable; see
``docs/guides/import_benchmarks.md``. It is not used for rewards.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from pptarena.benchmarks.osworld.geometry import geometry_differs
from pptarena.benchmarks.osworld.paragraphs import (
    color_differs,
    compared_runs,
    paragraphs_differ,
    read_bullets,
    switch_differs,
    underline_differs,
)
from pptarena.benchmarks.osworld.rules import FAULTS
from pptarena.errors import DeckError

__all__ = ["Comparison", "Settings", "compare_files", "settings"]

ON: Final = (
    "number_of_slides", "shape", "text", "indent", "font_name", "font_size", "font_bold",
    "font_italic", "color_rgb", "font_underline", "strike_through", "alignment", "bullets",
    "background_color", "note", "run_count",
)  # fmt: skip
"""Properties that are compared unless an option ``examine_...`` disables them."""

OFF: Final = (
    "title_bottom_position", "table_bottom_position", "right_position", "top_position",
    "shape_for_shift_size", "image_size", "modify_height",
)  # fmt: skip
"""Properties that are compared only if an option enables them."""

_TOLERANCE = 0.005
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


def cells_differ(first: Any, second: Any, examined: frozenset[str]) -> Iterator[str]:
    """Yield the differences of two tables: rows, columns, paragraphs, runs and some styles.

    Only ``run_count`` and ``color_rgb`` can be disabled.
    """
    sizes = [(len(table.rows), len(table.columns)) for table in (first, second)]
    if sizes[0] != sizes[1]:
        yield f"a table of {sizes[0]} rows and columns instead of {sizes[1]}"
        return
    for row in range(sizes[0][0]):
        for column in range(sizes[0][1]):
            one, other = (table.cell(row, column).text_frame for table in (first, second))
            for reason in _compare_cells(one, other, examined):
                yield f"row {row + 1}, column {column + 1}: {reason}"


def _compare_cells(first: Any, second: Any, examined: frozenset[str]) -> Iterator[str]:
    paragraphs, others = list(first.paragraphs), list(second.paragraphs)
    if len(paragraphs) != len(others):
        yield f"{len(paragraphs)} paragraphs instead of {len(others)}"
    for one, other in zip(paragraphs, others, strict=False):
        runs, counterparts = compared_runs(one, other)
        if "run_count" in examined and len(runs) != len(counterparts):
            yield f"{len(runs)} runs instead of {len(counterparts)}"
        for run, counterpart in zip(runs, counterparts, strict=False):
            font, expected = run.font, counterpart.font
            if "color_rgb" in examined and color_differs(font, expected):
                yield "the colour differs"
            if switch_differs(font.bold, expected.bold):
                yield "bold differs"
            if switch_differs(font.italic, expected.italic):
                yield "italic differs"
            if underline_differs(font.underline, expected.underline):
                yield "the underline differs"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of a comparison.

    Attributes:
        same: Whether the decks count as equal.
        reason: The first difference; empty if there is none.
    """

    same: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """The compared properties and the tolerance.

    Attributes:
        examined: Names of the compared properties, without ``examine_``.
        tolerance: Relative tolerance of lengths.
    """

    examined: frozenset[str]
    tolerance: float

    def __contains__(self, name: str) -> bool:
        return name in self.examined


def settings(options: Mapping[str, Any]) -> Settings:
    """Return the settings for a task's options; unknown options are ignored, as in the original."""
    examined = {name for name in ON if options.get(f"examine_{name}", True)}
    examined |= {name for name in OFF if options.get(f"examine_{name}", False)}
    tolerance = options.get("approximately_tolerance", _TOLERANCE)
    is_number = isinstance(tolerance, int | float) and not isinstance(tolerance, bool)
    return Settings(frozenset(examined), float(tolerance) if is_number else _TOLERANCE)


def compare_files(result: bytes, gold: bytes, options: Mapping[str, Any]) -> Comparison:
    """Return whether a deck counts as equal to another.

    Args:
        result: The .pptx file to evaluate.
        gold: The .pptx file to compare with.
        options: Options of the task.

    Raises:
        DeckError: If a deck cannot be read.
    """
    first, second = _open(result, "the result"), _open(gold, "the gold deck")
    try:
        reason = next(_differences(first, second, settings(options)), "")
    except FAULTS as error:
        # The published function raises an error in this case, which scores 0.
        return Comparison(False, f"cannot be compared: {type(error).__name__}: {error}")
    return Comparison(not reason, reason)


def _open(file: bytes, name: str) -> Any:
    try:
        return Presentation(io.BytesIO(file))
    except FAULTS as error:
        raise DeckError(f"{name} cannot be read: {error}") from error


def _differences(first: Any, second: Any, examined: Settings) -> Iterator[str]:
    slides, others = list(first.slides), list(second.slides)
    if len(slides) != len(others) and "number_of_slides" in examined:
        yield f"{len(slides)} slides instead of {len(others)}"
    for number, pair in enumerate(zip(slides, others, strict=False), start=1):
        for reason in _compare_slides(*pair, number, examined):
            yield f"slide {number}: {reason}"


def _compare_slides(first: Any, second: Any, number: int, examined: Settings) -> Iterator[str]:
    if "background_color" in examined and _background(first) != _background(second):
        yield f"the background is {_background(first)} instead of {_background(second)}"
    if "note" in examined and _notes(first) != _notes(second):
        yield "the notes differ"
    shapes, others = list(first.shapes), list(second.shapes)
    if len(shapes) != len(others):
        yield f"{len(shapes)} shapes instead of {len(others)}"
    for position, pair in enumerate(zip(shapes, others, strict=False), start=1):
        for reason in _compare_shapes(*pair, number, examined):
            yield f"shape {position}: {reason}"
    yield from _compare_text_shapes(
        list(_text_shapes(shapes)), list(_text_shapes(others)), examined
    )


def _compare_shapes(first: Any, second: Any, number: int, examined: Settings) -> Iterator[str]:
    if reason := geometry_differs(first, second, number, examined.examined, examined.tolerance):
        yield reason
    if first.shape_type == MSO_SHAPE_TYPE.TABLE:
        if second.shape_type != MSO_SHAPE_TYPE.TABLE:
            yield "a table instead of another shape"
        else:
            yield from cells_differ(first.table, second.table, examined.examined)
    if not (first.has_text_frame and second.has_text_frame):
        return
    if "text" in examined and _text(first) != _text(second):
        yield f"the text is {_text(first)[:40]!r} instead of {_text(second)[:40]!r}"
    yield from paragraphs_differ(first.text_frame, second.text_frame, examined.examined)
    if "bullets" in examined and _has_runs(first, second):
        bullets, others = read_bullets(first.part.blob), read_bullets(second.part.blob)
        if None not in (bullets, others) and bullets != others:
            yield "the bullets of the slide differ"


def _has_runs(first: Any, second: Any) -> bool:
    """Return whether any run has a counterpart; bullets are compared once per such run."""
    pairs = zip(first.text_frame.paragraphs, second.text_frame.paragraphs, strict=False)
    return any(all(compared_runs(one, other)) for one, other in pairs)


def _compare_text_shapes(shapes: list[Any], others: list[Any], examined: Settings) -> Iterator[str]:
    """Compare shapes with text again, including members of groups, by text and alignment."""
    if len(shapes) != len(others):
        yield f"{len(shapes)} shapes with text instead of {len(others)}"
    if "alignment" not in examined:
        return
    for one, other in zip(shapes, others, strict=False):
        if "text" in examined and _text(one) != _text(other):
            yield f"the text is {_text(one)[:40]!r} instead of {_text(other)[:40]!r}"
        only = frozenset(("alignment",))
        yield from paragraphs_differ(one.text_frame, other.text_frame, only, runs=False)


def _text_shapes(shapes: list[Any]) -> Iterator[Any]:
    for shape in shapes:
        if shape.has_text_frame:
            yield shape
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _text_shapes(list(shape.shapes))


def _text(shape: Any) -> str:
    return str(shape.text_frame.text).strip()


def _notes(slide: Any) -> str:
    if not slide.has_notes_slide:  # accessing notes_slide would create it
        return ""
    frame = slide.notes_slide.notes_text_frame
    return "" if frame is None else str(frame.text).strip()


def _background(slide: Any) -> str | None:
    """Return the color of a slide's own solid background, or else of its master's."""
    fill = _fill(slide)
    return _fill(slide.slide_layout.slide_master)[1] if fill[0] == "inherited" else fill[1]


def _fill(slide: Any) -> tuple[str, str | None]:
    """Return the type of a background, and its RGB color if it is solid.

    Reads the XML, since python-pptx would modify the deck.
    """
    properties = slide._element.find(f"{_P}cSld/{_P}bg/{_P}bgPr")
    if properties is None or properties.find(f"{_A}noFill") is not None:
        return "inherited", None
    solid = properties.find(f"{_A}solidFill")
    if solid is None:
        return "other", None
    color = solid.find(f"{_A}srgbClr")
    if color is None:
        raise ValueError("the background has a theme color")
    return "solid", str(color.get("val")).upper()
