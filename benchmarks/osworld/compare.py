"""A strict twin of OSWorld's ``compare_pptx_files``: the same properties, read and compared anew.

It exists for figures that stand beside published ones, with the faults of what was published: see
``docs/guides/import_benchmarks.md``. Nothing here pays a reward.
"""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from pptarena.benchmarks.osworld.cells import cells_differ
from pptarena.benchmarks.osworld.geometry import geometry_differs
from pptarena.benchmarks.osworld.paragraphs import bullets_of, paragraphs_differ, runs_of
from pptarena.benchmarks.osworld.rules import FAULTS
from pptarena.errors import DeckError

__all__ = ["Compared", "Settings", "compare_files", "settings"]

ON: Final = (
    "number_of_slides", "shape", "text", "indent", "font_name", "font_size", "font_bold",
    "font_italic", "color_rgb", "font_underline", "strike_through", "alignment", "bullets",
    "background_color", "note", "run_count",
)  # fmt: skip
"""What is examined unless an option ``examine_...`` says otherwise."""

OFF: Final = (
    "title_bottom_position", "table_bottom_position", "right_position", "top_position",
    "shape_for_shift_size", "image_size", "modify_height",
)  # fmt: skip
"""What is examined only where an option says so."""

_TOLERANCE = 0.005
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


@dataclass(frozen=True, slots=True)
class Compared:
    """What the comparison says.

    Attributes:
        same: Whether the decks count as the same.
        reason: The first thing that differs; empty if nothing does.
    """

    same: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is examined, by its name without ``examine_``, and how near lengths must be."""

    examined: frozenset[str]
    tolerance: float

    def __contains__(self, name: str) -> bool:
        return name in self.examined


def settings(options: Mapping[str, Any]) -> Settings:
    """Return what options ask for; those that are not known are passed over, as published."""
    examined = {name for name in ON if options.get(f"examine_{name}", True)}
    examined |= {name for name in OFF if options.get(f"examine_{name}", False)}
    tolerance = options.get("approximately_tolerance", _TOLERANCE)
    known = isinstance(tolerance, int | float) and not isinstance(tolerance, bool)
    return Settings(frozenset(examined), float(tolerance) if known else _TOLERANCE)


def compare_files(result: bytes, gold: bytes, options: Mapping[str, Any]) -> Compared:
    """Return whether a deck counts as the same as another one.

    Args:
        result: The .pptx file that is judged.
        gold: The one that it is compared with.
        options: Those of the task.

    Raises:
        DeckError: If one cannot be read.
    """
    first, second = _opened(result, "the result"), _opened(gold, "the gold deck")
    try:
        reason = next(_differences(first, second, settings(options)), "")
    except FAULTS as error:
        # The published one ends with an error there, which pays nothing.
        return Compared(False, f"cannot be compared: {type(error).__name__}: {error}")
    return Compared(not reason, reason)


def _opened(file: bytes, what: str) -> Any:
    try:
        return Presentation(io.BytesIO(file))
    except FAULTS as error:
        raise DeckError(f"{what} cannot be read: {error}") from error


def _differences(first: Any, second: Any, examined: Settings) -> Iterator[str]:
    slides, others = list(first.slides), list(second.slides)
    if len(slides) != len(others) and "number_of_slides" in examined:
        yield f"{len(slides)} slides instead of {len(others)}"
    for number, pair in enumerate(zip(slides, others, strict=False), start=1):
        for reason in _of_slides(*pair, number, examined):
            yield f"slide {number}: {reason}"


def _of_slides(first: Any, second: Any, number: int, examined: Settings) -> Iterator[str]:
    if "background_color" in examined and _background(first) != _background(second):
        yield f"the background is {_background(first)} instead of {_background(second)}"
    if "note" in examined and _notes(first) != _notes(second):
        yield "the notes differ"
    shapes, others = list(first.shapes), list(second.shapes)
    if len(shapes) != len(others):
        yield f"{len(shapes)} shapes instead of {len(others)}"
    for at, pair in enumerate(zip(shapes, others, strict=False), start=1):
        for reason in _of_shapes(*pair, number, examined):
            yield f"shape {at}: {reason}"
    yield from _of_groups(list(_with_text(shapes)), list(_with_text(others)), examined)


def _of_shapes(first: Any, second: Any, number: int, examined: Settings) -> Iterator[str]:
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
        bullets, others = bullets_of(first.part.blob), bullets_of(second.part.blob)
        if None not in (bullets, others) and bullets != others:
            yield "the bullets of the slide differ"


def _has_runs(first: Any, second: Any) -> bool:
    """Return whether some run has a counterpart: bullets are looked at with each of them."""
    pairs = zip(first.text_frame.paragraphs, second.text_frame.paragraphs, strict=False)
    return any(all(runs_of(one, other)) for one, other in pairs)


def _of_groups(shapes: list[Any], others: list[Any], examined: Settings) -> Iterator[str]:
    """Compare what has text once more, members of groups among them, by text and alignment."""
    if len(shapes) != len(others):
        yield f"{len(shapes)} shapes with text instead of {len(others)}"
    if "alignment" not in examined:
        return
    for one, other in zip(shapes, others, strict=False):
        if "text" in examined and _text(one) != _text(other):
            yield f"the text is {_text(one)[:40]!r} instead of {_text(other)[:40]!r}"
        only = frozenset(("alignment",))
        yield from paragraphs_differ(one.text_frame, other.text_frame, only, runs=False)


def _with_text(shapes: list[Any]) -> Iterator[Any]:
    for shape in shapes:
        if shape.has_text_frame:
            yield shape
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _with_text(list(shape.shapes))


def _text(shape: Any) -> str:
    return str(shape.text_frame.text).strip()


def _notes(slide: Any) -> str:
    if not slide.has_notes_slide:  # asking for one would make it
        return ""
    frame = slide.notes_slide.notes_text_frame
    return "" if frame is None else str(frame.text).strip()


def _background(slide: Any) -> str | None:
    """Return the colour of a slide's own solid background, or else of its master's."""
    own = _fill(slide)
    return _fill(slide.slide_layout.slide_master)[1] if own[0] == "inherited" else own[1]


def _fill(slide: Any) -> tuple[str, str | None]:
    """Return the sort of a background, and its colour if it is one colour by its numbers.

    Reading it with python-pptx would change the deck.
    """
    properties = slide._element.find(f"{_P}cSld/{_P}bg/{_P}bgPr")
    if properties is None or properties.find(f"{_A}noFill") is not None:
        return "inherited", None
    solid = properties.find(f"{_A}solidFill")
    if solid is None:
        return "other", None
    color = solid.find(f"{_A}srgbClr")
    if color is None:
        raise ValueError("a background's colour is one of the theme's")
    return "solid", str(color.get("val")).upper()
